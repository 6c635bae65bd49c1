// targets/set, targets/remove, targets/list and targets/presets: what a target may be, whose it is, and which one judges.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { PRESETS } from './presets.ts'
import type { Target } from './target.ts'

const MODULES = 'casesheet,care'
const rounds = await startRounds({ MODULES })
/** A second process of the same service. */
const beside = await startRounds({ MODULES, DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url })

type Body = Record<string, unknown>

const OXYGEN = { readingType: 'oxygenSaturation', unit: '%' }
const PRESSURE = { readingType: 'bloodPressure', unit: 'mm[Hg]', expectEvery: 'P3D' }
const low = (value: number, more: Body = {}) => ({ ...OXYGEN, fields: { value: { low: value } }, ...more })
const byDoctor = (value: number, more: Body = {}) => low(value, { expectEvery: null, ...more })

/** Somebody with a token, and what they do with targets. */
function personWith(token: string) {
  let posts = 0
  const post = (action: string, body: Body) =>
    (posts++ % 2 === 0 ? rounds : beside).call(`/care/targets/${action}`, { token, body })
  const must = async (answer: ReturnType<typeof rounds.call>) => {
    const { status, json, text } = await answer
    assert.equal(status, 200, text)
    return json.data as unknown
  }
  return {
    token,
    post,
    set: async (body: Body) => (await must(post('set', body))) as Target,
    remove: (body: Body) => must(post('remove', body)),
    list: async (patientUid?: string) => {
      const query = patientUid === undefined ? '' : `?patientUid=${patientUid}`
      return (await must(rounds.call(`/care/targets/list${query}`, { token }))) as Target[]
    },
  }
}

async function newDoctor(claims: Body = {}) {
  const doctorId = `doctor-${randomUUID()}`
  const token = await rounds.token({ doctorId, sub: `sub-of-${doctorId}`, ...claims })
  return { doctorId, ...personWith(token) }
}

async function newPatient() {
  const patientUid = `patient-${randomUUID()}`
  const token = await rounds.token({ patientUid, sub: `sub-of-${patientUid}` })
  const call = async (path: string, body: unknown) => {
    const { status, text } = await rounds.call(path, { token, body })
    assert.equal(status, 200, text)
  }
  return {
    patientUid,
    ...personWith(token),
    give: ({ doctorId }: { doctorId: string }, terms: Body = {}) =>
      call('/casesheet/grants/add', { patientUid, doctorId, permission: 'manage', ...terms }),
    revoke: ({ doctorId }: { doctorId: string }) =>
      call('/casesheet/grants/revoke', { patientUid, doctorId }),
    measure: (daysAgo: number) =>
      call('/casesheet/readings/add', {
        patientUid,
        readingType: OXYGEN.readingType,
        timestamp: Date.now() - daysAgo * 86_400_000,
        value: 97,
      }),
  }
}

async function newPair() {
  const [patient, doctor] = [await newPatient(), await newDoctor()]
  await patient.give(doctor)
  return { patient, doctor, patientUid: patient.patientUid }
}

/** Who set what for whom, the one that judges marked. */
const told = (targets: Target[]) =>
  targets.map(
    ({ author, isForAll, fields, judges }) =>
      `${judges ? '*' : ''}${author.kind}${isForAll ? ' for all' : ''} ${fields['value']?.low}`,
  )

const history = (targetsOf: string) =>
  runSql<{ action: string; target_id: string; label: string | null; by: string }>(
    rounds.ownerUrl,
    'select action, target_id, label, by from casesheet.target_changes where patient_uid = $1 order by at',
    [targetsOf],
  )

test('a doctor sets a target, replaces it, and removes it; all of it stays in the history', async () => {
  const { patient, doctor, patientUid } = await newPair()
  const fields = {
    systolic: { low: 100, high: 135, actBelow: 90, actAbove: 180, farHigh: 160, goals: { farAbove: 0.1 } },
    diastolic: { high: 85, actBelow: null, actAbove: 85 },
    pulse: { high: 100 },
  }
  const body = { patientUid, ...PRESSURE, label: 'Agreed', preset: 'home-blood-pressure-esh', fields }
  const first = await doctor.set(body)
  const { targetId, setAt, ...rest } = first
  assert.ok(Math.abs(Date.parse(setAt) - Date.now()) < 60_000)
  const { doctorId } = doctor
  const author = { kind: 'doctor', doctorId, name: doctorId }
  assert.deepEqual(rest, { ...body, author, isForAll: false, judges: true, setBy: `sub-of-${doctorId}` })
  assert.deepEqual(Object.keys(rest.fields), Object.keys(fields))
  assert.deepEqual(await doctor.list(patientUid), [first])
  assert.deepEqual(await doctor.set(body), first, 'the same again changes nothing')
  const renamed = await doctor.set({ ...body, label: 'Ours' })
  assert.equal(renamed.targetId, targetId, 'another label judges the same')
  const second = await doctor.set({ ...body, expectEvery: null })
  assert.notEqual(second.targetId, targetId)
  assert.deepEqual(await patient.list(), [second])
  const named = { patientUid, readingType: 'bloodPressure' }
  for (let time = 1; time <= 2; time++) await doctor.remove(named)
  assert.deepEqual(await doctor.list(patientUid), [])
  const again = await doctor.set(body)
  assert.deepEqual(
    (await history(patientUid)).map(({ action, label }) => [action, label]),
    [
      ['set', 'Agreed'],
      ['set', 'Ours'],
      ['set', 'Agreed'],
      ['remove', 'Agreed'],
      ['set', 'Agreed'],
    ],
  )
  assert.deepEqual(await doctor.list(patientUid), [again])
  await runSql(
    rounds.ownerUrl,
    "insert into appointments.doctors (doctor_id, name, name_key) values ($1, 'Dr Sample', $1)",
    [doctorId],
  )
  assert.equal((await doctor.set({ ...body, label: 'Named' })).author.name, 'Dr Sample')
})

test("nobody's target replaces another author's, and each reader is compared with the right one", async () => {
  const { patient, doctor, patientUid } = await newPair()
  const colleague = await newDoctor()
  await patient.give(colleague)
  const own = await patient.set({ patientUid, ...low(80), label: 'Mine' })
  assert.deepEqual(told([own]), ['*patient 80'])
  assert.deepEqual(told(await doctor.list(patientUid)), ['patient 80'], 'never by the own one of the patient')
  await colleague.set({ patientUid, ...byDoctor(85) })
  assert.deepEqual(told(await doctor.list(patientUid)), ['*doctor 85', 'patient 80'])
  assert.deepEqual(told([await patient.set({ patientUid, ...low(81) })]), ['patient 81'])
  await doctor.set({ patientUid, ...byDoctor(90) })
  const all = ['doctor 90', 'doctor 85', 'patient 81']
  const marked = (which: number) => all.map((one, nth) => (nth === which ? `*${one}` : one))
  assert.deepEqual(told(await doctor.list(patientUid)), marked(0))
  assert.deepEqual(told(await colleague.list(patientUid)), marked(1))
  assert.deepEqual(told(await patient.list()), marked(0), 'for the patient the newest of a doctor')
  await patient.revoke(doctor)
  assert.deepEqual(told(await patient.list()), marked(1), 'who manages')
  await patient.give(colleague, { permission: 'view' })
  assert.deepEqual(told(await patient.list()), marked(2))
  assert.deepEqual(told(await colleague.list(patientUid)), marked(1))
  // Each removes only their own; that of a carer is that of the patient.
  await patient.give(colleague)
  await colleague.remove({ patientUid, readingType: OXYGEN.readingType })
  assert.deepEqual(told(await patient.list()), ['doctor 90', '*patient 81'])
  const carer = personWith(await rounds.token({ patientUid: [patientUid, 'another-child'], sub: 'carer' }))
  await carer.remove({ patientUid, readingType: OXYGEN.readingType })
  assert.equal((await history(patientUid)).at(-1)?.by, 'carer')
  const stranger = await newDoctor()
  await patient.give(stranger)
  const unknown = await stranger.post('remove', { patientUid, readingType: OXYGEN.readingType })
  assertRefused(unknown, 404, 'TargetUnknown')
})

test('a target for all holds for those who share with manage and have measured the type in 90 days', async () => {
  const { patient, doctor, patientUid } = await newPair()
  const [viewed, limited, silent] = [await newPatient(), await newPatient(), await newPatient()]
  await viewed.give(doctor, { permission: 'view' })
  await limited.give(doctor, { readingTypes: ['heartRate'] })
  await silent.give(doctor)
  await patient.measure(89)
  await silent.measure(92)
  const forAll = await doctor.set(byDoctor(92))
  assert.deepEqual([forAll.patientUid, forAll.isForAll, forAll.judges], [null, true, true])
  assert.deepEqual(await doctor.list(), [forAll])
  assert.deepEqual(await (await newDoctor()).list(), [])
  await until(async () => told(await doctor.list(patientUid))[0] === '*doctor for all 92')
  assert.deepEqual(told(await patient.list()), ['*doctor for all 92'])
  await until(async () => {
    const newest = await runSql(rounds.ownerUrl, 'select from care.newest where patient_uid = $1', [
      silent.patientUid,
    ])
    return newest.length > 0
  })
  assert.deepEqual(told(await doctor.list(silent.patientUid)), ['doctor for all 92'])
  for (const { patientUid: hidden, list } of [viewed, limited]) {
    assert.deepEqual(await doctor.list(hidden), [])
    assert.deepEqual(await list(), [])
  }
  // One for the patient comes first; that of a colleague for all comes after.
  const colleague = await newDoctor()
  await patient.give(colleague)
  await colleague.set(byDoctor(70))
  await doctor.set({ patientUid, ...byDoctor(95) })
  assert.deepEqual(told(await doctor.list(patientUid)), [
    '*doctor 95',
    'doctor for all 70',
    'doctor for all 92',
  ])
  assert.deepEqual(told(await colleague.list(patientUid)), [
    'doctor 95',
    '*doctor for all 70',
    'doctor for all 92',
  ])
  await doctor.remove({ patientUid, readingType: OXYGEN.readingType })
  await doctor.remove({ readingType: OXYGEN.readingType })
  assert.deepEqual(await doctor.list(), [])
  assert.deepEqual(told(await doctor.list(patientUid)), ['*doctor for all 70'])
  assertRefused(await colleague.post('remove', { readingType: 'heartRate' }), 404, 'TargetUnknown')
})

test('every preset can be set as it is published, and none holds by itself', async () => {
  const { patient, doctor, patientUid } = await newPair()
  const { headers, json } = await rounds.call('/care/targets/presets', { token: doctor.token })
  const etag = headers.get('etag') ?? ''
  const again = await rounds.call('/care/targets/presets', {
    token: patient.token,
    headers: { 'if-none-match': etag },
  })
  assert.deepEqual([json.data.length, again.status], [PRESETS.length, 304])
  assert.deepEqual(await patient.list(), [])
  for (const { preset, readingType, units } of PRESETS)
    for (const [unit, fields] of Object.entries(units)) {
      const set = await doctor.set({ patientUid, readingType, preset, unit, fields, expectEvery: 'P1D' })
      assert.deepEqual([set.fields, set.unit, set.preset], [fields, unit, preset])
    }
})

test('largest and oddest targets come back as they were sent', async () => {
  const { doctor, patientUid } = await newPair()
  for (const body of [
    { readingType: 'bloodGlucose', unit: 'mmol/L', fields: { value: { low: 7.123456789012345, high: 55 } } },
    {
      readingType: 'bodyTemperature',
      unit: '[degF]',
      fields: { value: { actAbove: 102.5 } },
      label: '😀'.repeat(100),
    },
    { readingType: 'sleep', unit: 'min', fields: { deep: { low: 60 } }, label: ' "x" \\ \'; {,} NULL' },
    {
      readingType: 'bloodPressure',
      unit: 'mm[Hg]',
      fields: { systolic: { low: 1e2, actBelow: 100 }, pulse: { high: 350 } },
      expectEvery: 'PT15M',
    },
  ]) {
    const set = await doctor.set({ patientUid, expectEvery: 'P366D', ...body })
    assert.deepEqual({ ...set, ...body }, set)
    assert.ok(
      (await doctor.list(patientUid)).some((listed) => JSON.stringify(listed) === JSON.stringify(set)),
    )
  }
})

const TYPES = 'must be a type of the catalogue that has numbers: see readings/types'
const ONLY_DOCTORS = 'must be left out: only a doctor sets it'
const A_NUMBER = 'must be a number'
const A_SHARE = 'must be a share above 0 and below 1, such as 0.7'
const RANGE = { low: 90, high: 98 }

/** What is wrong beside a target that is right. */
const WRONG: [more: Body, pointer: string, message?: string][] = [
  [{ readingType: 'symptom' }, '/readingType', TYPES],
  [{ readingType: 'constructor' }, '/readingType', TYPES],
  [{ readingType: 'blood_glucose' }, '/readingType', 'must be written bloodGlucose'],
  [{ readingType: 'bloodGlucose', unit: undefined }, '/unit', 'is required: one of mmol/L, mg/dL'],
  [{ readingType: 'bloodGlucose', unit: 'mg/dl' }, '/unit', 'must be one of mmol/L, mg/dL: write mg/dL'],
  [{ expectEvery: undefined }, '/expectEvery', 'is required; null expects nothing'],
  ...['PT14M', 'P367D', 'P1M', 'P', 7].map((expectEvery): [Body, string] => [
    { expectEvery },
    '/expectEvery',
  ]),
  [{ preset: 'nothing' }, '/preset', 'must be one of oxygen-nhs-home'],
  [{ readingType: 'bodyFat', preset: 'x' }, '/preset', 'must be left out: the type has none'],
  ...[null, ' ', 'a\nb', '\u202eaiM', 'a'.repeat(101)].map((label): [Body, string] => [{ label }, '/label']),
  [{ practiceId: 'x' }, '/practiceId', 'must be a practice that the token names, beside a patientUid'],
  [{ low: 90 }, '/low', 'is not known here'],
  ...[undefined, null, {}, [], 7].map((fields): [Body, string] => [{ fields }, '/fields']),
  [{ fields: { systolic: RANGE } }, '/fields/systolic', 'must be one of value'],
  [{ fields: { constructor: RANGE } }, '/fields/constructor', 'must be one of value'],
  [
    { readingType: 'bloodPressure', unit: 'mm[Hg]', fields: { pulse: { high: 351 } } },
    '/fields/pulse/high',
    'must be from 1 to 350 /min',
  ],
]

/** What is wrong with a field. */
const WRONG_FIELD: [field: Body, pointer: string, message?: string][] = [
  [{}, ''],
  [{ actBelow: null, actAbove: null }, '', 'must have a number in low, high, actBelow or actAbove'],
  [{ low: 90, x: 1 }, '/x', 'is not known here'],
  ...['low', 'high', 'farLow', 'farHigh'].map((name): [Body, string, string] => [
    { ...RANGE, [name]: null },
    `/${name}`,
    A_NUMBER,
  ]),
  [{ ...RANGE, actBelow: '80' }, '/actBelow', 'must be a number, or null where there is none on purpose'],
  [{ low: -1 }, '/low', 'must be from 0 to 100 %'],
  [{ high: 100.1 }, '/high', 'must be from 0 to 100 %'],
  [{ actAbove: 1e300 }, '/actAbove', 'must be from 0 to 100 %'],
  [{ low: 90, high: 90 }, '/low', 'must be less than high'],
  [{ ...RANGE, actBelow: 90.1 }, '/actBelow', 'must be at most low'],
  [{ ...RANGE, actAbove: 97 }, '/high', 'must be at most actAbove'],
  [{ high: 98, actBelow: 98 }, '/actBelow', 'must be less than high'],
  [{ low: 90, actAbove: 90 }, '/low', 'must be less than actAbove'],
  [{ actBelow: 98, actAbove: 98 }, '/actBelow', 'must be less than actAbove'],
  [{ ...RANGE, farLow: 90 }, '/farLow', 'must be less than low'],
  [{ ...RANGE, farHigh: 98 }, '/high', 'must be less than farHigh'],
  [{ high: 98, farLow: 80 }, '/farLow', 'must be left out where there is no low'],
  [{ ...RANGE, goals: {} }, '/goals'],
  ...[0, 1, 70, '0.7', null].map((share): [Body, string, string] => [
    { ...RANGE, goals: { inRange: share } },
    '/goals/inRange',
    A_SHARE,
  ]),
  [{ actBelow: 80, goals: { inRange: 0.7 } }, '/goals/inRange'],
  [{ high: 98, goals: { below: 0.1 } }, '/goals/below', 'must be left out where there is no low'],
  [{ low: 90, goals: { above: 0.1 } }, '/goals/above', 'must be left out where there is no high'],
  [{ ...RANGE, goals: { farBelow: 0.1 } }, '/goals/farBelow', 'must be left out where there is no farLow'],
  [{ ...RANGE, goals: { farAbove: 0.1 } }, '/goals/farAbove', 'must be left out where there is no farHigh'],
]

test('what is wrong is named with what would be right, and nothing is set', async () => {
  const { patient, doctor, patientUid } = await newPair()
  const refused = async (
    person: typeof doctor | typeof patient,
    body: Body,
    expected: [pointer: string, message?: string | undefined],
  ) => {
    const answer = await person.post('set', { patientUid, ...body })
    assertRefused(answer, 400, 'ValidationFailed')
    const [error, ...others] = answer.json.errors
    const [pointer, message = error?.message] = expected
    assert.deepEqual([error, others, body], [{ pointer, message }, [], body])
  }
  for (const [more, ...expected] of WRONG) await refused(doctor, byDoctor(90, more), expected)
  for (const [field, pointer, message] of WRONG_FIELD)
    await refused(doctor, byDoctor(90, { fields: { value: field } }), [`/fields/value${pointer}`, message])
  for (const more of [{ expectEvery: null }, { preset: 'oxygen-nhs-home' }])
    await refused(patient, low(90, more), [`/${Object.keys(more)[0]}`, ONLY_DOCTORS])
  for (const more of [{ actBelow: null }, { actAbove: 100 }, { farLow: 80 }, { goals: { below: 0.1 } }])
    await refused(patient, { ...OXYGEN, fields: { value: { ...RANGE, ...more } } }, [
      `/fields/value/${Object.keys(more)[0]}`,
      ONLY_DOCTORS,
    ])
  for (const body of [{ readingType: 'symptom' }, { readingType: 'bloodPresure' }, {}])
    assertRefused(await doctor.post('remove', { patientUid, ...body }), 400, 'ValidationFailed')
  assert.deepEqual([await doctor.list(patientUid), await history(patientUid)], [[], []])
})

test('sets and removes at once at two processes end in the state that the history leads to', async () => {
  const { doctor, patientUid } = await newPair()
  const steps = Array.from({ length: 24 }, (_, number) => async () => {
    if (number % 6 === 5) await doctor.post('remove', { patientUid, readingType: OXYGEN.readingType })
    else await doctor.set({ patientUid, ...byDoctor(90 + (number % 3)) })
  })
  await doctor.set({ patientUid, ...byDoctor(90) })
  for (let round = 0; round < 5; round++) await Promise.all(steps.map((step) => step()))
  const changes = await history(patientUid)
  const [last, listed] = [changes.at(-1), await doctor.list(patientUid)]
  assert.ok(changes.length > 20, `only ${changes.length} changes`)
  for (const [at, { action, target_id }] of changes.entries()) {
    const before = changes[at - 1]
    assert.ok(target_id !== before?.target_id, 'the same twice')
    if (action === 'remove') assert.equal(before?.action, 'set')
  }
  assert.deepEqual(
    listed.map(({ targetId }) => targetId),
    last?.action === 'set' ? [last.target_id] : [],
  )
})
