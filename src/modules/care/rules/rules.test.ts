// rules/set, rules/remove and rules/list: what a rule may say, what stays of it, and how many there may be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'

const SETTINGS = { MODULES: 'casesheet,care', ALERTS: 'on' }
const rounds = await startRounds(SETTINGS)
/** A second process of the same service. */
const beside = await startRounds({
  ...SETTINGS,
  DATABASE_URL: rounds.serveUrl,
  AUTH_ISSUER: rounds.issuer.url,
})

type Body = Record<string, unknown>

/** A patient who shares with a doctor of their own, and what the doctor does. */
async function newPair() {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  let posts = 0
  const post = (action: string, body: Body) =>
    (posts++ % 2 === 0 ? rounds : beside).call(`/care/rules/${action}`, {
      token: doctor.token,
      body: { patientUid, ...body },
    })
  const set = async (body: Body): Promise<Body> => {
    const { status, json, text } = await post('set', body)
    assert.equal(status, 200, text)
    return Object(json.data)
  }
  const list = async (token = doctor.token): Promise<Body[]> => {
    const { status, json, text } = await rounds.call(`/care/rules/list?patientUid=${patientUid}`, { token })
    assert.equal(status, 200, text)
    return json.data
  }
  const changes = () =>
    runSql<{ action: string; changed_by: string }>(
      rounds.ownerUrl,
      'select action, changed_by from casesheet.rule_changes where patient_uid = $1 order by changed_at',
      [patientUid],
    )
  const remove = (ruleId: unknown) => post('remove', { ruleId })
  return { doctor, patient, patientUid, post, set, remove, list, changes }
}

const HEART = { readingType: 'heartRate', severity: 'urgent' }
const FAST = { ...HEART, threshold: { above: 130 } }
const NONE = {
  field: null,
  unit: null,
  threshold: null,
  sustained: null,
  change: null,
  missing: null,
  clear: null,
  maxAge: null,
  label: null,
}

test('a rule is set, shown to the patient, replaced and removed, and its versions stay', async () => {
  const { doctor, patient, patientUid, set, remove, list, changes } = await newPair()
  assert.deepEqual(await list(), [])
  const first = await set({ ...FAST, clear: { below: 120, count: 2 }, label: 'Ours' })
  const { setAt, ruleId, ...said } = first
  assert.ok(Math.abs(Date.parse(String(setAt)) - Date.now()) < 60_000)
  const by = { setBy: `sub-of-${doctor.doctorId}`, doctorId: doctor.doctorId }
  const shown = { ...NONE, patientUid, ...FAST, field: 'value', unit: '/min', maxAge: 'P1D', ...by }
  assert.deepEqual(said, { ...shown, clear: { below: 120, count: 2 }, label: 'Ours' })
  assert.deepEqual([await list(), await list(patient.token)], [[first], [first]])
  const second = await set({ ...FAST, maxAge: 'PT2H', ruleId })
  assert.deepEqual(
    { ...second, setAt },
    { ...shown, ruleId, clear: { atMost: 130, count: 1 }, maxAge: 'PT2H', setAt },
  )
  assert.ok(String(second['setAt']) > String(setAt))
  assert.deepEqual(await list(), [second])
  // A rule that is sent as it was read is the same rule.
  const { patientUid: _patient, setBy: _by, doctorId: _doctor, setAt: _at, ...sent } = second
  const again = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  assert.deepEqual(await set(again), second)
  for (let time = 1; time <= 2; time++) {
    const { status, json } = await remove(ruleId)
    assert.deepEqual([status, json.code], [200, 'Ok'])
  }
  assert.deepEqual(await list(), [])
  const third = await set(FAST)
  assert.notEqual(third['ruleId'], ruleId)
  assert.deepEqual(await changes(), [
    { action: 'set', changed_by: by.setBy },
    { action: 'set', changed_by: by.setBy },
    { action: 'remove', changed_by: by.setBy },
    { action: 'set', changed_by: by.setBy },
  ])
})

test('what is left out of clear is written into the rule', async () => {
  const { set } = await newPair()
  const cases: [said: Body, clear: Body][] = [
    [{ threshold: { above: 130 } }, { atMost: 130, count: 1 }],
    [{ threshold: { below: 50 } }, { atLeast: 50, count: 1 }],
    [
      { threshold: { above: 131 }, clear: { count: 10 } },
      { atMost: 131, count: 10 },
    ],
    [
      { threshold: { above: 131 }, clear: {} },
      { atMost: 131, count: 1 },
    ],
    [
      { threshold: { above: 131 }, clear: { below: 131 } },
      { below: 131, count: 1 },
    ],
    [
      { threshold: { above: 131 }, clear: { atMost: 120.5 } },
      { atMost: 120.5, count: 1 },
    ],
    [
      { threshold: { below: 51 }, clear: { above: 51, count: 3 } },
      { above: 51, count: 3 },
    ],
    [
      { threshold: { below: 51 }, clear: { atLeast: 60 } },
      { atLeast: 60, count: 1 },
    ],
    [{ sustained: { above: 150, count: 3, of: 4 } }, { atMost: 150, count: 3 }],
    [
      { sustained: { below: 50, count: 2, of: 2 }, clear: { above: 55 } },
      { above: 55, count: 2 },
    ],
    [{ sustained: { above: 150, for: 'PT2H' } }, { atMost: 150, count: 2 }],
    [{ change: { by: -20, within: 'P1DT12H30M' } }, { count: 1 }],
    [{ change: { by: 20.5, within: 'PT90M' }, clear: { count: 4 } }, { count: 4 }],
  ]
  for (const [said, clear] of cases) {
    const rule = await set({ ...HEART, ...said })
    assert.deepEqual(rule['clear'], clear, JSON.stringify(said))
    const [[name, condition] = []] = Object.entries(said)
    assert.deepEqual(rule[name ?? ''], condition)
  }
  const missing = await set({ ...HEART, missing: { for: 'P2D' } })
  const { missing: condition, clear, field, unit, maxAge } = missing
  assert.deepEqual(
    { condition, clear, field, unit, maxAge },
    {
      condition: { for: 'P2D' },
      clear: null,
      field: null,
      unit: null,
      maxAge: null,
    },
  )
})

test('what no rule can be is refused, with what would be right', async () => {
  const { post, list } = await newPair()
  const cases: [said: Body, pointer: string, message: RegExp][] = [
    [{}, '/threshold', /is required, or one of sustained, change, missing/],
    [{ threshold: { above: 1 }, missing: { for: 'P2D' } }, '/missing', /left out where threshold is given/],
    [{ threshold: {} }, '/threshold/above', /required unless below/],
    [{ threshold: { above: 100, below: 90 } }, '/threshold/below', /left out/],
    [{ threshold: { above: 350 } }, '/threshold/above', /at least 1 and less than 350 \/min/],
    [{ threshold: { above: 0.9 } }, '/threshold/above', /at least 1/],
    [{ threshold: { below: 1 } }, '/threshold/below', /greater than 1 and at most 350/],
    [{ threshold: { below: 350.5 } }, '/threshold/below', /at most 350/],
    [{ threshold: { above: '130' } }, '/threshold/above', /a number/],
    [{ threshold: { above: null } }, '/threshold/above', /a number/],
    [{ threshold: { above: 130, for: 'PT2H' } }, '/threshold/for', /not|left out|unknown/],
    [{ threshold: { above: 130 }, clear: { below: 131 } }, '/clear/below', /greater than 1 and at most 130/],
    [{ threshold: { above: 130 }, clear: { below: 1 } }, '/clear/below', /greater than 1/],
    [{ threshold: { above: 130 }, clear: { above: 100 } }, '/clear/above', /below is meant/],
    [{ threshold: { above: 130 }, clear: { atLeast: 100 } }, '/clear/atLeast', /below is meant/],
    [
      { threshold: { above: 130 }, clear: { below: 1.5, atMost: 120 } },
      '/clear/atMost',
      /left out where below/,
    ],
    [{ threshold: { below: 50 }, clear: { above: 350 } }, '/clear/above', /at least 50 and less than 350/],
    [{ threshold: { below: 50 }, clear: { atLeast: 49 } }, '/clear/atLeast', /at least 50/],
    [{ threshold: { above: 130 }, clear: { count: 0 } }, '/clear/count', /from 1 to 10/],
    [{ threshold: { above: 130 }, clear: { count: 11 } }, '/clear/count', /from 1 to 10/],
    [{ threshold: { above: 130 }, clear: { count: 1.5 } }, '/clear/count', /whole number/],
    [{ sustained: { above: 130 } }, '/sustained/count', /required unless for/],
    [{ sustained: { above: 130, count: 3 } }, '/sustained/of', /required where count/],
    [{ sustained: { above: 130, of: 3 } }, '/sustained/count', /required/],
    [{ sustained: { above: 130, count: 3, of: 2 } }, '/sustained/of', /not be less than count/],
    [{ sustained: { above: 130, count: 1, of: 2 } }, '/sustained/count', /from 2 to 10/],
    [{ sustained: { above: 130, count: 2, of: 11 } }, '/sustained/of', /from 2 to 10/],
    [{ sustained: { above: 130, count: 2, of: 2, for: 'PT1H' } }, '/sustained/count', /left out where for/],
    [{ sustained: { above: 130, for: 'PT9M' } }, '/sustained/for', /from PT10M to P1D/],
    [{ sustained: { above: 130, for: 'P1DT1M' } }, '/sustained/for', /from PT10M to P1D/],
    [{ sustained: { count: 2, of: 3 } }, '/sustained/above', /required unless below/],
    [{ change: { by: 0, within: 'P1D' } }, '/change/by', /not 0/],
    [{ change: { by: -0, within: 'P1D' } }, '/change/by', /not 0/],
    [{ change: { by: 350, within: 'P1D' } }, '/change/by', /from -349 to 349/],
    [{ change: { by: 2 } }, '/change/within', /required/],
    [{ change: { by: 2, within: 'PT9M' } }, '/change/within', /PT10M to P30D/],
    [{ change: { by: 2, within: 'P30DT1M' } }, '/change/within', /PT10M to P30D/],
    [{ change: { by: 2, within: 'P1D' }, clear: { below: 100 } }, '/clear/below', /where change is given/],
    [{ missing: { for: 'PT59M' } }, '/missing/for', /PT1H to P30D/],
    [{ missing: { for: 'P31D' } }, '/missing/for', /PT1H to P30D/],
    ...['field', 'unit', 'maxAge'].map((name): [Body, string, RegExp] => [
      { missing: { for: 'P1D' }, [name]: name === 'maxAge' ? 'PT1H' : 'value' },
      `/${name}`,
      /left out where missing/,
    ]),
    [{ missing: { for: 'P1D' }, clear: { count: 1 } }, '/clear', /left out where missing/],
    ...[
      '',
      'P',
      'PT',
      'P1DT',
      '1H',
      'PT1S',
      'P1W',
      'P1M',
      'P1Y',
      'PT1.5H',
      'pt1h',
      'PT-1H',
      '-PT1H',
      'PT1M1H',
      'P99999D',
      'PT1H ',
      3600,
    ].map((maxAge): [Body, string, RegExp] => [{ ...FAST, maxAge }, '/maxAge', /PT5M to P30D/]),
    [{ ...FAST, severity: 'high' }, '/severity', /notice, warning, urgent/],
    [{ ...FAST, label: '' }, '/label', /1 to 100/],
    [{ ...FAST, label: 'a\u0001b' }, '/label', /1 to 100/],
    [{ ...FAST, ruleId: 'none' }, '/ruleId', /ruleId of a rule/],
    [{ ...FAST, field: 'systolic' }, '/field', /one of value/],
    [{ ...FAST, field: 'constructor' }, '/field', /one of value/],
    [{ ...FAST, unit: 'bpm' }, '/unit', /\/min/],
    [{ ...FAST, unit: '__proto__' }, '/unit', /\/min/],
    [{ ...FAST, readingType: 'constructor' }, '/readingType', /catalogue/],
    [{ ...FAST, readingType: 'heart_rate' }, '/readingType', /heartRate/],
    [{ ...FAST, readingType: 'acme.grip' }, '/readingType', /catalogue/],
    [{ ...FAST, readingType: 'bodyTemperature' }, '/unit', /required/],
    [{ ...FAST, readingType: 'bloodPressure' }, '/field', /systolic, diastolic/],
    [{ ...FAST, readingType: 'bloodGlucose', unit: 'mmol/L' }, '/threshold/above', /less than 55 mmol/],
    [{ ...FAST, threshold: JSON.parse('{"above":130,"__proto__":1}') }, '/threshold/__proto__', /./],
    [{ ...FAST, another: 1 }, '/another', /./],
  ]
  for (const [said, pointer, message] of cases) {
    const answer = await post('set', { ...HEART, ...said })
    assertRefused(answer, 400, 'ValidationFailed')
    const error = answer.json.errors.find((wrong) => wrong.pointer === pointer)
    assert.match(error?.message ?? '', message, `${JSON.stringify(said)}: ${answer.text}`)
  }
  assert.deepEqual(await list(), [])
})

test('durations and bounds at their limits are accepted, and so is the largest rule', async () => {
  const { set } = await newPair()
  for (const said of [
    { threshold: { above: 1 } },
    { threshold: { above: 349.999 } },
    { threshold: { below: 350 } },
    { sustained: { above: 130, for: 'PT10M' } },
    { sustained: { above: 130, for: 'PT24H' } },
    { sustained: { above: 130, count: 10, of: 10 } },
    { change: { by: 349, within: 'P30D' } },
    { change: { by: -349, within: 'PT10M' } },
    { change: { by: 5e-324, within: 'PT000010M' } },
    { missing: { for: 'PT1H' } },
    { missing: { for: 'PT720H' } },
    { ...FAST, maxAge: 'PT5M' },
    { ...FAST, maxAge: 'P30D' },
  ])
    await set({ ...HEART, ...said })
  const tiny = Number.MIN_VALUE
  const largest = {
    readingType: 'bloodGlucose',
    unit: 'mmol/L',
    severity: 'warning',
    sustained: { above: 1 + Number.EPSILON, count: 10, of: 10 },
    clear: { below: tiny, count: 10 },
    maxAge: 'P0000DT00001H000059M',
    label: '😀'.repeat(50),
  }
  const stored = await set(largest)
  for (const [name, value] of Object.entries(largest)) assert.deepEqual(stored[name], value, name)
})

test('the same rule again changes nothing, and one that is another rule already is refused', async () => {
  const { patientUid, patient, post, set, remove, list, changes } = await newPair()
  const first = await set(FAST)
  const colleague = await newDoctor(rounds)
  await colleague.patient({}, patientUid)
  const { json } = await beside.call('/care/rules/set', {
    token: colleague.token,
    body: { patientUid, ...FAST },
  })
  assert.deepEqual(json.data, first)
  const slow = await set({ ...HEART, threshold: { below: 40 } })
  assertRefused(await post('set', { ...FAST, ruleId: slow['ruleId'] }), 409, 'RuleExists')
  const other = await set({ ...HEART, threshold: { above: 140 } })
  assert.deepEqual(await set({ ...HEART, threshold: { above: 140 }, ruleId: other['ruleId'] }), other)
  const replaced = await set({ ...HEART, threshold: { above: 145 }, ruleId: other['ruleId'] })
  assert.equal(replaced['ruleId'], other['ruleId'])
  assert.equal((await list()).length, 3)
  assert.equal((await changes()).length, 4)
  await remove(slow['ruleId'])
  for (const ruleId of [slow['ruleId'], '7b1d4f0a-3c52-4e19-a4d7-9e8f2c6b5a10'])
    assertRefused(await post('set', { ...HEART, threshold: { below: 42 }, ruleId }), 404, 'RuleUnknown')
  // The rule of another patient is none of this one.
  const others = await newPair()
  const theirs = await others.set(FAST)
  assertRefused(await post('set', { ...FAST, ruleId: theirs['ruleId'] }), 404, 'RuleUnknown')
  assert.equal((await remove(theirs['ruleId'])).status, 200)
  assert.deepEqual(await others.list(), [theirs])
  assert.equal((await list(patient.token)).length, 2)
})

test('ten requests at two processes set one rule once, and only fifty rules of a patient', async () => {
  const { patientUid, set, post, remove, list, changes } = await newPair()
  const same = await Promise.all(Array.from({ length: 10 }, () => set(FAST)))
  assert.equal(new Set(same.map(({ ruleId }) => ruleId)).size, 1)
  const replaced = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      post('set', { ...HEART, threshold: { above: 200 + (nth % 2) }, ruleId: same[0]?.['ruleId'] }),
    ),
  )
  assert.deepEqual([...new Set(replaced.map(({ status }) => status))], [200])
  assert.equal((await list()).length, 1)
  await Promise.all(
    Array.from({ length: 48 }, (_, nth) => set({ ...HEART, threshold: { above: 210 + nth } })),
  )
  assert.equal((await list()).length, 49)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, nth) => post('set', { ...HEART, threshold: { above: 300 + nth } })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertRefused(answer, 409, 'TooManyRules')
    assert.equal(answer.json.message, 'The patient has 50 rules already. Remove one first.')
  }
  const rules = await list()
  assert.equal(rules.length, 50)
  // What is set may still be replaced, and the same again is no other rule.
  assert.equal(
    (await post('set', { ...HEART, threshold: { above: 349 }, ruleId: rules[0]?.['ruleId'] })).status,
    200,
  )
  await set({ ...HEART, threshold: { above: 349 } })
  await remove(rules[1]?.['ruleId'])
  await set({ ...HEART, threshold: { above: 348 } })
  const [count] = await runSql<{ set: number }>(
    rounds.ownerUrl,
    "select count(*)::integer as set from casesheet.rules where patient_uid = $1 and state = 'set'",
    [patientUid],
  )
  assert.equal(count?.set, 50)
  assert.ok((await changes()).length >= 52)
})

test('a doctor has ten thousand rules at most, also those that were taken over from others', async () => {
  const { doctor, patientUid, set, post } = await newPair()
  const first = await set(FAST)
  // Counted for each of them, ten thousand would take a minute.
  await runSql(rounds.ownerUrl, 'alter table casesheet.rules disable trigger limit_rules')
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.rules (patient_uid, rule_id, reading_type, severity, terms, changed_by, doctor_id)
     select 'patient-' || number, gen_random_uuid(), 'heartRate', 'notice', '{"missing": {"for": "P1D"}}', 'invented', $1
     from generate_series(1, 9999) as number`,
    [doctor.doctorId],
  )
  await runSql(rounds.ownerUrl, 'alter table casesheet.rules enable trigger limit_rules')
  const answer = await post('set', { ...HEART, threshold: { above: 140 } })
  assertRefused(answer, 409, 'TooManyRules')
  assert.equal(answer.json.message, 'You have set 10,000 rules already. Remove one first.')
  assert.equal(
    (await post('set', { ...HEART, threshold: { above: 141 }, ruleId: first['ruleId'] })).status,
    200,
  )
  const colleague = await newDoctor(rounds)
  await colleague.patient({}, patientUid)
  const theirs = await rounds.call('/care/rules/set', {
    token: colleague.token,
    body: { patientUid, ...HEART, threshold: { above: 142 } },
  })
  const { ruleId } = Object(theirs.json.data)
  assertRefused(await post('set', { ...HEART, threshold: { above: 143 }, ruleId }), 409, 'TooManyRules')
})

test('where alerts are off there are no rules, and nothing says that there could be', async () => {
  const off = await startRounds({
    MODULES: 'casesheet,care',
    DATABASE_URL: rounds.serveUrl,
    AUTH_ISSUER: rounds.issuer.url,
  })
  const { doctor, patientUid } = await newPair()
  for (const action of ['set', 'remove'])
    assertRefused(
      await off.call(`/care/rules/${action}`, { token: doctor.token, body: { patientUid, ...FAST } }),
      404,
      'NotFound',
    )
  assertRefused(await off.call('/care/rules/list', { token: doctor.token }), 404, 'NotFound')
  assert.doesNotMatch((await off.call('/openapi.json')).text, /rules\/set/)
})
