import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { patientWithReadings } from '../../../../test/support/patient.ts'

const DIGEST = '5d41402abc4b2a76b9719d911017c592'
const rounds = await startRounds()
const staff = await rounds.token({ sub: 'dr-invented', scope: 'readings:read' })

/** A patient with readings, and the log as the patient, or another, asks for it. */
async function patientWith(timestamps: number[]) {
  const patient = await patientWithReadings(rounds, timestamps)
  const log = (query: Record<string, string | number> = {}, as = patient.token) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    return rounds.call(`/casesheet/readings/access-log?${search.toString()}`, { token: as })
  }
  /** Everything, by pages of so many. */
  async function all(limit: number) {
    const entries: Record<string, unknown>[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await log({ limit, ...(cursor ? { cursor } : {}) })
      assert.ok(json.data.length <= limit)
      entries.push(...json.data.filter(({ operation }) => operation !== 'readings/access-log'))
      cursor = json.nextCursor
    }
    return entries
  }
  return { ...patient, log, all }
}

test('the log says who read what, when, how many, under which request and why, newest first', async () => {
  const { get, log, patientUid } = await patientWith([1_000, 2_000, 3_000])
  await get({ from: 1_000, to: 2_000, readingType: 'acme.step' }, { requestId: 'by-the-patient' })
  await get({ patientUid, limit: 2 }, { as: staff, requestId: 'by-staff' })
  const { status, json, headers } = await log()
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(
    { ...json, data: json.data.map((entry) => ({ ...entry, at: 'some time' })) },
    {
      code: 'Ok',
      message: 'Access log obtained successfully.',
      data: [
        {
          at: 'some time',
          readBy: 'dr-invented',
          allowedAs: 'staff',
          operation: 'readings/get',
          from: null,
          to: null,
          readingTypes: null,
          readingsCount: 2,
          requestId: 'by-staff',
        },
        {
          at: 'some time',
          readBy: 'test',
          allowedAs: 'patient',
          operation: 'readings/get',
          from: '1970-01-01T00:16:40.000Z',
          to: '1970-01-01T00:33:20.000Z',
          readingTypes: ['acme.step'],
          readingsCount: 2,
          requestId: 'by-the-patient',
        },
      ],
      nextCursor: null,
    },
  )
  for (const { at } of json.data) {
    assert.match(String(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6})Z$/)
    assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
  }
})

test('a read of the log is an entry of it from then on, for staff and the patient alike', async () => {
  const { log, patientUid } = await patientWith([])
  assert.deepEqual((await log({ patientUid }, staff)).json.data, [])
  const second = (await log()).json.data
  assert.deepEqual(
    second.map(({ readBy, allowedAs, operation, readingsCount }) => [
      readBy,
      allowedAs,
      operation,
      readingsCount,
    ]),
    [['dr-invented', 'staff', 'readings/access-log', 0]],
  )
  assert.deepEqual(
    (await log()).json.data.map(({ allowedAs }) => allowedAs),
    ['patient', 'staff'],
  )
})

test('a streamed answer is one entry with its pages summed, also when many use one request id at once', async () => {
  const { all, get } = await patientWith(Array.from({ length: 1_300 }, (_, index) => 1_700_000_000 + index))
  const ranges = [0, 100, 300, 700, 1_299].map((first) => 1_700_000_000 + first)
  await Promise.all(ranges.map((from) => get({ from }, { requestId: 'chosen-by-the-caller' })))
  await get({}, { requestId: 'alone' })
  const counts = (await all(2)).map(({ requestId, from, readingsCount }) => [requestId, from, readingsCount])
  assert.deepEqual(counts[0], ['alone', null, 1_300])
  assert.deepEqual(
    counts
      .slice(1)
      .map(([, , count]) => Number(count))
      .toSorted((a, b) => b - a),
    [1_300, 1_200, 1_000, 600, 1],
  )
})

test('whatever the limit, pages hold every entry once, also among those of one instant and one request id', async () => {
  const { all, patientUid } = await patientWith([])
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
     select $1, timestamptz '2025-01-01' + n / 9 * interval '1 microsecond', 'request-' || n / 3 % 2, 0, 'reader',
       'staff', 'readings/get', timestamptz '2024-01-01' + n * interval '1 second', 'infinity', n
     from generate_series(0, 89) n`,
    [patientUid],
  )
  const whole = await all(1_000)
  assert.equal(whole.length, 90)
  const times = whole.map(({ at }) => String(at).replace(/(\.\d{3})Z/, '$1000Z'))
  assert.deepEqual(times, times.toSorted().toReversed())
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
    assert.deepEqual(await all(limit), whole)
  })
  await fc.assert(property, { numRuns: 12, seed: 20261115, examples: [[1], [89], [90], [91]] })
})

test('an answer stays below two mebibytes, and the entries that it leaves out follow', async () => {
  const { log, all, patientUid } = await patientWith([])
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, reading_types, readings_count)
     select $1, timestamptz '2025-01-01' + n * interval '1 second', 'request-' || n, 0, 'reader', 'staff', 'readings/get',
       '-infinity', 'infinity', array(select repeat('x', 62) || type from generate_series(10, 59) type), n
     from generate_series(1, 1000) n`,
    [patientUid],
  )
  const { text, json } = await log({ limit: 1_000 })
  assert.ok(text.length > 1_000_000 && text.length < 2_097_152, `${text.length} bytes`)
  assert.ok(json.nextCursor)
  const numbers = (await all(1_000)).map(({ readingsCount }) => readingsCount)
  assert.deepEqual(
    numbers,
    Array.from({ length: 1_000 }, (_, index) => 1_000 - index),
  )
})

test('a cursor is the same for ever: an instant, a digest of the entry and its request id', async () => {
  const { log, patientUid } = await patientWith([])
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, reading_types, readings_count)
     select $1, timestamptz '2025-01-02 03:04:05.123456Z' - n * interval '1 hour', 'pinned', 0, 'reader', 'staff',
       'readings/get', '2024-01-01Z', 'infinity', '{a,b}', 1
     from generate_series(0, 1) n`,
    [patientUid],
  )
  const cursor = String((await log({ limit: 1 })).json.nextCursor)
  assert.equal(
    Buffer.from(cursor, 'base64url').toString(),
    '2025-01-02T03:04:05.123456Z e271b5ef09af13dc5cd9da8e4ce43059 pinned',
  )
})

test('a cursor that was made up is refused', async () => {
  const { get, log } = await patientWith([1])
  await get()
  await get()
  const real = String((await log({ limit: 1 })).json.nextCursor)
  const text = (content: string) => Buffer.from(content).toString('base64url')
  for (const cursor of [
    'bm9wZQ',
    `${real}A`,
    // Such a cursor once said how many entries to skip.
    text('2025-01-01T00:00:00.000Z 999999999 a'),
    text(`2025-02-30T00:00:00.000Z ${DIGEST} a`),
    text(`2025-13-01T00:00:00.000Z ${DIGEST} a`),
    text(`infinity ${DIGEST} a`),
    text(`2025-01-01T00:00:00.000Z ${DIGEST}0 a`),
    text(`2025-01-01T00:00:00.000Z ${DIGEST.toUpperCase()} a`),
    text('2025-01-01T00:00:00.000Z  a'),
    text(`2025-01-01T00:00:00.000Z ${DIGEST} ';`),
    text(`2025-01-01T00:00:00.000Z ${DIGEST} a b`),
    '%00',
  ]) {
    assertRefused(await log({ cursor }), 400, 'InvalidCursor')
  }
  assert.equal((await log({ cursor: real })).status, 200)
})

test('a query that is not as described is 400, pointing at the parameter', async () => {
  const { log } = await patientWith([])
  for (const [name, value] of Object.entries({ limit: 0, patientUid: '', from: 1, order: 'asc' })) {
    const { status, json } = await log({ [name]: value })
    assert.deepEqual([status, json.errors[0]?.pointer], [400, `/${name}`])
  }
})

test('another patient gets the same refusal whether or not that patient exists, and leaves no row', async () => {
  const { accessLog, log, patientUid } = await patientWith([1])
  const other = await rounds.token({ patientUid: 'someone-else' })
  const [ofOne, ofNobody] = [await log({ patientUid }, other), await log({ patientUid: randomUUID() }, other)]
  for (const answer of [ofOne, ofNobody]) assertRefused(answer, 403, 'PatientMismatch')
  assert.equal(ofOne.json.message, ofNobody.json.message)
  assert.deepEqual(await accessLog(), [])
  const nobody = await log({ patientUid: randomUUID() }, staff)
  assert.deepEqual([nobody.status, nobody.json.data], [200, []])
})

test('a look at the log that cannot be logged is not answered', async () => {
  const { log } = await patientWith([])
  await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  const answer = await log()
  await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
  assertRefused(answer, 503, 'DatabaseUnavailable')
})
