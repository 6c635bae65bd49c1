// What every address below FHIR_PATH has in common: the statement of what is served, and failures as OperationOutcomes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { assertOutcome, heartRate, matchesIn, startFhir } from '../../../test/support/fhir.ts'
import { startRounds } from '../../../test/support/harness.ts'
import { SERVED } from './answers/served.ts'
import { readingToObservation } from './observation/reading-to-observation.ts'

const rounds = await startFhir({ RATE_LIMIT_PER_MINUTE: '200' })
const token = await rounds.token({ patientUid: 'patient-1' })
await fillDirectory(rounds.ownerUrl, {
  specialities: [
    { title: 'Cardiology', specialityId: 'heart' },
    { title: 'Skin', specialityId: 'skin' },
  ],
  doctors: [
    {
      doctorId: 'a',
      name: 'Dr. Ann Willow (invented)',
      specialities: ['Cardiology'],
      languages: ['en-IN', 'hi'],
    },
    {
      doctorId: 'b',
      name: 'Dr. Björn Will (invented)',
      specialities: ['Skin'],
      languages: ['en'],
      isActive: false,
    },
    { doctorId: 'c/1', name: 'Dr. Goodwill (invented)', specialities: ['Cardiology', 'Skin'] },
  ],
})

test('the statement names what is served, without a token', async () => {
  const { status, resource, headers } = await rounds.fhir('/metadata')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/fhir\+json/)
  assert.equal(resource['fhirVersion'], '4.0.1')
  const [rest] = resource['rest'] as {
    resource: { type: string; interaction: { code: string }[]; searchParam: { name: string }[] }[]
  }[]
  for (const { type, interaction, searchParam } of rest?.resource ?? []) {
    const { interactions, parameters } = SERVED[type as keyof typeof SERVED]
    assert.deepEqual(
      interaction.map(({ code }) => code),
      interactions,
    )
    assert.deepEqual(
      searchParam.map(({ name }) => name),
      parameters.map(({ name }) => name),
    )
    // Each is really served: strict handling would refuse a parameter that is not known.
    for (const { name } of searchParam) {
      const answer = await rounds.fhir(`/${type}?${name}=`, { token, headers: { prefer: 'handling=strict' } })
      assert.equal(answer.status, 200, answer.text)
    }
  }
  assert.deepEqual(
    rest?.resource.map(({ type }) => type),
    ['Observation', 'Patient', 'Practitioner', 'PractitionerRole'],
  )
})

test('the statement says whether web apps of other origins may call', async () => {
  const open = await startFhir({ CORS_ORIGINS: 'https://app.example' })
  for (const [server, isAllowed] of [
    [rounds, false],
    [open, true],
  ] as const) {
    const { resource, headers } = await server.fhir('/metadata', {
      headers: { origin: 'https://app.example' },
    })
    const [rest] = resource['rest'] as { security: { cors: boolean } }[]
    assert.equal(rest?.security.cors, isAllowed)
    assert.equal(headers.has('access-control-allow-origin'), isAllowed)
  }
})

test("apps find the issuer's endpoints, without a token", async () => {
  const { status, text } = await rounds.fhir('/.well-known/smart-configuration')
  assert.equal(status, 200)
  const configuration = JSON.parse(text) as { issuer: string; capabilities: string[] }
  assert.equal(configuration.issuer, rounds.issuer.url)
  assert.ok(configuration.capabilities.includes('permission-v2'))
})

test('the issuer is asked once for many apps, and an outage of it is reported as such', async () => {
  const own = await startFhir()
  let asked = 0
  own.issuer.failWith((_request, response) => {
    asked++
    response.writeHead(500).end()
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => own.fhir('/.well-known/smart-configuration')),
  )
  for (const answer of answers) assertOutcome(answer, 503, 'IssuerUnavailable')
  assertOutcome(await own.fhir('/.well-known/smart-configuration'), 503, 'IssuerUnavailable')
  assert.equal(asked, 1)
})

test('a discovery document of another issuer is not passed on', async () => {
  const own = await startFhir()
  own.issuer.failWith((_request, response) =>
    response.end(
      JSON.stringify({ issuer: 'https://other.example', token_endpoint: 'https://other.example/token' }),
    ),
  )
  assertOutcome(await own.fhir('/.well-known/smart-configuration'), 503, 'IssuerUnavailable')
})

const FAILURES: [name: string, path: string, options: object, status: number, code: string][] = [
  ['no token', '/Observation', {}, 401, 'TokenMissing'],
  ['no token, by a form', '/Observation/_search', { method: 'POST' }, 401, 'TokenMissing'],
  ['no token, for one Observation', '/Observation/x', {}, 401, 'TokenMissing'],
  ['no token, with an Observation', '/Observation', { body: {} }, 401, 'TokenMissing'],
  ['no token, with a Bundle', '', { body: {} }, 401, 'TokenMissing'],
  ['no token, for doctors', '/Practitioner', {}, 401, 'TokenMissing'],
  ['no token, for the role of a doctor', '/PractitionerRole/x', {}, 401, 'TokenMissing'],
  ['a token that is none', '/Observation', { token: 'x.y.z' }, 401, 'TokenInvalid'],
  ['an unknown resource', '/Condition', { token }, 404, 'NotFound'],
  ['an unknown resource, without a token', '/Condition/1', {}, 404, 'NotFound'],
  ['a patient whose id FHIR does not allow', '/Patient/a_b', { token }, 404, 'NotFound'],
  ['a patient without an id', '/Patient/', { token }, 404, 'NotFound'],
  ['Observations of a patient without an id', '/Patient//Observation', { token }, 404, 'NotFound'],
  ['some of them', '/Patient//Observation?code=8867-4', { token }, 404, 'NotFound'],
  ['an unknown operation', '/Patient/patient-1/$match', { token }, 404, 'NotFound'],
  ['an unknown operation by POST', '/$export', { token, method: 'POST' }, 404, 'NotFound'],
  ['an unknown resource of a patient', '/Patient/patient-1/Consent', { token }, 404, 'NotFound'],
  ['an update of a Patient', '/Patient/1', { token, method: 'PUT', body: {} }, 405, 'MethodNotAllowed'],
  ['a new Patient', '/Patient', { token, body: {} }, 405, 'MethodNotAllowed'],
  ['an unknown Observation', '/Observation/1', { token }, 404, 'ReadingNotFound'],
  ['an unknown Practitioner', '/Practitioner/none', { token }, 404, 'NotFound'],
  ['an update', '/Observation/1', { token, method: 'PUT', body: {} }, 405, 'MethodNotAllowed'],
  ['a deletion', '/Observation/1', { token, method: 'DELETE' }, 405, 'MethodNotAllowed'],
  ['a deletion of many', '/Observation', { token, method: 'DELETE' }, 405, 'MethodNotAllowed'],
  ['a new Practitioner', '/Practitioner', { token, body: {} }, 405, 'MethodNotAllowed'],
  ['a search at the base', '', { token }, 405, 'MethodNotAllowed'],
  [
    'XML',
    '/Observation',
    { token, raw: '<x/>', headers: { 'content-type': 'application/fhir+xml' } },
    415,
    'UnsupportedMediaType',
  ],
  ['a long address', `/Observation/${'x'.repeat(300)}`, { token }, 404, 'NotFound'],
  ['an address that cannot be decoded', '/Observation/%zz', { token }, 400, 'ValidationFailed'],
  ['a query that cannot be decoded', '/Observation?code=%ff', { token }, 400, 'ValidationFailed'],
  ['a query beside a body', '/Observation?x=1', { token, body: {} }, 400, 'ValidationFailed'],
]
for (const [name, path, options, status, code] of FAILURES) {
  test(`an OperationOutcome says: ${name}`, async () => {
    const answer = await rounds.fhir(path, options)
    const [issue] = assertOutcome(answer, status, code)
    assert.match(issue?.details.text ?? '', /\.$/)
    if (status === 405) assert.match(answer.headers.get('allow') ?? '', /GET|POST/)
    if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
  })
}

test('a parameter that is not served is ignored and named, and refused in strict handling', async () => {
  const own = await rounds.token({ patientUid: 'patient-whole' })
  await rounds.fhir('/Observation', { token: own, body: heartRate('patient-whole') })
  const { resource, text } = await rounds.fhir('/Observation?_elements=code', { token: own })
  assert.deepEqual(matchesIn(resource), await rounds.search('', own))
  assert.match(text, /The parameter _elements is not known here and was ignored\./)
  const headers = { prefer: 'handling=strict' }
  const strict = await rounds.fhir('/Observation?_elements=code', { token: own, headers })
  const [issue] = assertOutcome(strict, 400, 'ValidationFailed')
  assert.deepEqual(issue?.expression, ['_elements'])
})

test('a body that is too large is refused with the limits of FHIR, whatever it is', async () => {
  for (const raw of [`"${'x'.repeat(600_000)}"`, `{"text":"${'x'.repeat(600_000)}"}`]) {
    const [issue] = assertOutcome(await rounds.fhir('/Observation', { token, raw }), 413, 'BodyTooLarge')
    assert.equal(issue?.details.text, 'An Observation may take 512 KiB, also in a Bundle.')
  }
})

const FORM = 'application/x-www-form-urlencoded'
const FORMS: [name: string, path: string, form: string | Buffer][] = [
  ['an escaped NUL', '/Practitioner/_search', 'name=abc%00'],
  ['an escaped NUL for a role', '/PractitionerRole/_search', 'specialty=%00'],
  ['an escaped NUL for a patient', '/Observation/_search', 'patient=%00'],
  ['an escaped NUL in a name', '/Practitioner/_search', 'na%00me=abc'],
  ['a plain NUL', '/Practitioner/_search', 'name=abc\0'],
  ['escapes that are not UTF-8', '/Practitioner/_search', 'name=%ff'],
  ['bytes that are not UTF-8', '/Practitioner/_search', Buffer.from('name=\xff', 'latin1')],
  ['half an escape', '/Practitioner/_search', 'name=%a'],
]
for (const [name, path, raw] of FORMS) {
  test(`a form is refused, as a query is: ${name}`, async () => {
    const answer = await rounds.fhir(path, { token, raw, headers: { 'content-type': FORM } })
    assertOutcome(answer, 400, 'ValidationFailed')
  })
}

test('a form may hold every other character, escaped or not', async () => {
  for (const raw of ['name=Bj%C3%B6rn', 'name=Björn', 'name=Dr.+Bj%c3%b6rn']) {
    const { resource, text } = await rounds.fhir('/Practitioner/_search', {
      token,
      raw,
      headers: { 'content-type': FORM },
    })
    assert.deepEqual(
      matchesIn(resource).map(({ id }) => id),
      ['b'],
      text,
    )
  }
})

test('failures of other modules stay as they are', async () => {
  const { headers, json } = await rounds.call('/casesheet/readings/get')
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(json.code, 'TokenMissing')
  assert.equal((await rounds.call('/fhirs')).json.code, 'NotFound')
})

test('a caller with too many requests gets an OperationOutcome that says when to try again', async () => {
  const eager = await rounds.token({ sub: 'eager', patientUid: 'patient-1' })
  for (;;) {
    const answer = await rounds.fhir('/Practitioner/none', { token: eager })
    if (answer.status === 404) continue
    assertOutcome(answer, 429, 'RateLimited')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    break
  }
})

test('a database that cannot be reached is an OperationOutcome too', async () => {
  const lost = await startFhir({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    REQUEST_DEADLINE_SECONDS: '1',
  })
  const own = await lost.token({ patientUid: 'patient-1' })
  const answer = await lost.fhir('/Observation', { token: own })
  assertOutcome(answer, 503, 'DatabaseUnavailable')
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('the module is served alone, and at another path', async () => {
  const alone = await startRounds({ MODULES: 'fhir', FHIR_PATH: '/r4' })
  const { status, text } = await alone.call('/r4/metadata')
  assert.equal(status, 200)
  assert.match(text, /"url":"http:\/\/127\.0\.0\.1:\d+\/r4"/)
  assert.equal((await alone.call('/casesheet/readings/get')).status, 404)
  const refused = await alone.call('/r4/Observation')
  assert.match(refused.headers.get('content-type') ?? '', /^application\/fhir\+json/)
})

const READINGS = ['Observation', 'Patient']
const DOCTORS = ['Practitioner', 'PractitionerRole']
const DIVIDED: [modules: string, served: string[]][] = [
  ['fhir', [...READINGS, ...DOCTORS]],
  ['appointments,casesheet,fhir', [...READINGS, ...DOCTORS]],
  ['casesheet,fhir', READINGS],
  ['appointments,fhir', DOCTORS],
]
for (const [modules, served] of DIVIDED) {
  test(`MODULES=${modules} serves ${served.join(', ')}, and no other resource`, async () => {
    const own = await startFhir({ MODULES: modules })
    const patient = await own.token({ patientUid: 'patient-1' })
    const { resource } = await own.fhir('/metadata')
    const [rest] = resource['rest'] as { resource: { type: string }[]; interaction?: unknown[] }[]
    assert.deepEqual(
      rest?.resource.map(({ type }) => type),
      served,
    )
    assert.deepEqual(rest?.interaction, served.includes('Observation') ? [{ code: 'batch' }] : undefined)
    for (const type of [...READINGS, ...DOCTORS]) {
      const form = { token: patient, raw: '_count=1', headers: { 'content-type': FORM } }
      const answers = [
        await own.fhir(`/${type}`, { token: patient }),
        await own.fhir(`/${type}/_search`, form),
        await own.fhir(`/${type}/x`, { token: patient, method: 'DELETE' }),
      ]
      const expected = served.includes(type) ? [200, 200, 405] : [404, 404, 404]
      assert.deepEqual(
        answers.map(({ status }) => status),
        expected,
        type,
      )
    }
    const observation = readingToObservation({
      patientUid: 'patient-1',
      readingType: 'heartRate',
      value: 70,
      timestamp: 1_762_000_000,
    })
    const added = await own.fhir('/Observation', { token: patient, body: observation })
    const bundle = await own.fhir('', {
      token: patient,
      body: { resourceType: 'Bundle', type: 'batch', entry: [] },
    })
    assert.deepEqual(
      [added.status, bundle.status],
      served.includes('Observation') ? [201, 200] : [404, 404],
      added.text,
    )
  })
}

/** Which doctors a search finds. */
const SEARCHES: [path: string, found: string[]][] = [
  ['/Practitioner', ['a', 'b', '..Yy8x']],
  ['/Practitioner?name=will', ['a', 'b']],
  ['/Practitioner?name=WILLOW', ['a']],
  ['/Practitioner?name=bjorn', ['b']],
  ['/Practitioner?name=dr. ann', ['a']],
  ['/Practitioner?name:contains=will', ['a', 'b', '..Yy8x']],
  ['/Practitioner?name:exact=Dr. Ann Willow (invented)', ['a']],
  ['/Practitioner?name:exact=dr. ann willow (invented)', []],
  ['/Practitioner?communication=en', ['b']],
  ['/Practitioner?communication=urn:ietf:bcp:47|en-IN', ['a']],
  ['/Practitioner?communication=urn:other|en', []],
  ['/Practitioner?communication=xx_none', []],
  ['/Practitioner?active=true', ['a', '..Yy8x']],
  ['/Practitioner?active=false', ['b']],
  ['/Practitioner?_id=b', ['b']],
  ['/Practitioner?_id=..Yy8x', ['..Yy8x']],
  ['/Practitioner?_id=none', []],
  ['/PractitionerRole?specialty=heart', ['a', '..Yy8x']],
  ['/PractitionerRole?specialty=urn:rounds:speciality|skin', ['b', '..Yy8x']],
  ['/PractitionerRole?specialty=http://snomed.info/sct|heart', []],
  ['/PractitionerRole?specialty=heart&specialty=skin', ['..Yy8x']],
  ['/PractitionerRole?practitioner=Practitioner/a', ['a']],
  ['/PractitionerRole?practitioner=a&specialty=skin', []],
  [`/PractitionerRole?practitioner=${rounds.url}/fhir/Practitioner/a`, ['a']],
  [`/PractitionerRole?practitioner=${rounds.url}/fhir/Practitioner/..Yy8x`, ['..Yy8x']],
  ['/PractitionerRole?practitioner=https://elsewhere.example/fhir/Practitioner/a', []],
  ['/Practitioner?_sort=name', ['a', 'b', '..Yy8x']],
  [`/Practitioner?name=${'x'.repeat(200)}`, []],
  [`/Practitioner?name=${encodeURIComponent('𝒳'.repeat(200))}`, []],
  [`/PractitionerRole?specialty=urn:rounds:speciality|${'x'.repeat(200)}`, []],
]
for (const [path, found] of SEARCHES) {
  test(`${path} finds ${found.join(' and ') || 'no one'}`, async () => {
    for (const count of [1, 2, 100]) {
      const ids: unknown[] = []
      let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}_count=${count}`
      while (next !== undefined) {
        const { resource, status, text } = await rounds.fhir(next, {
          token: await rounds.token({ sub: crypto.randomUUID() }),
        })
        assert.equal(status, 200, text)
        ids.push(...matchesIn(resource).map(({ id }) => id))
        const links = resource['link'] as { relation: string; url: string }[]
        next = links.find(({ relation }) => relation === 'next')?.url.replace(/^.*\/fhir/, '')
      }
      assert.deepEqual(ids, found, `in pages of ${count}`)
    }
  })
}

test('a search for doctors is refused where it cannot be answered', async () => {
  const staff = await rounds.token({ sub: 'someone' })
  for (const path of [
    '/Practitioner?name=a,b',
    '/Practitioner?name:contains=wi',
    '/Practitioner?name:below=x',
    '/PractitionerRole?_count=0',
  ]) {
    assertOutcome(await rounds.fhir(path, { token: staff }), 400, 'ValidationFailed')
  }
})

const LONG: [path: string, parameter: string][] = [
  [`/Practitioner?name=${'x'.repeat(201)}`, 'name'],
  [`/Practitioner?name:contains=${'x'.repeat(7_000)}`, 'name'],
  [`/Practitioner?name:exact=${'x'.repeat(201)}`, 'name'],
  [`/Practitioner?communication=${'x'.repeat(201)}`, 'communication'],
  [`/PractitionerRole?specialty=${'x'.repeat(201)}`, 'specialty'],
]
for (const [path, parameter] of LONG) {
  test(`${path.slice(0, 40)}… is refused, as doctors/list refuses more than 200 characters`, async () => {
    const answer = await rounds.fhir(path, { token: await rounds.token({ sub: 'long' }) })
    const [issue] = assertOutcome(answer, 400, 'ValidationFailed')
    assert.deepEqual(issue?.expression, [parameter])
  })
}

for (const path of [
  '/Practitioner?_sort=-name',
  '/Practitioner?_sort=family',
  '/PractitionerRole?_sort=date',
]) {
  test(`${path} is not sorted so, and the answer says so`, async () => {
    const own = await rounds.token({ sub: 'sorting' })
    const { resource, text } = await rounds.fhir(path, { token: own })
    assert.equal(matchesIn(resource).length, 3)
    assert.match(text, /The parameter _sort is not known here and was ignored\./)
    assert.doesNotMatch(JSON.stringify(resource['link']), /_sort/)
    const strict = await rounds.fhir(path, { token: own, headers: { prefer: 'handling=strict' } })
    const [issue] = assertOutcome(strict, 400, 'ValidationFailed')
    assert.deepEqual(issue?.expression, ['_sort'])
  })
}

test('each of several faults is an issue of its own, and none speaks of another shape', async () => {
  const body = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
    subject: { reference: 'Patient/patient-1' },
    effectiveDateTime: '2026-01-01T10:00:00Z',
    valueQuantity: { value: 72, system: 'http://unitsofmeasure.org', code: '/min' },
    bodySite: { text: 'wrist' },
    interpretation: [{ text: 'at rest' }],
  }
  const issues = assertOutcome(await rounds.fhir('/Observation', { token, body }), 400, 'ValidationFailed')
  assert.deepEqual(
    issues.map(({ details }) => details.text),
    [
      'Observation.bodySite cannot be kept here: leave it out.',
      'Observation.interpretation[0] cannot be kept here: leave it out.',
    ],
  )
})
