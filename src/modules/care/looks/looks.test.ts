// reviews/add and reviews/undo: a look covers what the list showed, once however often it is sent, and for a minute it can be taken back.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { ERASURE_KEY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { createDoctor, createSharedPatient } from '../../../../test/support/shared-patient.ts'
import { stopEvaluation, storeAlert, storeRule } from '../../../../test/support/stored-alerts.ts'
import { until } from '../../../../test/support/until.ts'

const SETTINGS = { MODULES: 'appointments,casesheet,care', ALERTS: 'on', ERASURE_KEY }
const rounds = await startRounds(SETTINGS)
const { ownerUrl, serveUrl } = rounds
/** A second process of the same service, with a cache of its own. */
const beside = await startRounds({ ...SETTINGS, DATABASE_URL: serveUrl, AUTH_ISSUER: rounds.issuer.url })
await stopEvaluation(ownerUrl)

type Body = Record<string, unknown>
type Answer = { status: number; text: string; json: object }

const lookOf = ({ json }: { json: object }) => Object(json).data as Body
const pointersOf = ({ json }: { json: object }) =>
  (Object(json).errors as { pointer: string }[]).map(({ pointer }) => pointer)
const ok = (answer: Answer) => {
  assert.equal(answer.status, 200, answer.text)
  return lookOf(answer)
}

const first = async (sql: string, id: string) =>
  (await runSql<{ found: unknown }>(ownerUrl, sql, [id]))[0]?.found

/** A patient of whom much was judged, who shares with a doctor. */
async function newPair(given: Parameters<Awaited<ReturnType<typeof createSharedPatient>>['give']>[1] = {}) {
  const shared = await createSharedPatient(rounds)
  const doctor = await createDoctor(rounds)
  const { patientUid } = shared
  await shared.give(doctor.doctorId, given)
  await runSql(
    ownerUrl,
    `insert into care.patients (patient_uid, judged) values ($1, 17)
     on conflict (patient_uid) do update set judged = 17`,
    [patientUid],
  )
  const send = (action: string, body: Body, at = rounds, token = doctor.token) =>
    at.call(`/care/reviews/${action}`, { token, body: { patientUid, ...body } })
  return {
    ...shared,
    doctor,
    add: (body: Body = {}, at = rounds, token = doctor.token) =>
      send('add', { reviewId: randomUUID(), seenUpTo: '0', saw: [], ...body }, at, token),
    undo: (reviewId: unknown, at = rounds, token = doctor.token) => send('undo', { reviewId }, at, token),
    stored: () =>
      runSql<Body>(
        ownerUrl,
        `select seen_up_to::text as "seenUpTo", saw, date_says as "dateSays", look_again_at as "lookAgainAt", undone_at is not null as "isUndone"
         from casesheet.looks where patient_uid = $1 order by at`,
        [patientUid],
      ),
    /** An open alert, and what it is and was. */
    newAlert: async (fields: Body = {}, rule: Body = {}) => {
      const alertId = await storeAlert(ownerUrl, await storeRule(ownerUrl, patientUid, rule), fields)
      return {
        alertId,
        key: `alert ${alertId}=1.400`,
        by: () => first('select acknowledged_by as found from casesheet.alerts where alert_id = $1', alertId),
        events: () =>
          first(
            `select string_agg(concat_ws(' ', event, by, case when is_announced then 'announced' end), ', ' order by at) as found
             from casesheet.alert_events where alert_id = $1`,
            alertId,
          ),
      }
    },
  }
}

test('a doctor who may only view looks once, however often it is sent and wherever', async () => {
  const { add, undo, give, stored, doctor, patientUid } = await newPair()
  await runSql(
    ownerUrl,
    "insert into appointments.doctors (doctor_id, name, name_key) values ($1, 'Dr Sample', $1)",
    [doctor.doctorId],
  )
  const lookAgainAt = new Date(Date.now() + 86_400_000).toISOString()
  const saw = ['mean bloodPressure.systolic=1.096', `silent bodyWeight ${randomUUID()}=1.000`, 'clock=1.000']
  const sent = {
    reviewId: randomUUID().toUpperCase(),
    seenUpTo: '17',
    saw,
    note: 'Called.\nWell 👍🏽.',
    visibleTo: 'patient',
    lookAgainAt,
  }
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => add(sent, nth % 2 ? rounds : beside)),
  )
  const [look] = answers.map(ok)
  for (const answer of answers) assert.deepEqual(lookOf(answer), look)
  const { at, undoUntil, ...rest } = look ?? {}
  assert.equal(Date.parse(String(undoUntil)) - Date.parse(String(at)), 60_000)
  assert.deepEqual(rest, {
    reviewId: sent.reviewId.toLowerCase(),
    patientUid,
    by: 'Dr Sample',
    doctorId: doctor.doctorId,
    practiceId: null,
    note: sent.note,
    visibleTo: 'patient',
    lookAgainAt,
    acknowledged: [],
    undoneAt: null,
  })
  assert.deepEqual(await stored(), [
    { seenUpTo: '17', saw, dateSays: 'set', lookAgainAt: new Date(lookAgainAt), isUndone: false },
  ])
  for (const [name, value] of Object.entries({
    seenUpTo: '16',
    saw: [],
    note: 'x',
    visibleTo: 'doctors',
    lookAgainAt: null,
  }))
    assertRefused(await add({ ...sent, [name]: value }), 409, 'ReviewExists')
  // Nor is it that of a colleague; for another patient it is another look.
  const { doctor: colleague, add: addForOther } = await newPair()
  await give(colleague.doctorId)
  assertRefused(await add(sent, rounds, colleague.token), 409, 'ReviewExists')
  assertRefused(await undo(sent.reviewId, rounds, colleague.token), 404, 'ReviewUnknown')
  ok(await addForOther(sent))
})

test('a date is set, taken away or left alone; without a name the subject looked', async () => {
  const { add, stored, doctor } = await newPair()
  const inAYear = new Date(Date.now() + 366 * 86_400_000 - 60_000)
  const said = [{ lookAgainAt: inAYear.toISOString() }, { lookAgainAt: null }, {}]
  const looks = []
  for (const each of said) looks.push(ok(await add(each)))
  assert.deepEqual(
    looks.map(({ lookAgainAt, by }) => [lookAgainAt, by]),
    [inAYear.toISOString(), null, null].map((date) => [date, `sub-of-${doctor.doctorId}`]),
  )
  assert.deepEqual(
    (await stored()).map(({ dateSays }) => dateSays),
    ['set', 'none', 'keep'],
  )
})

test('what is wrong is named, and nothing is stored', async () => {
  const { add, stored, undo } = await newPair()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const tooMany = Array(201).fill('clock=1.000')
  const keys = ['x=1', 'clock', 'clock=', 'mean a b=1', `mean ${'a'.repeat(200)}=1`, 'alert 7=1', 'clock=1\n']
  const notes = ['', ' \n ', 'a\tb', 'a\u202eb', '😀'.repeat(1_001)]
  const wrong: Record<string, Body[]> = {
    '/seenUpTo': ['9'.repeat(18), undefined, 17, '', '-1', '1.0', '9'.repeat(19)].map((seenUpTo) => ({
      seenUpTo,
    })),
    '/saw': [undefined, 'clock=1.000', tooMany].map((saw) => ({ saw })),
    '/saw/0': keys.map((key) => ({ saw: [key] })),
    '/note': notes.map((note) => ({ note, visibleTo: 'doctors' })),
    '/visibleTo': [{ note: 'x' }, { visibleTo: 'patient' }, { note: 'x', visibleTo: 'all' }],
    '/lookAgainAt': [inDays(-0.001), inDays(366.001), '2027-02-30T00:00:00Z', 'soon', 7].map(
      (lookAgainAt) => ({
        lookAgainAt,
      }),
    ),
    '/reviewId': [undefined, 'x', 7].map((reviewId) => ({ reviewId })),
    '/practiceId': [{ practiceId: 'x' }],
  }
  const each = Object.entries(wrong).flatMap(([pointer, bodies]) =>
    bodies.map((body) => [body, pointer] as const),
  )
  for (const [body, pointer] of each) {
    const answer = await add(body)
    assertRefused(answer, 400, 'ValidationFailed')
    assert.deepEqual([pointersOf(answer), body], [[pointer], body])
  }
  assert.deepEqual(await stored(), [])
  for (const id of [undefined, 'x']) assertRefused(await undo(id), 400, 'ValidationFailed')
  ok(await add({ note: '😀'.repeat(1_000), visibleTo: 'doctors', saw: Array(200).fill('clock=1.000') }))
})

const ENDED = '2026-11-17T09:00:00Z'

test('alerts that it saw and the doctor may read are acknowledged; others stay open', async () => {
  const { add, newAlert, doctor, give } = await newPair({ readingTypes: ['heartRate', 'bodyWeight'] })
  const ended = (ended_because: string) => ({ until: ENDED, ended_at: ENDED, ended_because })
  const over = await newAlert(ended('values'))
  const quiet = await newAlert({ is_late: true }, { reading_type: 'bodyWeight' })
  const missing = await newAlert({ kind: 'missing', beyond: null })
  const hidden = await newAlert({}, { reading_type: 'oxygenSaturation' })
  const unseen = await newAlert()
  const removed = await newAlert(ended('ruleRemoved'))
  // Nobody saw what it is now.
  const worse = await newAlert({ beyond: 1.402 })
  const shown = [over, quiet, missing, hidden, removed, worse]
  const sent = { reviewId: randomUUID(), saw: shown.flatMap(({ key }) => [key, key]) }
  const { acknowledged } = ok(await add({ ...sent, note: 'For us', visibleTo: 'doctors' }))
  assert.deepEqual(acknowledged, [over.alertId, quiet.alertId, missing.alertId].toSorted())
  const me = `sub-of-${doctor.doctorId}`
  for (const each of [over, quiet, missing]) assert.equal(await each.by(), me)
  for (const each of [hidden, unseen, removed, worse]) assert.equal(await each.by(), null)
  assert.equal(await over.events(), `acknowledged ${me} announced`)
  assert.equal(await quiet.events(), `acknowledged ${me}`)
  // A colleague looks too: an alert that came back is acknowledged again.
  const colleague = await createDoctor(rounds)
  await give(colleague.doctorId)
  ok(await add({ saw: [over.key] }, rounds, colleague.token))
  assert.equal(await over.by(), `sub-of-${colleague.doctorId}`)
})

test('fifty ended alerts of other types or of last month hide none, and what is far beyond its limit can be seen', async () => {
  const { add, newAlert, doctor } = await newPair({ readingTypes: ['heartRate'] })
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const ended = (opened: number, at: number) => ({
    since: ago(opened),
    opened_at: ago(opened),
    until: ago(at),
    ended_at: ago(at),
    ended_because: 'values',
  })
  const over = await newAlert(ended(900, 2), { severity: 'urgent' })
  const hidden = await newAlert(ended(3, 1), { severity: 'urgent', reading_type: 'oxygenSaturation' })
  const old = await newAlert(ended(800, 700), { severity: 'urgent' })
  await runSql(
    ownerUrl,
    `insert into casesheet.alerts
     select (jsonb_populate_record(alerts, jsonb_build_object('alert_id', gen_random_uuid()))).*
     from casesheet.alerts
     cross join generate_series(1, 50)
     where alert_id in ($1, $2)`,
    [hidden.alertId, old.alertId],
  )
  const missing = { field: null, terms: { missing: { for: 'PT1H' } } }
  const silent = await newAlert({ since: ago(5_000), kind: 'missing', beyond: null }, missing)
  const { json } = await rounds.call('/care/patients/list', { token: doctor.token })
  const [{ look }] = Object(json).data
  assert.deepEqual(
    look.saw.toSorted(),
    [`alert ${over.alertId}=1.400`, `alert ${silent.alertId}=1000.000`].toSorted(),
  )
  ok(await add(look))
})

test('undone, alerts are open again, unless somebody has acknowledged them since', async () => {
  const { add, undo, newAlert, doctor, give, stored } = await newPair()
  const [mine, theirs, later] = await Promise.all([newAlert(), newAlert(), newAlert()])
  assert.ok(mine && theirs && later)
  const colleague = await createDoctor(rounds)
  await give(colleague.doctorId)
  const [me, they] = [doctor, colleague].map(({ doctorId }) => `sub-of-${doctorId}`)
  ok(await add({ saw: [theirs.key] }, rounds, colleague.token))
  const { reviewId } = ok(await add({ saw: [mine, theirs, later].map(({ key }) => key) }))
  const last = ok(await add({ saw: [later.key] }, rounds, colleague.token))
  const byEach = () => Promise.all([mine, theirs, later].map(({ by }) => by()))
  assert.deepEqual(await byEach(), [me, me, they])
  // Two at once, and once more: it is undone once.
  const undone = await Promise.all([undo(reviewId), undo(reviewId, beside), undo(reviewId)])
  for (const answer of [...undone, await undo(reviewId)]) assert.deepEqual(ok(answer), ok(undone[0]))
  assert.notEqual(lookOf(undone[0])['undoneAt'], null)
  assert.deepEqual(await byEach(), [null, null, they])
  assert.equal(await mine.events(), `acknowledged ${me} announced, reopened ${me} announced`)
  assert.equal(
    await theirs.events(),
    `acknowledged ${they} announced, acknowledged ${me} announced, reopened ${me} announced`,
  )
  // Nor is the first one as it was, once the last one is undone too.
  ok(await undo(last['reviewId'], rounds, colleague.token))
  assert.equal(await later.by(), null)
  assert.deepEqual(
    (await stored()).map(({ isUndone }) => isUndone),
    [false, true, true],
  )
})

test('what is evaluated later does not bring back an acknowledgement that was undone', async () => {
  const evaluating = await startRounds(SETTINGS)
  const run = (sql: string) => runSql<Body>(evaluating.ownerUrl, sql)
  const { patientUid, patient, give } = await createSharedPatient(evaluating)
  const { doctorId, token } = await createDoctor(evaluating)
  await give(doctorId, { permission: 'manage' })
  const call = async (path: string, body: Body, by = token) =>
    ok(await evaluating.call(path, { token: by, body: { patientUid, ...body } }))
  const bound = { severity: 'urgent', value: { above: 130 } }
  await call('/care/rules/set', { readingType: 'heartRate', ...bound })
  const measure = async (value: number) => {
    await call('/casesheet/readings/add', { readingType: 'heartRate', timestamp: Date.now(), value }, patient)
    const looked = `select from casesheet.alerts where (newest ->> 'value')::float8 = ${value}`
    await until(async () => (await run(looked)).length === 1)
  }
  const acknowledged = async () =>
    (await run('select acknowledged_by as by from casesheet.alerts'))[0]?.['by']
  await measure(142)
  const [alert] = await run('select alert_id as id from casesheet.alerts')
  const reviewId = randomUUID()
  await call('/care/reviews/add', { reviewId, seenUpTo: '0', saw: [`alert ${String(alert?.['id'])}=1.092`] })
  await measure(141)
  assert.equal(await acknowledged(), `sub-of-${doctorId}`)
  await call('/care/reviews/undo', { reviewId })
  await measure(140)
  assert.equal(await acknowledged(), null)
})

test('after a minute it is too late, by the clock of the database', async () => {
  const { add, undo, patientUid } = await newPair()
  const { reviewId } = ok(await add())
  const later = (seconds: number) =>
    runSql(
      ownerUrl,
      `set session_replication_role = replica;
       update casesheet.looks set at = at - interval '${seconds} seconds' where patient_uid = '${patientUid}'`,
    )
  await later(61)
  assertRefused(await undo(reviewId), 409, 'TooLate')
  await later(-11)
  ok(await undo(reviewId))
  await later(61)
  ok(await undo(reviewId))
  assertRefused(await undo(randomUUID()), 404, 'ReviewUnknown')
})

test('who has no current grant adds and takes back nothing, and learns nothing of the patient', async () => {
  const { add, undo, patientUid, doctor, revoke, give, stored } = await newPair()
  const { reviewId } = ok(await add())
  const cases: [claims: Body, code: string][] = [
    [{ patientUid }, 'NotADoctor'],
    [{ scope: 'readings:read' }, 'NotADoctor'],
    [{ doctorId: 'another' }, 'NotShared'],
    [{ patientUid, doctorId: 'another' }, 'NotShared'],
    [{ doctorId: doctor.doctorId, scope: 'user/Observation.rs' }, 'ScopeMissing'],
  ]
  for (const [claims, code] of cases) {
    const token = await rounds.token(claims)
    for (const answer of [await add({}, rounds, token), await undo(reviewId, rounds, token)])
      assertRefused(answer, 403, code)
  }
  await revoke(doctor.doctorId)
  for (const at of [beside, rounds])
    for (const answer of [await add({}, at), await add({ reviewId }, at), await undo(reviewId, at)])
      assertRefused(answer, 403, 'NotShared')
  await give(doctor.doctorId, { validUntil: '2026-01-01T00:00:00Z' })
  assertRefused(await add(), 403, 'NotShared')
  assert.equal((await stored()).length, 1)
})

test('a look waits for a revocation in progress, and is refused by it', async () => {
  const { add, undo, patientUid, stored } = await newPair()
  const { reviewId } = ok(await add({}, beside))
  const revoking = new Client({ connectionString: serveUrl })
  await revoking.connect()
  await revoking.query('begin')
  await revoking.query("update casesheet.grants set state = 'revoked' where patient_uid = $1", [patientUid])
  const asked = [add({}, beside), undo(reviewId, beside)]
  await until(async () => {
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return (await runSql(ownerUrl, waiting)).length === 2
  })
  await revoking.query('commit')
  await revoking.end()
  for (const answer of await Promise.all(asked)) assertRefused(answer, 403, 'NotShared')
  assert.deepEqual(
    (await stored()).map(({ isUndone }) => isUndone),
    [false],
  )
})

test('an erased patient who is refused gets no look, also under a grant that is there', async () => {
  const { add, give, doctor, patientUid, stored } = await newPair()
  ok(await add())
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const { code, output } = await runPatientCommand(
    ['erase', patientUid, '--by', 'test', '--yes', '--refuse-until', tomorrow],
    ownerUrl,
  )
  assert.equal(code, 0, output)
  await give(doctor.doctorId)
  for (const at of [rounds, beside]) assertRefused(await add({}, at), 403, 'PatientErased')
  assert.deepEqual(await stored(), [])
})
