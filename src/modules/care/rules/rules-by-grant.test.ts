// Who may set and see rules: doctors as far as a grant goes, at any process and at any moment; the patient, carers and staff see them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'

const SETTINGS = { MODULES: 'casesheet,care', ALERTS: 'on' }
const rounds = await startRounds(SETTINGS)
/** A second process of the same service, with a cache of its own. */
const beside = await startRounds({
  ...SETTINGS,
  DATABASE_URL: rounds.serveUrl,
  AUTH_ISSUER: rounds.issuer.url,
})

type Body = Record<string, unknown>
type Process = typeof rounds

const FAST = { readingType: 'heartRate', severity: 'urgent', threshold: { above: 130 } }
const SILENT = { readingType: 'oxygenSaturation', severity: 'notice', missing: { for: 'P2D' } }

const set = (token: string, body: Body, at: Process = rounds) => at.call('/care/rules/set', { token, body })
const remove = (token: string, body: Body, at: Process = rounds) =>
  at.call('/care/rules/remove', { token, body })
const list = (token: string, query = '', at: Process = rounds) =>
  at.call(`/care/rules/list${query}`, { token })

async function mustSet(token: string, body: Body): Promise<Body> {
  const { status, json, text } = await set(token, body)
  assert.equal(status, 200, text)
  return Object(json.data)
}

test('a doctor who may only view sees rules and changes none, and a patient reads them only', async () => {
  const [managing, viewing] = [await newDoctor(rounds), await newDoctor(rounds)]
  const patient = await managing.patient()
  const { patientUid } = patient
  await viewing.patient({ permission: 'view' }, patientUid)
  const rule = await mustSet(managing.token, { patientUid, ...FAST })
  const { ruleId } = rule
  for (const at of [rounds, beside]) {
    assertRefused(await set(viewing.token, { patientUid, ...FAST }, at), 403, 'ManageRequired')
    assertRefused(await remove(viewing.token, { patientUid, ruleId }, at), 403, 'ManageRequired')
    assertRefused(await set(patient.token, { patientUid, ...FAST }, at), 403, 'NotADoctor')
    assertRefused(await remove(patient.token, { patientUid, ruleId }, at), 403, 'NotADoctor')
  }
  const staff = await rounds.token({ scope: 'readings:read', sub: 'staff' })
  const carer = await rounds.token({ patientUid: [patientUid, 'another-child'], sub: 'carer' })
  assertRefused(await set(staff, { patientUid, ...FAST }), 403, 'NotADoctor')
  for (const token of [managing.token, viewing.token, patient.token, staff, carer])
    assert.deepEqual((await list(token, `?patientUid=${patientUid}`)).json.data, [rule])
  assert.deepEqual((await list(patient.token)).json.data, [rule])
  assert.deepEqual((await list(viewing.token)).json.data, [rule])
  // Every read of the rules of one patient is in the access log; the list of a doctor is none.
  const log = await rounds.call(`/casesheet/readings/access-log?patientUid=${patientUid}`, {
    token: patient.token,
  })
  assert.deepEqual(
    log.json.data
      .map(({ operation, readBy, allowedAs, readingsCount }) =>
        [operation, readBy, allowedAs, readingsCount].join(' '),
      )
      .toSorted(),
    [
      'rules/list carer patient 0',
      `rules/list ${patientUid} patient 0`,
      `rules/list ${patientUid} patient 0`,
      'rules/list staff staff 0',
      ...[managing, viewing].map(({ doctorId }) => `rules/list sub-of-${doctorId} grant 0`),
    ].toSorted(),
  )
})

test('a grant of some types sets, shows, replaces and removes rules of those alone, and says so', async () => {
  const [managing, limited] = [await newDoctor(rounds), await newDoctor(rounds)]
  const patient = await managing.patient()
  const { patientUid } = patient
  await limited.patient({ readingTypes: ['oxygenSaturation'] }, patientUid)
  const hidden = await mustSet(managing.token, { patientUid, ...FAST })
  const shown = await mustSet(limited.token, { patientUid, ...SILENT })
  assertRefused(await set(limited.token, { patientUid, ...FAST }), 403, 'NotShared')
  for (const at of [rounds, beside]) {
    const { ruleId } = hidden
    assertRefused(await set(limited.token, { patientUid, ...SILENT, ruleId }, at), 403, 'NotShared')
    assertRefused(await remove(limited.token, { patientUid, ruleId }, at), 403, 'NotShared')
  }
  const { json, headers } = await list(limited.token, `?patientUid=${patientUid}`)
  assert.deepEqual([json.data, Object(json).limitedTo], [[shown], ['oxygenSaturation']])
  assert.equal(headers.get('x-limited-to'), 'oxygenSaturation')
  assert.deepEqual((await list(limited.token)).json.data, [shown])
  assert.equal((await list(patient.token)).json.data.length, 2)
  // What was cached is looked up again before it refuses.
  await limited.patient({ readingTypes: ['heartRate', 'oxygenSaturation'] }, patientUid)
  assert.equal((await remove(limited.token, { patientUid, ruleId: hidden['ruleId'] })).status, 200)
  assert.deepEqual((await list(patient.token)).json.data, [shown])
})

test('who may neither set nor read is refused, the same whether or not the patient exists', async () => {
  const [patientUid, doctorId] = [`patient-${randomUUID()}`, `doctor-${randomUUID()}`]
  const ruleId = randomUUID()
  const cases: [claims: Body, code: string, readCode: string][] = [
    [{ patientUid: 'another' }, 'NotADoctor', 'PatientMismatch'],
    [{}, 'NotADoctor', 'PatientNotInToken'],
    [{ patientUid }, 'NotADoctor', ''],
    [{ doctorId }, 'NotShared', 'NotShared'],
    [{ scope: 'openid' }, 'NotADoctor', 'ScopeMissing'],
    [{ scope: 'readings:read readings:withdraw' }, 'NotADoctor', ''],
    [{ doctorId, scope: 'readings:read' }, 'NotShared', ''],
    [{ doctorId, scope: 'user/Observation.rs' }, 'ScopeMissing', 'NotShared'],
    [{ doctorId, scope: 'user/Observation.rus' }, 'NotShared', 'NotShared'],
    [{ doctorId, patientUid: 'another' }, 'NotShared', 'NotShared'],
  ]
  for (const [claims, code, readCode] of cases) {
    const token = await rounds.token(claims)
    for (const [expected, { status, json }] of [
      [code, await set(token, { patientUid, ...FAST })],
      [code, await remove(token, { patientUid, ruleId })],
      [readCode, await list(token, `?patientUid=${patientUid}`)],
    ] as const)
      assert.deepEqual([status, json.code, claims], expected ? [403, expected, claims] : [200, 'Ok', claims])
  }
  // Whose rules are meant must be said where the token does not.
  const [nobody, two] = [await rounds.token({}), await rounds.token({ patientUid: ['one', 'two'] })]
  assertRefused(await list(nobody), 403, 'PatientNotInToken')
  assertRefused(await list(two), 400, 'ValidationFailed')
  assertRefused(
    await list(await rounds.token({ doctorId, scope: 'user/Observation.r' })),
    403,
    'ScopeMissing',
  )
})

test('a grant that is revoked while a rule is set or removed lets nothing be written', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  const rule = await mustSet(doctor.token, { patientUid, ...FAST })
  const owner = new Client({ connectionString: rounds.ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query(
      "update casesheet.grants set state = 'revoked', changed_by = 'patient' where patient_uid = $1",
      [patientUid],
    )
    const answers = Promise.all([
      set(doctor.token, { patientUid, ...SILENT }),
      set(doctor.token, { patientUid, ...SILENT, ruleId: rule['ruleId'] }, beside),
      remove(doctor.token, { patientUid, ruleId: rule['ruleId'] }, beside),
    ])
    await until(async () => {
      const { rows } = await owner.query(
        "select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like '%casesheet.rules%'",
      )
      return rows[0]?.waiting >= 2
    }, 5_000)
    await owner.query('commit')
    for (const answer of await answers) assertRefused(answer, 403, 'NotShared')
  } finally {
    await owner.end()
  }
  assert.deepEqual((await list(patient.token)).json.data, [rule])
  assert.deepEqual((await list(doctor.token)).json.data, [])
  assertRefused(await list(doctor.token, `?patientUid=${patientUid}`), 403, 'NotShared')
})

test('the list of a doctor has the rules of all who share, page after page, by the name of the patient', async () => {
  const doctor = await newDoctor(rounds)
  const patients = []
  for (const sharedAs of ['Zoe Invented', 'Ada Invented', 'mia Invented'])
    patients.push(await doctor.patient({ sharedAs }))
  const [zoe, ada, mia] = patients
  assert.ok(zoe && ada && mia)
  for (const [nth, { patientUid }] of patients.entries())
    for (let rule = 0; rule <= nth; rule++)
      await mustSet(doctor.token, { patientUid, ...FAST, threshold: { above: 130 + rule } })
  const [gone, expired] = [await doctor.patient({ sharedAs: 'A' }), await doctor.patient({ sharedAs: 'B' })]
  await mustSet(doctor.token, { patientUid: gone.patientUid, ...FAST })
  await mustSet(doctor.token, { patientUid: expired.patientUid, ...FAST })
  await gone.revoke()
  await runSql(rounds.ownerUrl, 'update casesheet.grants set valid_until = now() where patient_uid = $1', [
    expired.patientUid,
  ])
  const whole = (await list(doctor.token)).json
  assert.deepEqual(
    whole.data.map(({ patientUid }) => patientUid),
    [ada, ada, mia, mia, mia, zoe].map(({ patientUid }) => patientUid),
  )
  assert.equal(whole.nextCursor, null)
  const paged: Body[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const query: string = cursor === null ? '?limit=1' : `?limit=1&cursor=${cursor}`
    const { status, json, text } = await list(doctor.token, query, pages++ % 2 === 0 ? rounds : beside)
    assert.equal(status, 200, text)
    paged.push(...json.data)
    cursor = json.nextCursor
  } while (cursor !== null)
  assert.deepEqual([pages, paged], [6, whole.data])
  assertRefused(await list(doctor.token, '?cursor=invented'), 400, 'InvalidCursor')
  // The rules of one patient have pages too, ordered by type and time.
  const oxygen = await mustSet(doctor.token, { patientUid: ada.patientUid, ...SILENT })
  const own = `?patientUid=${ada.patientUid}`
  const inOrder = (await list(doctor.token, own)).json.data
  assert.deepEqual(
    inOrder.map(({ threshold, missing }) => threshold ?? missing),
    [{ above: 130 }, { above: 131 }, oxygen['missing']],
  )
  const first = (await list(doctor.token, `${own}&limit=2`)).json
  assert.deepEqual(first.data, inOrder.slice(0, 2))
  const rest = (await list(doctor.token, `${own}&limit=2&cursor=${first.nextCursor}`)).json
  assert.deepEqual([rest.data, rest.nextCursor], [[oxygen], null])
})
