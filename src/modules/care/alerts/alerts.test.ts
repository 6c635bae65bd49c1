// alerts/list and alerts/history: what a doctor sees of those who share, in which order, and that nobody sees what is not shared.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { stopEvaluation, storeAlert, storeRule } from '../../../../test/support/stored-alerts.ts'
import { type RefusalCode, STATUS_OF } from '../../../refusal.ts'
import type { Alert, AlertEvent } from './alert.ts'
import type { Answer } from './list-contract.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
const { ownerUrl } = rounds
await stopEvaluation(ownerUrl)

const mustRefuse = (answer: Parameters<typeof assertRefused>[0], code: RefusalCode) =>
  assertRefused(answer, STATUS_OF[code], code)

const SEVERITIES = ['urgent', 'warning', 'notice'] as const
const NOW = Date.now()
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString()
const resolved = (minutesAgo: number) => ({
  condition: 'resolved',
  since: at(minutesAgo),
  opened_at: at(minutesAgo),
  until: at(minutesAgo),
  resolved_at: at(minutesAgo),
})
const acknowledged = (note: string | null = null) => ({
  acknowledged_at: at(0),
  acknowledged_point: at(0),
  acknowledged_by: 'somebody',
  acknowledged_doctor: 'another',
  acknowledged_note: note,
})

async function ask(token: string, query = '') {
  const { status, json, text } = await rounds.call(`/care/alerts/list${query}`, { token })
  assert.equal(status, 200, text)
  return json as unknown as Answer
}

/** All pages. */
async function each(token: string, query: string): Promise<Alert[]> {
  const found: Alert[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await ask(token, `?${query}${cursor && `&cursor=${cursor}`}`)
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found
}
const idsOf = (alerts: readonly Alert[]) => alerts.map(({ alertId }) => alertId)

test('what needs a doctor most comes first: open, acknowledged; the most severe; the oldest', async () => {
  const doctor = await newDoctor(rounds)
  const [mia, ben] = [await doctor.patient({ sharedAs: 'Mia Example' }), await doctor.patient()]
  const rule = async (patientUid: string, severity: string, field = 'value') =>
    storeRule(ownerUrl, patientUid, { severity, label: randomUUID(), field })
  const stored = async (patientUid: string, severity: string, fields: object) =>
    storeAlert(ownerUrl, await rule(patientUid, severity), { ...fields })
  const expected = [
    await stored(mia.patientUid, 'urgent', { opened_at: at(9) }),
    await stored(ben.patientUid, 'urgent', { opened_at: at(5) }),
    await stored(mia.patientUid, 'warning', { opened_at: at(50), quiet: 'inhibited', announced_at: null }),
    await stored(ben.patientUid, 'notice', { opened_at: at(99) }),
    await stored(ben.patientUid, 'urgent', { opened_at: at(200), ...acknowledged() }),
    await stored(mia.patientUid, 'notice', { opened_at: at(300), ...acknowledged() }),
  ]
  await stored(mia.patientUid, 'urgent', resolved(1))
  await stored(mia.patientUid, 'urgent', { condition: 'pending' })
  const { data, counts, behindSince, nextCursor } = await ask(doctor.token)
  assert.deepEqual(idsOf(data), expected)
  assert.deepEqual(counts, {
    open: { urgent: 2, warning: 1, notice: 1 },
    acknowledged: 2,
    beyond: 0,
  })
  assert.deepEqual([behindSince, nextCursor], [null, null])
  for (const limit of [1, 2, 3, 6])
    assert.deepEqual(idsOf(await each(doctor.token, `limit=${limit}`)), expected)
  const states = { open: [0, 1, 2, 3], acknowledged: [4, 5] }
  for (const [state, places] of Object.entries(states))
    assert.deepEqual(
      idsOf(await each(doctor.token, `state=${state}&limit=2`)),
      places.map((place) => expected[place]),
      state,
    )
  assert.deepEqual(
    idsOf((await ask(doctor.token, '?severity=urgent&severity=notice')).data),
    [0, 1, 3, 4, 5].map((place) => expected[place]),
  )
  assert.equal((await ask(doctor.token, '?severity=urgent')).counts?.open.warning, 1)
  assert.equal(data[0]?.sharedAs, 'Mia Example')
  assert.deepEqual(data[2]?.quiet, 'inhibited')
})

test('what is over comes newest first, of all patients and page by page', async () => {
  const doctor = await newDoctor(rounds)
  const patients = await Promise.all(Array.from({ length: 9 }, () => doctor.patient()))
  const stored: { id: string; opened: string; uid: string; severity: string; condition: string }[] = []
  for (const [nth, { patientUid: uid }] of patients.entries()) {
    for (const severity of SEVERITIES) {
      const rule = await storeRule(ownerUrl, uid, { severity })
      // Some patients have many, some none; several are of the same moment.
      for (let count = 0; count < (nth * nth) % 7; count++) {
        const opened = at(((count * 37 + nth * 11) % 60) + (nth % 3) * 20)
        for (const condition of count % 3 === 0 ? ['retracted'] : ['resolved', 'pending']) {
          const end = condition === 'resolved' && { until: opened, resolved_at: opened }
          const fields = { condition, since: opened, opened_at: opened, ...end }
          stored.push({ id: await storeAlert(ownerUrl, rule, fields), opened, uid, severity, condition })
        }
      }
    }
  }
  const inOrder = stored.toSorted((a, b) => {
    for (const key of ['opened', 'uid', 'id'] as const) if (a[key] !== b[key]) return a[key] > b[key] ? -1 : 1
    return 0
  })
  assert.ok(inOrder.length > 60, `${inOrder.length} alerts`)
  const expect = (isTrue: (one: (typeof stored)[number]) => boolean) =>
    inOrder.filter(isTrue).map(({ id }) => id)
  for (const limit of [1, 3, 8, 200]) {
    const found = async (token: string, query: string) => idsOf(await each(token, `${query}&limit=${limit}`))
    assert.deepEqual(
      await found(doctor.token, 'state=all'),
      expect(() => true),
      `all by ${limit}`,
    )
    assert.deepEqual(
      await found(doctor.token, 'state=resolved&severity=urgent&severity=notice'),
      expect(({ condition, severity }) => condition === 'resolved' && severity !== 'warning'),
    )
    assert.deepEqual(
      await found(doctor.token, 'state=retracted'),
      expect(({ condition }) => condition === 'retracted'),
    )
    const own = patients[4]
    assert.deepEqual(
      await found(own?.token ?? '', 'state=pending'),
      expect(({ condition, uid }) => condition === 'pending' && uid === own?.patientUid),
    )
  }
  const cursor = (await ask(doctor.token, '?state=all&limit=1')).nextCursor
  mustRefuse(
    await rounds.call(`/care/alerts/list?cursor=${cursor}`, { token: doctor.token }),
    'InvalidCursor',
  )
})

test('a doctor sees alerts of the types that are shared, in no list, count or history another one', async () => {
  const doctor = await newDoctor(rounds)
  const ben = await doctor.patient({ readingTypes: ['bloodPressure'] })
  const hidden = await storeAlert(ownerUrl, await storeRule(ownerUrl, ben.patientUid, { severity: 'urgent' }))
  await runSql(
    ownerUrl,
    "insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to, since) values ($1, 'heartRate', now(), now(), now() - interval '1 hour')",
    [ben.patientUid],
  )
  const shownRule = await storeRule(ownerUrl, ben.patientUid, {
    readingType: 'bloodPressure',
    field: 'systolic',
  })
  const nothing = { open: { urgent: 0, warning: 0, notice: 0 }, acknowledged: 0, beyond: 0 }
  const before = await ask(doctor.token)
  assert.deepEqual([before.data, before.counts, before.behindSince], [[], nothing, null])
  const shown = await storeAlert(ownerUrl, shownRule)
  for (const query of [
    '',
    '?state=all',
    `?patientUid=${ben.patientUid}`,
    `?patientUid=${ben.patientUid}&state=all`,
  ]) {
    const { data, limitedTo, counts } = await ask(doctor.token, query)
    assert.deepEqual(idsOf(data), [shown], query)
    if (query.includes('patientUid')) assert.deepEqual([limitedTo, counts], [['bloodPressure'], undefined])
  }
  const asked = (path: string, body: object) =>
    rounds.call(`/care/alerts/${path}`, {
      token: doctor.token,
      body: { patientUid: ben.patientUid, ...body },
    })
  const history = (alertId: string, token = doctor.token) =>
    rounds.call(`/care/alerts/history?patientUid=${ben.patientUid}&alertId=${alertId}`, { token })
  for (const alertId of [hidden, randomUUID()]) {
    mustRefuse(await history(alertId), 'AlertUnknown')
    mustRefuse(await asked('acknowledge', { alertId }), 'AlertUnknown')
  }
  assert.equal((await history(shown)).status, 200)
  // The patient sees both.
  assert.deepEqual(new Set(idsOf((await ask(ben.token)).data)), new Set([hidden, shown]))
  assert.equal((await ask(ben.token)).behindSince !== null, true)
  await ben.revoke()
  const after = await ask(doctor.token)
  assert.deepEqual([after.data, after.counts], [[], nothing])
  mustRefuse(await asked('acknowledge', { alertId: shown }), 'NotShared')
  mustRefuse(await history(shown), 'NotShared')
  mustRefuse(
    await rounds.call(`/care/alerts/list?patientUid=${ben.patientUid}`, { token: doctor.token }),
    'NotShared',
  )
  await ben.give({ permission: 'view' })
  assert.equal((await ask(doctor.token)).counts?.open.urgent, 1)
  mustRefuse(await asked('acknowledge', { alertId: hidden }), 'ManageRequired')
  assert.deepEqual(
    await runSql(ownerUrl, 'select from casesheet.alert_events where patient_uid = $1', [ben.patientUid]),
    [],
  )
})

test('the patient sees once a day that the doctor looked, and an unchanged list is not sent again', async () => {
  const doctor = await newDoctor(rounds)
  const [mia, ben] = [await doctor.patient(), await doctor.patient({ readingTypes: ['heartRate'] })]
  await storeAlert(ownerUrl, await storeRule(ownerUrl, mia.patientUid))
  await storeAlert(ownerUrl, await storeRule(ownerUrl, ben.patientUid), resolved(1))
  const looks = async (patientUid: string) =>
    runSql(
      ownerUrl,
      `select operation, doctor_id as doctor, allowed_as as "allowedAs", reading_types as types
       from casesheet.access_log where patient_uid = $1 order by at`,
      [patientUid],
    )
  const entry = { operation: 'care/alerts/list', doctor: doctor.doctorId, allowedAs: 'grant' }
  await Promise.all(Array.from({ length: 5 }, () => ask(doctor.token)))
  assert.deepEqual(await looks(mia.patientUid), [{ ...entry, types: null }])
  assert.deepEqual(await looks(ben.patientUid), [])
  await ask(doctor.token, '?state=resolved')
  assert.deepEqual(await looks(ben.patientUid), [{ ...entry, types: ['heartRate'] }])
  await runSql(ownerUrl, 'update care.alert_looks set looked_on = looked_on - 1 where patient_uid = $1', [
    mia.patientUid,
  ])
  const first = await rounds.call('/care/alerts/list', { token: doctor.token })
  assert.equal((await looks(mia.patientUid)).length, 2)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  assert.equal((await rounds.call('/care/alerts/list', { token: doctor.token, headers })).status, 304)
  await storeAlert(ownerUrl, await storeRule(ownerUrl, mia.patientUid, { severity: 'notice' }))
  assert.equal((await rounds.call('/care/alerts/list', { token: doctor.token, headers })).status, 200)
  const staff = await rounds.token({ scope: 'readings:read' })
  const read = await rounds.call(`/care/alerts/list?patientUid=${mia.patientUid}`, { token: staff })
  assert.equal(read.status, 200, read.text)
  assert.equal(read.headers.get('cache-control'), 'no-store')
  assert.deepEqual((await looks(mia.patientUid)).at(-1), {
    operation: 'alerts/list',
    doctor: null,
    allowedAs: 'staff',
    types: null,
  })
})

test('the history says what became of an alert, oldest first and page by page', async () => {
  const doctor = await newDoctor(rounds)
  const mia = await doctor.patient()
  const rule = await storeRule(ownerUrl, mia.patientUid)
  const alertId = await storeAlert(ownerUrl, rule)
  const events = ['opened', ...Array.from({ length: 5 }, () => 'reopened'), 'acknowledged', 'resolved']
  for (const event of events)
    await runSql(
      ownerUrl,
      `insert into casesheet.alert_events (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why)
       values ($1, $2, $3, $4, true, 'warning', 'heartRate', 'Why')`,
      [mia.patientUid, alertId, rule.ruleId, event],
    )
  for (const limit of [1, 3, 200]) {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await rounds.call(
        `/care/alerts/history?alertId=${alertId}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
        { token: mia.token },
      )
      const page = json as unknown as { data: AlertEvent[]; nextCursor: string | null }
      found.push(...page.data.map(({ event }) => event))
      cursor = page.nextCursor
    }
    assert.deepEqual(found, events)
  }
})

test('a list says since when changes wait, of the doctor or the patient alone', async () => {
  const [doctor, other] = [await newDoctor(rounds), await newDoctor(rounds)]
  const [mia] = [await doctor.patient(), await other.patient()]
  await runSql(
    ownerUrl,
    "insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to, since) values ($1, 'heartRate', now(), now(), '2026-11-17T08:00:00Z')",
    [mia.patientUid],
  )
  assert.equal((await ask(doctor.token)).behindSince, '2026-11-17T08:00:00.000Z')
  assert.equal((await ask(mia.token)).behindSince, '2026-11-17T08:00:00.000Z')
  assert.equal((await ask(other.token)).behindSince, null)
  await runSql(
    ownerUrl,
    "update casesheet.followers set caught_up_at = '2026-11-16T08:00:00Z' where name = 'alerts:rules'",
  )
  assert.equal((await ask(other.token)).behindSince, '2026-11-16T08:00:00.000Z')
  await runSql(
    ownerUrl,
    "update casesheet.followers set caught_up_at = 'infinity' where name = 'alerts:rules'",
  )
})

test('a token names whom it asks for', async () => {
  const patientUid = `patient-${randomUUID()}`
  const [none, two, doctorWithoutScope] = await Promise.all([
    rounds.token({}),
    rounds.token({ patientUid: [patientUid, 'another'] }),
    rounds.token({ doctorId: 'doctor', scope: 'patient/Condition.r' }),
  ])
  const list = (token: string) => rounds.call('/care/alerts/list', { token })
  mustRefuse(await list(none), 'PatientNotInToken')
  mustRefuse(await list(two), 'ValidationFailed')
  mustRefuse(await list(doctorWithoutScope), 'ScopeMissing')
  const query = '?patientUid=somebody-else'
  mustRefuse(await rounds.call(`/care/alerts/list${query}`, { token: two }), 'PatientMismatch')
})

test('where alerts are off, there is nothing', async () => {
  const off = await startRounds({ MODULES: 'casesheet,care' })
  const { token } = await newDoctor(off)
  for (const path of ['list', 'history'])
    mustRefuse(await off.call(`/care/alerts/${path}`, { token }), 'NotFound')
  mustRefuse(await off.call('/care/alerts/acknowledge', { token, body: {} }), 'NotFound')
})

test('the list of patients has the alerts that wait, and only those of what they share', async () => {
  const doctor = await newDoctor(rounds)
  const one = async (
    grant: Record<string, unknown>,
    ...alerts: [severity: string, fields?: Record<string, unknown>][]
  ) => {
    const { patientUid } = await doctor.patient(grant)
    for (const [severity, fields] of alerts)
      await storeAlert(ownerUrl, await storeRule(ownerUrl, patientUid, { severity, label: severity }), fields)
    return patientUid
  }
  const waiting = await one({}, ['warning'], ['urgent', { opened_at: at(5) }])
  const warned = await one({}, ['warning'], ['urgent', acknowledged()])
  const ended = await one({}, ['urgent', resolved(1)])
  const acked = await one({}, ['urgent', acknowledged()])
  const none = [await one({ readingTypes: ['bodyWeight'] }, ['urgent']), await one({}, ['notice'])]
  const { data } = await doctor.list()
  const shown = data.map(({ patientUid, queue, reasons }) => [
    patientUid,
    queue,
    ...reasons.map(
      (reason) => reason.code === 'alert' && `${reason.label} ${reason.isSeen} ${reason.endedAt === null}`,
    ),
  ])
  assert.deepEqual(shown.slice(0, 4), [
    [waiting, 'actNow', 'urgent false true', 'warning false true'],
    [ended, 'thisWeek', 'urgent false false'],
    [warned, 'thisWeek', 'warning false true', 'urgent true true'],
    [acked, 'seen', 'urgent true true'],
  ])
  assert.deepEqual(new Set(shown.slice(4)), new Set(none.map((patientUid) => [patientUid, 'notJudged'])))
})
