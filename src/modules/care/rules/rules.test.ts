// rules/set, rules/remove and rules/list: what a rule may say, who may set and see it, and how many there may be.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'

const SETTINGS = { MODULES: 'casesheet,care', ALERTS: 'on' }
const rounds = await startRounds(SETTINGS)
const AT_SAME = { DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url }
/** A second process of the same service, with a cache of its own. */
const beside = await startRounds({ ...SETTINGS, ...AT_SAME })

type Body = Record<string, unknown>

const HEART = { readingType: 'heartRate', severity: 'urgent' }
const FAST = { ...HEART, value: { above: 130 } }
const SILENT = { readingType: 'oxygenSaturation', severity: 'warning', missing: { for: 'P2D' } }
const SEVERE = { readingType: 'symptom', severity: 'urgent', symptom: { severity: 'SEVERE' } }

const post = (token: string, action: 'set' | 'remove', body: Body, at = rounds) =>
  at.call(`/care/rules/${action}`, { token, body })
const ask = (token: string, query = '', at = rounds) => at.call(`/care/rules/list${query}`, { token })

async function mustSet(token: string, body: Body, at = rounds): Promise<Body> {
  const { status, json, text } = await post(token, 'set', body, at)
  assert.equal(status, 200, text)
  return Object(json.data)
}

async function listed(token: string, query = '', at = rounds): Promise<Body[]> {
  const { status, json, text } = await ask(token, query, at)
  assert.equal(status, 200, text)
  return json.data
}

/** A patient who shares with a doctor of their own. */
async function newPair(grant: Body = {}) {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient(grant)
  const { patientUid } = patient
  const { token } = doctor
  return {
    doctor,
    patient,
    patientUid,
    token,
    query: `?patientUid=${patientUid}`,
    set: (body: Body, at = rounds) => mustSet(token, { patientUid, ...body }, at),
    remove: (ruleId: unknown, at = rounds) => post(token, 'remove', { ruleId }, at),
  }
}

const changesOf = (ruleId: unknown) =>
  runSql<{ action: string; by: string; version: string }>(
    rounds.ownerUrl,
    'select action, by, version_id::text as version from casesheet.rule_changes where rule_id = $1 order by at',
    [ruleId],
  )

test('a rule is set, shown to the patient, replaced and removed, and its versions stay', async () => {
  const { doctor, patient, patientUid, query, token, set, remove } = await newPair()
  assert.deepEqual(await listed(token, query), [])
  const first = await set({ ...FAST, clear: { below: 120 }, label: 'Ours' })
  const { setAt, ruleId, ...said } = first
  assert.ok(Math.abs(Date.parse(String(setAt)) - Date.now()) < 60_000)
  const by = {
    author: { kind: 'doctor', doctorId: doctor.doctorId, name: doctor.doctorId },
    setBy: `sub-of-${doctor.doctorId}`,
    isSuspended: false,
  }
  const shown = { patientUid, ...HEART, value: { above: 130, times: 1 }, field: 'value', unit: '/min', ...by }
  assert.deepEqual(said, { ...shown, clear: { below: 120 }, label: 'Ours' })
  assert.deepEqual(await listed(token, query), [first])
  assert.deepEqual(await listed(patient.token), [first])
  // The same again changes nothing; a label is no other version of what is looked for.
  assert.deepEqual(await set({ ...FAST, clear: { below: 120 }, label: 'Ours' }, beside), first)
  const named = await set({ ...FAST, clear: { below: 120 }, label: 'Theirs', ruleId })
  assert.ok(String(named['setAt']) > String(setAt))
  const second = await set({ ...HEART, value: { above: 125, times: 2, within: 'PT2H' }, ruleId }, beside)
  assert.deepEqual(second, {
    ...shown,
    ruleId,
    value: { above: 125, times: 2, within: 'PT2H' },
    label: null,
    setAt: second['setAt'],
  })
  for (let time = 1; time <= 2; time++) assert.equal((await remove(ruleId)).status, 200)
  assert.deepEqual(await listed(token, query), [])
  assert.notEqual((await set(FAST))['ruleId'], ruleId)
  const changes = await changesOf(ruleId)
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['set', 'set', 'set', 'remove'],
  )
  const [one, renamed, other, removed] = changes.map(({ version }) => version)
  assert.deepEqual([renamed === one, other === one, removed === other], [true, false, false])
})

test('each kind of rule is answered as it was meant', async () => {
  const { set } = await newPair()
  const cases: [said: Body, answered: Body][] = [
    [FAST, { value: { above: 130, times: 1 }, field: 'value', unit: '/min' }],
    [{ ...HEART, value: { below: 350 } }, { value: { below: 350, times: 1 } }],
    [{ ...HEART, value: { above: 349.999 } }, { value: { above: 349.999, times: 1 } }],
    [{ ...FAST, severity: 'warning', clear: { below: 130 } }, { clear: { below: 130 } }],
    [{ ...HEART, value: { below: 50 }, clear: { above: 50 } }, { clear: { above: 50 } }],
    [
      { ...HEART, value: { above: 150, times: 20, within: 'P30D' } },
      { value: { above: 150, times: 20, within: 'P30D' } },
    ],
    [{ ...HEART, change: { by: -349, within: 'PT1M' } }, { change: { by: -349, within: 'PT1M' } }],
    [
      { ...HEART, change: { by: 5e-324, within: 'P30D' } },
      { field: 'value', unit: '/min' },
    ],
    [
      { ...HEART, missing: { for: 'PT1H' } },
      { missing: { for: 'PT1H' }, field: null, unit: null },
    ],
    [{ ...HEART, missing: { for: 'P365D' }, label: '😀'.repeat(50) }, { label: '😀'.repeat(50) }],
    [SEVERE, { symptom: { severity: 'SEVERE' }, field: null, unit: null, label: null }],
    [
      { readingType: 'bloodPressure', field: 'pulse', severity: 'warning', value: { above: 130 } },
      { field: 'pulse', unit: '/min' },
    ],
  ]
  for (const [said, answered] of cases) {
    const rule = await set(said)
    for (const [name, value] of Object.entries(answered))
      assert.deepEqual(rule[name], value, `${name} of ${JSON.stringify(said)}`)
  }
})

test('what no rule can be is refused, with what would be right', async () => {
  const { token, patientUid, query } = await newPair()
  const cases: [said: Body, pointer: string, message: RegExp][] = [
    [{}, '/value', /is required, or one of change, missing, symptom/],
    [{ value: { above: 1 }, missing: { for: 'P2D' } }, '/missing', /left out where value is given/],
    [{ value: {} }, '/value/above', /required unless below/],
    [{ value: { above: 100, below: 90 } }, '/value/below', /left out/],
    [{ value: { above: 350 } }, '/value/above', /at least 1 and less than 350 \/min/],
    [{ value: { below: 1 } }, '/value/below', /greater than 1 and at most 350/],
    [{ value: { above: '130' } }, '/value/above', /a number/],
    [{ value: { above: null } }, '/value/above', /a number/],
    [{ value: { above: 130, for: 'PT2H' } }, '/value/for', /not|left out|unknown/],
    [{ value: { above: 130, times: 2 } }, '/value/within', /required where times is above 1/],
    [{ value: { above: 130, within: 'P1D' } }, '/value/within', /left out where times is 1/],
    [{ value: { above: 130, times: 21, within: 'P1D' } }, '/value/times', /from 1 to 20/],
    [{ value: { above: 130, times: 1.5, within: 'P1D' } }, '/value/times', /whole number/],
    [{ value: { above: 130, times: 2, within: 'P30DT1M' } }, '/value/within', /from PT1M to P30D/],
    [{ value: { above: 130 }, clear: { below: 131 } }, '/clear/below', /at most the bound/],
    [{ value: { above: 130 }, clear: { below: 1 } }, '/clear/below', /greater than 1/],
    [{ value: { above: 130 }, clear: { above: 100 } }, '/clear/above', /left out where the rule looks above/],
    [{ value: { below: 50 }, clear: { above: 49 } }, '/clear/above', /at least the bound/],
    [{ value: { below: 50 }, clear: {} }, '/clear/above', /required in clear/],
    [{ change: { by: 0, within: 'P1D' } }, '/change/by', /not 0/],
    [{ change: { by: 350, within: 'P1D' } }, '/change/by', /from -349 to 349/],
    [{ change: { by: 2 } }, '/change/within', /required/],
    [{ change: { by: 2, within: 'P31D' } }, '/change/within', /PT1M to P30D/],
    [{ change: { by: 2, within: 'P1D' }, clear: { below: 100 } }, '/clear', /where change is given/],
    [{ missing: { for: 'PT59M' } }, '/missing/for', /PT1H to P365D/],
    [{ missing: { for: 'P366D' } }, '/missing/for', /PT1H to P365D/],
    [{ missing: { for: 'P1D' }, field: 'value' }, '/field', /left out where missing/],
    [{ missing: { for: 'P1D' }, unit: '/min' }, '/unit', /left out where missing/],
    ...['', 'P', 'P1DT', '1H', 'PT1S', 'P1W', 'PT1.5H', 'pt1h', '-PT1H', 'PT1M1H', 'PT1H ', 3600].map(
      (within): [Body, string, RegExp] => [{ change: { by: 2, within } }, '/change/within', /PT1M to P30D/],
    ),
    [{ symptom: { severity: 'SEVERE' } }, '/readingType', /must be symptom/],
    [{ ...SEVERE, symptom: { severity: 'AWFUL' } }, '/symptom/severity', /MILD, MODERATE, SEVERE/],
    [{ ...SEVERE, symptom: undefined, missing: { for: 'P1D' } }, '/readingType', /catalogue/],
    [{ ...FAST, severity: 'notice' }, '/severity', /urgent, warning/],
    [{ ...FAST, label: '' }, '/label', /1 to 100/],
    [{ ...FAST, label: 'a\u0001b' }, '/label', /1 to 100/],
    [{ ...FAST, ruleId: 'none' }, '/ruleId', /ruleId of a rule/],
    [{ ...FAST, field: 'constructor' }, '/field', /one of value/],
    [{ ...FAST, unit: 'bpm' }, '/unit', /\/min/],
    [{ ...FAST, readingType: 'constructor' }, '/readingType', /catalogue/],
    [{ ...FAST, readingType: 'heart_rate' }, '/readingType', /heartRate/],
    [{ ...FAST, readingType: 'bodyTemperature' }, '/unit', /required/],
    [{ ...FAST, readingType: 'bloodPressure' }, '/field', /systolic, diastolic/],
    [{ ...FAST, readingType: 'bloodGlucose', unit: 'mmol/L' }, '/value/above', /less than 55 mmol/],
    [{ ...FAST, value: JSON.parse('{"above":130,"__proto__":1}') }, '/value/__proto__', /./],
    [{ ...FAST, another: 1 }, '/another', /./],
  ]
  for (const [said, pointer, message] of cases) {
    const answer = await post(token, 'set', { patientUid, ...HEART, ...said })
    assertRefused(answer, 400, 'ValidationFailed')
    const error = answer.json.errors.find((wrong) => wrong.pointer === pointer)
    assert.match(error?.message ?? '', message, `${JSON.stringify(said)}: ${answer.text}`)
  }
  assert.deepEqual(await listed(token, query), [])
})

test("the same rule under another label is refused, and nobody changes another author's", async () => {
  const { token, patientUid, patient, query, set, remove } = await newPair()
  const first = await set(FAST)
  for (const body of [
    { ...FAST, label: 'Another' },
    { ...FAST, value: { above: 130, times: 1 }, label: 'Another' },
  ])
    assertRefused(await post(token, 'set', { patientUid, ...body }), 409, 'RuleExists')
  const slow = await set({ ...HEART, value: { below: 40 } })
  const taken = { patientUid, ...FAST, ruleId: slow['ruleId'] }
  assertRefused(await post(token, 'set', taken), 409, 'RuleExists')
  const colleague = await newDoctor(rounds)
  await colleague.patient({}, patientUid)
  const theirs = await mustSet(colleague.token, { patientUid, ...FAST })
  assert.notEqual(theirs['ruleId'], first['ruleId'])
  const forAll = await mustSet(token, FAST)
  const unknown = [theirs['ruleId'], forAll['ruleId'], randomUUID()]
  await remove(slow['ruleId'])
  for (const ruleId of [...unknown, slow['ruleId']])
    assertRefused(
      await post(token, 'set', { patientUid, ...HEART, value: { below: 42 }, ruleId }),
      404,
      'RuleUnknown',
    )
  for (const ruleId of [theirs['ruleId'], randomUUID()])
    assertRefused(await remove(ruleId), 404, 'RuleUnknown')
  assert.deepEqual(await listed(patient.token, query), [theirs, first, forAll])
})

test('ten requests at two processes set one rule once, and only fifty of an author for a patient', async () => {
  const { doctor, token, patientUid, query, set, remove } = await newPair()
  const at = (nth: number) => (nth % 2 === 0 ? rounds : beside)
  const same = await Promise.all(Array.from({ length: 10 }, (_, nth) => set(FAST, at(nth))))
  assert.equal(new Set(same.map(({ ruleId }) => ruleId)).size, 1)
  const [{ ruleId } = {}] = same
  assert.equal((await changesOf(ruleId)).length, 1)
  await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      set({ ...HEART, value: { above: 200 + (nth % 2) }, ruleId }, at(nth)),
    ),
  )
  const rule = (nth: number) => ({ ...HEART, value: { above: 210 + nth } })
  await Promise.all(Array.from({ length: 48 }, (_, nth) => set(rule(nth), at(nth))))
  const last = await Promise.all(
    Array.from({ length: 10 }, (_, nth) => post(token, 'set', { patientUid, ...rule(90 + nth) }, at(nth))),
  )
  const refused = last.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 9)
  for (const answer of refused) assertRefused(answer, 409, 'TooManyRules')
  assert.equal((await listed(token, query)).length, 50)
  // What is set may be set again and replaced; others are not counted: for all, of another patient, of another author.
  await set(rule(0))
  await set({ ...HEART, value: { above: 349 }, ruleId })
  await mustSet(token, FAST)
  await mustSet(token, { patientUid: (await doctor.patient()).patientUid, ...FAST })
  const colleague = await newDoctor(rounds)
  await colleague.patient({}, patientUid)
  await mustSet(colleague.token, { patientUid, ...rule(0) })
  await remove(ruleId)
  await set(rule(139))
})

test('a rule for all is seen by those who share its type with manage, and by nobody else', async () => {
  const { doctor, patient, token, patientUid, query } = await newPair({ sharedAs: 'Ada Invented' })
  const rule = await mustSet(token, { ...FAST, label: 'For all' })
  assert.equal(rule['patientUid'], null)
  const own = await mustSet(token, { patientUid, ...SILENT })
  assert.deepEqual(await listed(token), [rule])
  assert.deepEqual(await listed(patient.token), [rule, own])
  const cases: [grant: Body, seen: Body[]][] = [
    [{ permission: 'view' }, [{ ...own, isSuspended: true }]],
    [{ readingTypes: ['heartRate'] }, [rule, { ...own, isSuspended: true }]],
    [{ readingTypes: ['oxygenSaturation'] }, [own]],
    [{}, [rule, own]],
  ]
  for (const [grant, seen] of cases) {
    await patient.give(grant)
    assert.deepEqual(await listed(patient.token, query), seen, JSON.stringify(grant))
  }
  await patient.give({ readingTypes: ['heartRate'] })
  const { json, headers } = await ask(token, query)
  assert.deepEqual([json.data, Object(json).limitedTo], [[rule], ['heartRate']])
  assert.equal(headers.get('x-limited-to'), 'heartRate')
  await patient.revoke()
  assert.deepEqual(await listed(patient.token), [{ ...own, isSuspended: true }])
  assertRefused(await ask(token, query), 403, 'NotShared')
  // It says nothing of the patient that the own rule is there, so it may be removed.
  assert.equal((await post(token, 'remove', { ruleId: own['ruleId'] })).status, 200)
  assert.deepEqual(await listed(patient.token), [])
  const another = await doctor.patient()
  assert.deepEqual(await listed(another.token), [rule])
})

test('who may neither set nor see rules is refused, the same whether or not the patient exists', async () => {
  const { patientUid, patient, token, set } = await newPair()
  const { ruleId } = await set(FAST)
  const viewing = await newDoctor(rounds)
  await viewing.patient({ permission: 'view' }, patientUid)
  const limited = await newDoctor(rounds)
  await limited.patient({ readingTypes: ['bodyWeight'] }, patientUid)
  const stranger = { doctorId: `doctor-${randomUUID()}` }
  const staff = { scope: 'readings:read', sub: 'staff' }
  const readOnly = { ...stranger, scope: 'user/Observation.rs' }
  const cases: [who: string, codes: [set: string, forAll: string, remove: string, list: string]][] = [
    [viewing.token, ['ManageRequired', 'Ok', 'RuleUnknown', 'Ok']],
    [limited.token, ['NotShared', 'Ok', 'RuleUnknown', 'Ok']],
    [patient.token, ['NotADoctor', 'NotADoctor', 'NotADoctor', 'Ok']],
    [await rounds.token(stranger), ['NotShared', 'Ok', 'RuleUnknown', 'NotShared']],
    [await rounds.token(readOnly), ['ScopeMissing', 'ScopeMissing', 'ScopeMissing', 'NotShared']],
    [await rounds.token(staff), ['NotADoctor', 'NotADoctor', 'NotADoctor', 'Ok']],
    [token, ['Ok', 'Ok', 'Ok', 'Ok']],
  ]
  for (const [who, codes] of cases)
    for (const at of [rounds, beside])
      assert.deepEqual(
        [
          await post(who, 'set', { patientUid, ...FAST }, at),
          await post(who, 'set', FAST, at),
          await post(who, 'remove', { ruleId }, at),
          await ask(who, `?patientUid=${patientUid}`, at),
        ].map(({ json }) => json.code),
        codes,
      )
  const log = await rounds.call(`/casesheet/readings/access-log?patientUid=${patientUid}`, {
    token: patient.token,
  })
  const reads = log.json.data.map(({ operation, allowedAs }) => [operation, allowedAs].join(' '))
  assert.deepEqual(reads.toSorted(), [
    ...Array.from({ length: 6 }, () => 'rules/list grant'),
    ...['patient', 'patient', 'staff', 'staff'].map((as) => `rules/list ${as}`),
  ])
})

test('while a revocation is in progress, and after it, no process sets anything', async () => {
  const { patient, patientUid, token, query, set } = await newPair()
  const rule = await set(FAST)
  await set(FAST, beside)
  const owner = new Client({ connectionString: rounds.ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query(
      "update casesheet.grants set state = 'revoked', changed_by = 'patient' where patient_uid = $1",
      [patientUid],
    )
    const answers = Promise.all([
      post(token, 'set', { patientUid, ...SILENT }),
      post(token, 'set', { patientUid, ...SILENT, ruleId: rule['ruleId'] }, beside),
    ])
    await until(async () => {
      const { rows } = await owner.query(
        "select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like '%casesheet.rules%'",
      )
      return rows[0]?.waiting === 2
    }, 5_000)
    await owner.query('commit')
    for (const answer of await answers) assertRefused(answer, 403, 'NotShared')
  } finally {
    await owner.end()
  }
  assert.deepEqual(await listed(patient.token, query), [{ ...rule, isSuspended: true }])
})

test('where alerts are off nothing is set, and what was set may be seen and removed', async () => {
  const off = await startRounds({ MODULES: 'casesheet,care', ...AT_SAME })
  const { token, patientUid, query, set, remove } = await newPair()
  const rule = await set(FAST)
  for (const body of [{ patientUid, ...FAST }, SEVERE])
    assertRefused(await post(token, 'set', body, off), 409, 'AlertsAreOff')
  assert.deepEqual(await listed(token, query, off), [rule])
  assert.equal((await remove(rule['ruleId'], off)).status, 200)
})
