// rules/preview: what a rule would have done with the readings of the last days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import type { RulePreview } from './preview-rule.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })

type Body = Record<string, unknown>
type Preview = Static<typeof RulePreview>

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const HEART = { readingType: 'heartRate', severity: 'urgent' }
const FAST = { ...HEART, value: { above: 130 } }

const preview = (token: string, body: Body) => rounds.call('/care/rules/preview', { token, body })

async function mustPreview(token: string, body: Body): Promise<Preview> {
  const { status, json, text } = await preview(token, body)
  assert.equal(status, 200, text)
  return Object(json.data)
}

/** So long ago, to the second. */
const ago = (ms: number) => Math.floor((Date.now() - ms) / 1_000) * 1_000
const iso = (at: number) => new Date(at).toISOString()
const micros = (at: number) => iso(at).replace('Z', '000Z')

test('the alerts that a rule would have given come newest first, with why and for how long', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  const times = [10 * DAY, 9 * DAY, 8 * DAY, 3 * DAY, 2 * DAY].map(ago)
  const values = [140, 120, 125, 135, 150]
  await patient.add(
    ...times.map((timestamp, nth) => ({ readingType: 'heartRate', timestamp, value: values[nth] })),
  )
  const [first = 0, second = 0, , fourth = 0, fifth = 0] = times
  const all = await mustPreview(doctor.token, { patientUid, ...FAST })
  const { from, to, alerts, openFor, longest, ...rest } = all
  assert.deepEqual(rest, { readings: 5, patients: 1, isCut: false, count: 2, perWeek: 0.2 })
  assert.equal(Date.parse(to) - Date.parse(from), 90 * DAY)
  assert.deepEqual(
    alerts.map(({ openedAt, until, why }) => [openedAt, until, why]),
    [
      [iso(fourth), null, 'Heart rate was 150/min, above 130/min.'],
      [iso(first), iso(second), 'Heart rate was 140/min, above 130/min.'],
    ],
  )
  assert.deepEqual(
    alerts.map(({ patientUid: uid, worst }) => [uid, worst?.value, worst?.unit, worst?.measuredAt]),
    [
      [patientUid, 150, '/min', micros(fifth)],
      [patientUid, 140, '/min', micros(first)],
    ],
  )
  assert.equal(longest, Date.parse(to) - fourth)
  assert.equal(openFor, longest + DAY)
  // Other conditions of the same readings.
  for (const [said, count] of [
    [{ value: { above: 130, times: 2, within: 'P2D' } }, 1],
    [{ change: { by: -20, within: 'P1D' } }, 1],
    [{ change: { by: 25, within: 'P2D' } }, 0],
    [{ missing: { for: 'P3D' } }, 2],
    [{ value: { below: 130 }, clear: { above: 140 } }, 1],
  ] as const)
    assert.equal(
      (await mustPreview(doctor.token, { patientUid, ...HEART, ...said })).count,
      count,
      JSON.stringify(said),
    )
  assert.deepEqual(
    (await rounds.call(`/care/rules/list?patientUid=${patientUid}`, { token: doctor.token })).json.data,
    [],
  )
})

test('withdrawn readings, other types, and readings without the field or from a clock far ahead count for nothing', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  await patient.add(
    { readingType: 'bloodPressure', timestamp: ago(4 * HOUR), systolic: 120, diastolic: 80 },
    { readingType: 'bloodPressure', timestamp: ago(3 * HOUR), systolic: 120, diastolic: 80, pulse: 140 },
    { readingType: 'heartRate', timestamp: ago(2 * HOUR), value: 140 },
    { readingType: 'bloodPressure', timestamp: ago(-2 * DAY), systolic: 120, diastolic: 80, pulse: 140 },
  )
  const pulse = {
    readingType: 'bloodPressure',
    field: 'pulse',
    severity: 'warning',
    value: { above: 130 },
  }
  const before = await mustPreview(doctor.token, { patientUid, ...pulse })
  assert.deepEqual([before.readings, before.count], [2, 1])
  const { readingId = '', measuredAt = '' } = before.alerts[0]?.worst ?? {}
  await patient.withdraw(Date.parse(measuredAt), readingId)
  assert.deepEqual((await mustPreview(doctor.token, { patientUid, ...pulse })).alerts, [])
  // A clock that is ahead by minutes: the reading is of when it arrived.
  await patient.add({
    readingType: 'bloodPressure',
    timestamp: ago(-10 * MINUTE),
    systolic: 120,
    diastolic: 80,
    pulse: 150,
  })
  const ahead = await mustPreview(doctor.token, { patientUid, ...pulse })
  assert.equal(ahead.count, 1)
  assert.ok(Date.parse(ahead.alerts[0]?.worst?.measuredAt ?? '') > Date.parse(ahead.to))
  assert.ok(Date.parse(ahead.alerts[0]?.openedAt ?? '') <= Date.parse(ahead.to))
  // In another unit, as targets are compared.
  await patient.add({ readingType: 'bloodGlucose', timestamp: ago(HOUR), value: 10, unit: 'mmol/L' })
  const glucose = { readingType: 'bloodGlucose', unit: 'mg/dL', severity: 'warning' }
  for (const [above, count] of [
    [180, 0],
    [179, 1],
  ] as const)
    assert.equal((await mustPreview(doctor.token, { patientUid, ...glucose, value: { above } })).count, count)
})

test('of more than 50,000 readings the newest are looked at, and from says since when', async () => {
  const doctor = await newDoctor(rounds)
  const { patientUid } = await doctor.patient()
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, received_at, reading_type, reading_id, details, added_by, sent_timestamp)
     select $1, at, at, 'heartRate', gen_random_uuid(), json_build_object('value', case when nth % 20 < 10 then 140 else 60 end), 'invented', extract(epoch from at) * 1000
     from (select nth, date_trunc('second', now()) - nth * interval '1 minute' as at from generate_series(1, 50100) as nth) as readings`,
    [patientUid],
  )
  const { readings, isCut, count, alerts, from, to, longest, openFor, perWeek } = await mustPreview(
    doctor.token,
    {
      patientUid,
      ...FAST,
    },
  )
  assert.deepEqual([readings, isCut, alerts.length], [50_000, true, 200])
  const covered = Date.parse(to) - Date.parse(from)
  assert.ok(Math.abs(covered - 50_000 * MINUTE) < 2 * MINUTE)
  // One every twenty minutes, which lasts for ten.
  assert.ok(Math.abs(count - 2_500) <= 1, String(count))
  assert.ok(longest >= 9 * MINUTE && longest <= 11 * MINUTE, String(longest))
  assert.ok(Math.abs(openFor - covered / 2) < 20 * MINUTE, String(openFor))
  assert.ok(Math.abs(perWeek - (count * 7 * DAY) / covered) < 0.1)
  const [{ now_open } = { now_open: 0 }] = await runSql<{ now_open: number }>(
    rounds.ownerUrl,
    'select count(*)::integer as now_open from casesheet.alerts where patient_uid = $1',
    [patientUid],
  )
  assert.equal(now_open, 0)
})

test('a preview is a read of the patient, by a doctor who may manage and see the type', async () => {
  const [managing, viewing, limited] = [
    await newDoctor(rounds),
    await newDoctor(rounds),
    await newDoctor(rounds),
  ]
  const patient = await managing.patient()
  const { patientUid } = patient
  await viewing.patient({ permission: 'view' }, patientUid)
  await limited.patient({ readingTypes: ['oxygenSaturation'] }, patientUid)
  await patient.add({ readingType: 'heartRate', timestamp: ago(HOUR), value: 140 })
  assertRefused(await preview(viewing.token, { patientUid, ...FAST }), 403, 'ManageRequired')
  assertRefused(await preview(limited.token, { patientUid, ...FAST }), 403, 'NotShared')
  assertRefused(await preview(patient.token, { patientUid, ...FAST }), 403, 'NotADoctor')
  const { doctorId } = managing
  for (const [scope, code] of [
    ['user/Observation.u', 'ScopeMissing'],
    ['user/Observation.rs', 'ScopeMissing'],
    ['user/Observation.rus', 'Ok'],
  ]) {
    const { json } = await preview(await rounds.token({ doctorId, scope, sub: 'app' }), {
      patientUid,
      ...FAST,
    })
    assert.equal(json.code, code, scope)
  }
  assert.equal((await mustPreview(managing.token, { patientUid, ...FAST })).count, 1)
  for (const wrong of [{ days: 90 }, { value: { above: 350 } }, { ruleId: 'none' }])
    assertRefused(await preview(managing.token, { patientUid, ...FAST, ...wrong }), 400, 'ValidationFailed')
  const log = await rounds.call(`/casesheet/readings/access-log?patientUid=${patientUid}`, {
    token: patient.token,
  })
  assert.deepEqual(
    log.json.data.map(({ operation, readBy, allowedAs, readingTypes, readingsCount, from, to }) => [
      [operation, readBy, allowedAs, readingTypes, readingsCount],
      Math.round((Date.parse(String(to)) - Date.parse(String(from))) / DAY),
    ]),
    [
      [['care/rules/preview', `sub-of-${doctorId}`, 'grant', ['heartRate'], 1], 90],
      [['care/rules/preview', 'app', 'grant', ['heartRate'], 1], 90],
    ],
  )
  await patient.revoke()
  assertRefused(await preview(managing.token, { patientUid, ...FAST }), 403, 'NotShared')
})

test('for all, the newest readings of everybody who shares the type with manage are looked at', async () => {
  const doctor = await newDoctor(rounds)
  const symptom = (severity: string, at: number) => ({
    readingType: 'symptom',
    timestamp: at,
    symptoms: [{ symptom: 'chest pain', severity }],
  })
  const SEVERE = { readingType: 'symptom', severity: 'urgent', symptom: { severity: 'SEVERE' } }
  const [mia, ben, zoe, ida] = [
    await doctor.patient({ sharedAs: 'Mia Example' }),
    await doctor.patient(),
    await doctor.patient({ permission: 'view' }),
    await doctor.patient({ readingTypes: ['heartRate'] }),
  ]
  await doctor.patient()
  for (const patient of [mia, zoe, ida]) await patient.add(symptom('SEVERE', ago(10 * DAY)))
  await ben.add(symptom('SEVERE', ago(9 * DAY)))
  await ben.add(symptom('WORST', ago(2 * DAY)), symptom('MILD', ago(DAY)))
  const { readings, patients, count, alerts, perWeek, openFor } = await mustPreview(doctor.token, SEVERE)
  assert.deepEqual([readings, patients, count, perWeek], [4, 2, 3, 0.2])
  assert.deepEqual(
    alerts.map(({ patientUid, sharedAs, worst, until }) => [
      [patientUid, sharedAs, worst?.symptom, worst?.severity],
      until === null,
    ]),
    [
      [[ben.patientUid, null, 'chest pain', 'WORST'], true],
      [[ben.patientUid, null, 'chest pain', 'SEVERE'], false],
      [[mia.patientUid, 'Mia Example', 'chest pain', 'SEVERE'], false],
    ],
  )
  // 72 hours after the last, by the clock.
  assert.ok(Math.abs(openFor - (2 * 72 * HOUR + 2 * DAY)) < MINUTE, String(openFor))
  const logOf = async ({ token }: typeof mia) =>
    (await rounds.call('/casesheet/readings/access-log', { token })).json.data.length
  assert.deepEqual(await Promise.all([mia, ben, zoe, ida].map(logOf)), [1, 1, 0, 0])
})
