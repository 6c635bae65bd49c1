// GET entries of a batch: each is answered, refused, counted and logged as the request that it stands for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, matchesIn, type Resource, startFhir } from '../../../../test/support/fhir.ts'
import { faultsOf } from '../../../../test/support/fhir-validation.ts'
import { runSql } from '../../../../test/support/harness.ts'
import { readingToObservation } from '../observation/reading-to-observation.ts'

const rounds = await startFhir({ RATE_LIMIT_PER_MINUTE: '100' })

type Entry = { resource?: Resource; response: { status: string; location?: string; outcome?: Resource } }

const get = (url: string) => ({ request: { method: 'GET', url } })
const post = (patientUid: string, value: number) => ({
  request: { method: 'POST', url: 'Observation' },
  resource: readingToObservation({ patientUid, readingType: 'heartRate', value, timestamp: 1_762_000_000 }),
})
const batchOf = (...entry: object[]) => ({ resourceType: 'Bundle', type: 'batch', entry })

async function run(token: string, ...entries: object[]): Promise<Entry[]> {
  const answer = await rounds.fhir('', { token, body: batchOf(...entries) })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(faultsOf(answer.resource), [])
  return answer.resource['entry'] as Entry[]
}

const codeOf = ({ response }: Entry) => JSON.stringify(response.outcome).match(/"code":"([A-Z]\w+)"/)?.[1]

test('entries are answered in the order sent, and see what the batch itself has stored', async () => {
  const [patientUid, token] = ['batch-own', await rounds.token({ patientUid: 'batch-own', sub: 'own' })]
  const [found, added, by, none, wrong, xml, unknown] = await run(
    token,
    get(`Observation?patient=${patientUid}`),
    post(patientUid, 71),
    get(`/Observation?_elements=status`),
    get('Observation/none'),
    get('Observation?date=yesterday'),
    get('Observation?_format=xml'),
    get('Condition?patient=1'),
  )
  const [own] = matchesIn(found?.resource ?? { resourceType: '' })
  assert.equal(added?.response.status, '201 Created')
  assert.equal(`Observation/${String(own?.['id'])}`, added?.response.location)
  assert.deepEqual(Object.keys(matchesIn(by?.resource ?? { resourceType: '' })[0] ?? {}), [
    'resourceType',
    'id',
    'meta',
    'status',
    'code',
  ])
  assert.deepEqual(
    [none, wrong, xml, unknown].map((entry) => [entry?.response.status, entry && codeOf(entry)]),
    [
      ['404 Not Found', 'ReadingNotFound'],
      ['400 Bad Request', 'ValidationFailed'],
      ['400 Bad Request', 'ValidationFailed'],
      ['404 Not Found', 'NotFound'],
    ],
  )
  const direct = await rounds.fhir(`/Observation?patient=${patientUid}`, { token })
  assert.deepEqual(found?.resource, direct.resource)
})

test('a token without the right to add may ask, and its POSTs are refused one by one', async () => {
  const patientUid = 'batch-reader'
  await run(await rounds.token({ patientUid, sub: 'reader' }), post(patientUid, 72))
  const reader = await rounds.token({ patientUid, sub: 'reader', scope: 'patient/Observation.rs' })
  const [found, refused, other] = await run(
    reader,
    get('Observation'),
    post(patientUid, 73),
    get('Observation?patient=another'),
  )
  assert.equal(matchesIn(found?.resource ?? { resourceType: '' }).length, 1)
  assert.deepEqual(
    [refused, other].map((entry) => entry && codeOf(entry)),
    ['ScopeMissing', 'PatientMismatch'],
  )
  const only = await rounds.fhir('', { token: reader, body: batchOf(post(patientUid, 74)) })
  assertOutcome(only, 403, 'ScopeMissing')
  const nobody = await rounds.token({ sub: 'nobody' })
  assertOutcome(
    await rounds.fhir('', { token: nobody, body: batchOf(get('Observation')) }),
    403,
    'PatientNotInToken',
  )
  const staff = await rounds.token({ sub: 'staff', scope: 'readings:read' })
  const [seen, denied] = await run(staff, get(`Observation?patient=${patientUid}`), post(patientUid, 75))
  assert.equal(matchesIn(seen?.resource ?? { resourceType: '' }).length, 1)
  assert.equal(denied && codeOf(denied), 'PatientNotInToken')
  const logged = await runSql(
    rounds.ownerUrl,
    'select read_by, allowed_as, readings_count from casesheet.access_log where patient_uid = $1 order by at',
    [patientUid],
  )
  assert.deepEqual(
    logged.map((row) => Object.values(row)),
    [
      ['reader', 'patient', 1],
      ['staff', 'staff', 1],
    ],
  )
})

test('a GET with a resource or a condition, one in a transaction, and 51 of them are refused', async () => {
  const token = await rounds.token({ patientUid: 'batch-wrong', sub: 'wrong' })
  const wrong = [
    { ...get('Observation'), resource: {} },
    { request: { method: 'GET', url: 'Observation', ifNoneMatch: 'W/"1"' } },
    { request: { method: 'GET' } },
    { request: { method: 'DELETE', url: 'Observation/1' } },
    get(`Observation?code=${'x'.repeat(9_000)}`),
  ]
  for (const entry of await run(token, get('Observation'), ...wrong).then(([, ...others]) => others))
    assert.equal(codeOf(entry), 'ValidationFailed')
  const transaction = { ...batchOf(get('Observation')), type: 'transaction' }
  const [issue] = assertOutcome(await rounds.fhir('', { token, body: transaction }), 400, 'ValidationFailed')
  assert.match(JSON.stringify(issue), /Bundle\.entry\[0\]\.request/)
  const many = batchOf(...Array.from({ length: 51 }, () => get('Observation')))
  assertOutcome(await rounds.fhir('', { token, body: many }), 400, 'ValidationFailed')
})

test('each GET counts as a request: those beyond the limit are refused, and so is what comes after', async () => {
  const token = await rounds.token({ patientUid: 'batch-eager', sub: 'eager' })
  const fifty = Array.from({ length: 50 }, () => get('Observation?_count=1'))
  const statuses: string[] = []
  const began = Date.now()
  // A minute of the clock may end meanwhile.
  while (!statuses.includes('429 Too Many Requests')) {
    const answer = await rounds.fhir('', { token, body: batchOf(...fifty) })
    if (answer.status === 429) break
    statuses.push(...(answer.resource['entry'] as Entry[]).map(({ response }) => response.status))
  }
  const answered = statuses.filter((status) => status === '200 OK').length
  const minutes = Math.ceil((Date.now() - began) / 60_000) + 1
  assert.ok(answered >= 100 && answered <= 100 * minutes, `${answered} in ${minutes} minutes of the clock`)
  assertOutcome(await rounds.fhir('/Observation', { token }), 429, 'RateLimited')
})

test('a batch answers up to 1 MiB and one entry more; entries behind it say so, and are not read', async () => {
  const patientUid = 'batch-large'
  const token = await rounds.token({ patientUid, sub: 'large' })
  const body = Array.from({ length: 2 }, (_, index) => ({
    patientUid,
    readingType: 'acme.text',
    timestamp: 1_762_000_000 + index,
    text: 'é'.repeat(30_000),
  }))
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  const entries = await run(token, ...Array.from({ length: 12 }, () => get('Observation')))
  const answered = entries.filter(({ resource }) => resource)
  const bytes = answered.map(({ resource }) => Buffer.byteLength(JSON.stringify(resource)))
  const total = bytes.reduce((sum, one) => sum + one, 0)
  assert.ok(total >= 1_048_576 && total - (bytes.at(-1) ?? 0) < 1_048_576, `${total} bytes`)
  for (const entry of entries.slice(answered.length)) {
    assert.equal(codeOf(entry), 'RateLimited')
    assert.match(JSON.stringify(entry.response.outcome), /take 1 MiB or five seconds/)
  }
  const [logged] = await runSql(
    rounds.ownerUrl,
    'select count(*)::int as rows from casesheet.access_log where patient_uid = $1',
    [patientUid],
  )
  assert.equal(logged?.['rows'], answered.length)
})

test('an address without the id of its patient is none, and no search of the only patient of the token', async () => {
  const token = await rounds.token({ patientUid: 'batch-one', sub: 'one' })
  for (const path of ['/Patient//Observation', '/Patient//Observation?code=8867-4', '/Patient/'])
    assertOutcome(await rounds.fhir(path, { token }), 404, 'NotFound')
  const [entry] = await run(token, get('Patient//Observation'))
  assert.equal(entry && codeOf(entry), 'NotFound')
})
