// rules/preview: what a rule would have done with the readings of the last days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })

type Body = Record<string, unknown>
type Alert = { openedAt: string; until: string | null; why: string; readings: Body[] }
type Preview = {
  from: string
  to: string
  readings: number
  isCut: boolean
  alerts: Alert[]
  count: number
  openFor: number
  longest: number
  perWeek: number
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const HEART = { readingType: 'heartRate', severity: 'urgent' }
const FAST = { ...HEART, threshold: { above: 130 } }

const preview = (token: string, body: Body) => rounds.call('/care/rules/preview', { token, body })

async function mustPreview(token: string, body: Body): Promise<Preview> {
  const { status, json, text } = await preview(token, body)
  assert.equal(status, 200, text)
  return Object(json.data)
}

/** So long ago, to the second. */
const ago = (ms: number) => Math.floor((Date.now() - ms) / 1_000) * 1_000
const iso = (at: number) => new Date(at).toISOString()

test('the alerts that a rule would have given come newest first, with why and for how long', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  const times = [10 * DAY, 9 * DAY, 8 * DAY, 3 * DAY, 2 * DAY].map(ago)
  const values = [140, 120, 125, 135, 150]
  await patient.add(
    ...times.map((timestamp, nth) => ({ readingType: 'heartRate', timestamp, value: values[nth] })),
  )
  const [first = 0, second = 0, , fourth = 0] = times
  const all = await mustPreview(doctor.token, { patientUid, ...FAST })
  const { from, to, alerts, openFor, longest, ...rest } = all
  assert.deepEqual(rest, { readings: 5, isCut: false, count: 2, perWeek: 0.2 })
  assert.equal(Date.parse(to) - Date.parse(from), 90 * DAY)
  assert.deepEqual(
    alerts.map(({ openedAt, until, why }) => [openedAt, until, why]),
    [
      [iso(fourth), null, 'Heart rate was 135/min, above 130/min.'],
      [iso(first), iso(second), 'Heart rate was 140/min, above 130/min.'],
    ],
  )
  assert.deepEqual(
    alerts.map(({ readings }) => readings.map(({ measuredAt, value, unit }) => [measuredAt, value, unit])),
    [[[iso(fourth), 135, '/min']], [[iso(first), 140, '/min']]],
  )
  assert.equal(longest, Date.parse(to) - fourth)
  assert.equal(openFor, longest + DAY)
  // A rule looks at nothing that is older than it.
  const few = await mustPreview(doctor.token, { patientUid, ...FAST, days: 9 })
  assert.deepEqual([few.readings, few.count, few.perWeek], [3, 1, 0.8])
  // Other conditions of the same readings.
  for (const [said, count] of [
    [{ sustained: { above: 130, count: 2, of: 2 } }, 1],
    [{ change: { by: -20, within: 'P1D' } }, 1],
    [{ change: { by: 25, within: 'P2D' } }, 0],
    [{ missing: { for: 'P3D' } }, 2],
    [{ threshold: { below: 130 }, clear: { above: 140 } }, 1],
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
    severity: 'notice',
    threshold: { above: 130 },
  }
  const before = await mustPreview(doctor.token, { patientUid, ...pulse })
  assert.deepEqual([before.readings, before.count], [2, 1])
  const [{ readingId, measuredAt } = {}] = before.alerts[0]?.readings ?? []
  await patient.withdraw(Date.parse(String(measuredAt)), String(readingId))
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
  assert.ok(Date.parse(String(ahead.alerts[0]?.readings[0]?.['measuredAt'])) > Date.parse(ahead.to))
  assert.ok(Date.parse(ahead.alerts[0]?.openedAt ?? '') <= Date.parse(ahead.to))
  // In another unit, as targets are compared.
  await patient.add({ readingType: 'bloodGlucose', timestamp: ago(HOUR), value: 10, unit: 'mmol/L' })
  const glucose = { readingType: 'bloodGlucose', unit: 'mg/dL', severity: 'notice' }
  for (const [above, count] of [
    [180, 0],
    [179, 1],
  ] as const)
    assert.equal(
      (await mustPreview(doctor.token, { patientUid, ...glucose, threshold: { above } })).count,
      count,
    )
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
  assert.equal((await mustPreview(managing.token, { patientUid, ...FAST, days: 1 })).count, 1)
  for (const wrong of [
    { days: 0 },
    { days: 91 },
    { days: 1.5 },
    { threshold: { above: 350 } },
    { ruleId: 'none' },
  ])
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
      [['care/rules/preview', `sub-of-${doctorId}`, 'grant', ['heartRate'], 1], 1],
      [['care/rules/preview', 'app', 'grant', ['heartRate'], 1], 90],
    ],
  )
  await patient.revoke()
  assertRefused(await preview(managing.token, { patientUid, ...FAST }), 403, 'NotShared')
})
