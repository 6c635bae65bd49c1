// How much a report may ask of the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newReportPatient, type TargetSet } from '../../../../test/support/reports.ts'

const rounds = await startRounds()
const FROM = 1_700_000_000
const MAX_READINGS = 110_000

/** A patient with so many readings, five minutes apart; `details` is SQL and may use n. */
async function patientWith(readingType: string, count: number, details: string, targets: TargetSet[] = []) {
  const patient = await newReportPatient(rounds)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp(${FROM} + n * 300), gen_random_uuid(), $2, ${FROM} + n * 300, (${details})::json, 'test'
     from generate_series(0, ${count - 1}) n`,
    [patient.patientUid, readingType],
  )
  await patient.setTargets(targets)
  return patient
}

// From here on a statement of the server that needs a temporary file fails.
const role = new URL(rounds.serveUrl).username
await runSql(
  rounds.ownerUrl,
  `alter role ${role} set temp_file_limit = 0;
   select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
)

const GLUCOSE = `'{"value":' || 4 + n % 97 / 10.0 || ',"unit":"mmol/L"}'`
const PRESSURE = `'{"systolic":' || 110 + n % 50 || ',"diastolic":' || 70 + n % 20 || ',"pulse":' || 60 + n % 9 || '}'`

const LARGEST: [type: string, details: string, targets: TargetSet[], reports: string[]][] = [
  [
    'interstitialGlucose',
    GLUCOSE,
    [{ readingType: 'interstitialGlucose', low: 70, high: 180, unit: 'mg/dL' }],
    [
      'glucose?',
      'time-in-target?readingType=interstitialGlucose&',
      'days-with-data?',
      'days-with-data?readingType=interstitialGlucose&',
    ],
  ],
  [
    'bloodPressure',
    PRESSURE,
    [
      { readingType: 'bloodPressure', field: 'systolic', high: 135 },
      { readingType: 'bloodPressure', field: 'diastolic', high: 85 },
    ],
    ['blood-pressure?', 'time-in-target?readingType=bloodPressure&'],
  ],
]

for (const [readingType, details, targets, reports] of LARGEST) {
  test(`as much of ${readingType} as is reported takes no temporary file, and more is refused`, async () => {
    const most = MAX_READINGS
    const { token, accessLog } = await patientWith(readingType, most + 1, details, targets)
    const ask = (report: string, count: number) =>
      rounds.call(`/care/reports/${report}from=${FROM}&to=${FROM + (count - 1) * 300}`, { token })
    for (const report of reports) {
      const largest = await ask(report, most)
      assert.equal(largest.status, 200, `${report} ${largest.text}`)
      assert.ok(largest.text.length < 100_000)
      const larger = await ask(report, most + 1)
      assertRefused(larger, 400, 'ValidationFailed')
      assert.deepEqual(larger.json.errors[0]?.pointer, '/to')
      assert.match(larger.json.errors[0]?.message ?? '', /nearer to from: this range holds more readings/)
    }
    // What was refused had been counted, and stands there too.
    assert.equal((await accessLog()).length, 2 * reports.length)
  })
}
