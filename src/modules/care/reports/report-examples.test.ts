// The examples of the OpenAPI document are what the service answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'

const rounds = await startRounds()

type Document = {
  paths: Record<
    string,
    {
      get: {
        parameters: { name: string; examples?: Record<string, unknown>; schema: { examples?: unknown[] } }[]
        responses: { 200: { content: { 'application/json': { example?: unknown } } } }
      }
    }
  >
}

const RANGE = { from: 1_761_951_600, to: 1_762_556_399, timeZone: 'Europe/Berlin' }

test('each example of a report is the answer to its readings', async () => {
  const { add, patientUid, token } = await newPatient(rounds)
  const at = (time: string) => ({ patientUid, timestamp: Date.parse(time) / 1_000 })
  const sensor = (time: string, value: number, unit = 'mg/dL') => ({
    ...at(time),
    readingType: 'interstitialGlucose',
    value,
    unit,
    source: { kind: 'device', device: { name: 'Invented sensor' } },
  })
  const pressure = (time: string, systolic: number, diastolic: number, pulse?: number) => ({
    ...at(time),
    readingType: 'bloodPressure',
    systolic,
    diastolic,
    ...(pulse !== undefined && { pulse }),
  })
  const added = await add([
    sensor('2025-11-01T07:00Z', 65),
    sensor('2025-11-01T07:05Z', 104),
    sensor('2025-11-01T07:10Z', 182),
    sensor('2025-11-01T07:40Z', 5.8, 'mmol/L'),
    pressure('2025-11-03T07:00Z', 128, 82, 70),
    pressure('2025-11-03T19:00Z', 134, 86),
    pressure('2025-11-04T07:00Z', 126, 80, 66),
  ])
  assert.equal(added.status, 200, added.text)
  const fields = { value: { low: 70, high: 180 } }
  const target = { patientUid, readingType: 'interstitialGlucose', unit: 'mg/dL', fields }
  const { paths } = JSON.parse((await rounds.call('/openapi.json')).text) as Document
  const queries = {
    glucose: { unit: 'mg/dL' },
    'blood-pressure': {},
    'days-with-data': {},
    'time-in-target': { readingType: 'interstitialGlucose' },
  }
  for (const [report, own] of Object.entries(queries)) {
    if (report === 'time-in-target')
      assert.equal((await rounds.call('/care/targets/set', { token, body: target })).status, 200)
    const query = new URLSearchParams(
      Object.entries({ ...RANGE, ...own }).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const { text } = await rounds.call(`/care/reports/${report}?${query.toString()}`, { token })
    const { example } = paths[`/care/reports/${report}`]?.get.responses[200].content['application/json'] ?? {}
    assert.deepEqual(comparable(JSON.parse(text)), comparable(example), report)
  }
})

/** Numbers to twelve digits, as the last ones depend on the order in which a sum was made; and of a target only its range. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, part) => {
    if (typeof part === 'number') return Number(part.toPrecision(12))
    return name === 'target' && part !== null
      ? [part.fields.value.low, part.fields.value.high, part.unit]
      : part
  })
}
