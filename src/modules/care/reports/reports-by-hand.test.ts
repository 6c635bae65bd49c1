// Reports of random readings around changes of clocks, against those worked out by hand from what readings/get answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../../test/support/harness.ts'
import { newReportPatient, type TargetSet } from '../../../../test/support/reports.ts'

const rounds = await startRounds()
const SEED = Number(process.env['SEED'] ?? 20_261_117)
const HOUR = 3_600_000

/** When clocks are put forward or back there, in UTC. */
const CHANGES: [zone: string, at: string][] = [
  ['UTC', '2025-01-01T00:00Z'],
  ['Europe/Berlin', '2025-03-30T01:00Z'],
  ['Europe/Berlin', '2025-10-26T01:00Z'],
  ['America/New_York', '2025-03-09T07:00Z'],
  ['America/New_York', '2025-11-02T06:00Z'],
  ['Australia/Lord_Howe', '2025-04-05T15:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T15:30Z'],
  ['Asia/Kathmandu', '2025-01-01T00:00Z'],
  ['America/Santiago', '2025-04-06T03:00Z'],
  ['America/Santiago', '2025-09-07T04:00Z'],
  ['Africa/Cairo', '2025-04-24T22:00Z'],
  ['Africa/Cairo', '2025-10-30T21:00Z'],
  ['America/St_Johns', '2006-10-29T02:31Z'],
  ['Pacific/Chatham', '2025-09-27T14:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Antarctica/Troll', '2025-03-30T01:00Z'],
]

const glucose = fc.oneof(
  fc.record({ value: fc.integer({ min: 40, max: 400 }), unit: fc.constant('mg/dL') }),
  fc.record({ value: fc.constantFrom(53.9, 54, 69, 70, 180, 181, 250, 251), unit: fc.constant('mg/dL') }),
  fc.record({
    value: fc.integer({ min: 22, max: 220 }).map((tenths) => tenths / 10),
    unit: fc.constant('mmol/L'),
  }),
)
const pressure = fc
  .record({
    systolic: fc.integer({ min: 100, max: 180 }),
    diastolic: fc.integer({ min: 50, max: 95 }),
    pulse: fc.option(fc.integer({ min: 50, max: 99 }), { nil: undefined }),
  })
  .map(({ pulse, ...fields }) => ({ ...fields, ...(pulse !== undefined && { pulse }) }))
const fields = fc.oneof(
  { weight: 3, arbitrary: glucose.map((value) => ({ readingType: 'interstitialGlucose', ...value })) },
  { weight: 2, arbitrary: pressure.map((value) => ({ readingType: 'bloodPressure', ...value })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom([36.8, 'Cel'], [38, 'Cel'], [100.4, '[degF]'], [99.1, '[degF]'])
      .map(([value, unit]) => ({ readingType: 'bodyTemperature', value, unit })),
  },
)
const source = fc.constantFrom(
  undefined,
  { kind: 'manual' },
  { kind: 'device', device: { name: 'Invented' } },
)
const bounds = (low: number, high: number) =>
  fc
    .record({
      low: fc.option(fc.integer({ min: low, max: high }), { nil: undefined }),
      above: fc.integer({ min: 1, max: high }),
      end: fc.constantFrom('high', 'none'),
    })
    .map(({ low: least, above, end }) => {
      const most = (least ?? low) + above
      const isOpen = end === 'none' && least !== undefined
      return {
        ...(least !== undefined && { low: least }),
        ...(!isOpen && { high: most }),
      }
    })
const targets = fc
  .tuple(
    fc.option(bounds(40, 200), { nil: undefined }),
    fc.option(bounds(90, 100), { nil: undefined }),
    fc.option(bounds(50, 60), { nil: undefined }),
    fc.option(fc.constant({ high: 100.4 }), { nil: undefined }),
  )
  .map(([value, systolic, diastolic, temperature]): TargetSet[] => [
    ...(value ? [{ readingType: 'interstitialGlucose', unit: 'mg/dL', ...value }] : []),
    ...(systolic ? [{ readingType: 'bloodPressure', field: 'systolic', unit: 'mm[Hg]', ...systolic }] : []),
    ...(diastolic
      ? [{ readingType: 'bloodPressure', field: 'diastolic', unit: 'mm[Hg]', ...diastolic }]
      : []),
    ...(temperature ? [{ readingType: 'bodyTemperature', unit: '[degF]', ...temperature }] : []),
  ])

const situation = fc.record({
  change: fc.constantFrom(...CHANGES),
  before: fc.integer({ min: 0, max: 60 }),
  after: fc.integer({ min: 0, max: 60 }),
  unit: fc.constantFrom('mg/dL', 'mmol/L'),
  targets,
  readings: fc.array(
    fc.record({
      // Where in the range, or beside it; many in clusters a few minutes apart, and on its ends.
      place: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
      snap: fc.constantFrom('no', 'no', 'quarter', 'from', 'to', 'change'),
      fields,
      source,
      isWithdrawn: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 0),
    }),
    { maxLength: 60 },
  ),
})

test(`reports of random readings are those worked out by hand (SEED=${SEED})`, async () => {
  const property = fc.asyncProperty(situation, async (given) => {
    const { patientUid, token, add, get, setTargets, assertByHand } = await newReportPatient(rounds)
    const [timeZone, at] = given.change
    const change = Date.parse(at)
    const [from, to] = [change - given.before * HOUR, change + given.after * HOUR + 1]
    const readings = given.readings.map(({ place, snap, source: origin, fields: own }, sequence) => {
      const between = Math.round(from + place * (to - from))
      const quarter = Math.round(between / 900_000) * 900_000
      const timestamp = { no: between, quarter, from, to, change }[snap]
      return { patientUid, timestamp, ...own, sequence, ...(origin && { source: origin }) }
    })
    if (readings.length > 0) {
      const { status, text } = await add(readings)
      assert.equal(status, 200, text)
    }
    const stored = (await get()).json.data
    for (const { readingId, timestamp, sequence } of stored)
      if (given.readings[Number(sequence)]?.isWithdrawn)
        await rounds.call('/casesheet/readings/withdraw', {
          token,
          body: { patientUid, readingId, timestamp },
        })
    await setTargets(given.targets)
    await assertByHand({ from, to, timeZone }, { unit: given.unit, targets: given.targets })
  })
  await fc.assert(property, { numRuns: 40, seed: SEED })
})
