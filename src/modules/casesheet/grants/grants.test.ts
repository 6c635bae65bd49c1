// grants/add, grants/revoke, grants/list and grants/history: what a patient shares, who may say so, and what stays of it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, type Envelope, runSql, startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds()
/** A second process of the same service. */
const beside = await startRounds({ DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url })
await runSql(
  rounds.ownerUrl,
  `insert into appointments.doctors (doctor_id, name, name_key, is_active)
   select 'doctor-' || number, 'Dr. Invented ' || number, 'dr. invented ' || number, number <> 0
   from generate_series(0, 250) as number`,
)

type Body = Record<string, unknown>

/** A patient of their own, and how they share. */
async function newPatient(claims: object = {}) {
  const patientUid = `patient-${randomUUID()}`
  const token = await rounds.token({ patientUid, sub: `sub-${patientUid}`, ...claims })
  let posts = 0
  const post = (action: string, body: Body) =>
    (posts++ % 2 === 0 ? rounds : beside).call(`/casesheet/grants/${action}`, {
      token,
      body: { patientUid, ...body },
    })
  const read = async (list: string, query = '') => {
    const { status, json } = await rounds.call(`/casesheet/grants/${list}${query}`, { token })
    assert.equal(status, 200)
    return json
  }
  return {
    patientUid,
    token,
    add: (body: Body = {}) => post('add', { doctorId: 'doctor-1', permission: 'view', ...body }),
    revoke: (body: Body = {}) => post('revoke', { doctorId: 'doctor-1', ...body }),
    list: async (query = '') => (await read('list', query)).data,
    history: async (query = '') => (await read('history', query)).data,
    read,
  }
}

const patientsOf = async (doctorId: string) => {
  const { status, json } = await rounds.call('/casesheet/patients/list', {
    token: await rounds.token({ doctorId }),
  })
  assert.equal(status, 200)
  return json.data.map(({ patientUid }) => patientUid)
}

test('a grant is given, shown, changed and revoked, and its history says so', async () => {
  const { patientUid, add, revoke, list, history } = await newPatient()
  const given = await add({ doctorId: 'doctor-2' })
  assert.equal(given.status, 200, given.text)
  const { changedAt, ...terms } = Object(given.json.data)
  assert.ok(Math.abs(Date.parse(changedAt) - Date.now()) < 60_000)
  assert.deepEqual(terms, {
    patientUid,
    doctorId: 'doctor-2',
    permission: 'view',
    readingTypes: null,
    validUntil: null,
    sharedAs: null,
    contact: null,
    state: 'given',
    changedBy: `sub-${patientUid}`,
  })
  assert.deepEqual(await list(), [given.json.data])
  assert.deepEqual(await patientsOf('doctor-2'), [patientUid])

  const limited = {
    permission: 'manage',
    readingTypes: ['heartRate', 'bloodPressure'],
    validUntil: '2099-01-01T00:00:00+01:00',
    sharedAs: 'Mia Example, born 2017',
  }
  const changed = await add({ doctorId: 'doctor-2', ...limited })
  const shown = {
    ...limited,
    readingTypes: ['bloodPressure', 'heartRate'],
    validUntil: '2098-12-31T23:00:00.000Z',
  }
  assert.deepEqual({ ...Object(changed.json.data), ...shown }, changed.json.data)
  assert.deepEqual(await list(), [changed.json.data])

  for (const answer of [await revoke({ doctorId: 'doctor-2' }), await revoke({ doctorId: 'doctor-2' })]) {
    assert.deepEqual([answer.status, answer.json.code], [200, 'Ok'])
  }
  const [revoked, ...others] = await list()
  assert.deepEqual([revoked?.['state'], others], ['revoked', []])
  assert.deepEqual(await patientsOf('doctor-2'), [])
  assert.equal(Object((await add({ doctorId: 'doctor-2' })).json.data).state, 'given')
  assert.deepEqual(
    (await history()).map(({ doctorId, action, permission, by }) => [doctorId, action, permission, by]),
    [
      ['doctor-2', 'give', 'view', `sub-${patientUid}`],
      ['doctor-2', 'revoke', 'manage', `sub-${patientUid}`],
      ['doctor-2', 'change', 'manage', `sub-${patientUid}`],
      ['doctor-2', 'give', 'view', `sub-${patientUid}`],
    ],
  )
})

test('the same grant again changes nothing, in whatever order its types are and whoever gives it', async () => {
  const { patientUid, add, list, history } = await newPatient()
  const first = await add({ readingTypes: ['b', 'a'], validUntil: '2099-01-01T00:00:00Z', sharedAs: 'Mia' })
  const carer = await rounds.token({ patientUid: [patientUid, 'another-child'], sub: 'carer' })
  const again = await rounds.call('/casesheet/grants/add', {
    token: carer,
    body: {
      patientUid,
      doctorId: 'doctor-1',
      permission: 'view',
      sharedAs: 'Mia',
      validUntil: '2099-01-01T01:00:00.0009+01:00',
      readingTypes: ['a', 'b'],
    },
  })
  assert.deepEqual(again.json, first.json)
  assert.deepEqual([(await list()).length, (await history()).length], [1, 1])
})

test('how a patient is reached is shown to the patient and to that doctor only, and may change alone', async () => {
  const { add, list, history } = await newPatient()
  await add({ contact: '555 0142' })
  await add({ contact: '555 0143' })
  await add({ doctorId: 'doctor-2' })
  const contactsOf = (entries: Record<string, unknown>[]) => entries.map(({ contact }) => contact)
  assert.deepEqual(contactsOf(await list()), ['555 0143', null])
  assert.deepEqual(contactsOf(await history()), [null, '555 0143', '555 0142'])
  const listFor = async (doctorId: string) =>
    (await rounds.call('/casesheet/patients/list', { token: await rounds.token({ doctorId, sub: 'dr' }) }))
      .text
  assert.match(await listFor('doctor-1'), /"contact":"555 0143"/)
  assert.doesNotMatch(await listFor('doctor-2'), /"contact":"/)
})

test('revoking where nothing was shared is Ok and leaves nothing', async () => {
  const { revoke, list, history } = await newPatient()
  for (const doctorId of ['doctor-1', 'doctor-0', 'no-such-doctor']) {
    assert.equal((await revoke({ doctorId })).json.code, 'Ok')
  }
  assert.deepEqual([await list(), await history()], [[], []])
})

/** As if its time had passed. */
const expire = (patientUid: string, doctorId: string) =>
  runSql(
    rounds.ownerUrl,
    `set session_replication_role = replica;
     update casesheet.grants set valid_until = now() - interval '1 second'
     where patient_uid = '${patientUid}' and doctor_id = '${doctorId}'`,
  )

test('a grant ends by itself, may be given again, and may still be revoked', async () => {
  const { patientUid, add, revoke, list, history } = await newPatient()
  const isListed = async () => (await patientsOf('doctor-1')).includes(patientUid)
  const states = async () => (await list()).map(({ state }) => state)
  await add({ validUntil: '2099-01-01T00:00:00Z' })
  await expire(patientUid, 'doctor-1')
  assert.deepEqual([await states(), await isListed()], [['expired'], false])
  await add({ validUntil: '2099-01-01T00:00:00Z' })
  assert.deepEqual([await states(), await isListed()], [['given'], true])
  await expire(patientUid, 'doctor-1')
  await revoke()
  assert.deepEqual(await states(), ['revoked'])
  assert.deepEqual(
    (await history()).map(({ action }) => action),
    ['revoke', 'give', 'give'],
  )
})

const WRONG: [body: Body, pointer: string][] = [
  [{ permission: 'edit' }, '/permission'],
  [{ permission: null }, '/permission'],
  [{ permission: undefined }, '/permission'],
  [{ doctorId: '' }, '/doctorId'],
  [{ doctorId: 7 }, '/doctorId'],
  [{ doctorId: 'd\n' }, '/doctorId'],
  [{ doctorId: 'd'.repeat(101) }, '/doctorId'],
  [{ patientUid: 7 }, '/patientUid'],
  [{ readingTypes: [] }, '/readingTypes'],
  [{ readingTypes: null }, '/readingTypes'],
  [{ readingTypes: 'heartRate' }, '/readingTypes'],
  [{ readingTypes: ['heartRate', 'heartRate'] }, '/readingTypes'],
  [{ readingTypes: ['heart rate'] }, '/readingTypes/0'],
  [{ readingTypes: ['*'] }, '/readingTypes/0'],
  [{ readingTypes: Array.from({ length: 51 }, (_, number) => `t${number}`) }, '/readingTypes'],
  ...[null, 7, true, '', 'tomorrow', '2099-01-01', '2099-01-01T00:00:00', '2099-01-01 00:00:00Z'].map(
    isNoInstant,
  ),
  ...['2099-02-30T00:00:00Z', '2099-13-01T00:00:00Z', '2099-01-01T24:00:00Z', '2098-12-31T23:59:60Z'].map(
    isNoInstant,
  ),
  ...['10000-01-01T00:00:00Z', '+010000-01-01T00:00:00Z', '9999-12-31T23:59:59-00:01'].map(isNoInstant),
  ...['2099-01-01T00:00:00+24:00', '2099-01-01T00:00:00+0100', '2099-01-01T00:00:00.Z'].map(isNoInstant),
  ...['1969-12-31T23:59:59Z', '0000-01-01T00:00:00Z', 'infinity', ' 2099-01-01T00:00:00Z'].map(isNoInstant),
  ...[null, 7, '', ' ', '\u200b', '\u00a0\u3000', 'a\nb', 'a\tb', 'a\0', '\u202eaiM', 'a\u2028b'].map(
    isNoName,
  ),
  ...['a'.repeat(101), '😀'.repeat(101)].map(isNoName),
  ...[null, 7, '', ' ', 'a\nb', 'a\0', '\u202e2410', 'a'.repeat(201), '😀'.repeat(201)].map(isNoContact),
  [{ grantId: randomUUID() }, '/grantId'],
  [{ state: 'given' }, '/state'],
  [{ 'a/b': 1 }, '/a~1b'],
]
function isNoInstant(validUntil: unknown): [Body, string] {
  return [{ validUntil }, '/validUntil']
}
function isNoName(sharedAs: unknown): [Body, string] {
  return [{ sharedAs }, '/sharedAs']
}
function isNoContact(contact: unknown): [Body, string] {
  return [{ contact }, '/contact']
}

test('a wrong field is named, and nothing is shared', async () => {
  const { add, list } = await newPatient()
  for (const [body, pointer] of WRONG) {
    const answer = await add(body)
    assertRefused(answer, 400, 'ValidationFailed')
    assert.deepEqual([answer.json.errors.map((error) => error.pointer), body], [[pointer], body])
  }
  assert.deepEqual(await list(), [])
})

test('a grant must end after now, to the millisecond', async (t) => {
  const { add, list } = await newPatient()
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  for (const ms of [-1, 0]) {
    assertRefused(await add({ validUntil: new Date(Date.now() + ms).toISOString() }), 400, 'ValidationFailed')
  }
  assert.deepEqual(await list(), [])
  const answer = await add({ validUntil: new Date(Date.now() + 1).toISOString() })
  // By the time of the database it is over already.
  assert.deepEqual([answer.status, Object(answer.json.data).state], [200, 'expired'])
})

const RIGHT: [body: Body, shown: Body][] = [
  [{ sharedAs: '😀'.repeat(100) }, {}],
  [{ sharedAs: '👩‍👩‍👧 Family Example' }, {}],
  [{ sharedAs: 'ﷺ'.repeat(100) }, {}],
  [{ contact: '😀'.repeat(200) }, {}],
  [{ contact: '+1 (555) 0142, after 18:00; mia@example.org' }, {}],
  [{ sharedAs: ' "Mia" \\ \'; {,} ' }, {}],
  [{ sharedAs: 'מיה דוגמה' }, {}],
  [{ readingTypes: Array.from({ length: 50 }, (_, number) => `t${number}`.padEnd(64, 'x')).sort() }, {}],
  [{ readingTypes: ['NULL', 'null'] }, {}],
  [{ validUntil: '9999-12-31T23:59:59.999Z' }, {}],
  [{ validUntil: '9999-12-31T23:59:59.9999Z' }, { validUntil: '9999-12-31T23:59:59.999Z' }],
  [{ validUntil: '2096-02-29t23:59:59.5z' }, { validUntil: '2096-02-29T23:59:59.500Z' }],
  [{ validUntil: '2099-01-01T00:00:00-23:59' }, { validUntil: '2099-01-01T23:59:00.000Z' }],
]

test('the largest and oddest terms come back as they were sent', async () => {
  const { add, list } = await newPatient()
  for (const [body, shown] of RIGHT) {
    const answer = await add(body)
    assert.equal(answer.status, 200, answer.text)
    const [listed] = await list()
    assert.deepEqual(listed, answer.json.data)
    assert.deepEqual({ ...Object(listed), ...body, ...shown }, listed)
  }
})

test('only an active doctor of the directory can be shared with, where the process serves it', async () => {
  const { add, list } = await newPatient()
  for (const doctorId of ['doctor-0', 'no-such-doctor', 'DOCTOR-1', 'doctor-1 ']) {
    assertRefused(await add({ doctorId }), 422, 'UnknownDoctor')
  }
  assert.deepEqual(await list(), [])
  const alone = await startRounds({ MODULES: 'casesheet' })
  const { status } = await alone.call('/casesheet/grants/add', {
    token: await alone.token({ patientUid: 'p' }),
    body: { patientUid: 'p', doctorId: 'no-such-doctor', permission: 'view' },
  })
  assert.equal(status, 200)
})

test('100 grants are in force and no more, also when all are given at once; others make room', async () => {
  const { patientUid, add, revoke, list } = await newPatient()
  const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => inOrder(at)))
  async function inOrder(at: number) {
    const codes: string[] = []
    for (let number = at * 8 + 1; number <= at * 8 + 8; number++)
      codes.push((await add({ doctorId: `doctor-${number}` })).json.code)
    return codes
  }
  const codes = answers.flat()
  assert.deepEqual([codes.filter((code) => code === 'Ok').length, codes.length], [100, 120])
  assert.deepEqual(new Set(codes), new Set(['Ok', 'TooManyGrants']))
  const given = (await list()).map(({ doctorId }) => doctorId)
  assert.equal(given.length, 100)
  assertRefused(await add({ doctorId: 'doctor-250' }), 422, 'TooManyGrants')
  // One of the hundred may still be changed, and one that was revoked or has expired makes room.
  assert.equal((await add({ doctorId: given[50], permission: 'manage' })).status, 200)
  await revoke({ doctorId: given[7] })
  assert.equal((await add({ doctorId: 'doctor-250' })).status, 200)
  assertRefused(await add({ doctorId: given[7] }), 422, 'TooManyGrants')
  await expire(patientUid, String(given[8]))
  assert.equal((await add({ doctorId: given[7] })).status, 200)
})

/** Comparable as text: an instant is printed with three digits of a second where the other three are zeros. */
const microsecondsOf = (at: unknown) => String(at).replace('Z', '').padEnd(26, '0')

test('gives, changes and revokes of one pair at once leave one grant and a history that leads to it', async () => {
  const { patientUid, add, revoke, list, read } = await newPatient()
  const steps = Array.from({ length: 30 }, (_, number) => async () => {
    if (number % 3 === 2) return revoke()
    return add({ permission: number % 2 === 0 ? 'view' : 'manage', sharedAs: `Name ${number % 4}` })
  })
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(steps.map((step) => step()))
    assert.deepEqual(new Set(answers.map(({ json }) => json.code)), new Set(['Ok']))
  }
  const grants = await list()
  assert.equal(grants.length, 1)
  const changes: Record<string, unknown>[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Envelope = await read('history', next && `?cursor=${next}`)
    changes.push(...page.data)
    next = page.nextCursor
  }
  // No revoke follows a revoke, a give begins what was revoked, a change changes something.
  for (const [at, change] of changes.entries()) {
    const before = changes[at + 1]
    const isOpen = before !== undefined && before['action'] !== 'revoke'
    assert.equal(change['action'] === 'give', !isOpen, JSON.stringify([before, change]))
    if (change['action'] === 'change') {
      const termsOf = ({ at: _at, action: _action, by: _by, ...terms }: Record<string, unknown>) => terms
      assert.notDeepEqual(termsOf(change), termsOf(Object(before)))
    }
    assert.ok(before === undefined || microsecondsOf(before['at']) < microsecondsOf(change['at']))
  }
  const [{ state, permission, sharedAs, changedAt } = assert.fail('no grant')] = grants
  const [last] = changes
  assert.deepEqual(
    [state === 'given', permission, sharedAs, changedAt],
    [last?.['action'] !== 'revoke', last?.['permission'], last?.['sharedAs'], last?.['at']],
  )
  assert.ok(changes.length > 50, `only ${changes.length} changes`)
  assert.equal((await patientsOf('doctor-1')).includes(patientUid), state === 'given')
})

test('only a token that names the patient shares, revokes and sees', async () => {
  const { patientUid, add } = await newPatient()
  await add()
  const paths: [path: string, body?: Body][] = [
    ['/grants/add', { patientUid, doctorId: 'doctor-1', permission: 'manage' }],
    ['/grants/revoke', { patientUid, doctorId: 'doctor-1' }],
    [`/grants/list?patientUid=${patientUid}`],
    [`/grants/history?patientUid=${patientUid}`],
  ]
  const cases: [claims: object, code: string][] = [
    [{ patientUid: 'another' }, 'PatientMismatch'],
    [{ patientUid: ['another', `${patientUid} `] }, 'PatientMismatch'],
    [{}, 'PatientNotInToken'],
    [{ scope: 'readings:read readings:withdraw readings:changes' }, 'PatientNotInToken'],
    [{ doctorId: 'doctor-1' }, 'PatientNotInToken'],
    [{ doctorId: 'doctor-1', patientUid: 'doctor-as-patient' }, 'PatientMismatch'],
    [{ patientUid, scope: 'patient/Observation.r' }, 'ScopeMissing'],
  ]
  for (const [claims, code] of cases) {
    const token = await rounds.token({ ...claims })
    for (const [path, body] of paths) {
      const answer = await rounds.call(`/casesheet${path}`, { token, body })
      assertRefused(answer, 403, code)
    }
  }
  const mayChange = await rounds.token({ patientUid, scope: 'patient/Observation.u' })
  const maySearch = await rounds.token({ patientUid, scope: 'patient/Observation.s' })
  const statuses = async (token: string) =>
    Promise.all(
      paths.map(async ([path, body]) => (await rounds.call(`/casesheet${path}`, { token, body })).status),
    )
  assert.deepEqual(await statuses(mayChange), [200, 200, 403, 403])
  assert.deepEqual(await statuses(maySearch), [403, 403, 200, 200])
})

test('a carer of two children shares each alone, and must say of whom the list is', async () => {
  const [mia, tom] = [`mia-${randomUUID()}`, `tom-${randomUUID()}`]
  const token = await rounds.token({ patientUid: [mia, tom], sub: 'carer' })
  const call = (path: string, body?: Body) => rounds.call(`/casesheet/grants/${path}`, { token, body })
  assert.equal(
    (await call('add', { patientUid: mia, doctorId: 'doctor-249', permission: 'view' })).status,
    200,
  )
  const unnamed = await call('list')
  assertRefused(unnamed, 400, 'ValidationFailed')
  assert.deepEqual(unnamed.json.errors[0]?.pointer, '/patientUid')
  const countOf = async (uid: string) => (await call(`list?patientUid=${uid}`)).json.data.length
  assert.deepEqual([await countOf(mia), await countOf(tom)], [1, 0])
  assert.deepEqual(await patientsOf('doctor-249'), [mia])
  await call('revoke', { patientUid: tom, doctorId: 'doctor-249' })
  assert.deepEqual(await patientsOf('doctor-249'), [mia])
})

test('pages of grants and of their history show everything once, and refuse cursors of others', async () => {
  const { add, read } = await newPatient()
  for (let number = 1; number <= 7; number++) await add({ doctorId: `doctor-${number}` })
  for (const list of ['list', 'history']) {
    const ids: unknown[] = []
    let next: string | null = ''
    for (let pages = 0; next !== null; pages++) {
      assert.ok(pages < 4)
      const page = await read(list, `?limit=3${next && `&cursor=${next}`}`)
      ids.push(...page.data.map(({ doctorId }) => doctorId))
      next = page.nextCursor
    }
    const inOrder = Array.from({ length: 7 }, (_, at) => `doctor-${at + 1}`)
    assert.deepEqual(ids, list === 'list' ? inOrder : inOrder.toReversed())
  }
  const { token } = await newPatient()
  const forged = [
    '',
    'x',
    '"a"',
    '[]',
    '["a\\u0000"]',
    '["\\ud800"]',
    '["a","b"]',
    '2099-02-30T00:00:00.000Z x',
  ]
  for (const list of ['grants/list', 'grants/history']) {
    for (const text of forged) {
      const cursor = Buffer.from(text).toString('base64url')
      assertRefused(await rounds.call(`/casesheet/${list}?cursor=${cursor}`, { token }), 400, 'InvalidCursor')
    }
    for (const limit of ['0', '101', '1e1', '-1'])
      assertRefused(
        await rounds.call(`/casesheet/${list}?limit=${limit}`, { token }),
        400,
        'ValidationFailed',
      )
  }
})

test('a patient who was erased and is refused shares nothing', async () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const refusing = await startRounds({ ERASURE_KEY: key, MODULES: 'casesheet' })
  const { createPatientDigests } = await import('../patient-digest.ts')
  const { keyId, digestOf } = createPatientDigests(Buffer.alloc(32, 7))
  const hex = (bytes: Buffer) => `'\\x${bytes.toString('hex')}'`
  await runSql(
    refusing.ownerUrl,
    `insert into casesheet.refused_patients values (${hex(keyId)}, ${hex(digestOf('erased'))}, now() + interval '1 hour')`,
  )
  const add = async (patientUid: string) =>
    refusing.call('/casesheet/grants/add', {
      token: await refusing.token({ patientUid }),
      body: { patientUid, doctorId: 'd', permission: 'view' },
    })
  assert.equal((await add('other')).status, 200)
  for (let attempt = 0; attempt < 2; attempt++) assertRefused(await add('erased'), 403, 'PatientErased')
})

test("grants count against the patient's bytes of the day, and revocations do not", async () => {
  const small = await startRounds({ PATIENT_BYTES_PER_DAY: '4194304', MODULES: 'casesheet' })
  const token = await small.token({ patientUid: 'p' })
  const padded = (body: object) => JSON.stringify(body).padEnd(60_000)
  const raw = padded({ patientUid: 'p', doctorId: 'd', permission: 'view' })
  const revoke = padded({ patientUid: 'p', doctorId: 'd' })
  const codes = new Set<string>()
  for (let sent = 0; sent < 80; sent++) {
    codes.add((await small.call('/casesheet/grants/add', { token, raw })).json.code)
    assert.equal((await small.call('/casesheet/grants/revoke', { token, raw: revoke })).status, 200)
  }
  assert.deepEqual(codes, new Set(['Ok', 'RateLimited']))
})
