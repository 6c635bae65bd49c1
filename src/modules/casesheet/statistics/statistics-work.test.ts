// How much a request for statistics may ask of the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { askStatistics, type StatisticsQuery } from '../../../../test/support/statistics.ts'

const rounds = await startRounds()
const FROM = 1_700_000_000
const [FIVE_MINUTES, HOUR, DAY] = [300, 3_600, 86_400]

/**
 * A patient with so many readings, `everySeconds` apart. `details` is SQL and may use n, the number of the reading. They are stored
 * directly: some are larger than an add accepts today.
 */
async function patientWith(
  readingType: string,
  count: number,
  { everySeconds, details }: { everySeconds: number; details: string },
) {
  const patient = await newPatient(rounds)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp(${FROM} + n * ${everySeconds}), gen_random_uuid(), $2, ${FROM} + n * ${everySeconds}, (${details})::json, 'test'
     from generate_series(0, ${count - 1}) n`,
    [patient.patientUid, readingType],
  )
  const ask = (query: StatisticsQuery = {}) =>
    askStatistics(
      rounds,
      { readingType, from: FROM, to: FROM + count * everySeconds, ...query },
      { token: patient.token },
    )
  return { ...patient, ask }
}

const fields = (count: number) =>
  `(select '{' || string_agg('"f' || k || '":' || k || '.125', ',') || '}' from generate_series(1, ${count}) k)`

const PRESSURE_WITH_SOURCE = `'{"systolic":120,"diastolic":80,"pulse":70,"source":{"kind":"device","name":"' || repeat('n', 200) || n % 10 || '"},"note":"' || repeat('m', 100) || '"}'`

// From here on a statement of the server that needs a temporary file fails.
const role = new URL(rounds.serveUrl).username
await runSql(
  rounds.ownerUrl,
  `alter role ${role} set temp_file_limit = 0;
   select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
)

const assertTooMuch = (
  answer: Awaited<ReturnType<typeof askStatistics>>,
  pointer: string,
  message: RegExp,
) => {
  assertRefused(answer, 400, 'ValidationFailed')
  assert.equal(answer.json.errors[0]?.pointer, pointer)
  assert.match(answer.json.errors[0]?.message ?? '', message)
}

test('a year of readings every five minutes is summarised by day and by month', async () => {
  const details = `'{"value":' || 4 + n % 5 || ',"unit":"mmol/L"}'`
  const { ask } = await patientWith('bloodGlucose', 105_120, { everySeconds: FIVE_MINUTES, details })
  for (const bucket of ['day', 'month']) {
    const { status, json } = await ask({ bucket, timeZone: 'Europe/Berlin' })
    assert.equal(status, 200)
    const counts = json.data.map(({ fields: { value } }) => value?.count ?? 0)
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      105_120,
    )
  }
})

test('200 readings with 6,200 fields each are refused before they are read, and delay no other request', async () => {
  const wide = await patientWith('acme.wide', 200, { everySeconds: 60, details: fields(6_200) })
  const other = await patientWith('acme.small', 10, { everySeconds: 60, details: fields(3) })
  const answers = await Promise.all(Array.from({ length: 20 }, () => wide.ask()))
  for (const answer of answers) assertTooMuch(answer, '/to', /^must be nearer to from/)
  assert.equal((await other.ask()).status, 200)
  assert.equal((await wide.accessLog()).length, 20)
})

// As many readings, or 2 MB of them.
const AT_THE_BOUND: [what: string, type: string, count: number, details: string][] = [
  ['readings of a type of the catalogue', 'heartRate', 109_900, `'{"value":71}'`],
  ['readings of another type', 'acme.x', 109_900, `'{"a":' || n % 100 || '}'`],
  ['fields of few readings', 'acme.x', 3_000, fields(50)],
  ['long names', 'acme.x', 49, `'{"' || repeat('k', 40000) || n % 40 || '":1}'`],
]
for (const [what, readingType, count, details] of AT_THE_BOUND) {
  test(`as many ${what} as are summarised take no temporary file, and twice as many are refused`, async () => {
    const { ask } = await patientWith(readingType, count * 2, { everySeconds: 10, details })
    const { status, json, text } = await ask({ to: FROM + (count - 1) * 10, bucket: 'month' })
    assert.equal(status, 200, text)
    assert.equal(
      json.data.reduce((sum, bucket) => sum + bucket.count, 0),
      count,
    )
    assertTooMuch(await ask({ bucket: 'month' }), '/to', /^must be nearer to from/)
  })
}

test('20,000 blood pressures that say where they come from are summarised', async () => {
  const { ask } = await patientWith('bloodPressure', 20_000, {
    everySeconds: 60,
    details: PRESSURE_WITH_SOURCE,
  })
  const { status, json, text } = await ask({ bucket: 'month' })
  assert.equal(status, 200, text)
  const counts = json.data.map(({ fields: { systolic } }) => systolic?.count ?? 0)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    20_000,
  )
})

test('many requests for as much as is summarised are all answered', async () => {
  const { ask } = await patientWith('acme.x', 3_000, { everySeconds: 10, details: fields(50) })
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ bucket: 'month' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  )
})

test('long lists in readings of the catalogue count as much as they are', async () => {
  const details = `(select '{"value":71,"samples":[' || string_agg('1', ',') || ']}' from generate_series(1, 30000))`
  const { ask } = await patientWith('heartRate', 450, { everySeconds: 60, details })
  assertTooMuch(await ask(), '/to', /^must be nearer to from/)
  const { json } = await ask({ to: FROM + 99 * 60, bucket: 'month' })
  assert.equal(json.data[0]?.fields['value']?.count, 100)
})

test('an answer of more than 2 MB is refused, and a larger bucket is answered', async () => {
  const { ask, accessLog } = await patientWith('acme.x', 1_600, { everySeconds: HOUR, details: fields(12) })
  assertTooMuch(await ask({ bucket: 'hour' }), '/bucket', /^must be larger/)
  const { status, json, text } = await ask({ bucket: 'day' })
  assert.deepEqual([status, json.data.length], [200, Math.ceil((1_600 * HOUR) / DAY) + 1])
  assert.ok(text.length < 2_000_000)
  assert.deepEqual(
    (await accessLog()).map(({ readings_count }) => readings_count),
    [1_600, 1_600],
  )
})

test('the longest answer that is refused is made in memory', async () => {
  const details = `(select '{' || string_agg('"f' || k || '":' || k || '.1234567890123', ',') || '}' from generate_series(1, 50) k)`
  const { ask } = await patientWith('acme.x', 430, { everySeconds: HOUR, details })
  assertTooMuch(await ask({ bucket: 'hour' }), '/bucket', /^must be larger/)
})

test('5,000 buckets of one value each are answered, in less than 2 MB', async () => {
  const { ask } = await patientWith('heartRate', 4_999, {
    everySeconds: HOUR,
    details: `'{"value":71.123456789012}'`,
  })
  const { status, text } = await ask({ bucket: 'hour', to: FROM + 4_998 * HOUR })
  assert.equal(status, 200)
  assert.ok(text.length < 2_000_000, `${text.length}`)
})
