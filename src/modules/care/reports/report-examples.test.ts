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
  const { paths } = JSON.parse((await rounds.call('/openapi.json')).text) as Document
  const queries = { glucose: { unit: 'mg/dL' }, 'blood-pressure': {}, 'days-with-data': {} }
  for (const [report, own] of Object.entries(queries)) {
    const query = new URLSearchParams(
      Object.entries({ ...RANGE, ...own }).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const { text } = await rounds.call(`/care/reports/${report}?${query.toString()}`, { token })
    const { example } = paths[`/care/reports/${report}`]?.get.responses[200].content['application/json'] ?? {}
    assert.deepEqual(rounded(JSON.parse(text)), rounded(example), report)
  }
})

/** To twelve digits: the last ones depend on the order in which a sum was made. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'number' ? Number(part.toPrecision(12)) : part,
  )
}
