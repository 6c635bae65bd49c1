// alerts/list and alerts/acknowledge: what a doctor sees of those who share, page by page, what an acknowledgement says, and that nobody sees
// what is not shared.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import {
  endAlert,
  stopEvaluation,
  storeAlert,
  storeEvent,
  storeRule,
} from '../../../../test/support/stored-alerts.ts'
import { until } from '../../../../test/support/until.ts'
import { type RefusalCode, STATUS_OF } from '../../../refusal.ts'
import type { Alert } from './alert.ts'

const SETTINGS = { MODULES: 'casesheet,care', ALERTS: 'on' }
const rounds = await startRounds(SETTINGS)
const { ownerUrl, serveUrl } = rounds
const beside = await startRounds({ ...SETTINGS, DATABASE_URL: serveUrl, AUTH_ISSUER: rounds.issuer.url })
await stopEvaluation(ownerUrl)

type Page = { data: Alert[]; nextCursor: string | null; behindSince: string | null; limitedTo?: string[] }
type Answer = Parameters<typeof assertRefused>[0]

const mustRefuse = (answer: Answer, code: RefusalCode) => assertRefused(answer, STATUS_OF[code], code)

const NOW = Date.now()
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString()
const ended = (minutesAgo: number, because = 'values') => ({
  opened_at: at(minutesAgo),
  since: at(minutesAgo),
  until: at(minutesAgo),
  ended_at: at(minutesAgo),
  ended_because: because,
})
const ACKNOWLEDGED = {
  acknowledged_at: at(90),
  acknowledged_by: 'sub-of-another',
  acknowledged_name: 'Dr Another',
  acknowledged_value: 171,
  acknowledged_beyond: 1.3,
}

const request = (token: string, query = '', options: object = {}) =>
  rounds.call(`/care/alerts/list${query}`, { token, ...options })

async function ask(token: string, query = ''): Promise<Page> {
  const { status, json, text } = await request(token, query)
  assert.equal(status, 200, text)
  return json as unknown as Page
}

/** All pages. */
async function each(token: string, query: string): Promise<Alert[]> {
  const found: Alert[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await ask(token, `?${query}${cursor && `&cursor=${cursor}`}`)
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found
}
const idsOf = (alerts: readonly Alert[]) => alerts.map(({ alertId }) => alertId)

const acknowledge = (token: string, body: object, process = rounds) =>
  process.call('/care/alerts/acknowledge', { token, body })

async function mustAcknowledge(token: string, body: object): Promise<{ message: string; data: Alert }> {
  const { status, json, text } = await acknowledge(token, body)
  assert.equal(status, 200, text)
  return Object(json)
}

/** A patient who shares with a doctor of their own, and alerts as they are stored. */
async function newPair(grant: object = {}) {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ ...grant })
  const { patientUid } = patient
  const store = async (fields: object = {}, rule: Record<string, unknown> = {}) =>
    storeAlert(ownerUrl, await storeRule(ownerUrl, patientUid, rule), {
      ...fields,
    })
  const eventsOf = (alertId: string) =>
    runSql(
      ownerUrl,
      `select event, by, doctor_id, note, visible_to, value, is_announced, review_id from casesheet.alert_events
       where alert_id = $1 order by at`,
      [alertId],
    )
  return {
    doctor,
    patient,
    patientUid,
    token: doctor.token,
    store,
    eventsOf,
    query: `?patientUid=${patientUid}`,
  }
}

test('an alert says which reading it is by, against what, who has seen it, and whom it was sent to', async () => {
  const { token, patient, patientUid, query } = await newPair({ sharedAs: 'Mia Example' })
  const rule = await storeRule(ownerUrl, patientUid, { severity: 'urgent', label: 'Fast' })
  const alertId = await storeAlert(ownerUrl, rule, { ...ACKNOWLEDGED, opened_at: at(100) })
  for (const event of ['opened', 'reopened']) {
    const eventId = await storeEvent(ownerUrl, alertId, { event })
    await runSql(
      ownerUrl,
      `insert into casesheet.alert_deliveries (patient_uid, alert_id, event_id, endpoint_id, event, name, state, at, is_pending)
       values ($1, $2, $3, '3f6f2a52-8f0e-4c8a-9b0e-6a1c2d3e4f50', $4, 'pager', $5, $6, false)`,
      [patientUid, alertId, eventId, event, event === 'opened' ? 'accepted' : 'failed', at(5)],
    )
  }
  const reading = {
    readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
    value: 182,
    unit: '/min',
    measuredAt: '2026-11-17T08:00:00.000Z',
    receivedAt: '2026-11-17T08:00:01.000Z',
  }
  const alert = {
    alertId,
    patientUid,
    ruleId: rule.ruleId,
    label: 'Fast',
    severity: 'urgent',
    kind: 'value',
    state: 'acknowledged',
    isLate: false,
    readingType: 'heartRate',
    field: 'value',
    limit: 130,
    worst: reading,
    newest: reading,
    openedAt: at(100),
    acknowledged: { at: at(90), by: 'Dr Another', value: 171 },
    endedAt: null,
    endedBecause: null,
    sentTo: [
      { endpointId: '3f6f2a52-8f0e-4c8a-9b0e-6a1c2d3e4f50', name: 'pager', at: at(5), state: 'failed' },
    ],
    why: 'Heart rate was 182/min, above 130/min.',
  }
  const own = await ask(patient.token, `${query}&state=acknowledged`)
  assert.deepEqual([own.data, own.behindSince], [[alert], null])
  const { data } = await ask(token, '?state=acknowledged')
  assert.deepEqual(data, [{ ...alert, sharedAs: 'Mia Example' }])
  await endAlert(ownerUrl, alertId, 'ruleChanged')
  const [over] = (await ask(token, `${query}&state=ended`)).data
  assert.deepEqual([over?.state, over?.endedBecause], ['ended', 'ruleChanged'])
})

test('every state, of one patient and of all, newest first and page by page', async () => {
  const doctor = await newDoctor(rounds)
  const stored: { id: string; opened: string; uid: string; state: string }[] = []
  for (let nth = 0; nth < 9; nth++) {
    const { patientUid: uid } = await doctor.patient()
    // Some have many, some none; several are of the same moment.
    for (let count = 0; count < (nth * nth) % 7; count++) {
      const rule = await storeRule(ownerUrl, uid, { severity: 'urgent' })
      const minutes = ((count * 37 + nth * 11) % 60) + (nth % 3) * 20
      for (const [state, fields] of Object.entries({
        open: { opened_at: at(minutes) },
        ended: ended(minutes),
        ...(count % 3 === 0 && { open: { opened_at: at(minutes), ...ACKNOWLEDGED } }),
      })) {
        const isSeen = state === 'open' && 'acknowledged_at' in fields
        const id = await storeAlert(ownerUrl, rule, fields)
        stored.push({ id, opened: at(minutes), uid, state: isSeen ? 'acknowledged' : state })
      }
    }
  }
  const inOrder = stored.toSorted((a, b) => {
    for (const key of ['opened', 'uid', 'id'] as const) if (a[key] !== b[key]) return a[key] > b[key] ? -1 : 1
    return 0
  })
  assert.equal(inOrder.length, 30)
  const many = inOrder.find(({ state }) => state === 'ended')
  for (const state of ['open', 'acknowledged', 'ended', 'all']) {
    const isWanted = (one: (typeof stored)[number]) => state === 'all' || one.state === state
    const expected = inOrder.filter(isWanted)
    for (const limit of [1, 3, 8, 200]) {
      const found = await each(doctor.token, `state=${state}&limit=${limit}`)
      assert.deepEqual(
        idsOf(found),
        expected.map(({ id }) => id),
        `${state} by ${limit}`,
      )
    }
    assert.deepEqual(
      idsOf(await each(doctor.token, `patientUid=${many?.uid}&state=${state}&limit=2`)),
      expected.filter(({ uid }) => uid === many?.uid).map(({ id }) => id),
      state,
    )
  }
  assert.deepEqual(idsOf(await each(doctor.token, 'limit=9')), idsOf(await each(doctor.token, 'state=open')))
})

test('each kind of alert is a reason of the patient, with its figures, until somebody has seen it', async () => {
  const { doctor, token, patientUid, store } = await newPair()
  const reading = {
    readingId: randomUUID(),
    unit: null,
    value: null,
    measuredAt: at(5),
    receivedAt: at(4),
  }
  const urgent = (fields: object) => ({ severity: 'urgent', field: null, ...fields })
  await store(
    {
      kind: 'missing',
      limit: null,
      unit: null,
      beyond: null,
      since: at(180),
      opened_at: at(180),
      worst: reading,
    },
    urgent({ reading_type: 'oxygenSaturation', terms: { missing: { for: 'PT1H' } } }),
  )
  await store(
    { kind: 'change', limit: 2, unit: 'kg', beyond: 1.3, worst: { ...reading, value: 2.6, unit: 'kg' } },
    { reading_type: 'bodyWeight', label: '2 kg in 3 days' },
  )
  const symptom = await store(
    { kind: 'symptom', limit: null, unit: null, beyond: null, worst: { ...reading, severity: 'SEVERE' } },
    urgent({ reading_type: 'symptom', label: 'Severe' }),
  )
  await store({ beyond: 1.4 })
  const reasons = async () => {
    const [one] = (await doctor.list()).data
    const found = one?.reasons.flatMap((reason) => (reason.code === 'alert' ? [reason] : []))
    return found?.map(({ kind, value, unit, limit, isSeen, ...reason }) => [
      // Missing for longer every moment.
      [kind, value, unit, limit, reason.beyond && Number(reason.beyond.toFixed(1)), reason.severity],
      isSeen,
      reason.measuredAt,
    ])
  }
  const others = [
    [['missing', null, null, null, 4, 'urgent'], false, at(180)],
    [['value', 182, '/min', 130, 1.4, 'warning'], false, '2026-11-17T08:00:00.000Z'],
    [['change', 2.6, 'kg', 2, 1.3, 'warning'], false, at(5)],
  ]
  const severe = ['symptom', null, null, null, undefined, 'urgent']
  assert.deepEqual(await reasons(), [[severe, false, at(5)], ...others])
  await mustAcknowledge(token, { patientUid, alertId: symptom })
  assert.deepEqual(await reasons(), [...others, [severe, true, at(5)]])
})

test('an acknowledgement names the value, once in an hour, and says who sees its note', async () => {
  const { doctor, token, patient, patientUid, store, eventsOf, query } = await newPair()
  const alertId = await store()
  const body = { patientUid, alertId }
  const { message, data } = await mustAcknowledge(token, { ...body, note: 'Called.', visibleTo: 'doctors' })
  const { acknowledged } = data
  assert.equal(message, 'The alert is acknowledged.')
  assert.deepEqual(
    [data.state, acknowledged?.by, acknowledged?.value],
    ['acknowledged', `sub-of-${doctor.doctorId}`, 182],
  )
  const colleague = await newDoctor(rounds)
  await colleague.patient({ permission: 'view' }, patientUid)
  for (const who of [token, colleague.token]) {
    const again = await mustAcknowledge(who, body)
    assert.match(again.message, /Nothing has changed/)
    assert.deepEqual(again.data.acknowledged, acknowledged)
  }
  const by = {
    event: 'acknowledged',
    by: `sub-of-${doctor.doctorId}`,
    doctor_id: doctor.doctorId,
    value: 182,
    is_announced: true,
    review_id: null,
  }
  const said = { note: 'Called.', visible_to: 'doctors' }
  assert.deepEqual(await eventsOf(alertId), [{ ...by, ...said }])
  // While it stays open it comes back: an hour later it may be seen again, also by who may only view.
  await runSql(
    ownerUrl,
    "update casesheet.alerts set acknowledged_at = now() - interval '61 minutes' where alert_id = $1",
    [alertId],
  )
  const later = await mustAcknowledge(colleague.token, body)
  assert.equal(later.data.acknowledged?.by, `sub-of-${colleague.doctorId}`)
  assert.equal((await eventsOf(alertId)).length, 2)
  // A note for doctors is in no answer to the patient.
  for (const path of [`/care/alerts/list${query}&state=all`, `/care/timeline${query}`]) {
    assert.doesNotMatch((await rounds.call(path, { token: patient.token })).text, /Called/)
  }
  assert.match((await rounds.call(`/care/timeline${query}`, { token })).text, /Called/)
})

test('what ended unseen may be acknowledged; what its author or the patient ended needs nobody', async () => {
  const { token, patientUid, store, eventsOf } = await newPair()
  const cases: [because: string, isAcknowledged: boolean][] = [
    ['values', true],
    ['symptomOver', true],
    ['ruleChanged', false],
    ['ruleRemoved', false],
    ['grantEnded', false],
    ['withdrawn', false],
  ]
  for (const [because, isAcknowledged] of cases) {
    const alertId = await store(ended(9, because))
    const { data } = await mustAcknowledge(token, { patientUid, alertId })
    assert.deepEqual([data.state, data.acknowledged !== null], ['ended', isAcknowledged], because)
    assert.equal((await eventsOf(alertId)).length, Number(isAcknowledged), because)
  }
  const late = await store({ is_late: true })
  await mustAcknowledge(token, { patientUid, alertId: late })
  assert.equal((await eventsOf(late))[0]?.['is_announced'], false)
})

test('what no acknowledgement can be is refused', async () => {
  const { token, patientUid, store } = await newPair()
  const alertId = await store()
  const cases: [said: object, pointer: string][] = [
    [{ alertId: 'none' }, '/alertId'],
    [{ note: 'Called.' }, '/visibleTo'],
    [{ visibleTo: 'patient' }, '/visibleTo'],
    [{ note: 'Called.', visibleTo: 'nobody' }, '/visibleTo'],
    [{ note: ' ', visibleTo: 'patient' }, '/note'],
    [{ note: 'a'.repeat(1_001), visibleTo: 'patient' }, '/note'],
    [{ another: 1 }, '/another'],
  ]
  for (const [said, pointer] of cases) {
    const answer = await acknowledge(token, { patientUid, alertId, ...said })
    mustRefuse(answer, 'ValidationFailed')
    assert.deepEqual(
      answer.json.errors.map((error) => error.pointer),
      [pointer],
    )
  }
  mustRefuse(await acknowledge(token, { patientUid, alertId: randomUUID() }), 'AlertUnknown')
  for (const query of ['?state=active', '?limit=0', '?limit=201', '?severity=urgent'])
    mustRefuse(await request(token, query), 'ValidationFailed')
  mustRefuse(await request(token, '?cursor=invented'), 'InvalidCursor')
})

test('nobody sees or acknowledges what is not shared, and every read is logged', async () => {
  const { doctor, token, patient, patientUid, store, query } = await newPair({ readingTypes: ['heartRate'] })
  const fast = await store()
  const other = await store({}, { reading_type: 'bodyWeight' })
  assert.deepEqual(idsOf((await ask(token)).data), [fast])
  const limited = await ask(token, query)
  assert.deepEqual([idsOf(limited.data), limited.limitedTo], [[fast], ['heartRate']])
  mustRefuse(await acknowledge(token, { patientUid, alertId: other }), 'AlertUnknown')
  assert.equal((await ask(patient.token)).data.length, 2)
  mustRefuse(await acknowledge(patient.token, { patientUid, alertId: fast }), 'NotADoctor')
  const stranger = await newDoctor(rounds)
  mustRefuse(await acknowledge(stranger.token, { patientUid, alertId: fast }), 'NotShared')
  mustRefuse(await request(stranger.token, query), 'NotShared')
  assert.deepEqual((await ask(stranger.token)).data, [])
  // The list of a doctor is in the log once a day.
  for (let time = 1; time <= 3; time++) await ask(token)
  const log = await rounds.call('/casesheet/readings/access-log', { token: patient.token })
  assert.deepEqual(
    log.json.data.map(({ operation, allowedAs }) => [operation, allowedAs].join(' ')).toSorted(),
    ['alerts/list grant', 'alerts/list patient', 'care/alerts/list grant'],
  )
  await patient.revoke()
  assert.deepEqual((await ask(doctor.token)).data, [])
  mustRefuse(await request(token, query), 'NotShared')
  mustRefuse(await acknowledge(token, { patientUid, alertId: fast }, beside), 'NotShared')
})

test('two who acknowledge at once do so once, and a revocation in progress comes first', async () => {
  const { token, patientUid, store, eventsOf } = await newPair()
  const alertId = await store()
  const both = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      acknowledge(token, { patientUid, alertId }, nth % 2 === 0 ? rounds : beside),
    ),
  )
  assert.deepEqual([...new Set(both.map(({ status }) => status))], [200])
  assert.equal((await eventsOf(alertId)).length, 1)
  const another = await store()
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query("update casesheet.grants set state = 'revoked' where patient_uid = $1", [patientUid])
    const answer = acknowledge(token, { patientUid, alertId: another })
    await until(async () => {
      const { rows } = await owner.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%casesheet.alerts%'",
      )
      return rows.length === 1
    }, 5_000)
    await owner.query('commit')
    mustRefuse(await answer, 'NotShared')
  } finally {
    await owner.end()
  }
  assert.deepEqual(await eventsOf(another), [])
})

test('a list reads no more where thousands of alerts are over', async () => {
  const { doctor, token, patientUid, store, query } = await newPair()
  const open = await store({ opened_at: at(100_000) })
  const over = await store(ended(50_000))
  await runSql(
    ownerUrl,
    `insert into casesheet.alerts
     select (jsonb_populate_record(alerts, jsonb_build_object('alert_id', gen_random_uuid(), 'opened_at', opened_at + number * interval '1 minute'))).*
     from casesheet.alerts, generate_series(1, 2000) as number
     where alert_id = $1`,
    [over],
  )
  await doctor.patient()
  for (const whose of ['?', `${query}&`]) {
    assert.deepEqual(idsOf((await ask(token, `${whose}state=open`)).data), [open])
    assert.equal((await ask(token, `${whose}state=ended&limit=5`)).data.length, 5)
  }
  const [plan] = await runSql<Record<string, { Plan: object }[]>>(
    serveUrl,
    `explain (format json) select alert_id from casesheet.alerts where patient_uid = '${patientUid}' and ended_at is null offset 0`,
  )
  assert.match(JSON.stringify(plan), /alerts_open/)
})
