// GET timeline: all that happened to a patient's care in one list, page by page, and nothing of it for whom it is not.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { createDoctor, createSharedPatient } from '../../../../test/support/shared-patient.ts'
import { stopEvaluation, storeAlert, storeEvent, storeRule } from '../../../../test/support/stored-alerts.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
const { ownerUrl, serveUrl } = rounds
await stopEvaluation(ownerUrl)

type Body = Record<string, unknown>

const ok = (answer: { status: number; text: string; json: object }) => {
  assert.equal(answer.status, 200, answer.text)
  return Object(answer.json) as { data: Body[]; nextCursor: string | null } & Body
}

/** A patient who shares with a doctor, and what each of them does. */
async function newPair(given: Parameters<Awaited<ReturnType<typeof createSharedPatient>>['give']>[1] = {}) {
  const shared = await createSharedPatient(rounds)
  const doctor = await createDoctor(rounds)
  const { patientUid, patient } = shared
  await shared.give(doctor.doctorId, { permission: 'manage', ...given })
  const post = async (path: string, body: Body, token = doctor.token) =>
    ok(await rounds.call(path, { token, body: { patientUid, ...body } }))
  return {
    ...shared,
    doctor,
    post,
    look: async (body: Body = {}, token = doctor.token) =>
      post('/care/reviews/add', { reviewId: randomUUID(), seenUpTo: '0', saw: [], ...body }, token),
    symptoms: async (...names: string[]) => {
      const symptoms = names.map((symptom) => ({ symptom, severity: 'SEVERE' }))
      const reading = { readingType: 'symptom', timestamp: Date.now(), symptoms }
      return post('/casesheet/readings/add', reading, patient)
    },
    read: async (token = patient, query = '') =>
      ok(await rounds.call(`/care/timeline?patientUid=${patientUid}${query}`, { token })),
  }
}

const setWeight = (author: string, patientUid: string | null, high: number) =>
  runSql(
    serveUrl,
    `insert into casesheet.targets (author_kind, author_id, author_name, patient_uid, reading_type, unit, fields, set_by)
     values ('doctor', $1, 'Dr Sample', $2, 'bodyWeight', 'kg', $3, 'dr-sample')
     on conflict on constraint targets_once do update set fields = excluded.fields, state = 'set'`,
    [author, patientUid, JSON.stringify({ value: { high } })],
  )

const kindsOf = ({ data }: { data: Body[] }) =>
  data.map(({ kind, action, event }) => [kind, action ?? event].filter(Boolean).join(' ')).join(', ')

test('all that happened is one list, newest first', async () => {
  const { patientUid, patient, doctor, look, symptoms, read, post, revoke } = await newPair()
  const { doctorId } = doctor
  await symptoms('chest pain', 'sweating')
  await post(
    '/casesheet/readings/add',
    { readingType: 'note', timestamp: Date.now(), text: 'Gave juice.' },
    patient,
  )
  const rule = await storeRule(serveUrl, patientUid, { label: 'Fast' })
  const alertId = await storeAlert(serveUrl, rule)
  const eventId = await storeEvent(serveUrl, alertId)
  await runSql(
    ownerUrl,
    `insert into casesheet.alert_deliveries (patient_uid, alert_id, event_id, endpoint_id, event, name)
     values ($1, $2, $3, gen_random_uuid(), 'opened', 'pager')`,
    [patientUid, alertId, eventId],
  )
  await post('/care/alerts/acknowledge', { alertId, note: 'Called.', visibleTo: 'patient' })
  await storeEvent(serveUrl, alertId, {
    event: 'ended',
    ended_because: 'grantEnded',
    value: null,
    unit: null,
    measured_at: null,
    received_at: null,
    why: null,
  })
  await setWeight(doctorId, patientUid, 90)
  await runSql(serveUrl, `update casesheet.targets set state = 'removed' where patient_uid = '${patientUid}'`)
  const [reading] = ok(await rounds.call('/casesheet/readings/get?limit=1', { token: patient })).data
  const named = { readingId: reading?.['readingId'], timestamp: reading?.['timestamp'] }
  await post('/casesheet/readings/withdraw', { ...named, reason: 'Wrong' }, patient)
  await post('/casesheet/readings/restore', named, patient)
  await look({ note: 'Seen', visibleTo: 'patient' })
  await revoke(doctorId)
  const all = await read()
  assert.equal(
    kindsOf(all),
    'sharing revoked, look, withdrawal restored, withdrawal withdrawn, target removed, target set, alert ended, alert acknowledged, ' +
      'alert opened, rule set, note, symptom, symptom, sharing given',
  )
  const [ended, , restored, withdrawn, , set, over, seen, opened, ruled, note, , symptom] = all.data
  assert.partialDeepStrictEqual(
    { ended, restored, withdrawn, set, over, seen, opened, ruled, note, symptom },
    {
      ended: { by: 'mia', doctorId, permission: 'manage', validUntil: null },
      restored: { by: 'mia', reason: null, readingId: named.readingId },
      withdrawn: { by: 'mia', reason: 'Wrong', readingId: named.readingId },
      set: {
        by: 'dr-sample',
        target: { author: { kind: 'doctor', doctorId, name: 'Dr Sample' }, isForAll: false },
      },
      over: { by: null, endedBecause: 'grantEnded', value: null, why: null, label: 'Fast', sentTo: [] },
      seen: { by: `sub-of-${doctorId}`, note: 'Called.', visibleTo: 'patient', value: 182, sentTo: [] },
      opened: {
        by: null,
        value: 182,
        unit: '/min',
        why: 'Heart rate was 182/min, above 130/min.',
        sentTo: [{ name: 'pager', state: 'waiting' }],
      },
      ruled: {
        by: 'sub-of-doctor-1',
        rule: { ruleId: rule.ruleId, patientUid, label: 'Fast', value: { above: 130, times: 1 } },
      },
      note: { by: 'mia', text: 'Gave juice.' },
      symptom: { by: 'mia', symptom: 'sweating', severity: 'SEVERE' },
    },
  )
})

test('pages show each entry once, also those of one instant and of one reading', async () => {
  const { patientUid, patient, doctor, symptoms, read } = await newPair()
  await symptoms(...Array.from({ length: 7 }, (_, nth) => `symptom ${nth}`))
  const instant = "'2026-01-01T00:00:00.123456Z'"
  await runSql(
    ownerUrl,
    `set session_replication_role = replica;
     insert into casesheet.looks
       (patient_uid, review_id, doctor_id, looked_by, at, changed_xid, seen_up_to, saw, acknowledged, date_says)
     select '${patientUid}', gen_random_uuid(), '${doctor.doctorId}', 'x', ${instant}, '1', 0, '{}', '{}', 'keep' from generate_series(1, 5);
     insert into casesheet.alert_events
       (patient_uid, event_id, alert_id, rule_id, author_kind, author_id, event, is_announced, severity, reading_type, why, at)
     select '${patientUid}', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'doctor', 'x', 'opened', false, 'urgent', 'heartRate', 'Why.', ${instant}
     from generate_series(1, 5);
     update casesheet.grant_changes set changed_at = ${instant} where patient_uid = '${patientUid}'`,
  )
  const { data: all } = await read()
  assert.equal(all.length, 18)
  const times = all.map(({ at }) => String(at))
  assert.deepEqual(times, times.toSorted().toReversed())
  for (const limit of [1, 4, 18]) {
    const found: Body[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(
        patient,
        `&limit=${limit}${cursor && `&cursor=${cursor}`}`,
      )
      assert.ok(page.data.length <= limit)
      found.push(...page.data)
      cursor = page.nextCursor
    }
    assert.deepEqual(found, all)
  }
  for (const query of ['limit=0', 'limit=101', 'cursor=x', 'cursor=', 'doctorId=x'])
    assert.equal((await rounds.call(`/care/timeline?${query}`, { token: patient })).status, 400, query)
})

test('a note for doctors is in no answer to a patient or carer, and in no export', async () => {
  const { patientUid, patient, look, read, doctor, post } = await newPair()
  const canary = `canary ${randomUUID()}`
  const { data } = await look({ note: canary, visibleTo: 'doctors' })
  await look({ note: 'For both', visibleTo: 'patient' })
  const notesFor = async (token: string) =>
    (await read(token)).data
      .filter(({ kind }) => kind === 'look')
      .map(({ note, visibleTo }) => [note, visibleTo])
  const open = ['For both', 'patient']
  assert.deepEqual(await notesFor(doctor.token), [open, [canary, 'doctors']])
  const carer = await rounds.token({ patientUid: [patientUid, 'another'], sub: 'carer' })
  // A doctor who is the patient, too, reads as the patient.
  const both = await rounds.token({ patientUid, doctorId: doctor.doctorId })
  const staff = await rounds.token({ sub: 'ward-1', scope: 'readings:read' })
  for (const token of [patient, carer, both, staff])
    assert.deepEqual(await notesFor(token), [open, [null, null]])
  await post('/care/reviews/undo', { reviewId: Object(data).reviewId })
  for (const path of ['care/timeline', 'care/alerts/list', 'casesheet/readings/access-log'])
    assert.doesNotMatch((await rounds.call(`/${path}`, { token: patient })).text, /canary/)
  const exported = await runPatientCommand(['export', patientUid, '--by', 'test'], ownerUrl)
  assert.equal(exported.code, 0, exported.output)
  assert.match(exported.output, /"review":\{.*"note":"For both"/)
  assert.doesNotMatch(exported.output, /canary/)
})

test('a doctor with some types sees those, and only the own looks and grants', async () => {
  const { patientUid, doctor, give, look, symptoms, read, patient } = await newPair()
  const colleague = await createDoctor(rounds)
  await give(colleague.doctorId, { readingTypes: ['heartRate', 'bodyWeight'], permission: 'manage' })
  await look({ note: 'About glucose', visibleTo: 'doctors' })
  await look({ note: 'About the pulse', visibleTo: 'doctors' }, colleague.token)
  await runSql(
    ownerUrl,
    `insert into casesheet.looks (patient_uid, review_id, practice_id, looked_by, seen_up_to, saw, acknowledged, date_says)
     values ($1, gen_random_uuid(), 'practice-1', 'practice', 0, '{}', '{}', 'keep')`,
    [patientUid],
  )
  await symptoms('cough')
  const rule = await storeRule(serveUrl, patientUid)
  await storeRule(serveUrl, patientUid, { reading_type: 'oxygenSaturation' })
  await storeEvent(serveUrl, await storeAlert(serveUrl, rule))
  await setWeight(doctor.doctorId, patientUid, 90)
  const limited = await read(colleague.token)
  assert.equal(kindsOf(limited), 'target set, alert opened, rule set, look, sharing given')
  assert.deepEqual(limited['limitedTo'], ['heartRate', 'bodyWeight'])
  assert.deepEqual(
    limited.data.flatMap(({ note, doctorId }) => [note, doctorId].filter((text) => typeof text === 'string')),
    ['About the pulse', colleague.doctorId, colleague.doctorId],
  )
  assert.equal((await read(doctor.token)).data.length, 10)
  await give(colleague.doctorId, { readingTypes: ['oxygenSaturation'] })
  assert.equal(kindsOf(await read(colleague.token)), 'sharing changed, rule set, look, sharing given')
  assert.equal((await read(patient)).data.length, 11)
})

test('what is set for all is shown from when the patient shared with manage, while that lasts', async () => {
  const { doctor, read, give } = await newPair({ permission: 'view' })
  const { doctorId } = doctor
  await setWeight(doctorId, null, 90)
  assert.equal(kindsOf(await read()), 'sharing given')
  await give(doctorId, { permission: 'manage' })
  await setWeight(doctorId, null, 95)
  const rule = {
    readingType: 'bodyWeight',
    unit: 'kg',
    severity: 'warning',
    change: { by: 2, within: 'P3D' },
  }
  ok(await rounds.call('/care/rules/set', { token: doctor.token, body: rule }))
  const shown = await read()
  assert.equal(kindsOf(shown), 'rule set, target set, sharing changed, target set, sharing given')
  assert.partialDeepStrictEqual(shown.data[0], { rule: { ...rule, patientUid: null, field: 'value' } })
  const [, target] = shown.data.map((entry) => Object(entry['target']))
  assert.deepEqual([target.isForAll, target.fields, target.patientUid], [true, { value: { high: 95 } }, null])
  const stranger = await newPair()
  assert.equal(kindsOf(await stranger.read()), 'sharing given')
  await give(doctorId, { permission: 'manage', readingTypes: ['heartRate'] })
  assert.equal(kindsOf(await read()), 'sharing changed, sharing changed, sharing given')
})

test('a grant that has expired is said, unless it was changed before', async () => {
  const { doctor, read, give, patientUid } = await newPair({ validUntil: '2026-11-10T00:00:00Z' })
  const at = async (instant: string) =>
    runSql(
      ownerUrl,
      `update casesheet.grant_changes set changed_at = '${instant}' where patient_uid = '${patientUid}' and changed_at > '2026-11-15'`,
    )
  await at('2026-11-01T00:00:00Z')
  assert.equal(kindsOf(await read()), 'sharing expired, sharing given')
  await give(doctor.doctorId, { validUntil: '2026-11-12T00:00:00Z' })
  await at('2026-11-05T00:00:00Z')
  const { data } = await read()
  assert.deepEqual(
    data.map(({ action, at: when, by, validUntil }) => [action, when, by, validUntil]),
    [
      ['expired', '2026-11-12T00:00:00.000Z', null, '2026-11-12T00:00:00.000Z'],
      ['given', '2026-11-05T00:00:00.000Z', 'mia', '2026-11-12T00:00:00.000Z'],
      ['given', '2026-11-01T00:00:00.000Z', 'mia', '2026-11-10T00:00:00.000Z'],
    ],
  )
})

test('who may not read the readings may not read it, and every read is in the access log', async () => {
  const { patientUid, patient, doctor, read, revoke } = await newPair()
  await read(doctor.token)
  await revoke(doctor.doctorId)
  const stranger = await rounds.token({ patientUid: 'another' })
  for (const [token, code] of [
    [doctor.token, 'NotShared'],
    [stranger, 'PatientMismatch'],
  ] as const)
    assertRefused(await rounds.call(`/care/timeline?patientUid=${patientUid}`, { token }), 403, code)
  const log = ok(await rounds.call('/casesheet/readings/access-log', { token: patient }))
  assert.deepEqual(
    log.data.map(({ operation, allowedAs, doctorId }) => [operation, allowedAs, doctorId]),
    [['timeline', 'grant', doctor.doctorId]],
  )
})
