// reviews/add and reviews/list: a doctor whom the patient lets manage says that they looked, once however often the request is sent, and
// the patient sees it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { ERASURE_KEY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until } from '../../../../test/support/until.ts'

const SETTINGS = { MODULES: 'casesheet,care', ERASURE_KEY }
const rounds = await startRounds(SETTINGS)
/** A second process of the same service, with a cache of its own. */
const beside = await startRounds({
  ...SETTINGS,
  DATABASE_URL: rounds.serveUrl,
  AUTH_ISSUER: rounds.issuer.url,
})

type Body = Record<string, unknown>
type Process = typeof rounds

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
  const list = (token = patient, query = '') =>
    rounds.call(`/care/reviews/list?patientUid=${patientUid}${query}`, { token })
  return {
    patientUid,
    doctorId,
    patient,
    doctor,
    give: (body: Body = {}, at = rounds) => grants(at, 'add', { permission: 'manage', ...body }),
    revoke: (at = rounds) => grants(at, 'revoke', {}),
    add: (body: Body = {}, at = rounds, token = doctor) =>
      at.call('/care/reviews/add', { token, body: { patientUid, ...body } }),
    list,
    notes: async (token = patient) => (await list(token)).json.data.map(({ note }) => note),
  }
}

const reviewOf = (answer: { json: object }) => Object(answer.json).data as Body

test('a doctor who may manage adds reviews, and the patient sees who looked, when, and the note', async () => {
  const { patientUid, doctorId, give, add, list, patient, doctor } = await newPair()
  await give()
  const note = 'Looks steady.\r\nWe keep the dose — “good” 👍🏽.'
  const first = await add({ note })
  assert.equal(first.status, 200, first.text)
  const { at, reviewId, ...rest } = reviewOf(first)
  assert.deepEqual(rest, { patientUid, doctorId, reviewedBy: `sub-of-${doctorId}`, note })
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
  assert.match(String(reviewId), /^[\da-f-]{36}$/)
  const second = reviewOf(await add({}, beside))
  assert.equal(second['note'], null)
  const carer = await rounds.token({ patientUid: [patientUid, 'another'], sub: 'carer' })
  const staff = await rounds.token({ sub: 'ward-1', scope: 'readings:read' })
  for (const token of [patient, carer, doctor, staff]) {
    const { json, headers } = await list(token)
    assert.deepEqual([json.data, json.nextCursor], [[second, reviewOf(first)], null])
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

test('the same reviewId adds one review, however often and wherever it is sent; with other content it is refused', async () => {
  const { patientUid, give, add, list, patient } = await newPair()
  await give()
  const reviewId = randomUUID()
  const stored = reviewOf(await add({ note: 'Seen', reviewId }))
  for (const at of [rounds, beside]) {
    const again = await add({ note: 'Seen', reviewId: reviewId.toUpperCase() }, at)
    assert.deepEqual([again.status, reviewOf(again)], [200, stored])
    for (const other of [{ note: 'Other', reviewId }, { reviewId }])
      assertRefused(await add(other, at), 409, 'ReviewExists')
  }
  const colleague = await newPair()
  const shared = await rounds.call('/casesheet/grants/add', {
    token: patient,
    body: { patientUid, doctorId: colleague.doctorId, permission: 'manage' },
  })
  assert.equal(shared.status, 200)
  assertRefused(await add({ note: 'Seen', reviewId }, rounds, colleague.doctor), 409, 'ReviewExists')
  // It is of one patient: for another, it is another review.
  await colleague.give()
  assert.equal((await colleague.add({ note: 'Seen', reviewId })).status, 200)
  // Many at once: one is stored, and all are answered with it.
  const many = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, nth) =>
      add({ note: 'At once', reviewId: many }, nth % 2 ? rounds : beside),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map((answer) => JSON.stringify(reviewOf(answer)))).size, 1)
  // Without an id, each request is a review of its own.
  await add({ note: 'Twice' })
  await add({ note: 'Twice' })
  assert.deepEqual(
    (await list()).json.data.map(({ note }) => note),
    ['Twice', 'Twice', 'At once', 'Seen'],
  )
})

test('who may not add a review is refused, the same whether or not the patient exists', async () => {
  const { patientUid, doctorId, add, give, notes, list } = await newPair()
  const cases: [claims: Body, code: string, listCode: string][] = [
    [{ patientUid }, 'NotADoctor', ''],
    [{ patientUid: 'another' }, 'NotADoctor', 'PatientMismatch'],
    [{}, 'NotADoctor', 'PatientNotInToken'],
    [{ scope: 'readings:read' }, 'NotADoctor', ''],
    [{ scope: 'readings:read readings:withdraw' }, 'NotADoctor', ''],
    [{ scope: 'readings:changes' }, 'NotADoctor', 'ScopeMissing'],
    [{ doctorId: 'another' }, 'NotShared', 'NotShared'],
    // A doctor who is also a carer of the patient needs the grant all the same.
    [{ patientUid, doctorId: 'another' }, 'NotShared', ''],
    [{ doctorId, scope: 'user/Observation.rs' }, 'ScopeMissing', ''],
    [{ doctorId, scope: 'user/Observation.rus' }, '', ''],
    [{ doctorId, scope: 'readings:read' }, '', ''],
  ]
  await give()
  for (const [claims, code, listCode] of cases) {
    const token = await rounds.token(claims)
    for (const [expected, { status, json }] of [
      [code, await add({}, rounds, token)],
      [listCode, await list(token)],
    ] as const)
      assert.deepEqual([status, json.code, claims], expected ? [403, expected, claims] : [200, 'Ok', claims])
  }
  assert.equal((await notes()).length, 2)
  const { doctor } = await newPair()
  const refusals = [patientUid, `nobody-${randomUUID()}`].map(async (named) => {
    const body = { patientUid: named, note: 'x' }
    const { json } = await rounds.call('/care/reviews/add', { token: doctor, body })
    return { ...json, requestId: '' }
  })
  const [known, unknown] = await Promise.all(refusals)
  assert.deepEqual(known, unknown)
})

test('a grant to view reads reviews and adds none, until the patient lets the doctor manage', async () => {
  const { give, add, notes, doctor } = await newPair()
  await give({ permission: 'view' })
  for (const at of [rounds, beside]) assertRefused(await add({ note: 'No' }, at), 403, 'ManageRequired')
  assert.deepEqual(await notes(doctor), [])
  await give()
  for (const at of [rounds, beside]) assert.equal((await add({ note: 'Yes' }, at)).status, 200)
  await give({ permission: 'view' })
  for (const at of [rounds, beside]) assertRefused(await add({ note: 'No' }, at), 403, 'ManageRequired')
  assert.deepEqual(await notes(doctor), ['Yes', 'Yes'])
})

test('a doctor with a grant of some types adds reviews and sees their own alone, and is told so', async () => {
  const { patientUid, give, add, notes, list, doctor, patient } = await newPair()
  const colleague = await newPair()
  const shared = await rounds.call('/casesheet/grants/add', {
    token: patient,
    body: { patientUid, doctorId: colleague.doctorId, permission: 'manage' },
  })
  assert.equal(shared.status, 200)
  await give({ readingTypes: ['heartRate'] })
  await add({ note: 'About glucose' }, rounds, colleague.doctor)
  assert.equal((await add({ note: 'About the pulse' })).status, 200)
  const { json, headers } = await list(doctor)
  assert.deepEqual(
    json.data.map(({ note }) => note),
    ['About the pulse'],
  )
  assert.deepEqual(Object(json).limitedTo, ['heartRate'])
  assert.equal(headers.get('x-limited-to'), 'heartRate')
  for (const token of [patient, colleague.doctor])
    assert.deepEqual(await notes(token), ['About the pulse', 'About glucose'])
})

test('after a revocation or the end of a grant, a process that had cached it adds nothing', async () => {
  const { patientUid, doctor, give, revoke, add, list, notes } = await newPair()
  await give()
  const reviewId = randomUUID()
  for (const at of [rounds, beside]) assert.equal((await add({ note: 'Before', reviewId }, at)).status, 200)
  await revoke()
  for (const at of [beside, rounds]) {
    assertRefused(await add({ note: 'After' }, at), 403, 'NotShared')
    assertRefused(await add({ note: 'Before', reviewId }, at), 403, 'NotShared')
    assertRefused(await list(doctor), 403, 'NotShared')
  }
  await give({ validUntil: '2099-01-01T00:00:00Z' })
  for (const at of [rounds, beside]) assert.equal((await add({ note: 'Before', reviewId }, at)).status, 200)
  await runSql(
    rounds.ownerUrl,
    `set session_replication_role = replica;
     update casesheet.grants set valid_until = now() - interval '1 second' where patient_uid = '${patientUid}'`,
  )
  for (const at of [beside, rounds]) assertRefused(await add({ note: 'After' }, at), 403, 'NotShared')
  assert.deepEqual(await notes(), ['Before'])
})

const untilWaiting = (count: number) =>
  until(async () => {
    const waiting = await runSql(
      rounds.ownerUrl,
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return waiting.length === count
  })

async function openTransaction(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  return client
}

test('a review that waits for a revocation in progress is refused by it', async () => {
  const { patientUid, give, add, notes } = await newPair()
  await give()
  assert.equal((await add({ note: 'Before' }, beside)).status, 200)
  const revoking = await openTransaction(rounds.serveUrl)
  await revoking.query("update casesheet.grants set state = 'revoked' where patient_uid = $1", [patientUid])
  const adding = add({ note: 'Meanwhile' }, beside)
  await untilWaiting(1)
  await revoking.query('commit')
  await revoking.end()
  assertRefused(await adding, 403, 'NotShared')
  assert.deepEqual(await notes(), ['Before'])
})

test('a revocation waits for a review that holds the grant, and none is committed behind its answer', async () => {
  const { patientUid, doctorId, patient, give, revoke, add, notes } = await newPair()
  await give()
  const reviewId = randomUUID()
  // The add waits for this one, and adds the review when it is taken back.
  const holding = await openTransaction(rounds.ownerUrl)
  await holding.query(
    'insert into casesheet.reviews (patient_uid, review_id, doctor_id, reviewed_by) values ($1, $2, $3, $4)',
    [patientUid, reviewId, doctorId, 'holder'],
  )
  const adding = add({ note: 'In time', reviewId }, beside)
  await untilWaiting(1)
  const revoking = revoke()
  await untilWaiting(2)
  await holding.query('rollback')
  await holding.end()
  const [added] = await Promise.all([adding, revoking])
  assert.equal(added.status, 200, added.text)
  const { json } = await rounds.call('/casesheet/grants/list', { token: patient })
  assert.equal(json.data[0]?.['state'], 'revoked')
  assert.ok(Date.parse(String(reviewOf(added)['at'])) <= Date.parse(String(json.data[0]?.['changedAt'])))
  assertRefused(await add({ note: 'Late', reviewId: randomUUID() }, beside), 403, 'NotShared')
  assert.deepEqual(await notes(), ['In time'])
})

test('pages show each review once, newest first, also those of one instant', async () => {
  const { patientUid, doctorId, give, add, list, patient } = await newPair()
  await give()
  for (let nth = 0; nth < 3; nth++) await add({ note: `${nth}` })
  await runSql(
    rounds.ownerUrl,
    `set session_replication_role = replica;
     insert into casesheet.reviews (patient_uid, review_id, doctor_id, reviewed_by, at, changed_xid)
     select '${patientUid}', gen_random_uuid(), '${doctorId}', 'x', '2026-01-01', '1' from generate_series(1, 8)`,
  )
  const all = (await list()).json.data
  assert.equal(all.length, 11)
  const times = all.map(({ at }) => String(at))
  assert.deepEqual(times, times.toSorted().toReversed())
  for (const limit of [1, 4, 11]) {
    const found: Body[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await list(patient, `&limit=${limit}${cursor && `&cursor=${cursor}`}`)
      assert.ok(json.data.length <= limit)
      found.push(...json.data)
      cursor = json.nextCursor
    }
    assert.deepEqual(found, all)
  }
  for (const query of ['&limit=0', '&limit=101', '&cursor=x', '&cursor=', '&doctorId=x'])
    assert.equal((await list(patient, query)).status, 400, query)
})

const WRONG: [body: Body, pointer: string][] = [
  ...[
    null,
    7,
    ['a'],
    '',
    ' \n ',
    '\u200b',
    'a\tb',
    'a\0',
    'a\u001bb',
    'a\u202eb',
    'a\u2028b',
    'a'.repeat(1_001),
    '😀'.repeat(1_001),
  ].map((note): [Body, string] => [{ note }, '/note']),
  ...[null, 7, '', 'x', `${randomUUID()}0`, `{${randomUUID()}}`, randomUUID().replaceAll('-', '')].map(
    (reviewId): [Body, string] => [{ reviewId }, '/reviewId'],
  ),
  [{ patientUid: 7 }, '/patientUid'],
  ...['at', 'doctorId', 'reviewedBy', 'readingType'].map((name): [Body, string] => [
    { [name]: 'x' },
    `/${name}`,
  ]),
]

test('a wrong field is named with what would be right, the longest note is stored, and nothing else is', async () => {
  const { patientUid, give, add, notes, doctor } = await newPair()
  await give()
  for (const [body, pointer] of WRONG) {
    const answer = await add(body)
    assertRefused(answer, 400, 'ValidationFailed')
    assert.deepEqual([answer.json.errors.map((error) => error.pointer), body], [[pointer], body])
  }
  const withQuery = { token: doctor, body: { patientUid } }
  assertRefused(await rounds.call('/care/reviews/add?note=x', withQuery), 400, 'ValidationFailed')
  for (const note of ['😀'.repeat(1_000), '.']) assert.equal((await add({ note })).status, 200)
  assert.deepEqual(await notes(), ['.', '😀'.repeat(1_000)])
})

test('every read of reviews is in the access log, with the doctor and the types; a refused one and an add are not', async () => {
  const { patientUid, doctorId, patient, doctor, give, revoke, add, list } = await newPair()
  await give({ readingTypes: ['heartRate'] })
  await add({ note: 'Seen' })
  await list(doctor)
  await revoke()
  assertRefused(await list(doctor), 403, 'NotShared')
  const staff = await rounds.token({ sub: 'ward-1', scope: 'readings:read' })
  const options = { token: staff, headers: { 'x-access-reason': 'Asked%20by%20phone' } }
  assert.equal((await rounds.call(`/care/reviews/list?patientUid=${patientUid}`, options)).status, 200)
  await list(patient)
  const { json } = await rounds.call('/casesheet/readings/access-log', { token: patient })
  assert.deepEqual(
    json.data.map(({ operation, allowedAs, doctorId: by, readingTypes, reason, readingsCount }) => [
      operation,
      allowedAs,
      by,
      readingTypes,
      reason,
      readingsCount,
    ]),
    [
      ['reviews/list', 'patient', undefined, null, undefined, 0],
      ['reviews/list', 'staff', undefined, null, 'Asked by phone', 0],
      ['reviews/list', 'grant', doctorId, ['heartRate'], undefined, 0],
    ],
  )
})

test('a review counts to the bytes of the patient, and a refused one does not', async () => {
  const limited = await startRounds({ ...SETTINGS, PATIENT_BYTES_PER_DAY: String(4 * 1_048_576) })
  const patientUid = 'busy'
  const patient = await limited.token({ patientUid })
  const doctor = await limited.token({ doctorId: 'doctor' })
  const stranger = await limited.token({ doctorId: 'stranger' })
  const body = { patientUid, doctorId: 'doctor', permission: 'manage' }
  assert.equal((await limited.call('/casesheet/grants/add', { token: patient, body })).status, 200)
  const add = (token: string) =>
    limited.call('/care/reviews/add', {
      token,
      raw: `{"patientUid":"${patientUid}","note":"x"${' '.repeat(60_000)}}`,
    })
  for (let nth = 1; nth <= 80; nth++) assertRefused(await add(stranger), 403, 'NotShared')
  const codes: string[] = []
  for (let nth = 1; nth <= 80; nth++) codes.push((await add(doctor)).json.code)
  assert.deepEqual([codes[0], codes[60], codes.at(-1)], ['Ok', 'Ok', 'RateLimited'])
})

test('an export has every review, and an erasure deletes them with all that was derived, of this patient alone', async () => {
  const { patientUid, doctorId, give, add } = await newPair()
  const other = await newPair()
  for (const pair of [{ give, add }, other]) {
    await pair.give()
    assert.equal((await pair.add({ note: 'Seen' })).status, 200)
    assert.equal((await pair.add()).status, 200)
  }
  const patients = [patientUid, other.patientUid]
  const derived = await runSql<{ name: string }>(
    rounds.ownerUrl,
    `select c.oid::regclass::text as name
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'patient_uid'
     where c.relnamespace = 'care'::regnamespace and c.relkind = 'r'`,
  )
  for (const sql of Object.values(DERIVED)) await runSql(rounds.serveUrl, sql, [patients])
  assert.deepEqual(Object.keys(DERIVED).toSorted(), derived.map(({ name }) => name).toSorted())

  const by = ['--by', 'operator@clinic.example']
  const exported = await runPatientCommand(['export', patientUid, ...by], rounds.ownerUrl)
  assert.equal(exported.code, 0, exported.output)
  const lines = exported.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, Body>)
  const shown = lines.map(({ review }) => review).filter((review) => review !== undefined)
  const { json } = await rounds.call(`/care/reviews/list?patientUid=${patientUid}`, {
    token: await rounds.token({ patientUid }),
  })
  assert.deepEqual(
    shown.map((review) => ({ patientUid, ...review })),
    json.data.toReversed(),
  )
  assert.deepEqual(
    shown.map(({ note, doctorId: who }) => [note, who]),
    [
      ['Seen', doctorId],
      [null, doctorId],
    ],
  )
  assert.equal(lines.at(-1)?.['end']?.['reviews'], 2)

  const erased = await runPatientCommand(['erase', patientUid, ...by, '--yes'], rounds.ownerUrl)
  assert.equal(erased.code, 0, erased.output)
  assert.match(erased.output, /\n {2}reviews deleted +2\n/)
  const holding = (table: string, uid: string) =>
    runSql(rounds.ownerUrl, `select from ${table} where patient_uid = $1`, [uid])
  for (const table of ['casesheet.reviews', ...Object.keys(DERIVED)])
    assert.deepEqual([table, await holding(table, patientUid)], [table, []])
  // Of what else there was, the follower may have made something new.
  for (const table of ['casesheet.reviews', 'care.patients', 'care.looks'])
    assert.notDeepEqual([table, await holding(table, other.patientUid)], [table, []])
})

/** A row for each patient in every table of what is derived. */
const OF_EACH = 'from unnest($1::text[]) as patient_uid'
const DERIVED: Record<string, string> = {
  'care.patients': `insert into care.patients (patient_uid) select patient_uid ${OF_EACH}`,
  'care.patient_zones': `insert into care.patient_zones (patient_uid, time_zone, asked_on) select patient_uid, 'UTC', now() ${OF_EACH}`,
  'care.stale': `insert into care.stale (patient_uid, reading_type, measured_from, measured_to) select patient_uid, '', now(), now() ${OF_EACH}`,
  'care.looks': `insert into care.looks (doctor_id, patient_uid, looked_on) select 'doctor', patient_uid, now() ${OF_EACH}`,
  'care.alert_marks': `insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to) select patient_uid, '', now(), now() ${OF_EACH}`,
  'care.alert_looks': `insert into care.alert_looks (doctor_id, patient_uid, looked_on) select 'doctor', patient_uid, now() ${OF_EACH}`,
  'care.rule_clocks': `insert into care.rule_clocks (patient_uid, rule_id, reading_type, due_at) select patient_uid, gen_random_uuid(), '', 'infinity' ${OF_EACH}`,
  'care.summary_days': `insert into care.summary_days
      (patient_uid, time_zone, reading_type, date, readings, from_devices, last_at, judged, in_target, below, above, far_below,
       far_above, lowest, highest)
    select patient_uid, 'UTC', '', now(), 1, 0, now(), 0, 0, 0, 0, 0, 0, '{}', '{}' ${OF_EACH}`,
  'care.summaries': `insert into care.summaries
      (patient_uid, time_zone, reading_type, made_on, due_at, has_target, has_goal, newest_is_outside, judged, in_target,
       judged_before, in_target_before, below, above, far_below, far_above, days, device_days)
    select patient_uid, 'UTC', '', now(), 'infinity', false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0::bit(30), 0::bit(30) ${OF_EACH}`,
}

test('an erased patient who is refused gets no review, also under a grant that is there', async () => {
  const { patientUid, doctorId, give, add, notes } = await newPair()
  await give()
  assert.equal((await add({ note: 'Before' })).status, 200)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const { code, output } = await runPatientCommand(
    ['erase', patientUid, '--by', 'test', '--yes', '--refuse-until', tomorrow],
    rounds.ownerUrl,
  )
  assert.equal(code, 0, output)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
     values ($1, $2, 'manage', '', 'test')`,
    [patientUid, doctorId],
  )
  for (const at of [rounds, beside]) assertRefused(await add({ note: 'After' }, at), 403, 'PatientErased')
  assert.deepEqual(await notes(), [])
})

test('the database itself refuses what is no review, and lets the server change none', async () => {
  const run = (sql: string) => runSql(rounds.serveUrl, sql)
  const insert = (note: string, doctor = "'doctor-1'") =>
    run(
      `insert into casesheet.reviews (patient_uid, review_id, doctor_id, reviewed_by, note)
       values ('by-hand', gen_random_uuid(), ${doctor}, 'x', ${note})`,
    )
  for (const note of ["''", "repeat('x', 1001)"]) await assert.rejects(insert(note), { code: '23514' })
  await assert.rejects(insert('null', 'null'), { code: '23502' })
  for (const sql of [
    "update casesheet.reviews set note = 'x'",
    'delete from casesheet.reviews',
    "insert into casesheet.reviews (patient_uid, review_id, doctor_id, reviewed_by, at) values ('x', gen_random_uuid(), 'x', 'x', now())",
  ])
    await assert.rejects(run(sql), { code: '42501' })
})
