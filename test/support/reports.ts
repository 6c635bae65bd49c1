// Reports as a patient asks for them, beside those worked out by hand from what readings/get answers.
import assert from 'node:assert/strict'
import type { Rounds } from './harness.ts'
import { newPatient } from './patient.ts'
import {
  bloodPressureByHand,
  daysWithDataByHand,
  glucoseByHand,
  type Range,
  type Stored,
  type Targets,
  timeInTargetByHand,
} from './reports-by-hand.ts'

type Query = Record<string, string | number>
export type Report = Record<string, unknown>
/** What the patient's own target says of one field. */
export type TargetSet = { readingType: string; field?: string; low?: number; high?: number; unit?: string }

export type ReportPatient = Awaited<ReturnType<typeof newReportPatient>>

export async function newReportPatient(rounds: Rounds) {
  const patient = await newPatient(rounds)
  const { patientUid, token } = patient
  const ask = (
    name: string,
    query: Query,
    options: { token?: string; headers?: Record<string, string> } = {},
  ) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([field, value]): [string, string] => [field, String(value)]),
    )
    return rounds.call(`/care/reports/${name}?${search.toString()}`, { token, ...options })
  }
  async function report(name: string, query: Query): Promise<Report> {
    const { status, text } = await ask(name, query)
    assert.equal(status, 200, text)
    return (JSON.parse(text) as { data: Report }).data
  }
  async function setTargets(targets: TargetSet[]) {
    for (const [readingType, ofType] of Map.groupBy(targets, (target) => target.readingType)) {
      const fields = Object.fromEntries(
        ofType.map(({ field = 'value', low, high }) => [field, { low, high }]),
      )
      // A pulse has a unit of its own.
      const unit = ofType.find(({ field }) => field !== 'pulse')?.unit
      const { status, text } = await rounds.call('/care/targets/set', {
        token,
        body: { patientUid, readingType, unit, fields },
      })
      assert.equal(status, 200, text)
    }
  }

  /** Asserts that the reports of the range are those of its readings by hand. Times are milliseconds. */
  async function assertByHand(range: Range, { unit = 'mg/dL', targets = [] as TargetSet[] } = {}) {
    const query = { ...range }
    const stored = await allReadings(range)
    const of = (type: string): Targets =>
      Object.fromEntries(
        targets
          .filter(({ readingType }) => readingType === type)
          .map(({ field = 'value', low = null, high = null, unit: own = 'mm[Hg]' }) => [
            field,
            { low, high, unit: own },
          ]),
      )
    const types = [...new Set(['heartRate', ...stored.map(({ readingType }) => readingType)])]
    const pairs: [what: string, actual: Report, expected: object][] = [
      [
        'glucose',
        await report('glucose', { ...query, unit }),
        glucoseByHand(stored, range, unit, of('interstitialGlucose')['value']),
      ],
      [
        'blood-pressure',
        await report('blood-pressure', query),
        bloodPressureByHand(stored, range, of('bloodPressure')),
      ],
      ['days-with-data', await report('days-with-data', query), daysWithDataByHand(stored, range)],
    ]
    for (const readingType of types) {
      const actual = await report('days-with-data', { ...query, readingType })
      pairs.push([`days with ${readingType}`, actual, daysWithDataByHand(stored, range, readingType)])
      const inTarget = await report('time-in-target', { ...query, readingType })
      const expected = timeInTargetByHand(stored, range, readingType, of(readingType))
      pairs.push([`${readingType} in target`, inTarget, expected])
    }
    for (const [what, actual, expected] of pairs)
      assert.deepEqual(comparable(without(actual)), comparable(expected), what)
  }

  async function allReadings({ from, to }: Range): Promise<Stored[]> {
    const { json } = await patient.get({ from, to })
    return json.data.map((reading) => ({
      ...reading,
      timestamp: Number(reading['timestamp']),
      readingType: String(reading['readingType']),
    }))
  }

  return { ...patient, ask, report, setTargets, assertByHand }
}

/** A report without what is no figure: targets, and what is the same in all. */
function without(report: Report): Report {
  const { bandsFrom: _1, target: _2, source: _3, targets: _4, morning: _5, evening: _6, ...figures } = report
  return figures
}

/** Numbers to ten digits, as the last ones depend on the order in which a sum was made; fields without their targets. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, part) => {
    // What is left of a deviation of equal values is 0.
    if (typeof part === 'number') return Math.abs(part) < 1e-9 ? 0 : Number(part.toPrecision(10))
    return name === 'target' && typeof part === 'object' ? undefined : part
  })
}
