// targets/set, targets/remove, targets/list and targets/history: what a target may be, and what stays of it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, type Envelope, runSql, startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds()
/** A second process of the same service. */
const beside = await startRounds({ DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url })

type Body = Record<string, unknown>

/** A patient of their own, and what they do with their targets. */
async function newPatient() {
  const patientUid = `patient-${randomUUID()}`
  const sub = `sub-${patientUid}`
  const token = await rounds.token({ patientUid, sub })
  let posts = 0
  const post = (action: string, body: Body) =>
    (posts++ % 2 === 0 ? rounds : beside).call(`/care/targets/${action}`, {
      token,
      body: { patientUid, ...body },
    })
  const read = async (list: string, query = '') => {
    const { status, json, text } = await rounds.call(`/care/targets/${list}${query}`, { token })
    assert.equal(status, 200, text)
    return json
  }
  const set = async (body: Body) => {
    const { status, json, text } = await post('set', body)
    assert.equal(status, 200, text)
    return json.data
  }
  return {
    patientUid,
    token,
    sub,
    post,
    set,
    remove: (body: Body) => post('remove', body),
    list: async () => (await read('list')).data,
    history: async (query = '') => (await read('history', query)).data,
    read,
  }
}

const SATURATION = { readingType: 'oxygenSaturation' }
const NONE = { low: null, high: null, below: null, label: null, preset: null }

test('a target is set, shown, replaced, removed and set again, and the history says so', async () => {
  const { patientUid, sub, set, remove, list, history } = await newPatient()
  assert.deepEqual([await list(), await history()], [[], []])
  const [first, ...others] = await set({ ...SATURATION, low: 92, label: 'As agreed' })
  const { setAt, ...terms } = Object(first)
  assert.ok(Math.abs(Date.parse(setAt) - Date.now()) < 60_000)
  assert.deepEqual(others, [])
  const by = { setBy: sub, allowedAs: 'patient', doctorId: null }
  const shown = { patientUid, ...SATURATION, field: 'value', unit: '%' }
  assert.deepEqual(terms, { ...shown, ...NONE, low: 92, label: 'As agreed', ...by })
  assert.deepEqual(await list(), [first])

  const [second] = await set({ ...SATURATION, low: 90, high: 99.5, unit: '%' })
  assert.deepEqual({ ...Object(second), setAt }, { ...shown, ...NONE, low: 90, high: 99.5, ...by, setAt })
  assert.deepEqual(await list(), [second])
  for (let time = 1; time <= 2; time++) {
    const { status, json } = await remove(SATURATION)
    assert.deepEqual([status, json.code], [200, 'Ok'])
  }
  assert.deepEqual(await list(), [])
  const [third] = await set({ ...SATURATION, low: 90, high: 99.5 })
  assert.deepEqual(await list(), [third])
  const changes = await history()
  assert.deepEqual(
    changes.map(({ action, field, low, high, label, by: who, allowedAs }) => [
      action,
      field,
      low,
      high,
      label,
      who,
      allowedAs,
    ]),
    [
      ['set', 'value', 90, 99.5, null, sub, 'patient'],
      ['remove', 'value', 90, 99.5, null, sub, 'patient'],
      ['set', 'value', 90, 99.5, null, sub, 'patient'],
      ['set', 'value', 92, null, 'As agreed', sub, 'patient'],
    ],
  )
  assert.deepEqual(
    [changes[0]?.['at'], changes[2]?.['at'], changes[3]?.['at']],
    [third?.['setAt'], second?.['setAt'], setAt],
  )
})

test('the same target again changes nothing and keeps its author, whoever sends it', async () => {
  const { patientUid, set, list, history } = await newPatient()
  const targets = [{ ...SATURATION, low: 92, label: 'Ours' }, { preset: 'home-blood-pressure-esh' }]
  const first = [await set(targets[0] ?? {}), await set(targets[1] ?? {})]
  const carer = await rounds.token({ patientUid: [patientUid, 'another-child'], sub: 'carer' })
  for (const [index, target] of targets.entries()) {
    const { json } = await beside.call('/care/targets/set', { token: carer, body: { patientUid, ...target } })
    assert.deepEqual(json.data, first[index])
  }
  assert.deepEqual([(await list()).length, (await history()).length], [3, 3])
  // Another label alone is another target.
  const { json } = await rounds.call('/care/targets/set', {
    token: carer,
    body: { patientUid, ...SATURATION, low: 92, label: 'Mine' },
  })
  assert.deepEqual([json.data[0]?.['setBy'], (await history()).length], ['carer', 4])
})

test('a preset sets all its targets at once, in the unit that was chosen, and removing the type ends them', async () => {
  const { set, remove, list, history, read } = await newPatient()
  const { data: presets } = await read('presets')
  for (const { preset, readingType, units } of presets as {
    preset: string
    readingType: string
    units: object
  }[]) {
    for (const [unit, ranges] of Object.entries(units)) {
      const data = await set({ preset, unit })
      const terms = data.map(({ field, low, high, below }) => ({ field, low, high, below }))
      const byField = (one: { field: string }, other: { field: string }) =>
        one.field.localeCompare(other.field)
      assert.deepEqual(terms, ranges.toSorted(byField))
      assert.ok(data.every((target) => target['preset'] === preset && target['readingType'] === readingType))
      assert.ok(data.every((target) => target['unit'] === unit && target['label'] === null))
    }
  }
  assert.deepEqual(
    (await list()).map(({ readingType, field, below, preset }) => [readingType, field, below, preset]),
    [
      ['bloodPressure', 'diastolic', 80, 'home-blood-pressure-acc-aha'],
      ['bloodPressure', 'systolic', 130, 'home-blood-pressure-acc-aha'],
      ['interstitialGlucose', 'value', null, 'sensor-glucose'],
    ],
  )
  await set({ readingType: 'bloodPressure', field: 'pulse', high: 90 })
  await remove({ readingType: 'bloodPressure', field: 'systolic' })
  assert.deepEqual(
    (await list()).map(({ field, unit }) => [field, unit]),
    [
      ['diastolic', 'mm[Hg]'],
      ['pulse', '/min'],
      ['value', 'mmol/L'],
    ],
  )
  await remove({ readingType: 'bloodPressure' })
  assert.deepEqual(
    (await list()).map(({ readingType }) => readingType),
    ['interstitialGlucose'],
  )
  assert.equal((await history()).filter(({ action }) => action === 'remove').length, 3)
})

const GLUCOSE = { readingType: 'interstitialGlucose' }
const PRESSURE = { readingType: 'bloodPressure', field: 'systolic' }

const RIGHT: [body: Body, shown: Body][] = [
  [{ ...GLUCOSE, low: 3.9, high: 10, unit: 'mmol/L' }, {}],
  [{ ...GLUCOSE, low: 0, high: 55, unit: 'mmol/L' }, {}],
  [{ ...GLUCOSE, low: 0, high: 990.86, unit: 'mg/dL' }, {}],
  [{ ...GLUCOSE, low: -0, below: 1e-7, unit: 'mmol/L' }, { low: 0 }],
  [{ ...GLUCOSE, high: 7.123456789012345, unit: 'mmol/L' }, {}],
  [{ ...PRESSURE, below: 135 }, { unit: 'mm[Hg]' }],
  [
    { readingType: 'bodyTemperature', high: 99.5, unit: '[degF]', label: '😀'.repeat(100) },
    { field: 'value' },
  ],
  [{ readingType: 'sleep', field: 'deep', low: 60, label: ' "x" \\ \'; {,} NULL' }, { unit: 'min' }],
  [{ readingType: 'stepCount', low: 8_000, field: 'value', unit: '{steps}' }, {}],
]

test('the largest and oddest targets come back as they were sent', async () => {
  const { set, list } = await newPatient()
  for (const [body, shown] of RIGHT) {
    const [target] = await set(body)
    assert.deepEqual({ ...Object(target), ...body, ...shown }, target)
    assert.ok((await list()).some((listed) => JSON.stringify(listed) === JSON.stringify(target)))
  }
})

const TYPES = 'must be a type of the catalogue that has numbers: see readings/types'
const WRONG: [body: Body, pointer: string, message?: string][] = [
  [{ low: 1 }, '/readingType', 'is required unless a preset is named'],
  ...['symptom', 'acme.grip', 'constructor', '__proto__', 'toString'].map(
    (readingType): [Body, string, string] => [{ readingType, low: 1 }, '/readingType', TYPES],
  ),
  [{ readingType: 'blood_glucose', low: 4, unit: 'mmol/L' }, '/readingType', 'must be written bloodGlucose'],
  ...[null, 7, '', 'heart rate', ['heartRate'], 'x'.repeat(65)].map((readingType): [Body, string] => [
    { readingType, low: 1 },
    '/readingType',
  ]),
  [{ readingType: 'bloodPressure', low: 90 }, '/field', 'is required: one of systolic, diastolic, pulse'],
  [{ ...PRESSURE, field: 'value', low: 90 }, '/field', 'must be one of systolic, diastolic, pulse'],
  ...['constructor', '__proto__', 'unit', 'context'].map((field): [Body, string] => [
    { readingType: 'heartRate', field, low: 50 },
    '/field',
  ]),
  ...[null, 7, '', 'x'.repeat(65)].map((field): [Body, string] => [
    { ...PRESSURE, field, low: 90 },
    '/field',
  ]),
  [{ ...GLUCOSE, low: 70, high: 180 }, '/unit', 'is required: one of mmol/L, mg/dL'],
  [{ ...GLUCOSE, low: 70, unit: 'mg/dl' }, '/unit', 'must be one of mmol/L, mg/dL: write mg/dL'],
  [{ ...GLUCOSE, low: 70, unit: 'kg' }, '/unit', 'must be one of mmol/L, mg/dL'],
  [{ ...GLUCOSE, low: 70, unit: 'constructor' }, '/unit'],
  [{ ...PRESSURE, field: 'pulse', low: 50, unit: 'mm[Hg]' }, '/unit', 'must be one of /min'],
  [{ ...PRESSURE, field: 'pulse', low: 50, unit: 'bpm' }, '/unit', 'must be one of /min: write /min'],
  ...[null, 7, 'x'.repeat(65)].map((unit): [Body, string] => [{ ...GLUCOSE, low: 5, unit }, '/unit']),
  [SATURATION, '/low', 'is required unless high or below is given'],
  ...['low', 'high', 'below'].flatMap((bound) =>
    [null, true, '90', '', [90], { value: 90 }].map((value): [Body, string, string] => [
      { ...SATURATION, [bound]: value },
      `/${bound}`,
      'must be a number',
    ]),
  ),
  ...['low', 'high', 'below'].flatMap((bound) =>
    [-1, 100.1, 1e300].map((value): [Body, string, string] => [
      { ...SATURATION, [bound]: value },
      `/${bound}`,
      'must be from 0 to 100 %',
    ]),
  ),
  [{ ...GLUCOSE, low: 70, unit: 'mmol/L' }, '/low', 'must be from 0 to 55 mmol/L'],
  [{ ...SATURATION, high: 99, below: 100 }, '/below', 'must be left out where high is given'],
  [{ ...SATURATION, low: 90, high: 90 }, '/low', 'must be less than high'],
  [{ ...SATURATION, low: 91, below: 90 }, '/low', 'must be less than below'],
  ...[
    null,
    7,
    '',
    ' ',
    '\u200b',
    'a\nb',
    'a\0',
    '\u202eaiM',
    'a\u2028b',
    'a'.repeat(101),
    '😀'.repeat(101),
  ].map((label): [Body, string] => [{ ...SATURATION, low: 90, label }, '/label']),
  ...['setBy', 'setAt', 'doctorId', 'allowedAs', 'state', 'constructor'].map(
    (name): [Body, string, string] => [
      { ...SATURATION, low: 90, [name]: 'x' },
      `/${name}`,
      'is not known here',
    ],
  ),
  [{ ...SATURATION, low: 90, 'a/b': 1 }, '/a~1b', 'is not known here'],
  [{ ...SATURATION, low: 90, patientUid: 7 }, '/patientUid'],
  [{ preset: 'nothing' }, '/preset'],
  [{ preset: 'constructor' }, '/preset'],
  [{ preset: null }, '/preset'],
  [{ preset: 'sensor-glucose' }, '/unit', 'is required: one of mg/dL, mmol/L'],
  [{ preset: 'sensor-glucose', unit: 'mmol' }, '/unit', 'must be one of mg/dL, mmol/L'],
  [{ preset: 'home-blood-pressure-esh', unit: 'mmHg' }, '/unit', 'must be one of mm[Hg]: write mm[Hg]'],
  ...Object.entries({ low: 1, high: 1, below: 1, label: 'x', field: 'value', readingType: 'heartRate' }).map(
    ([name, value]): [Body, string, string] => [
      { preset: 'home-blood-pressure-esh', [name]: value },
      `/${name}`,
      'must be left out: the preset says it',
    ],
  ),
]

test('a wrong field is named with what would be right, and nothing is set', async () => {
  const { post, list, history } = await newPatient()
  for (const [body, pointer, message] of WRONG) {
    const answer = await post('set', body)
    assertRefused(answer, 400, 'ValidationFailed')
    const [error, ...others] = answer.json.errors
    assert.deepEqual([error?.pointer, others, body], [pointer, [], body])
    if (message !== undefined) assert.deepEqual([error?.message, body], [message, body])
  }
  for (const [body, pointer] of [
    [{ readingType: 'symptom' }, '/readingType'],
    [{ readingType: 'constructor' }, '/readingType'],
    [{ readingType: 'bloodPresure' }, '/readingType'],
    [{ readingType: 'bloodPressure', field: 'value' }, '/field'],
    [{ readingType: 'bloodPressure', field: null }, '/field'],
    [{ readingType: 'bloodPressure', low: 1 }, '/low'],
    [{}, '/readingType'],
  ] as const) {
    const answer = await post('remove', body)
    assertRefused(answer, 400, 'ValidationFailed')
    assert.deepEqual([answer.json.errors.map((error) => error.pointer), body], [[pointer], body])
  }
  assert.deepEqual([await list(), await history()], [[], []])
})

test('what is no JSON, or has no exact number in it, is refused', async () => {
  const { patientUid, token, list } = await newPatient()
  const start = `{"patientUid":"${patientUid}","readingType":"oxygenSaturation"`
  const bodies = [
    `${start},"low":1e400}`,
    `${start},"low":NaN}`,
    `${start},"low":Infinity}`,
    `${start},"low":9007199254740993}`,
    `${start},"low":${'9'.repeat(60_000)}}`,
    `${start},"low":90,"low":91}`,
    `${start},"low":90,"__proto__":{}}`,
    `${start},"low":90`,
    '[]',
    '7',
    '',
  ]
  for (const raw of bodies) {
    const answer = await rounds.call('/care/targets/set', { token, raw, method: 'POST' })
    assert.equal(answer.status, 400, raw.slice(0, 200))
  }
  const withQuery = { token, body: { patientUid, ...SATURATION, low: 90 } }
  assertRefused(await rounds.call('/care/targets/set?low=90', withQuery), 400, 'ValidationFailed')
  assertRefused(await rounds.call('/care/targets/list?limit=3', { token }), 400, 'ValidationFailed')
  for (const query of ['?limit=0', '?limit=101', '?limit=1e1', '?cursor=', '?cursor=x', '?from=1'])
    assert.equal((await rounds.call(`/care/targets/history${query}`, { token })).status, 400, query)
  assert.deepEqual(await list(), [])
})

test('the database itself refuses what is no target', async () => {
  const insert = (columns: string, values: string) =>
    runSql(
      rounds.serveUrl,
      `insert into casesheet.targets
         (patient_uid, reading_type, field, unit, changed_by, allowed_as${columns && `, ${columns}`})
       values ('by-hand', 'oxygenSaturation', 'value', '%', 'x', 'patient'${values && `, ${values}`})`,
    )
  const wrong: [columns: string, values: string][] = [
    ['', ''],
    ['high, below', '99, 99'],
    ['low, high', '90, 90'],
    ['low, below', '91, 90'],
    ...["'NaN'", "'Infinity'", "'-Infinity'", '1e10'].map((value): [string, string] => ['low', value]),
    ['low, label', "90, ''"],
    ['low, label', "90, repeat('x', 101)"],
    ['low, doctor_id', "90, 'doctor-1'"],
  ]
  for (const [columns, values] of wrong)
    await assert.rejects(insert(columns, values), { code: '23514' }, `${columns}: ${values}`)
  await assert.rejects(insert('low, state', "90, 'gone'"), { code: '42501' })
  assert.deepEqual(
    await runSql(rounds.ownerUrl, "select from casesheet.targets where patient_uid = 'by-hand'"),
    [],
  )
})

test('sets and removes of one type at once end in the state that the history leads to', async () => {
  const { set, remove, list, read } = await newPatient()
  const steps = Array.from({ length: 24 }, (_, number) => async () => {
    if (number % 6 === 5) await remove({ readingType: 'bloodPressure' })
    else if (number % 2 === 0) await set({ preset: 'home-blood-pressure-esh' })
    else if (number % 3 === 0) await set({ preset: 'home-blood-pressure-acc-aha' })
    else await set({ ...PRESSURE, high: 140 })
  })
  for (let round = 0; round < 5; round++) await Promise.all(steps.map((step) => step()))
  const changes: Body[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Envelope = await read('history', `?limit=7${next && `&cursor=${next}`}`)
    changes.push(...page.data)
    next = page.nextCursor
  }
  assert.ok(changes.length > 20, `only ${changes.length} changes`)
  const listed = await list()
  for (const field of ['systolic', 'diastolic']) {
    const ofField = changes.filter((change) => change['field'] === field)
    for (const [at, change] of ofField.entries()) {
      const before = ofField[at + 1]
      const same = ['action', 'high', 'below', 'preset'].every((name) => change[name] === before?.[name])
      assert.ok(!same, `the same twice: ${JSON.stringify(change)}`)
      if (change['action'] === 'remove') assert.equal(before?.['action'], 'set')
    }
    const [last] = ofField
    const now = listed.find((target) => target['field'] === field)
    assert.deepEqual(
      [now?.['setAt'], now?.['below'], now?.['high']],
      last?.['action'] === 'set'
        ? [last['at'], last['below'], last['high']]
        : [undefined, undefined, undefined],
    )
  }
})
