// The tools of the Model Context Protocol, called by its official client over HTTP: the answers and the rights of the operations
// behind them, and the same rows of the access log.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { runSql } from '../../../test/support/harness.ts'
import { connect, jsonIn, MODERN, type Mode, startMcp } from '../../../test/support/mcp.ts'
import { newPatient, patientWithReadings } from '../../../test/support/patient.ts'
import { createDoctor, createSharedPatient, NOON } from '../../../test/support/shared-patient.ts'

const rounds = await startMcp()

const TOOLS = [
  'latest_readings',
  'get_readings',
  'reading_statistics',
  'list_reading_types',
  'report_glucose',
  'report_blood_pressure',
  'report_time_in_target',
  'report_days_with_data',
  'list_my_patients',
  'list_doctors',
  'list_specialities',
]

test('the guide names each tool', () => {
  const guide = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
  assert.deepEqual(
    [...(/^Tools only read:[^.]*/m.exec(guide)?.[0].matchAll(/`(\w+)`/g) ?? [])].map(([, name]) => name),
    TOOLS,
  )
})

const instantOf = (seconds: number) => new Date(seconds * 1_000).toISOString()
const AROUND_NOON = { from: instantOf(NOON), to: instantOf(NOON + 3_600) }

for (const mode of ['legacy', MODERN] satisfies Mode[])
  test(`a client ${mode === 'legacy' ? 'with a handshake' : 'that names its version'} finds tools that only read, and calls them`, async () => {
    const { patientUid, token } = await patientWithReadings(
      rounds,
      [NOON, NOON + 60],
      ['acme.pulse', 'acme.step'],
    )
    const { client, ask, call } = await connect(rounds, token, { mode })
    assert.equal(client.getServerVersion()?.name, 'rounds')
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS,
    )
    for (const { name, annotations, inputSchema, outputSchema, description } of tools) {
      assert.equal(annotations?.readOnlyHint, true, name)
      assert.equal(inputSchema.additionalProperties, false, name)
      assert.ok(JSON.stringify(outputSchema).includes('"notice"') && description, name)
      assert.doesNotMatch(JSON.stringify(inputSchema), /"x-/)
    }
    const { text, structured } = await call('get_readings', { patientUid })
    const { notice, ...rest } = structured
    assert.deepEqual(jsonIn(text), rest)
    assert.ok(text.startsWith(notice))
    assert.deepEqual(
      structured.data.map(({ readingType, timestamp }) => [readingType, timestamp]),
      [
        ['acme.pulse', NOON],
        ['acme.step', NOON + 60],
      ],
    )
    assert.equal(structured.leftOut, undefined)
    assert.equal((await ask('latest_readings')).patientUid, patientUid)
  })

test('readings are as readings/get has them, with units and without the patient in each', async () => {
  const { patientUid, token, add, get } = await newPatient(rounds)
  const source = { kind: 'device', device: { name: 'Invented 1' } }
  const added = await add([
    { patientUid, readingType: 'bloodPressure', timestamp: NOON, systolic: 128, diastolic: 82, pulse: 70 },
    { patientUid, readingType: 'bloodGlucose', timestamp: NOON + 1, value: 5.5, unit: 'mmol/L', source },
    { patientUid, readingType: 'acme.step', timestamp: NOON + 2.123456, steps: 7 },
  ])
  assert.equal(added.status, 200, added.text)
  const { ask } = await connect(rounds, token)
  const { data, units, patientUid: of } = await ask('get_readings')
  const plain = (await get()).json.data.map(({ patientUid: _patientUid, ...reading }) => reading)
  assert.deepEqual([of, data], [patientUid, plain])
  assert.deepEqual(units['bloodPressure'], { systolic: 'mm[Hg]', diastolic: 'mm[Hg]', pulse: '/min' })
  assert.equal(units['acme.step'], undefined)
  const latest = await ask('latest_readings', { readingType: ['acme.step'] })
  assert.deepEqual([latest.data, latest['typesBeyond']], [plain.slice(2), 0])
  // The time of a reading, as an answer has it, finds this reading.
  const { measuredAt } = plain[2] ?? {}
  assert.deepEqual((await ask('get_readings', { from: measuredAt, to: measuredAt })).data, plain.slice(2))
  const inZone = new Date((NOON + 3_600) * 1_000).toISOString().replace('.000Z', '+01:00')
  assert.equal((await ask('get_readings', { from: inZone, to: inZone })).data.length, 1)
})

test('statistics and reports are those of the operations, and say for whom and in which zone', async () => {
  const { patientUid, token, add } = await newPatient(rounds)
  await add(
    [60, 70, 140].map((value, index) => ({
      patientUid,
      readingType: 'heartRate',
      timestamp: NOON + index,
      value,
    })),
  )
  const { ask } = await connect(rounds, token)
  const range = { ...AROUND_NOON, timeZone: 'Europe/Berlin' }
  const query = `from=${NOON}&to=${NOON + 3_600}&timeZone=Europe/Berlin`
  const plain = async (path: string) => (await rounds.call(path, { token })).json
  const statistics = await ask('reading_statistics', { ...range, readingType: 'heartRate' })
  const expected = await plain(`/casesheet/readings/statistics?readingType=heartRate&${query}`)
  assert.deepEqual(
    [statistics.data, statistics['timeZone'], statistics.patientUid],
    [expected.data, 'Europe/Berlin', patientUid],
  )
  for (const [tool, path, extra] of [
    ['report_glucose', 'glucose', {}],
    ['report_blood_pressure', 'blood-pressure', {}],
    ['report_time_in_target', 'time-in-target', { readingType: 'heartRate' }],
    ['report_days_with_data', 'days-with-data', {}],
  ] as const) {
    const report = await ask(tool, { ...range, ...extra })
    const search = new URLSearchParams(extra).toString()
    assert.deepEqual(report.data, (await plain(`/care/reports/${path}?${query}&${search}`)).data, tool)
    assert.deepEqual([report.patientUid, report['timeZone']], [patientUid, 'Europe/Berlin'])
  }
})

test('each call is in the access log as the operation behind it, and says that it came by MCP', async () => {
  const { patientUid, token, accessLog } = await patientWithReadings(
    rounds,
    [NOON, NOON + 60],
    ['acme.pulse'],
  )
  const { ask, refused } = await connect(rounds, token, { headers: { 'x-request-id': 'call-1' } })
  await ask('get_readings', { ...AROUND_NOON, readingType: ['acme.pulse'], limit: 1 })
  await ask('latest_readings', { patientUid })
  await ask('reading_statistics', { ...AROUND_NOON, readingType: 'acme.pulse' })
  await ask('report_days_with_data', AROUND_NOON)
  await ask('list_doctors')
  await ask('list_reading_types')
  await refused('get_readings', { patientUid: 'someone-else' })
  await refused('get_readings', { limit: 0 })
  assert.deepEqual(
    (await accessLog()).map((row) => [
      row['request_id'],
      row['operation'],
      row['allowed_as'],
      row['readings_count'],
    ]),
    [
      ['mcp:call-1', 'readings/get', 'patient', 1],
      ['mcp:call-1', 'readings/latest', 'patient', 1],
      ['mcp:call-1', 'readings/statistics', 'patient', 2],
      ['mcp:call-1', 'reports/days-with-data', 'patient', 2],
    ],
  )
  const { json } = await rounds.call('/casesheet/readings/access-log?limit=1', { token })
  assert.equal(json.data[0]?.['requestId'], 'mcp:call-1')
  const long = 'x'.repeat(128)
  const other = await connect(rounds, token, { headers: { 'x-request-id': long } })
  await other.ask('latest_readings')
  assert.equal((await accessLog()).at(-1)?.['request_id'], `mcp:${long}`.slice(0, 128))
})

test('a doctor reads what a patient shares, is told of its limits, and nothing once it is revoked', async () => {
  const { patientUid, give, revoke } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  const { ask, refused } = await connect(rounds, token)
  assert.match(await refused('latest_readings', { patientUid }), /^NotShared: .+\.$/)
  await give(doctorId)
  assert.equal((await ask('get_readings', { patientUid })).data.length, 9)
  assert.equal((await ask('get_readings', { patientUid })).limitedTo, undefined)
  await give(doctorId, { readingTypes: ['heartRate'] })
  for (const [name, sent, count] of [
    ['get_readings', {}, 3],
    ['latest_readings', {}, 1],
    ['reading_statistics', { ...AROUND_NOON, readingType: 'oxygenSaturation' }, 0],
  ] as const) {
    const { data, limitedTo } = await ask(name, { patientUid, ...sent })
    assert.deepEqual([data.length, limitedTo], [count, ['heartRate']], name)
  }
  // Pages are one walk to a model, and many requests to us: the grant is looked at in each.
  const first = await ask('get_readings', { patientUid, limit: 1 })
  await revoke(doctorId)
  assert.match(
    await refused('get_readings', { patientUid, limit: 1, ...first.leftOut?.goOnWith }),
    /^NotShared: /,
  )
  assert.match(await refused('report_glucose', { patientUid, ...AROUND_NOON }), /^NotShared: /)
})

test('a grant that is revoked while many calls run lets none of them read afterwards', async () => {
  const { patientUid, give, revoke } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId)
  const { call } = await connect(rounds, token)
  let isRevoked = false
  const ask = async () => {
    const beganAfter = isRevoked
    const { isError, text } = await call('get_readings', { patientUid })
    return { beganAfter, isError, text }
  }
  const before = Array.from({ length: 8 }, ask)
  await revoke(doctorId)
  isRevoked = true
  const answers = await Promise.all([...before, ...Array.from({ length: 8 }, ask)])
  for (const { beganAfter, isError, text } of answers) {
    if (beganAfter) assert.ok(isError, text)
    if (isError) assert.match(text, /^NotShared: /)
  }
})

test('a doctor lists the patients who share, by queues', async () => {
  const { patientUid, give } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId)
  const { ask } = await connect(rounds, token)
  const { data, counts } = await ask('list_my_patients', {})
  assert.deepEqual(
    data.map((patient) => [patient['patientUid'], patient['queue']]),
    [[patientUid, 'notJudged']],
  )
  assert.equal((counts as Record<string, number>)['all'], 1)
  const { refused } = await connect(rounds, (await newPatient(rounds)).token)
  assert.match(await refused('list_my_patients'), /^NotADoctor: /)
})

test('staff gives its reason as an argument, where one is required', async () => {
  const strict = await startMcp({ STAFF_REASON: 'required' })
  const { patientUid } = await patientWithReadings(strict, [NOON], ['acme.pulse'])
  const { ask, refused } = await connect(strict, await strict.token({ sub: 'kim', scope: 'readings:read' }))
  assert.equal(
    await refused('get_readings', { patientUid }),
    'ReasonRequired: Staff must give a reason: send it in the argument reason.',
  )
  assert.match(
    await refused('get_readings', { patientUid, reason: 'a\u0007b' }),
    /^ValidationFailed: reason must be/,
  )
  await ask('get_readings', { patientUid, reason: 'Bewusstlos in der Notaufnahme – 100 %' })
  const rows = await runSql(
    strict.ownerUrl,
    'select reason, read_by from casesheet.access_log where patient_uid = $1',
    [patientUid],
  )
  assert.deepEqual(
    rows.map((row) => [row['reason'], row['read_by']]),
    [['Bewusstlos in der Notaufnahme – 100 %', 'kim']],
  )
})

test('the directory is listed by pages and filters', async () => {
  const titles = ['Cardiology', 'Dermatology', 'Paediatrics']
  await fillDirectory(rounds.ownerUrl, {
    specialities: titles.map((title) => ({ title })),
    doctors: Array.from({ length: 60 }, (_, index) => ({
      name: `Dr. Invented ${String(index).padStart(2, '0')}`,
      registrationNumber: `EXAMPLE-${index}`,
      specialities: [titles[index % 3]],
    })),
  })
  const { ask, refused } = await connect(rounds, await rounds.token())
  const found: unknown[] = []
  let goOn: Record<string, unknown> | undefined = {}
  while (goOn) {
    const { data, leftOut } = await ask('list_doctors', { limit: 25, ...goOn })
    found.push(...data.map(({ doctorId }) => doctorId))
    goOn = leftOut?.goOnWith
  }
  const { json } = await rounds.call('/appointments/doctors/list?limit=1000', { token: await rounds.token() })
  assert.deepEqual(
    found,
    json.data.map(({ doctorId }) => doctorId),
  )
  const all = await ask('list_specialities')
  assert.ok(all.data.length > 0)
  assert.deepEqual((await ask('list_specialities', { startAt: 1 })).data, all.data.slice(1))
  assert.match(await refused('list_doctors', { cursor: 'made-up' }), /^InvalidCursor: /)
})

test('arguments that are wrong are answered with a sentence, and with nothing else', async () => {
  const { token, accessLog } = await newPatient(rounds)
  const { refused, client } = await connect(rounds, token)
  for (const [name, sent, sentence] of [
    [
      'get_readings',
      { from: '2026-11-01' },
      /^ValidationFailed: from must be a time with its zone, such as /,
    ],
    [
      'get_readings',
      { from: '2026-02-30T00:00:00Z' },
      /^ValidationFailed: from must be a time with its zone/,
    ],
    ['get_readings', { to: '1969-12-31T23:59:59Z' }, /from 1970 to the end of the year 9999\.$/],
    ['get_readings', { from: 1_762_000_000 }, /^ValidationFailed: from must be a time/],
    ['get_readings', { limit: 201 }, /^ValidationFailed: limit must be a whole number from 1 to 200\.$/],
    [
      'get_readings',
      { unknown: 1, limit: 'x' },
      /is not known here.* limit must be|limit must be.* unknown is not known here/,
    ],
    ['get_readings', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, /^InvalidRange: /],
    ['get_readings', { cursor: 'AAAA' }, /^InvalidCursor: /],
    ['reading_statistics', { readingType: 'heartRate' }, /^ValidationFailed: .*is required/],
    ['report_glucose', { from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, /at most 400 days/],
    ['list_reading_types', { readingType: 'heartRate' }, /is not known here/],
    ['get_readings', { patientUid: 'someone-else' }, /^PatientMismatch: /],
  ] as const) {
    assert.match(await refused(name, sent), sentence, JSON.stringify(sent))
  }
  await assert.rejects(
    client.callTool({ name: 'drop_tables', arguments: {} }),
    /There is no tool of this name/,
  )
  assert.deepEqual(await accessLog(), [])
})

test('a type is taken as a text and as a list by every tool', async () => {
  const { token, add, patientUid } = await newPatient(rounds)
  await add({ patientUid, readingType: 'heartRate', timestamp: NOON, value: 71 })
  const { ask, client, call } = await connect(rounds, token)
  for (const readingType of ['heartRate', ['heartRate']]) {
    assert.equal((await ask('get_readings', { readingType })).data.length, 1)
    assert.equal((await ask('latest_readings', { readingType })).data.length, 1)
    const range = { ...AROUND_NOON, readingType, bucket: 'hour' }
    assert.equal((await ask('reading_statistics', range)).patientUid, patientUid)
    const days = await ask('report_days_with_data', { ...AROUND_NOON, readingType })
    assert.equal(days.patientUid, patientUid)
  }
  const two = await call('report_days_with_data', {
    ...AROUND_NOON,
    readingType: ['heartRate', 'bodyWeight'],
  })
  assert.match(two.text, /readingType must be one type: call the tool for each/)
  const { tools } = await client.listTools()
  for (const { inputSchema } of tools) {
    const { readingType } = (inputSchema.properties ?? {}) as { readingType?: { anyOf?: { type: string }[] } }
    if (readingType)
      assert.deepEqual(
        readingType.anyOf?.map(({ type }) => type),
        ['string', 'array'],
      )
  }
})
