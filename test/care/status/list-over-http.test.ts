// The cases of the judgement over HTTP: their readings, targets and looks are stored as if they had come at their times, the service makes
// what it judges by, and the list of a doctor says what the function says of the facts by hand. Left out are cases with alerts, which rules
// open, and cases with a target of a practice for all: for all with whom it shares, which nobody says yet.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Look, Who } from '../../../src/modules/care/status/facts.ts'
import type { Status } from '../../../src/modules/care/status/reason.ts'
import { statusOf } from '../../../src/modules/care/status/status-of.ts'
import { type Case, cases } from './cases.ts'
import { D, NOW } from './facts-by-hand.ts'
import { readingsOf, type StoredReading, storedType, targetsOf } from './stored-facts.ts'
import { startWorld } from './stored-world.ts'

/** The cases count from a noon; the server's clock is put to that of tomorrow. */
const LATER = (Math.floor(Date.now() / D) + 1.5) * D - NOW

type Stored = Case & {
  patientUid: string
  readings: StoredReading[]
  /** Of the readings by the ids of the case. */
  ids: Map<string, string>
  /** Up to where the patient was judged when the readings of a position were. */
  judged: Map<number, string>
}

const isStorable = ({ facts: { alerts, targets } }: Case) =>
  alerts.length === 0 && !targets.some(({ author, isForAll }) => author.is === 'practice' && isForAll)

/** Facts by hand that no stored readings have: beginnings of what the cases say. */
const NOT_STORED = Object.entries({
  'the clock of the service goes on': [
    'Own for all: BP. This patient’s last blood pressure was exactly',
    'Oxygen with an act limit only; 96, exactly',
    'BP: 224/126 exactly 72 h',
    'BP: 224/126, 14 days ago, unseen',
    '“Dizzy” MODERATE exactly',
    '124/78 from a clock one year ahead, arrived exactly',
  ],
  'the single values count in the mean and the goals too': [
    'BP: 224/126 (#10) and 190/100 (#11)',
    'BP: 224/126 (#10), Done to #10, then 184/100',
    'BP: 224/126 (#10), Done to #10, then 200/112',
    'BP: 224/126, 90 h ago, and 190/100',
    '224/126, 80 h ago, unseen; 190/100',
    'BP whose author and practice never gave act limits, mean 131/79; newest 224/126',
    'BP: mean 148 seen 10 days ago. Now 155',
    'BP: mean 140 seen 10 days ago; seen again',
    'BP: 5 values on 3 days',
    'BP: mean 135.3/80',
    'Finger glucose with goals: 14 values in 14 days',
    'Finger glucose with goals: 13 values in 28 days',
    'Finger glucose, act below 54: 54',
    'Sensor: 70 % in range, 2 % below 70',
    'Sensor: 74 % in range, before exactly',
  ],
  'values far below are below the act limit too': ['Sensor, act below 54', 'Sensor: 9.7 days of data; “LOW”'],
  'the days have values after the newest': [
    'List loaded at 11:58',
    'Sensor good, newest 26 h ago',
    'BP every 3 days: newest arrived 3 days 2 h ago',
    'BP, expected every 2 days: 224/126',
    'Silent for 5 days. Chest pain SEVERE',
    'Silent, unseen since yesterday. 25 % low',
    'BP: newest 3 days and 1 min',
  ],
  'there is no type of this name': ['No target; blood pressure and pulse'],
  'the readings that the other target judged are there': [
    'Only the patient’s own target',
    'Only a target of Dr B, whose grant',
  ],
}).flatMap(([, all]) => all)

const stored = cases
  .filter((each) => isStorable(each) && !NOT_STORED.some((begin) => each.said.startsWith(begin)))
  .map((each): Stored => {
    const patientUid = `patient-${randomUUID()}`
    return { ...each, patientUid, readings: readingsOf(each.facts), ids: new Map(), judged: new Map() }
  })

const world = await startWorld(NOW + LATER)
after(() => world.close())

const doctorOf = (patientUid: string, { is, name }: Pick<Who, 'is' | 'name'>) =>
  `${is === 'me' ? 'me' : name} of ${patientUid}`
const practiceOf = (patientUid: string) => `practice of ${patientUid}`
const meOf = (patientUid: string) => doctorOf(patientUid, { is: 'me', name: '' })

async function storePatient({ facts, patientUid }: Stored) {
  const given = NOW + LATER - 100 * D
  const { sharedUntil } = facts
  await world.grant(patientUid, meOf(patientUid), {
    given,
    ...(sharedUntil !== undefined && { until: sharedUntil + LATER }),
  })
  const managing = facts.targets.filter(({ author }) => author.is === 'other' && author.manages)
  for (const doctorId of new Set(managing.map(({ author }) => doctorOf(patientUid, author))))
    await world.grant(patientUid, doctorId, { given })
  const authorOf = (author: Who) => {
    if (author.is === 'patient') return { kind: 'patient', id: patientUid } as const
    if (author.is === 'practice') return { kind: 'practice', id: practiceOf(patientUid) } as const
    return { kind: 'doctor', id: doctorOf(patientUid, author) } as const
  }
  for (const { author, isForAll, setAt, ...target } of targetsOf(facts))
    await world.target({
      ...target,
      author: authorOf(author),
      patientUid: isForAll ? null : patientUid,
      setAt: setAt + LATER,
    })
}

/** Readings are judged in the order of their positions; looks name those too. */
const positionsOf = ({ readings, facts }: Stored) =>
  [
    ...new Set([...readings.map(({ position }) => position), ...facts.looks.map(({ seenUpTo }) => seenUpTo)]),
  ].sort((a, b) => a - b)

async function storeReadings({ patientUid, readings, ids }: Stored, position: number | undefined) {
  const ofPosition = readings.filter((reading) => reading.position === position)
  for (const { id } of ofPosition) ids.set(id, randomUUID())
  const rows = ofPosition.map(({ id, measuredAt, receivedAt, ...reading }) => ({
    ...reading,
    id: ids.get(id) ?? '',
    measuredAt: measuredAt + LATER,
    receivedAt: receivedAt + LATER,
  }))
  if (rows.length > 0) await world.readings(patientUid, rows)
}

/** What a look says that it saw, with types and readings as they are stored. */
const sawOf = (key: string, ids: Stored['ids']) =>
  key
    .replace(/^(goal|mean|fall) (.+?)\./, (_all, kind, name) => `${kind} ${storedType(name)}.`)
    .replace(/^sharingEnds (\d+)/, (_all, since) => `sharingEnds ${Number(since) + LATER}`)
    .replace(
      /^silent (.+?) (\S+ \d+|none)=/,
      (_all, name, id) => `silent ${storedType(name)} ${ids.get(id) ?? randomUUID()}=`,
    )

async function storeLook({ patientUid, ids, judged }: Stored, { by, at, saw, seenUpTo, lookAgainAt }: Look) {
  await world.look(patientUid, doctorOf(patientUid, by), {
    at: at + LATER,
    seenUpTo: judged.get(seenUpTo) ?? '0',
    saw: saw.map((key) => sawOf(key, ids)),
    ...(by.is === 'practice' && { practiceId: practiceOf(patientUid) }),
    ...(lookAgainAt !== undefined && { lookAgainAt: lookAgainAt && lookAgainAt + LATER }),
  })
}

for (const each of stored) await storePatient(each)
const turns = Math.max(...stored.map((each) => positionsOf(each).length))
for (let turn = 0; turn < turns; turn++) {
  for (const each of stored) await storeReadings(each, positionsOf(each)[turn])
  await world.made()
  for (const each of stored) {
    const position = positionsOf(each)[turn]
    if (position !== undefined) each.judged.set(position, await world.judged(each.patientUid))
  }
}
for (const each of stored) for (const look of each.facts.looks) await storeLook(each, look)

type Said = Pick<Status, 'queue'> & {
  reasons: { code: string; isSeen: boolean; isLate?: boolean }[]
  notJudged: { why: string; readingType?: string }[]
}
/** What is compared: all but the figures. */
const withoutFigures = ({ queue, reasons, notJudged }: Said) => ({
  queue,
  reasons: reasons.map(({ code, isSeen, isLate = false }) => ({ code, isSeen, isLate })),
  notJudged: notJudged
    .map(({ why, readingType }) => `${why} ${readingType ? storedType(readingType) : ''}`)
    .sort(),
})

for (const { group, said, facts, patientUid } of stored)
  test(`${group}: ${said}`, async () => {
    const { lacks, ...status } = statusOf(facts, NOW)
    const entries = await world.list<Said>(meOf(patientUid), 100, practiceOf(patientUid))
    assert.deepEqual(entries.map(withoutFigures), [withoutFigures({ ...status, notJudged: lacks })])
  })

test('the cases over HTTP are many', () => {
  assert.ok(stored.length >= 140, `${stored.length} cases`)
})
