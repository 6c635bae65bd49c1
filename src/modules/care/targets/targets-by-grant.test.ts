// Who may set and see targets: the patient, carers, and doctors as far as a grant goes, at any process and at any moment.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'

const MODULES = 'casesheet,care'
const rounds = await startRounds({ MODULES })
/** A second process of the same service, with a cache of its own. */
const beside = await startRounds({ MODULES, DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url })

type Body = Record<string, unknown>
type Process = typeof rounds

const SATURATION = { readingType: 'oxygenSaturation' }

/** A patient, a doctor, and what each of them does at a process. */
async function newPair(claims: Body = {}) {
  const [patientUid, doctorId] = [`patient-${randomUUID()}`, `doctor-${randomUUID()}`]
  const patient = await rounds.token({ patientUid, sub: patientUid })
  const doctor = await rounds.token({ doctorId, sub: `sub-of-${doctorId}`, ...claims })
  const grants = async (at: Process, action: string, body: Body) => {
    const { status, text } = await at.call(`/casesheet/grants/${action}`, {
      token: patient,
      body: { patientUid, doctorId, ...body },
    })
    assert.equal(status, 200, text)
  }
  return {
    patientUid,
    doctorId,
    patient,
    doctor,
    give: (body: Body = {}, at = rounds) => grants(at, 'add', { permission: 'manage', ...body }),
    revoke: (at = rounds) => grants(at, 'revoke', {}),
    set: (body: Body, at = rounds, token = doctor) =>
      at.call('/care/targets/set', { token, body: { patientUid, ...body } }),
    remove: (body: Body, at = rounds, token = doctor) =>
      at.call('/care/targets/remove', { token, body: { patientUid, ...body } }),
    read: (list: string, token = doctor, more = '') =>
      rounds.call(`/care/targets/${list}?patientUid=${patientUid}${more}`, { token }),
  }
}

test('a doctor who may manage sets and removes targets, under their own name', async () => {
  const { doctorId, patient, give, set, remove, read } = await newPair()
  await give()
  const byDoctor = { allowedAs: 'grant', doctorId }
  const { status, json, text } = await set({ ...SATURATION, low: 92 })
  assert.equal(status, 200, text)
  const [target] = json.data
  assert.deepEqual(
    { setBy: target?.['setBy'], allowedAs: target?.['allowedAs'], doctorId: target?.['doctorId'] },
    { setBy: `sub-of-${doctorId}`, ...byDoctor },
  )
  assert.deepEqual((await read('list', patient)).json.data, [target])
  // The patient agrees: the target stays the doctor's. Then it becomes the patient's own.
  assert.deepEqual((await set({ ...SATURATION, low: 92 }, beside, patient)).json.data, [target])
  assert.equal((await set({ ...SATURATION, low: 90 }, beside, patient)).json.data[0]?.['doctorId'], null)
  assert.equal((await remove(SATURATION)).status, 200)
  assert.deepEqual(
    (await read('history')).json.data.map(({ action, allowedAs, doctorId: doctor }) => [
      action,
      allowedAs,
      doctor,
    ]),
    [
      ['remove', 'grant', doctorId],
      ['set', 'patient', null],
      ['set', 'grant', doctorId],
    ],
  )
})

test('a grant to view reads targets and sets none, until the patient lets the doctor manage', async () => {
  const { give, set, remove, read, patient } = await newPair()
  await give({ permission: 'view' })
  await set({ ...SATURATION, low: 92 }, rounds, patient)
  for (const at of [rounds, beside]) {
    assertRefused(await set({ ...SATURATION, low: 91 }, at), 403, 'ManageRequired')
    assertRefused(await remove(SATURATION, at), 403, 'ManageRequired')
  }
  assert.equal((await read('list')).json.data.length, 1)
  await give()
  for (const [nth, at] of [rounds, beside].entries())
    assert.equal((await set({ ...SATURATION, low: 90 + nth }, at)).status, 200)
  await give({ permission: 'view' })
  for (const at of [rounds, beside])
    assertRefused(await set({ ...SATURATION, low: 80 }, at), 403, 'ManageRequired')
  assert.equal((await read('list')).json.data[0]?.['low'], 91)
})

test('a grant of some types sets and shows targets of those alone, and says so', async () => {
  const { give, set, remove, read, patient } = await newPair()
  await give({ readingTypes: ['oxygenSaturation'] })
  await set({ readingType: 'heartRate', high: 100 }, rounds, patient)
  assert.equal((await set({ ...SATURATION, low: 92 })).status, 200)
  for (const body of [{ readingType: 'heartRate', high: 90 }, { preset: 'home-blood-pressure-esh' }])
    assertRefused(await set(body), 403, 'NotShared')
  assertRefused(await remove({ readingType: 'heartRate' }), 403, 'NotShared')
  for (const list of ['list', 'history']) {
    const { json, headers } = await read(list)
    assert.deepEqual(
      json.data.map(({ readingType }) => readingType),
      ['oxygenSaturation'],
    )
    assert.deepEqual(Object(json).limitedTo, ['oxygenSaturation'])
    assert.equal(headers.get('x-limited-to'), 'oxygenSaturation')
    assert.equal((await read(list, patient)).json.data.length, 2)
  }
  // What was cached is looked up again before it refuses.
  await give({ readingTypes: ['heartRate', 'oxygenSaturation'] }, beside)
  assert.equal((await set({ readingType: 'heartRate', high: 90 })).status, 200)
})

test('who may neither set nor read is refused, the same whether or not the patient exists', async () => {
  const { patientUid, doctorId, set, remove, read } = await newPair()
  const cases: [claims: Body, code: string, readCode: string][] = [
    [{ patientUid: 'another' }, 'PatientMismatch', 'PatientMismatch'],
    [{}, 'PatientNotInToken', 'PatientNotInToken'],
    [{ doctorId }, 'NotShared', 'NotShared'],
    [{ scope: 'openid' }, 'PatientNotInToken', 'ScopeMissing'],
    [{ scope: 'readings:changes' }, 'PatientNotInToken', 'ScopeMissing'],
    [{ scope: 'readings:read' }, 'PatientNotInToken', ''],
    [{ scope: 'readings:read readings:withdraw' }, 'PatientNotInToken', ''],
    [{ patientUid: 'another', scope: 'readings:read' }, 'PatientMismatch', ''],
    [{ doctorId, scope: 'readings:read' }, 'NotShared', ''],
    [{ patientUid, scope: 'patient/Observation.rs' }, 'ScopeMissing', ''],
    [{ patientUid, scope: 'patient/Observation.u' }, '', 'ScopeMissing'],
    [{ doctorId, scope: 'user/Observation.rs' }, 'ScopeMissing', 'NotShared'],
    [{ doctorId, scope: 'user/Observation.rus' }, 'NotShared', 'NotShared'],
  ]
  for (const [claims, code, readCode] of cases) {
    const token = await rounds.token(claims)
    const answers: [string, Awaited<ReturnType<typeof set>>][] = [
      [code, await set({ ...SATURATION, low: 92 }, rounds, token)],
      [code, await remove(SATURATION, rounds, token)],
      [readCode, await read('list', token)],
      [readCode, await read('history', token)],
    ]
    for (const [expected, { status, json }] of answers)
      assert.deepEqual([status, json.code, claims], expected ? [403, expected, claims] : [200, 'Ok', claims])
  }
})

test('a doctor with scopes of SMART sets targets only if they let the app change something', async () => {
  for (const [scope, code] of [
    ['user/Observation.rus', 'Ok'],
    ['user/*.*', 'Ok'],
    ['user/Observation.rs', 'ScopeMissing'],
    ['user/Observation.crs', 'ScopeMissing'],
    ['patient/Observation.cruds', 'ScopeMissing'],
  ] as const) {
    const { give, set } = await newPair({ scope })
    await give()
    assert.deepEqual([(await set({ ...SATURATION, low: 92 })).json.code, scope], [code, scope])
  }
})

test('after a revocation or the end of a grant, a process that had cached it sets nothing', async () => {
  const { patientUid, patient, give, revoke, set, remove, read } = await newPair()
  await give()
  for (const at of [rounds, beside]) assert.equal((await set({ ...SATURATION, low: 92 }, at)).status, 200)
  await revoke()
  for (const at of [beside, rounds]) {
    assertRefused(await set({ ...SATURATION, low: 50 }, at), 403, 'NotShared')
    assertRefused(await remove(SATURATION, at), 403, 'NotShared')
    assertRefused(await read('list'), 403, 'NotShared')
  }
  await give({ validUntil: '2099-01-01T00:00:00Z' })
  for (const at of [rounds, beside]) assert.equal((await set({ ...SATURATION, low: 92 }, at)).status, 200)
  await runSql(
    rounds.ownerUrl,
    `set session_replication_role = replica;
     update casesheet.grants set valid_until = now() - interval '1 second' where patient_uid = '${patientUid}'`,
  )
  for (const at of [beside, rounds])
    assertRefused(await set({ ...SATURATION, low: 50 }, at), 403, 'NotShared')
  assert.equal((await read('list', patient)).json.data[0]?.['low'], 92)
})

test('a change that waits for a revocation in progress is refused by it', async () => {
  const { patientUid, patient, give, set, remove, read } = await newPair()
  await give()
  assert.equal((await set({ ...SATURATION, low: 92 }, beside)).status, 200)
  for (const change of [() => set({ ...SATURATION, low: 50 }, beside), () => remove(SATURATION, beside)]) {
    const revoking = new Client({ connectionString: rounds.serveUrl })
    await revoking.connect()
    await revoking.query('begin')
    await revoking.query("update casesheet.grants set state = 'revoked' where patient_uid = $1", [patientUid])
    const changed = change()
    await until(async () => {
      const waiting = await runSql(
        rounds.ownerUrl,
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length > 0
    })
    await revoking.query('commit')
    await revoking.end()
    assertRefused(await changed, 403, 'NotShared')
    await give()
  }
  assert.equal((await read('list', patient)).json.data[0]?.['low'], 92)
})

test('a revocation waits for a change that holds the grant, and no change is committed behind its answer', async () => {
  const { patientUid, patient, give, revoke, set, read } = await newPair()
  await give()
  assert.equal((await set({ ...SATURATION, low: 92 }, beside)).status, 200)
  const holding = new Client({ connectionString: rounds.ownerUrl })
  await holding.connect()
  await holding.query('begin')
  await holding.query('select from casesheet.targets where patient_uid = $1 for update', [patientUid])
  const untilWaiting = (count: number) =>
    until(async () => {
      const waiting = await runSql(
        rounds.ownerUrl,
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length === count
    })
  const changed = set({ ...SATURATION, low: 70 }, beside)
  await untilWaiting(1)
  const revoked = revoke()
  await untilWaiting(2)
  await holding.query('commit')
  await holding.end()
  const [{ status, json }] = await Promise.all([changed, revoked])
  assert.equal(status, 200)
  const { json: grants } = await rounds.call('/casesheet/grants/list', { token: patient })
  assert.ok(Date.parse(String(json.data[0]?.['setAt'])) <= Date.parse(String(grants.data[0]?.['changedAt'])))
  assert.equal(grants.data[0]?.['state'], 'revoked')
  assert.equal((await read('list', patient)).json.data[0]?.['low'], 70)
})

test('in any order of grants, revocations and changes at two processes, each change has a grant at its time', async () => {
  const { doctorId, patient, patientUid, give, revoke, set, remove, read } = await newPair()
  const anyOf = <T>(...all: [T, ...T[]]) => all[Math.floor(Math.random() * all.length)] ?? all[0]
  const at = () => anyOf(rounds, beside)
  const codes: string[] = []
  async function share() {
    for (let step = 0; step < 60; step++)
      await anyOf(
        () => give({}, at()),
        () => give({ readingTypes: ['oxygenSaturation', 'heartRate'] }, at()),
        () => give({ permission: 'view' }, at()),
        () => revoke(at()),
      )()
  }
  async function changeTargets(nth: number) {
    for (let step = 0; step < 60; step++) {
      const { json } = await anyOf(
        () => set({ ...SATURATION, low: 50 + ((step + nth) % 40) }, at()),
        () => remove(SATURATION, at()),
      )()
      codes.push(json.code)
    }
  }
  await Promise.all([share(), changeTargets(1), changeTargets(2), changeTargets(3)])
  const allowed = codes.filter((code) => code === 'Ok').length
  const others = codes.filter((code) => !['Ok', 'NotShared', 'ManageRequired', 'Overloaded'].includes(code))
  assert.deepEqual(others, [])
  assert.ok(allowed > 20 && codes.length - allowed > 20, `${allowed} of ${codes.length}`)
  const eachOf = async (path: string) => {
    const found: Body[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await rounds.call(`${path}?patientUid=${patientUid}${cursor && `&cursor=${cursor}`}`, {
        token: patient,
      })
      found.push(...json.data)
      cursor = json.nextCursor
    }
    return found
  }
  const microsecondsOf = (change: Body) => String(change['at']).replace('Z', '').padEnd(26, '0')
  const grants = await eachOf('/casesheet/grants/history')
  const changes = await eachOf('/care/targets/history')
  assert.ok(changes.length > 20, `${changes.length} changes`)
  for (const made of changes) {
    assert.equal(made['doctorId'], doctorId)
    const before = grants.find((grant) => microsecondsOf(grant) < microsecondsOf(made))
    assert.deepEqual([before?.['action'] === 'revoke', before?.['permission']], [false, 'manage'])
  }
  assert.equal((await read('list', patient)).status, 200)
})

test('every read of targets is in the access log, with the doctor and the types; a refused one is not', async () => {
  const { patientUid, doctorId, patient, give, revoke, read } = await newPair()
  await give({ readingTypes: ['heartRate'] })
  await read('list')
  await read('history', undefined, '&limit=1')
  await revoke()
  assertRefused(await read('list'), 403, 'NotShared')
  const staff = await rounds.token({ sub: 'ward-1', scope: 'readings:read' })
  const options = { token: staff, headers: { 'x-access-reason': 'Asked%20by%20phone' } }
  assert.equal((await rounds.call(`/care/targets/list?patientUid=${patientUid}`, options)).status, 200)
  await read('list', patient)
  const { json } = await rounds.call('/casesheet/readings/access-log', { token: patient })
  assert.deepEqual(
    json.data.map(({ operation, allowedAs, doctorId: doctor, readingTypes, reason, readingsCount }) => [
      operation,
      allowedAs,
      doctor,
      readingTypes,
      reason,
      readingsCount,
    ]),
    [
      ['targets/list', 'patient', undefined, null, undefined, 0],
      ['targets/list', 'staff', undefined, null, 'Asked by phone', 0],
      ['targets/history', 'grant', doctorId, ['heartRate'], undefined, 0],
      ['targets/list', 'grant', doctorId, ['heartRate'], undefined, 0],
    ],
  )
})

test('what is set counts to the bytes of the patient, and what is refused or removed does not', async () => {
  const limited = await startRounds({ MODULES, PATIENT_BYTES_PER_DAY: String(4 * 1_048_576) })
  const patientUid = 'busy'
  const token = await limited.token({ patientUid })
  const doctor = await limited.token({ doctorId: 'stranger' })
  // Bytes count, whatever they say.
  const set = (low: number, by = token) =>
    limited.call('/care/targets/set', {
      token: by,
      raw: `${JSON.stringify({ patientUid, ...SATURATION, low }).slice(0, -1)}${' '.repeat(60_000)}}`,
    })
  for (let low = 1; low <= 80; low++) assertRefused(await set(low, doctor), 403, 'NotShared')
  const codes: string[] = []
  for (let low = 1; low <= 80; low++) codes.push((await set(low)).json.code)
  assert.deepEqual([codes[0], codes[60], codes.at(-1)], ['Ok', 'Ok', 'RateLimited'])
  const removed = await limited.call('/care/targets/remove', { token, body: { patientUid, ...SATURATION } })
  assert.equal(removed.status, 200)
})

test('a process without the module has none of its operations', async () => {
  const { serveUrl, issuer } = rounds
  const without = await startRounds({ MODULES: 'casesheet', DATABASE_URL: serveUrl, AUTH_ISSUER: issuer.url })
  const token = await rounds.token({ patientUid: 'somebody' })
  for (const path of ['list', 'history', 'presets'])
    assertRefused(await without.call(`/care/targets/${path}`, { token }), 404, 'NotFound')
})
