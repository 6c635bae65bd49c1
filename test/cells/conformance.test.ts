// Through the router, three cells and a directory answer every request as one Rounds without a router does. Each is sent to both, for
// a patient of each cell, and the answers must be the same but for ids of requests and instants of the server.
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { importDirectory } from '../../src/modules/appointments/import/import-directory.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { setThirds, thirdOf } from '../support/slots.ts'
import { startCellsRouter } from './haproxy-of-cells.ts'

const lone = await startRounds()
const issuer = { AUTH_ISSUER: lone.issuer.url }
const cells = [await startRounds(issuer), await startRounds(issuer), await startRounds(issuer)]
const directory = await startRounds({
  ...issuer,
  MODULES: 'appointments',
  // The same doctors, with the same ids.
  DATABASE_URL: lone.serveUrl,
})
await importDirectory({ databaseUrl: lone.ownerUrl, file: 'samples/directory.json' })
await setThirds(cells)
const withHaproxy = needs('haproxy')
const router = withHaproxy.skip ? undefined : await startCellsRouter({ cells, directory, cellOf: thirdOf })

type Request = {
  name: string
  path: string
  token?: string
  method?: string
  body?: unknown
  raw?: string
  headers?: Record<string, string>
}
type Named = { data?: { readingId?: string; timestamp?: number }[]; nextCursor?: string | null }

const HEADERS = ['content-type', 'www-authenticate', 'allow', 'retry-after', 'cache-control', 'vary', 'etag']

const MAX_SHOWN = 2_000

/** A cursor of the access log names an instant. */
const DIFFERENT = new Set(['requestId', 'nextCursor'])
/** Instants of the server; those that are sent lie years before. */
const NOW = /20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:.]+Z/g

function comparable(text: string): string {
  const parse = (line: string) =>
    JSON.parse(line, (key, value) => (DIFFERENT.has(key) && typeof value === 'string' ? key : value))
  const isJson = text.startsWith('{')
  const plain = (isJson ? JSON.stringify(text.trim().split('\n').map(parse)) : text).replaceAll(NOW, 'now')
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}… ${hash('sha256', plain)}` : plain
}

async function send(url: string, { path, token, method, body, raw, headers = {} }: Request) {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${url}${path}`, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  return {
    text,
    compared: {
      status: response.status,
      headers: HEADERS.map((name) => response.headers.get(name)),
      hasRequestId: response.headers.has('x-request-id'),
      body: comparable(text),
    },
  }
}

const R = '/casesheet/readings'

/** In this order: later ones read what earlier ones have added. `last` is the answer to the request before. */
async function requestsOf(patientUid: string, other: string): Promise<((last: string) => Request)[]> {
  const [token, both, staff, stranger, expired, cut] = await Promise.all([
    lone.token({ patientUid }),
    lone.token({ patientUid: [other, patientUid] }),
    lone.token({ sub: 'dr', scope: 'readings:read readings:withdraw' }),
    lone.token({ patientUid: other }),
    lone.token({ patientUid, exp: 1_000 }),
    lone.token({ patientUid }).then((whole) => whole.slice(0, -9)),
  ])
  const named = `patientUid=${encodeURIComponent(patientUid)}`
  const symptom = {
    patientUid,
    readingType: 'symptom',
    timestamp: 1_700_000_000,
    symptoms: [{ symptom: 'Cough ☃', severity: 'MILD' }],
  }
  const steps = (timestamp: number, more: object = {}) => ({
    patientUid,
    readingType: 'acme.step',
    timestamp,
    ...more,
  })
  const add = (name: string, body: unknown, more: Partial<Request> = {}): Request => ({
    name,
    path: `${R}/add`,
    token,
    body,
    ...more,
  })
  const read = (path: string, more: Partial<Request> = {}): Request => ({ name: path, path, token, ...more })
  const representation = { headers: { prefer: 'return=representation' } }
  const fixed: Request[] = [
    add('a symptom', symptom),
    add('the same once more', symptom),
    add('a list', [steps(1_700_000_001), steps(1_700_000_002_000, { note: 'x', nested: { a: [1, null] } })]),
    add('an empty list', []),
    add('a list with one bad reading', [steps(5), steps(-1)]),
    add('verdicts', [steps(6), steps(-1), steps(6)], representation),
    add('a blood pressure', {
      ...steps(7),
      readingType: 'bloodPressure',
      systolic: 120,
      diastolic: 80,
      unit: 'mmHg',
    }),
    add('a blood pressure that cannot be', { ...steps(7), readingType: 'bloodPressure', systolic: 'x' }),
    add('a severity in lower case', { ...symptom, symptoms: [{ symptom: 'x', severity: 'mild' }] }),
    add('no symptoms', { ...symptom, symptoms: [] }),
    add('no timestamp', { patientUid, readingType: 'acme.step' }),
    add('a timestamp as text', steps('1' as unknown as number)),
    add('no type', { patientUid, timestamp: 1 }),
    add('no patient', { readingType: 'acme.step', timestamp: 1 }),
    add('a patient that is no text', { ...steps(1), patientUid: 5 }),
    add('null', null),
    add('a text', 'x'),
    add('a patient of another token', { ...steps(1), patientUid: other }),
    add('with a token of two', steps(8), { token: both }),
    add('with the token of a stranger', steps(9), { token: stranger }),
    add('with a token of staff', steps(9), { token: staff }),
    add('without a token', steps(9), { token: undefined as unknown as string }),
    add('with an expired token', steps(9), { token: expired }),
    add('with a cut token', steps(9), { token: cut }),
    add('with another media type', steps(9), { headers: { 'content-type': 'text/plain' } }),
    add('JSON that ends early', undefined, { raw: `{"patientUid":"${patientUid}"` }),
    add('JSON with a name twice', undefined, {
      raw: `{"patientUid":"${patientUid}","readingType":"acme.x","timestamp":1,"timestamp":2}`,
    }),
    add('a lone surrogate', undefined, {
      raw: `{"patientUid":"${patientUid}","readingType":"acme.x","timestamp":1,"note":"\\ud800"}`,
    }),
    add('a NUL', undefined, {
      raw: `{"patientUid":"${patientUid}","readingType":"acme.x","timestamp":1,"note":"\\u0000"}`,
    }),
    add('an empty body', undefined, {
      raw: '',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    }),
    add('a reading of 60 KiB', steps(10, { note: 'x'.repeat(60_000) })),
    add('a reading beyond 64 KiB', steps(11, { note: 'x'.repeat(70_000) })),
    add(
      'a list of 1,000',
      Array.from({ length: 1_000 }, (_, index) => steps(2_000 + index)),
    ),
    add(
      'a list of 1,001',
      Array.from({ length: 1_001 }, (_, index) => steps(2_000 + index)),
    ),
    add(
      'a large list',
      Array.from({ length: 10 }, (_, index) => steps(4_000 + index, { note: 'x'.repeat(20_000) })),
    ),
    read(`${R}/get`),
    read(`${R}/get?${named}`),
    read(`${R}/get?${named}`, { token: staff }),
    read(`${R}/get?${named}`, { token: both }),
    read(`${R}/get`, { token: both }),
    read(`${R}/get`, { token: staff }),
    read(`${R}/get?${named}`, { token: stranger }),
    read(`${R}/get?${named}&from=1700000001&to=1700000002`),
    read(`${R}/get?${named}&from=9&to=1`),
    read(`${R}/get?${named}&from=x`),
    read(`${R}/get?${named}&order=desc&limit=2`),
    read(`${R}/get?${named}&limit=0`),
    read(`${R}/get?${named}&cursor=x&limit=2`),
    read(`${R}/get?${named}&readingType=symptom&readingType=bloodPressure`),
    read(`${R}/get?${named}&unknown=1`),
    read(`${R}/get?patientUid=`),
    read(`${R}/get?${named}&${named}`),
    read(`${R}/get?${named}`, { headers: { accept: 'application/x-ndjson' } }),
    read(`${R}/get?${named}`, { headers: { accept: 'text/csv' } }),
    read(`${R}/get?${named}`, { headers: { accept: 'image/png' } }),
    read(`${R}/latest?${named}`),
    read(`${R}/latest?${named}&readingType=acme.step`),
    read(`${R}/statistics?${named}&readingType=bloodPressure&from=0&to=1800000000`),
    read(`${R}/statistics?${named}`),
    read(`${R}/types`),
    read(`${R}/access-log?${named}`),
    read(`${R}/access-log?${named}&limit=1`),
    read(`${R}/stream?${named}`, { token: stranger }),
    read(`${R}/get?${named}`, { method: 'DELETE' }),
    read(`${R}/add`),
    read(`${R}/nowhere`),
    read('/nowhere'),
    read('/'),
    read('/openapi.json', { token: '' }),
    read('/appointments/doctors/list'),
    read('/appointments/doctors/list?limit=2'),
    read('/appointments/doctors/list?q=zoe&language=en'),
    read('/appointments/doctors/list?limit=0'),
    read('/appointments/doctors/list', { token: cut }),
    read('/appointments/doctors/specialities/list'),
    read('/appointments/nowhere'),
    read(`${R}/withdraw`, { name: 'withdraw nothing', body: { patientUid } }),
  ]
  const firstOf = (last: string) => (JSON.parse(last) as Named).data?.[0] ?? {}
  const named1 = (last: string) => {
    const { readingId, timestamp } = firstOf(last)
    return { patientUid, readingId, timestamp }
  }
  let reading = {}
  return [
    ...fixed.map((request) => () => request),
    () => read(`${R}/get?${named}&limit=1`),
    (last) => read(`${R}/withdraw`, { name: 'withdraw', body: (reading = named1(last)) }),
    () => read(`${R}/withdraw`, { name: 'withdraw again', body: reading }),
    () => read(`${R}/get?${named}&limit=1`),
    () => read(`${R}/get?${named}&limit=1&withdrawn=include`),
    () => read(`${R}/restore`, { name: 'restore', token: staff, body: reading }),
    () => read(`${R}/restore`, { name: 'restore for a stranger', token: stranger, body: reading }),
    () => read(`${R}/get?${named}&limit=2`),
    (last) => read(`${R}/get?${named}&limit=2&cursor=${(JSON.parse(last) as Named).nextCursor}`),
  ]
}

const patientIn = (cell: number, more = '') => {
  for (;;) {
    const patientUid = `${more}${randomUUID()}`
    if (thirdOf(slotOf(patientUid)) === cell) return patientUid
  }
}

for (const cell of [0, 1, 2]) {
  test(`a patient of cell ${cell} is answered as without cells`, withHaproxy, async (t) => {
    const patientUid = patientIn(cell, 'Zoë & "Ü" / ')
    const requests = await requestsOf(patientUid, patientIn((cell + 1) % 3))
    let [last, statuses] = ['', new Set<number>()]
    for (const make of requests) {
      const request = make(last)
      const [alone, routed] = [await send(lone.url, request), await send(router?.url ?? '', request)]
      assert.deepEqual(routed.compared, alone.compared, request.name)
      last = alone.text
      statuses = statuses.add(alone.compared.status)
    }
    t.diagnostic(`${requests.length} of ${requests.length} requests are answered alike`)
    for (const status of [200, 400, 401, 403, 404, 405, 413, 415])
      assert.ok(statuses.has(status), `one of them is answered ${status}`)
  })
}
