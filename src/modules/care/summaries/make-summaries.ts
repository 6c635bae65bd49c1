// Makes what the judgement of a patient needs of one type: the days that changed, the evidence in them, the newest reading. What is made is
// written in one statement, and only where nothing else was made of the patient since the task was read; so positions cannot cover what
// was not judged.
import type { Db } from '../../../db/db.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { DAY, timeOf } from '../status/beyond.ts'
import { type EvidenceRow, type JudgedTarget, Judging, keptEvidence } from './judge-readings.ts'
import { type Kind, loadStanding, type Range, readingsOf } from './load-readings.ts'
import type { SummaryTask } from './next-tasks.ts'
import { KEPT_DAYS, KEPT_EVIDENCE_DAYS } from './what-is-summarised.ts'
import { writeSummaries } from './write-summaries.ts'

/** Late readings of so many days are found by these, and not by their arrival. */
const FEW_DAYS = 7

/** How many readings were read, and whether it was written. */
export async function makeSummaries(
  db: Db,
  task: SummaryTask,
  now: number,
): Promise<{ readings: number; isMade: boolean }> {
  // Readings come with the clock of the database, which may be ahead of this one.
  const today = Math.max(Math.floor(now / DAY), dayOf(task.measuredTo) ?? -Infinity)
  const from = (dayOf(task.measuredFrom) ?? -Infinity) * DAY
  const to = ((dayOf(task.measuredTo) ?? today) + 1) * DAY
  const summedFrom = Math.max(from, (today - KEPT_DAYS + 1) * DAY)
  const evidenceFrom = (today - KEPT_EVIDENCE_DAYS) * DAY

  const { targets, evidence: standing } = await loadStanding(db, task)
  const judging = new Judging(targets, { summed: summedFrom, arrived: evidenceFrom })
  let readings = 0
  const take = async (kind: Kind, range: Range) => {
    for await (const page of readingsOf(db, task, kind, range)) {
      for (const reading of page) judging.take(reading)
      const last = page.at(-1)
      if (kind === 'usual' && last) judging.closeBefore(last.measuredAt)
      readings += page.length
    }
  }
  const summed = { from: printed(summedFrom), to: printed(to) }
  if (summedFrom < to) {
    await take('strange', summed)
    await take('usual', summed)
  }
  // Of days that are not summed only symptoms and values beyond act limits are evidence.
  if (from < summedFrom && (targets.some(hasActLimit) || task.readingType === 'symptom')) {
    const unsummedTo = Math.min(to, summedFrom)
    await take(unsummedTo - from <= FEW_DAYS * DAY ? 'lateOfDays' : 'late', {
      from: printed(from),
      to: printed(unsummedTo),
      receivedFrom: printed(evidenceFrom),
    })
  }

  const { days, evidence, dataDays } = judging.finish()
  const untouched = standing.filter((row) => {
    const at = timeOf(row)
    return at < from || at >= to
  })
  const kept = [...untouched, ...evidence].filter(
    ({ kind, targetId, receivedAt }) =>
      receivedAt >= evidenceFrom &&
      (kind !== 'value' || targets.some((target) => target.targetId === targetId)),
  )
  const isMade = await writeSummaries(db, {
    task,
    targetIds: targets.map(({ targetId }) => targetId),
    today,
    made: { from: summedFrom / DAY, to: to / DAY - 1 },
    days,
    evidence: keptEvidence(kept, targets).map((row) => ({ ...row, shown: shownOf(row, task.readingType) })),
    dataDays: dataDays.filter((day) => day * DAY >= summedFrom),
  })
  return { readings, isMade }
}

const hasActLimit = ({ fields }: JudgedTarget) =>
  fields.some(({ actBelow = null, actAbove = null }) => (actBelow ?? actAbove) !== null)

/** Of a reading its numbers, with their unit, or what the device says instead; of a symptom what it is. */
function shownOf({ shown }: EvidenceRow, readingType: string): EvidenceRow['shown'] {
  const known = [...Object.keys(CATALOGUE[readingType]?.quantities ?? {}), 'unit', 'outOfRange', 'symptom']
  return Object.fromEntries(known.flatMap((name) => (name in shown ? [[name, shown[name]]] : [])))
}

const dayOf = (instant: string) =>
  instant.includes('infinity') ? undefined : Math.floor(Date.parse(instant) / DAY)
const printed = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : '-infinity')
