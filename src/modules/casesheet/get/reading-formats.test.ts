// readings/get in other formats than JSON: which one a request gets, and what its headers say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient, patientWithReadings } from '../../../../test/support/patient.ts'

const rounds = await startRounds({ CORS_ORIGINS: 'https://app.example' })
const GET = '/casesheet/readings/get'
const [JSON_TYPE, CSV, NDJSON] = ['application/json', 'text/csv', 'application/x-ndjson']

const typeOf = (headers: Headers) => headers.get('content-type')?.split(';')[0]

const ACCEPTS: [accept: string | undefined, type: string | undefined][] = [
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
  ['text/csv', CSV],
  ['TEXT/CSV; charset=utf-8; header=present', CSV],
  ['text/*', CSV],
  ['text/csv, */*', CSV],
  ['text/csv, */*;q=0.1', CSV],
  ['application/json;q=0.5, text/csv;q=0.4', JSON_TYPE],
  ['application/json;q=0.4, text/csv ; Q=0.5', CSV],
  ['application/json, text/csv', JSON_TYPE],
  ['text/csv, application/json', JSON_TYPE],
  ['application/json;version=1, text/csv;q=0.9', JSON_TYPE],
  ['text/csv;q=0.5, application/x-ndjson', NDJSON],
  ['application/json;q=0, application/x-ndjson;q=0.1', NDJSON],
  ['application/json;q=0, */*', CSV],
  ['text/csv;q=0, text/*', JSON_TYPE],
  ['text/csv;x="a,application/json;q=1";q=0.9, application/json;q=0.1', CSV],
  // What we cannot meet, or cannot read, is answered as if it had not been sent.
  ['text/html', JSON_TYPE],
  ['application/json;q=0', JSON_TYPE],
  ['text/csv;q=2', JSON_TYPE],
  ['text/csv;q=x, application/x-ndjson;q=0.1', NDJSON],
  [';;,,"', JSON_TYPE],
]
for (const [accept, type] of ACCEPTS) {
  test(`Accept: ${accept ?? '(none)'} is answered with ${type}`, async () => {
    const { token } = await newPatient(rounds)
    const { status, headers } = await rounds.call(GET, {
      token,
      headers: accept === undefined ? {} : { accept },
    })
    assert.deepEqual([status, typeOf(headers)], [200, type])
    assert.equal(headers.get('vary'), 'Origin, Accept, Accept-Encoding')
    assert.equal(headers.get('cache-control'), 'no-store')
  })
}

async function exportOf(token: string, accept: string, query = '') {
  return rounds.call(`${GET}${query}`, { token, headers: { accept } })
}

test('pages of CSV and of lines name the next one in headers that hold whatever the query held', async () => {
  const patientUid = 'Zoë "<;>\' 😀'
  const token = await rounds.token({ patientUid })
  const body = Array.from({ length: 25 }, (_, sequence) => ({
    patientUid,
    readingType: 'acme.step',
    timestamp: 1_762_000_000 + sequence,
    sequence,
  }))
  await rounds.call('/casesheet/readings/add', { token, body })
  const query = new URLSearchParams({ patientUid, limit: '10', from: '0.0000001', readingType: 'acme.step' })
  for (const accept of [CSV, NDJSON]) {
    const found: unknown[] = []
    let address: string | undefined = `?${query.toString()}`
    for (let pages = 0; address !== undefined; pages++) {
      assert.ok(pages < 3)
      const { headers, text } = await exportOf(token, accept, address)
      // In CSV the quotes of the JSON in `other` are doubled.
      found.push(...[...text.matchAll(/"sequence"+:(\d+)/g)].map(([, sequence]) => Number(sequence)))
      const [, next] = /^<(\?[\x21-\x7e]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
      assert.equal(headers.get('x-next-cursor'), next ? new URLSearchParams(next).get('cursor') : null)
      address = next
    }
    assert.deepEqual(found, [...body.keys()])
  }
  const json = await exportOf(token, JSON_TYPE, `?${query.toString()}`)
  assert.deepEqual([json.headers.get('link'), json.headers.get('content-disposition')], [null, null])
})

test('a question mark within the query is a part of it, also in the address of the next page', async () => {
  const patients = ['who?', 'who']
  const token = await rounds.token({ patientUid: patients })
  const body = patients.flatMap((patientUid) =>
    [1, 2].map((timestamp) => ({ patientUid, readingType: 'acme.step', timestamp })),
  )
  await rounds.call('/casesheet/readings/add', { token, body })
  const { headers } = await exportOf(token, NDJSON, '?patientUid=who?&limit=1')
  const [, next = ''] = /^<([^>]+)>/.exec(headers.get('link') ?? '') ?? []
  const { patientUid, timestamp } = JSON.parse((await exportOf(token, NDJSON, next)).text)
  assert.deepEqual([patientUid, timestamp], ['who?', 2])
})

const FILES: [query: string, accept: string, name: string][] = [
  ['', 'text/csv', 'readings.csv'],
  ['?from=1762000000', 'text/csv', 'readings-from-2025-11-01.csv'],
  ['?to=1762000000000', 'text/csv', 'readings-to-2025-11-01.csv'],
  ['?from=0&to=1762000000&limit=5', 'application/x-ndjson', 'readings-from-1970-01-01-to-2025-11-01.ndjson'],
]
for (const [query, accept, name] of FILES) {
  test(`${accept} of the range ${query || '(all)'} is saved as ${name}, which does not name the patient`, async () => {
    const { token } = await newPatient(rounds)
    const { headers } = await exportOf(token, accept, query)
    assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`)
  })
}

test('an export is in the access log like any read, and a refusal is JSON', async () => {
  const { accessLog, token } = await patientWithReadings(rounds, [1, 2, 3])
  await exportOf(token, CSV)
  assert.deepEqual(
    (await accessLog()).map(({ operation, readings_count }) => [operation, readings_count]),
    [['readings/get', 3]],
  )
  const refused = await exportOf(token, CSV, '?from=x')
  assert.deepEqual([refused.status, typeOf(refused.headers)], [400, JSON_TYPE])
  assert.equal(refused.headers.get('content-disposition'), null)
})
