// Alerts are a function of the readings, the rules and the clock, whatever came in which order: after every few changes, what the evaluation has
// stored of many histories is what the plain evaluation of all readings gives. A cluster of its own, because the transactions of other tests
// would hold the sequence of changes back.
//   ALERTS_SEED=1 ALERTS_HISTORIES=1000 node --test test/care/alerts-model.lab.ts
//   ALERTS_SEED=1 ALERTS_ONLY=17 node --test test/care/alerts-model.lab.ts    one history, with all that happened in it
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { createRandom } from '../../tools/simulate/random.ts'
import { openDb } from '../support/copying-follower.ts'
import { createDatabase } from '../support/harness.ts'
import { useOwnCluster } from '../support/own-cluster.ts'
import {
  type Acknowledgement,
  acknowledge,
  type Happened,
  holdEvaluation,
  instant,
  type Sizes,
  type StoredAlert,
  storedAlerts,
  write,
  wrongAnnouncements,
} from './alerts-in-database.ts'
import {
  alertsOf,
  DAY,
  endedBy,
  isAcknowledged,
  MINUTE,
  type Outage,
  type Span,
  timeOf,
} from './alerts-model.ts'
import { History, timePasses } from './random-histories.ts'

const SEED = Number(process.env['ALERTS_SEED'] ?? Date.now() % 1_000_000)
const HISTORIES = Number(process.env['ALERTS_HISTORIES'] ?? 1_000)
const ONLY = process.env['ALERTS_ONLY']
const STEPS = 11
/** Histories of one group have a database, a clock and outages in common. */
const GROUPS: { share: number; sizes?: Sizes }[] = [
  { share: 0.8 },
  { share: 0.14, sizes: { together: 20, part: 7 } },
  { share: 0.05, sizes: { together: 8, part: 3 } },
  { share: 0.01, sizes: { together: 1, part: 1 } },
]
/** So long ago that nothing in them is in the future. */
const START = (Math.floor(Date.now() / 86_400_000) - 60) * DAY

await useOwnCluster()

for (const [group, { sizes }] of GROUPS.entries()) {
  const words = sizes ? `, read ${sizes.part} at a time` : ''
  test(`stored alerts are those of a plain evaluation${words} (ALERTS_SEED=${SEED})`, (t) =>
    runGroup(t, group))
}

async function runGroup(t: TestContext, group: number) {
  const { ownerUrl, serveUrl } = await createDatabase()
  const [client, db] = [new Client({ connectionString: ownerUrl }), openDb(serveUrl)]
  await client.connect()
  try {
    const evaluateAll = await holdEvaluation(client, db, GROUPS[group]?.sizes)
    const clock = createRandom(SEED, -1 - group)
    const histories = historiesOf(group)
    const outages: Outage[] = []
    const seen = new Map<string, number>()
    let now = START + Math.floor(clock.between(0, 2) * DAY)
    let stored: StoredAlert[] = []
    for (let step = 0; step < STEPS; step++) {
      await acknowledge(client, acknowledgements(histories, stored, step))
      // Rounds was out of service, and then continues.
      if (clock.chance(0.2)) {
        const outage = { beganAt: now + MINUTE, endedAt: now + MINUTE + Math.floor(timePasses(clock)) }
        outages.push(outage)
        await client.query('insert into care.outages (began_at, ended_at) values ($1, $2)', [
          instant(outage.beganAt),
          instant(outage.endedAt),
        ])
        now = outage.endedAt
      }
      const before = now
      now += Math.floor(timePasses(clock))
      await write(
        client,
        histories.flatMap((history) => happensIn(history, before, now)),
      )
      await evaluateAll(now)
      stored = await storedAlerts(client)
      for (const history of histories) evaluatePlainly(history, now, outages)
      mustBeEqual(histories, stored, `in step ${step} at ${instant(now)}`)
      assert.deepEqual((await wrongAnnouncements(client)).slice(0, 10), [], `in step ${step}`)
      for (const { condition } of stored) seen.set(condition, (seen.get(condition) ?? 0) + 1)
    }
    const figures = [...seen].map(([condition, count]) => `${count} ${condition}`).join(', ')
    t.diagnostic(`${histories.length} histories, ${outages.length} outages; ${figures}`)
  } finally {
    await client.end()
    await db.end()
  }
}

function historiesOf(group: number): History[] {
  const before = GROUPS.slice(0, group).reduce((sum, { share }) => sum + share, 0)
  const [from, to] = [before, before + (GROUPS[group]?.share ?? 0)].map((share) =>
    Math.round(share * HISTORIES),
  )
  return Array.from({ length: HISTORIES }, (_, nth) => nth)
    .slice(from, to)
    .filter((nth) => ONLY === undefined || nth === Number(ONLY))
    .map((nth) => new History(`patient-${nth}`, createRandom(SEED, nth)))
}

function happensIn(history: History, from: number, to: number): Happened[] {
  const operations = history.next(from, to)
  if (ONLY !== undefined)
    for (const operation of operations) process.stdout.write(`${JSON.stringify(operation)}\n`)
  return operations.map((operation) => ({ history, operation }))
}

/** Some doctors acknowledge one alert of a patient that was open when they looked. */
function acknowledgements(histories: History[], stored: StoredAlert[], step: number): Acknowledgement[] {
  const open = stored.filter(({ condition, is_acknowledged }) => condition === 'open' && !is_acknowledged)
  const byPatient = Map.groupBy(open, ({ patient_uid }) => patient_uid)
  return histories.flatMap(({ patientUid, versions, readings }) => {
    const random = createRandom(SEED, step, Number(patientUid.split('-')[1]))
    const [alert] = (byPatient.get(patientUid) ?? []).toSorted((a, b) => a.since - b.since)
    const version = versions.find(({ versionId }) => versionId === alert?.version_id)
    if (!alert || !version || !random.chance(0.3)) return []
    const newest = readings
      .filter(({ readingType, isWithdrawn }) => readingType === version.terms.readingType && !isWithdrawn)
      .filter(({ measuredAt, receivedAt }) => measuredAt <= receivedAt + DAY)
      .map(timeOf)
    const point = Math.max(alert.since, ...newest)
    version.points.push(point)
    return { alert, point }
  })
}

/** A rule that was changed or removed leaves its alerts as they were when they were last evaluated. */
function evaluatePlainly({ versions, readings }: History, now: number, outages: Outage[]) {
  for (const version of versions) {
    const { terms, endedAt, spans } = version
    const ofType = readings.filter(({ readingType }) => readingType === terms.readingType)
    version.spans = endedAt === null ? alertsOf(version, ofType, { now, outages }) : endedBy(spans, endedAt)
  }
}

function mustBeEqual(histories: History[], stored: StoredAlert[], when: string) {
  const storedBy = Map.groupBy(stored, ({ patient_uid }) => patient_uid)
  const wrong = histories.filter((history) => {
    const actual = linesOfStored(storedBy.get(history.patientUid) ?? [], history)
    return JSON.stringify(actual) !== JSON.stringify(linesOf(history))
  })
  const [first] = wrong
  if (!first) return
  const actual = linesOfStored(storedBy.get(first.patientUid) ?? [], first)
  const expected = linesOf(first)
  const names = wrong.slice(0, 9).map(({ patientUid }) => patientUid)
  const only = (lines: string[], others: string[]) =>
    lines.filter((line) => !others.includes(line)).join('\n  ')
  const rules = first.versions.map(({ versionId, terms, setAt, endedAt, points }) =>
    JSON.stringify({ versionId, terms, setAt, endedAt, points }),
  )
  assert.fail(
    `${wrong.length} of ${histories.length} histories differ ${when} (${names.join()}).
Repeat one with ALERTS_SEED=${SEED} ALERTS_ONLY=${first.patientUid.split('-')[1]}
Only stored:
  ${only(actual, expected)}
Only in the plain evaluation:
  ${only(expected, actual)}
Rules:
  ${rules.join('\n  ')}`,
  )
}

function linesOfStored(alerts: StoredAlert[], { versions }: History): string[] {
  const linesBy = Map.groupBy(alerts, ({ version_id }) => version_id)
  return [...linesBy]
    .flatMap(([versionId, ofVersion]) => {
      const points = pointsOf(versionId, versions)
      const lines = ofVersion.map((alert) => ({
        condition: alert.condition,
        since: alert.since,
        sinceId: alert.since_id,
        until: alert.until,
        openedAt: alert.opened_at,
        readings: alert.readings,
        isAcknowledged: alert.is_acknowledged,
      }))
      return lines.map((line) => lineOf(versionId, { ...line, isTied: isTied(line, lines, points) }))
    })
    .toSorted()
}

function linesOf({ versions }: History): string[] {
  return versions
    .flatMap(({ versionId, spans }) => {
      const points = pointsOf(versionId, versions)
      return spans.map((span) =>
        lineOf(versionId, {
          ...span,
          isAcknowledged: span.condition !== 'pending' && isAcknowledged(span, points),
          isTied: isTied(span, spans, points),
        }),
      )
    })
    .toSorted()
}

/** What a doctor acknowledged under this version of a rule, or under one before it. */
function pointsOf(versionId: string, versions: History['versions']): number[] {
  const version = versions.find((each) => each.versionId === versionId)
  return versions
    .filter(({ ruleId, setAt }) => ruleId === version?.ruleId && setAt <= version.setAt)
    .flatMap(({ points }) => points)
}

/** One was acknowledged at the instant at which it ends and another one begins: which of them that was does not matter to the one that is over. */
const isTied = ({ until }: Between, all: Between[], points: number[]) =>
  until !== null && points.includes(until) && all.some(({ since }) => since === until)

type Between = Pick<Span, 'since' | 'until'>
type Line = Omit<Span, 'condition' | 'isLate'> & {
  condition: string
  isAcknowledged: boolean
  isTied: boolean
}

const lineOf = (versionId: string, line: Line) =>
  [
    versionId,
    line.condition,
    instant(line.since),
    line.sinceId,
    line.until === null ? '-' : instant(line.until),
    instant(line.openedAt),
    line.readings.join(),
    line.isTied ? 'perhaps' : line.isAcknowledged,
  ].join(' ')
