import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertOutcome, issuesIn, type Resource, startFhir } from '../../../../test/support/fhir.ts'
import { RANDOM_READINGS } from '../../../../test/support/fhir-readings.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { readingToObservation } from '../observation/reading-to-observation.ts'

const rounds = await startFhir()

/** A patient of its own, and the token of that patient. */
async function newPatient(patientUid = randomUUID()) {
  const token = await rounds.token({ patientUid })
  return { patientUid, token, subject: { reference: `Patient/${patientUid}` } }
}

/** As a device would write it that knows nothing of Rounds. */
function heartRate(subject: object, changes: object = {}) {
  return {
    resourceType: 'Observation',
    status: 'final',
    category: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/observation-category',
            code: 'vital-signs',
            display: 'Vital Signs',
          },
        ],
        text: 'Vital Signs',
      },
    ],
    code: {
      coding: [{ system: 'http://loinc.org', code: '8867-4', display: 'Heart rate' }],
      text: 'Heart rate',
    },
    subject,
    effectiveDateTime: '2025-11-01T12:26:40Z',
    valueQuantity: { value: 72, unit: 'beats/minute', system: 'http://unitsofmeasure.org', code: '/min' },
    ...changes,
  }
}

async function readingsOf(token: string) {
  return (await rounds.call('/casesheet/readings/get', { token })).json.data
}

test('an Observation is stored as the reading that readings/add would store, and sent again it is stored once', async () => {
  const { patientUid, token, subject } = await newPatient()
  const first = await rounds.fhir('/Observation', { token, body: heartRate(subject) })
  const location = first.headers.get('location') ?? ''
  assert.equal(first.status, 201)
  const again = await rounds.fhir('/Observation', { token, body: heartRate(subject) })
  assert.deepEqual([again.status, again.headers.get('location')], [200, location])
  const same = { patientUid, readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 }
  const added = await rounds.call('/casesheet/readings/add', {
    token,
    body: same,
    headers: { prefer: 'return=representation' },
  })
  assert.equal(added.json.data[0]?.['verdict'], 'duplicate')
  const [stored, ...others] = await readingsOf(token)
  assert.equal(others.length, 0)
  const { readingId, measuredAt, receivedAt, ...reading } = stored ?? {}
  assert.deepEqual(reading, same)
  assert.equal(measuredAt, '2025-11-01T12:26:40.000Z')
  const read = await rounds.fhir(new URL(location).pathname.replace('/fhir', ''), { token })
  assert.deepEqual(read.resource['identifier'], [
    { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${String(readingId)}` },
  ])
  assert.deepEqual((read.resource['meta'] as Resource)['lastUpdated'], receivedAt)
})

test('a create is answered with the Observation as it is stored, and only one that was there is read and logged', async () => {
  const { token, subject, patientUid } = await newPatient()
  const body = heartRate(subject, {
    component: [
      { code: { coding: [{ system: 'urn:rounds:field', code: 'zeal' }] }, valueString: 'as sent' },
      { code: { coding: [{ system: 'urn:rounds:field', code: 'arm' }] }, valueBoolean: true },
    ],
    extension: [{ url: 'urn:rounds:other-fields', valueString: '{"b":[1,{"z":1,"a":2}],"a":null}' }],
  })
  const post = (requestId: string, prefer = '') =>
    rounds.fhir('/Observation', { token, body, headers: { 'x-request-id': requestId, prefer } })
  const created = await post('created')
  assert.deepEqual([created.status, created.headers.get('preference-applied')], [201, null])
  assert.match(created.headers.get('content-type') ?? '', /^application\/fhir\+json/)
  const location = created.headers.get('location') ?? ''
  assert.ok(location.endsWith(`/fhir/Observation/${String(created.resource['id'])}`))
  const again = await post('again', 'return=representation')
  assert.deepEqual([again.status, again.headers.get('preference-applied')], [200, 'return=representation'])
  const read = await rounds.fhir(new URL(location).pathname.replace('/fhir', ''), { token })
  assert.deepEqual([created.text, again.text], [read.text, read.text])
  const [stored] = await readingsOf(token)
  await rounds.call('/casesheet/readings/withdraw', {
    token,
    body: {
      patientUid,
      readingId: stored?.['readingId'],
      timestamp: stored?.['timestamp'],
      reason: 'a test',
    },
  })
  const withdrawn = await post('withdrawn')
  assert.deepEqual([withdrawn.status, withdrawn.resource['status']], [200, 'entered-in-error'])
  const { data } = (await rounds.call('/casesheet/readings/access-log', { token })).json
  const logged = new Set(data.map(({ requestId }) => requestId))
  assert.deepEqual(
    ['created', 'again', 'withdrawn'].map((requestId) => logged.has(requestId)),
    [false, true, true],
  )
})

test('a client gets what it prefers: nothing, or what became of the Observation', async () => {
  const { token, subject } = await newPatient()
  const post = (prefer: string) =>
    rounds.fhir('/Observation?_format=json&_pretty=true', {
      token,
      body: heartRate(subject),
      headers: { prefer },
    })
  const [first, again, minimal] = [
    await post('return=OperationOutcome'),
    await post('return=OperationOutcome'),
    await post('return=minimal'),
  ]
  const said = ({ resource }: typeof first) =>
    (resource['issue'] as { details: { text: string } }[])[0]?.details.text
  assert.deepEqual([first.status, said(first)], [201, 'The Observation was stored.'])
  assert.deepEqual([again.status, said(again)], [200, 'The same Observation was stored before.'])
  assert.deepEqual([minimal.status, minimal.text], [200, ''])
  assert.deepEqual(
    [first, again, minimal].map(({ headers }) => headers.get('preference-applied')),
    ['return=OperationOutcome', 'return=OperationOutcome', 'return=minimal'],
  )
})

test('a request for XML is refused, whatever it asks for', async () => {
  const { token, subject } = await newPatient()
  const body = heartRate(subject)
  for (const answer of [
    await rounds.fhir('/metadata?_format=xml'),
    await rounds.fhir('/Observation?_format=xml', { token, body }),
    await rounds.fhir('/Observation?unknown=1', { token, body }),
  ]) {
    assertOutcome(answer, 400, 'ValidationFailed')
  }
  assert.deepEqual(await readingsOf(token), [])
})

const LOST = /cannot be kept here/
/** Each with what makes it one that cannot be kept, and where the answer must point. */
const REFUSED: [name: string, change: object, expression: string, message: RegExp][] = [
  [
    'a device that is contained nowhere',
    { device: { reference: '#1', display: 'Cuff' } },
    'Observation.device',
    /must refer to a Device in contained, or have its name as a display and no reference/,
  ],
  [
    'a performer that is a device',
    { performer: [{ reference: 'Patient/1' }, { reference: 'Device/1' }] },
    'Observation.performer[1]',
    /must refer to one of Practitioner, /,
  ],
  ['a performer in no list', { performer: { display: 'A' } }, 'Observation.performer', /must be a list/],
  [
    'a contained performer',
    { performer: [{ reference: '#1' }] },
    'Observation.performer[0].reference',
    /nothing that is contained/,
  ],
  [
    'a subject that is no patient',
    { subject: { reference: 'Patient/1', type: 'Group' } },
    'Observation.subject',
    /must be a reference/,
  ],
  ['a note without a text', { note: [{ time: '2025' }] }, 'Observation.note[0].text', /is required/],
  [
    'a note of two authors',
    { note: [{ text: 'a', authorString: 'b', authorReference: { display: 'c' } }] },
    'Observation.note[0]',
    /must not have two authors/,
  ],
  ['an interpretation', { interpretation: [{ text: 'high' }] }, 'Observation.interpretation[0]', LOST],
  ['a day of issue', { issued: '2025-11-01' }, 'Observation.issued', /must be a time with seconds/],
  ['a day of issue that is none', { issued: '2025-02-29T12:27:00Z' }, 'Observation.issued', /must be a time/],
  ['an extension of a time of issue', { _issued: { extension: [] } }, 'Observation._issued', LOST],
  ['a body site', { bodySite: { text: 'wrist' } }, 'Observation.bodySite', LOST],
  [
    'an identifier whose system has a blank',
    { identifier: [{ value: '1' }, { system: 'urn: x', value: '1' }] },
    'Observation.identifier[1].system',
    /must be an address without blanks/,
  ],
  [
    'a number for an identifier',
    { identifier: [{ system: 'urn:x', value: 1 }] },
    'Observation.identifier[0].value',
    /must be a text that FHIR allows/,
  ],
  [
    'a period that ends before it starts',
    { identifier: [{ value: '1', period: { start: '2025-02', end: '2025-01' } }] },
    'Observation.identifier[0].period',
    /must not end before it starts/,
  ],
  [
    'an extension of Rounds that there is not',
    { extension: [{ url: 'urn:rounds:x', valueString: 'y' }] },
    'Observation.extension[0]',
    LOST,
  ],
  [
    'an extension with a value and extensions',
    {
      extension: [
        { url: 'urn:rounds:other-fields', valueString: '{"a":null}' },
        { url: 'urn:x', valueString: 'y', extension: [{ url: 'urn:y', valueString: 'z' }] },
      ],
    },
    'Observation.extension[1]',
    /must have one value, or extensions and no value/,
  ],
  [
    'an extension within another, of a type that is not kept',
    { extension: [{ url: 'urn:x', extension: [{ url: 'y', valueAttachment: {} }] }] },
    'Observation.extension[0].extension[0].valueAttachment',
    LOST,
  ],
  ['an encounter that is a text', { encounter: 'Encounter/1' }, 'Observation.encounter', /must be an object/],
  [
    'an encounter with more than a reference',
    { encounter: { reference: 'Encounter/1', status: 'x' } },
    'Observation.encounter.status',
    LOST,
  ],
  [
    'an extension that changes the meaning',
    { modifierExtension: [{ url: 'urn:x' }] },
    'Observation.modifierExtension[0]',
    LOST,
  ],
  ['a security label', { meta: { security: [{ code: 'R' }] } }, 'Observation.meta.security', LOST],
  ['a narrative that says more', { text: { status: 'additional', div: '<div/>' } }, 'Observation.text', LOST],
  ['a category that is a text', { category: ['vital-signs'] }, 'Observation.category[0]', LOST],
  [
    'a code of another type',
    {
      code: {
        coding: [
          { system: 'http://loinc.org', code: '8867-4' },
          { system: 'http://snomed.info/sct', code: '364075005' },
          { system: 'http://loinc.org', code: '8310-5' },
        ],
      },
    },
    'Observation.code.coding[2]',
    LOST,
  ],
  [
    'a code that is not known',
    { code: { coding: [{ system: 'http://loinc.org', code: '2339-0' }] } },
    'Observation.code',
    /catalogue/,
  ],
  ['no code', { code: { text: 'Heart rate' } }, 'Observation.code', /catalogue/],
  ['a preliminary status', { status: 'preliminary' }, 'Observation.status', /must be final/],
  ['one that was entered in error', { status: 'entered-in-error' }, 'Observation.status', /must be final/],
  [
    'a comparator',
    { valueQuantity: { value: 72, comparator: '<', system: 'http://unitsofmeasure.org', code: '/min' } },
    'Observation.valueQuantity.comparator',
    LOST,
  ],
  [
    'another unit',
    { valueQuantity: { value: 72, system: 'http://unitsofmeasure.org', code: 'Hz' } },
    'Observation.valueQuantity.code',
    /must be \/min/,
  ],
  [
    'a unit that is not UCUM',
    { valueQuantity: { value: 72, system: 'urn:x', code: '/min' } },
    'Observation.value',
    /unitsofmeasure/,
  ],
  ['a number without a unit', { valueQuantity: { value: 72 } }, 'Observation.value', /unit as its code/],
  [
    'a text for a number',
    { valueQuantity: { value: '72', system: 'http://unitsofmeasure.org', code: '/min' } },
    'Observation.value.value',
    /must be a number/,
  ],
  [
    'a number that cannot be',
    { valueQuantity: { value: 400, system: 'http://unitsofmeasure.org', code: '/min' } },
    'Observation.value',
    /from 1 to 350/,
  ],
  ['no value', { valueQuantity: undefined }, 'Observation.value', /is required: valueQuantity/],
  ['a second kind of value', { valueString: 'fast' }, 'Observation.valueString', LOST],
  ['a day without a time', { effectiveDateTime: '2025-11-01' }, 'Observation.effective', /to the second/],
  [
    'a time without an offset',
    { effectiveDateTime: '2025-11-01T12:26:40' },
    'Observation.effective',
    /offset/,
  ],
  [
    'a time finer than a microsecond',
    { effectiveDateTime: '2025-11-01T12:26:40.1234567Z' },
    'Observation.effective',
    /microsecond/,
  ],
  [
    'a day that is none',
    { effectiveDateTime: '2025-02-30T12:26:40Z' },
    'Observation.effective',
    /must be a time/,
  ],
  ['no time', { effectiveDateTime: undefined }, 'Observation.effective', /is required/],
  [
    'a period',
    {
      effectiveDateTime: undefined,
      effectivePeriod: { start: '2025-11-01T12:00:00Z', end: '2025-11-01T12:26:40Z' },
    },
    'Observation.effective',
    /effectiveDateTime/,
  ],
  ['no patient', { subject: undefined }, 'Observation.subject', /reference/],
  [
    'a patient elsewhere',
    { subject: { reference: 'https://other.example/fhir/Patient/1' } },
    'Observation.subject',
    /reference/,
  ],
  ['a group', { subject: { reference: 'Group/1' } }, 'Observation.subject', /reference/],
  [
    'a component that is not known',
    {
      component: [
        { code: { coding: [{ system: 'http://loinc.org', code: '8480-6' }] }, valueQuantity: { value: 1 } },
      ],
    },
    'Observation.component[0].code',
    /not one that is kept/,
  ],
  ['another resource', { resourceType: 'Condition' }, 'resourceType', /must be Observation/],
]

for (const [name, change, expression, message] of REFUSED) {
  test(`refused, with its place: ${name}`, async () => {
    const { token, subject } = await newPatient()
    const answer = await rounds.fhir('/Observation', { token, body: heartRate(subject, change) })
    const [issue] = assertOutcome(answer, 400, 'ValidationFailed')
    assert.deepEqual(issue?.expression, [expression], answer.text)
    assert.match(issue?.details.text ?? '', message)
    assert.deepEqual(await readingsOf(token), [])
  })
}

test('the offset of a time is kept, and the instant is the same', async () => {
  const { token, subject } = await newPatient()
  const effectiveDateTime = '2025-11-01T17:56:40.250+05:30'
  await rounds.fhir('/Observation', { token, body: heartRate(subject, { effectiveDateTime }) })
  const [reading] = await readingsOf(token)
  assert.equal(reading?.['timestamp'], 1_762_000_000_250)
  assert.equal(reading?.['utcOffset'], '+05:30')
  const [observation] = await rounds.search('', token)
  assert.equal(observation?.['effectiveDateTime'], effectiveDateTime)
})

test('readings of every type, sent as FHIR, read the same through readings/get', async () => {
  for (const [readingType, readings] of RANDOM_READINGS) {
    const { patientUid, token } = await newPatient()
    const sample = fc.sample(readings, { numRuns: 4, seed: 7 }).map((reading) => ({ ...reading, patientUid }))
    for (const reading of sample) {
      const answer = await rounds.fhir('/Observation', { token, body: readingToObservation(reading) })
      assert.ok([200, 201].includes(answer.status), `${readingType}: ${answer.text}`)
    }
    // The id is that of the content, in whatever order its fields are.
    const stored = (await readingsOf(token)).map(({ readingId }) => String(readingId))
    assert.deepEqual(stored.toSorted(), [...new Set(sample.map(readingIdOf))].toSorted(), readingType)
  }
})

test('an Observation of a patient who is not in the token is refused', async () => {
  const { token } = await newPatient()
  const answer = await rounds.fhir('/Observation', { token, body: heartRate({ reference: 'Patient/other' }) })
  assertOutcome(answer, 403, 'PatientMismatch')
  const staff = await rounds.token({ scope: 'readings:read' })
  const refused = await rounds.fhir('/Observation', {
    token: staff,
    body: heartRate({ reference: 'Patient/other' }),
  })
  assertOutcome(refused, 403, 'PatientNotInToken')
})

test('a batch is refused as a whole where the token adds for no one', async () => {
  const { patientUid, subject } = await newPatient()
  const reader = await rounds.token({ patientUid, scope: 'patient/Observation.rs' })
  const body = batch([heartRate(subject)])
  assertOutcome(await rounds.fhir('', { token: reader, body }), 403, 'ScopeMissing')
  const nobody = await rounds.token({ sub: 'nobody' })
  assertOutcome(await rounds.fhir('', { token: nobody, body }), 403, 'PatientNotInToken')
})

test('a patient by the absolute address of this server is the same patient, and the same Observation', async () => {
  const { token, subject, patientUid } = await newPatient()
  const base = `${rounds.url}/fhir`
  const first = await rounds.fhir('/Observation', { token, body: heartRate(subject) })
  const absolute = { reference: `${base}/Patient/${patientUid}`, display: 'A sample' }
  const again = await rounds.fhir('/Observation', { token, body: heartRate(absolute) })
  assert.deepEqual([first.status, again.status], [201, 200], again.text)
  assert.deepEqual(again.resource['subject'], subject)
  const other = heartRate({ reference: `${base}/Patient/${patientUid}/x` })
  assertOutcome(await rounds.fhir('/Observation', { token, body: other }), 400, 'ValidationFailed')
})

function batch(resources: object[]) {
  return {
    resourceType: 'Bundle',
    type: 'batch',
    entry: resources.map((resource) => ({ resource, request: { method: 'POST', url: 'Observation' } })),
  }
}

type Response = { response: { status: string; location?: string; outcome?: Resource } }

test('a batch stores what it can, and says of each entry what became of it', async () => {
  const { token, subject } = await newPatient()
  const at = (minute: string) => ({ effectiveDateTime: `2025-11-01T12:${minute}:00Z` })
  const body = batch([
    heartRate(subject, at('01')),
    heartRate(subject, { ...at('02'), bodySite: { text: 'wrist' } }),
    heartRate(subject, at('01')),
    heartRate({ reference: 'Patient/other' }, at('03')),
    heartRate(subject, {
      ...at('04'),
      valueQuantity: { value: 999, system: 'http://unitsofmeasure.org', code: '/min' },
    }),
  ])
  body.entry.push({
    resource: heartRate(subject, at('05')),
    request: { method: 'PUT', url: 'Observation/1' },
  })
  const answer = await rounds.fhir('', { token, body })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.resource['type'], 'batch-response')
  const responses = (answer.resource['entry'] as Response[]).map(({ response }) => response)
  assert.deepEqual(
    responses.map(({ status }) => status),
    ['201 Created', '400 Bad Request', '200 OK', '403 Forbidden', '400 Bad Request', '400 Bad Request'],
  )
  assert.equal(responses[0]?.location, responses[2]?.location)
  assert.match(responses[0]?.location ?? '', /^Observation\/[A-Za-z0-9.-]+$/)
  assert.match(JSON.stringify(responses[1]?.outcome), /Observation\.bodySite/)
  assert.equal((await readingsOf(token)).length, 1)
})

test('an entry may have the address of Observation in each form, and one that cannot be done says what can be', async () => {
  const { token, subject } = await newPatient()
  const at = (minute: number) => heartRate(subject, { effectiveDateTime: `2025-11-01T12:0${minute}:00Z` })
  const base = `${rounds.url}/fhir`
  const entry = [
    { resource: at(1), request: { method: 'POST', url: '/Observation' } },
    { resource: at(2), request: { method: 'POST', url: `${base}/Observation` } },
    { resource: at(3), request: { method: 'POST', url: 'https://other.example/fhir/Observation' } },
    { resource: { resourceType: 'Patient' }, request: { method: 'POST', url: 'Patient' } },
    { resource: at(4), request: { method: 'PUT', url: 'Observation/1' } },
    { request: { method: 'DELETE', url: 'Observation/1' } },
    { request: { method: 'GET', url: 'Observation' } },
    { resource: at(5), request: { method: 'POST', url: 'Observation', ifNoneExist: 'identifier=urn:x|1' } },
  ]
  const answer = await rounds.fhir('', { token, body: { resourceType: 'Bundle', type: 'batch', entry } })
  const responses = (answer.resource['entry'] as Response[]).map(({ response }) => response)
  assert.deepEqual(
    responses.map(({ status }) => status.slice(0, 3)),
    ['201', '201', '400', '400', '400', '400', '400', '400'],
  )
  const sentences = [
    /nothing else is created here/,
    /nothing else is created here\. Leave the entry out, and name the patient as Patient\/ID/,
    /Send a new Observation, and withdraw the old one with readings\/withdraw/,
    /nothing is updated or deleted here/,
    /nothing is read here\. Send a GET by itself/,
    /leave them out\. An Observation that is sent again is stored once/,
  ]
  for (const [index, sentence] of sentences.entries())
    assert.match(JSON.stringify(responses[2 + index]?.outcome), sentence)
})

test('an update or a deletion is refused with what to do instead', async () => {
  const { token } = await newPatient()
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    for (const [path, allow] of [
      ['/Observation/1', 'GET'],
      ['/Observation?identifier=urn:x|1', 'GET, POST'],
    ] as const) {
      const answer = await rounds.fhir(path, { token, method })
      const [issue] = assertOutcome(answer, 405, 'MethodNotAllowed')
      assert.match(issue?.details.text ?? '', /add Observations with POST Observation, and withdraw with/)
      assert.equal(answer.headers.get('allow'), allow)
    }
  }
})

test('a batch says which of its Observations were there, and of one that is sent twice calls one new', async () => {
  const { token, subject } = await newPatient()
  const at = (minute: number) =>
    heartRate(subject, { effectiveDateTime: `2025-11-01T12:${String(minute).padStart(2, '0')}:00Z` })
  const send = async (...minutes: number[]) => {
    const answer = await rounds.fhir('', { token, body: batch(minutes.map(at)) })
    assert.equal(answer.status, 200, answer.text)
    return (answer.resource['entry'] as Response[]).map(({ response }) => response)
  }
  const statusesOf = (responses: Response['response'][]) => responses.map(({ status }) => status.slice(0, 3))
  const first = await send(1, 2, 1, 3, 1)
  assert.deepEqual(statusesOf(first), ['201', '201', '200', '201', '200'])
  assert.equal(first[0]?.location, first[2]?.location)
  assert.deepEqual(statusesOf(await send(3, 4, 2)), ['200', '201', '200'])
  // Forty at once with the same ten, in another order each: each Observation is new once.
  const all = await Promise.all(
    Array.from({ length: 40 }, async (_, turn) => {
      const minutes = Array.from({ length: 10 }, (_each, index) => 20 + ((index * 3 + turn) % 10))
      const answer = await rounds.fhir('', { token, body: batch(minutes.map(at)) })
      return (answer.resource['entry'] as Response[]).map(({ response }) => response)
    }),
  )
  const created = all.flat().filter(({ status }) => status === '201 Created')
  assert.equal(created.length, 10)
  assert.equal(new Set(created.map(({ location }) => location)).size, 10)
  assert.equal(all.flat().filter(({ status }) => status === '200 OK').length, 390)
  assert.equal((await readingsOf(token)).length, 14)
})

test('a Bundle may have a thousand entries and 4 MiB, as a list of readings', async () => {
  const { token, subject } = await newPatient()
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      readingToObservation({
        patientUid: subject.reference.slice(8),
        readingType: 'acme.n',
        timestamp: 1_762_000_000 + index,
      }),
    )
  const whole = await rounds.fhir('', { token, body: batch(many(1_000)) })
  assert.equal(whole.status, 200, whole.text)
  assert.equal((await readingsOf(token)).length, 1_000)
  const more = await rounds.fhir('', { token, body: batch(many(1_001)) })
  const [issue] = assertOutcome(more, 400, 'ValidationFailed')
  assert.deepEqual(issue?.expression, ['entry'])
  const large = await rounds.fhir('', { token, raw: `{"a":"${'x'.repeat(5 * 1_024 * 1_024)}"}` })
  assertOutcome(large, 413, 'BodyTooLarge')
})

const repeated = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))

const LARGEST: [name: string, fields: Record<string, unknown>][] = [
  [
    'a hundred symptoms',
    {
      readingType: 'symptom',
      symptoms: repeated(100, () => ({ symptom: 'x'.repeat(500), severity: 'MILD', note: 1 })),
    },
  ],
  ['a thousand fields', Object.fromEntries(repeated(996, (index) => [`field-${index}`, index]))],
  ['a text of 64 KiB', { text: 'x'.repeat(65_300) }],
  ['a text of 64 KiB of control characters', { text: '\u007f'.repeat(65_000) }],
  ['a text of 64 KiB of commas, in a list', { texts: [','.repeat(65_000)] }],
  ['a text of 64 KiB of quotes, in a list', { texts: ['"'.repeat(32_500)] }],
  ['a list of 29,000', { samples: repeated(29_000, () => 1) }],
]
for (const [name, fields] of LARGEST) {
  test(`what readings/add takes can be sent as the Observation that is written of it: ${name}`, async () => {
    const [{ token, patientUid }, other] = [await newPatient(), await newPatient()]
    const reading = { patientUid, readingType: 'acme.large', timestamp: 1_762_000_000, ...fields }
    const added = await rounds.call('/casesheet/readings/add', {
      token: other.token,
      body: { ...reading, patientUid: other.patientUid },
    })
    assert.equal(added.status, 200, added.text)
    const answer = await rounds.fhir('/Observation', { token, body: readingToObservation(reading) })
    assert.equal(answer.status, 201, answer.text)
    const [stored] = await readingsOf(token)
    assert.deepEqual(stored, { ...stored, ...reading })
  })
}

test('what readings/add would refuse as too large is refused here too', async () => {
  const { token, patientUid } = await newPatient()
  const reading = { patientUid, readingType: 'acme.large', timestamp: 1_762_000_000 }
  const long = readingToObservation({ ...reading, text: 'x'.repeat(66_000) })
  assertOutcome(await rounds.fhir('/Observation', { token, body: long }), 413, 'BodyTooLarge')
  const fields = Object.fromEntries(repeated(998, (index) => [`field-${index}`, index]))
  const many = readingToObservation({ ...reading, ...fields })
  assertOutcome(await rounds.fhir('/Observation', { token, body: many }), 400, 'ValidationFailed')
})

test('a thousand Observations of the largest type, as they are written here, fit into a Bundle', async () => {
  const { token, patientUid } = await newPatient()
  const pressure = { systolic: 120, diastolic: 80, pulse: 60, position: 'sitting', site: 'left-upper-arm' }
  const resources = repeated(1_000, (index) =>
    readingToObservation({
      patientUid,
      readingType: 'bloodPressure',
      ...pressure,
      timestamp: 1_762_000_000 + index,
    }),
  )
  const answer = await rounds.fhir('', { token, body: batch(resources) })
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await readingsOf(token)).length, 1_000)
})

test('the answer to a batch in which everything is wrong stays below 2 MiB', async () => {
  const { token, subject } = await newPatient()
  const wrong = Object.fromEntries(repeated(4, (index) => [`k${index}`.padEnd(800, 'x'), 1]))
  const answer = await rounds.fhir('', {
    token,
    body: batch(repeated(1_000, () => heartRate(subject, wrong))),
  })
  assert.equal(answer.status, 200, answer.text.slice(0, 1_000))
  assert.ok(answer.text.length < 2 * 1_024 * 1_024, `${answer.text.length} bytes`)
  const [first] = answer.resource['entry'] as { response: { outcome: { issue: object[] } } }[]
  assert.equal(first?.response.outcome.issue.length, 4)
})

test('one entry that is too large is refused alone in a batch', async () => {
  const { token, subject } = await newPatient()
  const large = heartRate(subject, { note: [{ text: 'x'.repeat(530_000) }] })
  const answer = await rounds.fhir('', { token, body: batch([large, heartRate(subject)]) })
  assert.deepEqual(
    (answer.resource['entry'] as Response[]).map(({ response }) => response.status),
    ['413 Payload Too Large', '201 Created'],
  )
  const alone = await rounds.fhir('/Observation', { token, body: large })
  assertOutcome(alone, 413, 'BodyTooLarge')
})

const BAD_BUNDLES: [name: string, body: object][] = [
  ['another resource', { resourceType: 'Patient' }],
  ['a searchset', { resourceType: 'Bundle', type: 'searchset' }],
  ['a transaction', { resourceType: 'Bundle', type: 'transaction', entry: [] }],
  ['no type', { resourceType: 'Bundle', entry: [] }],
  ['an entry that is no list', { resourceType: 'Bundle', type: 'batch', entry: {} }],
  ['a signature', { resourceType: 'Bundle', type: 'batch', signature: {} }],
]
for (const [name, body] of BAD_BUNDLES) {
  test(`a Bundle is refused: ${name}`, async () => {
    const { token } = await newPatient()
    assertOutcome(await rounds.fhir('', { token, body }), 400, 'ValidationFailed')
  })
}

test('JSON of FHIR is read as strictly as any other', async () => {
  const { token } = await newPatient()
  const cases: [string, string][] = [
    ['{"resourceType":"Observation",}', 'MalformedJson'],
    ['{"resourceType":"Observation"', 'MalformedJson'],
    ['{"resourceType" "Observation"}', 'MalformedJson'],
    ['{"resourceType":"Observation"}x', 'MalformedJson'],
    ['{"entry":[1 2]}', 'MalformedJson'],
    ['{"entry":[1,]}', 'MalformedJson'],
    ['{"a":1,"a":2}', 'ValidationFailed'],
    ['{"__proto__":1}', 'ValidationFailed'],
    ['{"entry":[{"a":1,"a":2}]}', 'ValidationFailed'],
    ['{"entry":[12345678901234567890123]}', 'ValidationFailed'],
    ['[]', 'ValidationFailed'],
    ['5', 'ValidationFailed'],
  ]
  for (const [raw, code] of cases) {
    assertOutcome(await rounds.fhir('', { token, raw }), 400, code)
  }
})

test('the fields of an extension are read as strictly as a body, and count towards its values', async () => {
  const { token, patientUid } = await newPatient()
  const observation = (valueString: string) => ({
    ...readingToObservation({ patientUid, readingType: 'acme.n', timestamp: 1 }),
    extension: [{ url: 'urn:rounds:other-fields', valueString }],
  })
  for (const valueString of [
    '{"a":12345678901234567890123}',
    '{"a":1,"a":2}',
    '{"a":"\\u0000"}',
    '[]',
    '{',
    '{"patientUid":"x"}',
  ]) {
    const answer = await rounds.fhir('/Observation', { token, body: observation(valueString) })
    const [issue] = assertOutcome(answer, 400, 'ValidationFailed')
    assert.deepEqual(issue?.expression, ['Observation.extension'], valueString)
  }
  const list = observation(`{"a":[${'0,'.repeat(20_000)}0]}`)
  const answer = await rounds.fhir('', { token, body: batch([list, list]) })
  assert.deepEqual(
    (answer.resource['entry'] as Response[]).map(({ response }) => response.status),
    ['201 Created', '413 Payload Too Large'],
  )
})

test('conditions are refused, since what is sent again is stored once', async () => {
  const { token, subject } = await newPatient()
  const headers = { 'if-none-exist': 'identifier=1' }
  const one = await rounds.fhir('/Observation', { token, body: heartRate(subject), headers })
  const [refused] = assertOutcome(one, 400, 'ValidationFailed')
  assert.match(refused?.details.text ?? '', /leave it out\. An Observation that is sent again is stored once/)
  const body = batch([heartRate(subject)])
  Object.assign(body.entry[0]?.request ?? {}, { ifNoneExist: 'identifier=1' })
  const answer = await rounds.fhir('', { token, body })
  const [entry] = answer.resource['entry'] as Response[]
  const [issue] = issuesIn(entry?.response.outcome ?? { resourceType: '' }, 'ValidationFailed')
  assert.deepEqual(issue?.expression, ['Bundle.entry[0].request'])
  assertOutcome(await rounds.fhir('', { token, body, headers }), 400, 'ValidationFailed')
})
