// Which readings the periods of reports/blood-pressure hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })

test('a reading after midnight on the first date of the range is in every period that reaches the day before', async () => {
  const patientUid = 'patient-after-midnight'
  const token = await rounds.token({ patientUid })
  const at = (instant: string) => Date.parse(instant) / 1_000
  const pressure = (instant: string, systolic: number, diastolic: number) => ({
    patientUid,
    readingType: 'bloodPressure',
    systolic,
    diastolic,
    timestamp: at(instant),
  })
  const body = [pressure('2026-10-01T00:30:00Z', 180, 100), pressure('2026-10-07T08:00:00Z', 120, 80)]
  await rounds.call('/casesheet/readings/add', { token, body })
  const query = `from=${at('2026-10-01T00:00:00Z')}&to=${at('2026-10-07T23:59:59Z')}`
  const { json, text } = await rounds.call(`/care/reports/blood-pressure?${query}`, { token })
  const { periods } = Object(json.data)
  assert.deepEqual(
    periods?.map((period: { days: number | null; from: string; evening: { systolic: number | null } }) => [
      period.days,
      period.from,
      period.evening.systolic,
    ]),
    // It belongs to the evening of 30 September, which the last seven days do not reach.
    [
      [7, '2026-10-01', null],
      [30, '2026-10-01', 180],
      [null, '2026-10-01', 180],
    ],
    text,
  )
})
