// What reads readings leaves withdrawn ones out, unless it is asked for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { runPatientCommand } from '../../../../test/support/patient-with-history.ts'

const rounds = await startRounds()

type Stored = Record<string, unknown> & { readingId: string; timestamp: number }

async function patientWithWeights(
  values: { timestamp: number; value: number }[],
  readingType = 'bodyWeight',
) {
  const patient = await newPatient(rounds)
  const { patientUid, token } = patient
  await patient.add(
    values.map(({ timestamp, value }) => ({ patientUid, readingType, timestamp, value, unit: 'kg' })),
  )
  const call = (path: string, headers: Record<string, string> = {}) =>
    rounds.call(`/casesheet/readings/${path}`, { token, headers })
  const post = async (verb: string, { readingId, timestamp }: Stored, reason?: string) => {
    const body = { patientUid, readingId, timestamp, ...(reason === undefined ? {} : { reason }) }
    const answer = await rounds.call(`/casesheet/readings/${verb}`, { token, body })
    assert.equal(answer.status, 200, answer.text)
  }
  const readings = (await patient.stored()) as Stored[]
  return { ...patient, call, post, readings }
}

const DAY = 86_400

test('latest shows the newest reading that is not withdrawn, and with withdrawn=include the newest of all', async () => {
  const { call, post, readings } = await patientWithWeights([
    { timestamp: 1_000, value: 71 },
    { timestamp: 2_000, value: 700 },
  ])
  const [good, mistyped] = readings
  assert.ok(good && mistyped)
  await post('withdraw', mistyped, 'mistyped')
  for (const query of [
    '',
    '?readingType=bodyWeight',
    '?to=2000',
    '?to=1500',
    '?readingType=bodyWeight&to=2500',
  ])
    assert.deepEqual((await call(`latest${query}`)).json.data, [good], query)
  for (const query of ['?', '?readingType=bodyWeight&']) {
    const { json } = await call(`latest${query}withdrawn=include`)
    const { withdrawn, ...reading } = json.data[0] ?? {}
    assert.deepEqual([json.data.length, reading], [1, mistyped])
    const { at, corrections, ...mark } = withdrawn as Record<string, unknown>
    assert.match(String(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(mark, { by: 'test', allowedAs: 'patient', reason: 'mistyped' })
    assert.equal((corrections as unknown[]).length, 1)
  }
  await post('withdraw', good)
  assert.deepEqual((await call('latest')).json.data, [])
  await post('restore', mistyped)
  assert.deepEqual((await call('latest')).json.data, [mistyped])
  assertRefused(await call('latest?withdrawn=only'), 400, 'ValidationFailed')
})

test('a reading in the future can be withdrawn, and no longer counts among the types beyond', async () => {
  const future = Math.floor(Date.now() / 1_000) + 400 * DAY
  const { call, post, readings } = await patientWithWeights([
    { timestamp: 1_000, value: 71 },
    { timestamp: future, value: 72 },
  ])
  const beyond = async (query = '') => {
    const { json } = await call(`latest${query}`)
    return [
      json.data.map(({ timestamp }) => timestamp),
      (json as unknown as { typesBeyond: number }).typesBeyond,
    ]
  }
  assert.deepEqual(await beyond(), [[1_000], 1])
  await post('withdraw', readings[1] as Stored)
  assert.deepEqual(await beyond(), [[1_000], 0])
  assert.deepEqual(await beyond('?withdrawn=include'), [[1_000], 1])
  assert.deepEqual(await beyond(`?withdrawn=include&to=${future}`), [[future], 0])
})

for (const readingType of ['bodyWeight', 'acme.weight'])
  test(`statistics of a day change when one of its readings is withdrawn (${readingType})`, async () => {
    const { accessLog, call, post, readings } = await patientWithWeights(
      [
        { timestamp: 1_000, value: 70 },
        { timestamp: 2_000, value: 700 },
        { timestamp: DAY + 1, value: 72 },
      ],
      readingType,
    )
    const days = async (query = '') => {
      const { json, text } = await call(`statistics?readingType=${readingType}&from=0&to=${DAY + 9}${query}`)
      assert.equal(json.code, 'Ok', text)
      return json.data.map(({ count, fields }) => {
        const { value } = fields as Record<string, Record<string, number>>
        return [count, value?.['count'], value?.['max'], value?.['mean'], value?.['last']]
      })
    }
    const unchanged = [1, 1, 72, 72, 72]
    assert.deepEqual(await days(), [[2, 2, 700, 385, 700], unchanged])
    await post('withdraw', readings[1] as Stored)
    assert.deepEqual(await days(), [[1, 1, 70, 70, 70], unchanged])
    assert.deepEqual(await days('&bucket=hour'), (await days('&bucket=hour')).with(0, [1, 1, 70, 70, 70]))
    assert.deepEqual(await days('&withdrawn=include'), [[2, 2, 700, 385, 700], unchanged])
    await post('restore', readings[1] as Stored)
    assert.deepEqual(await days(), [[2, 2, 700, 385, 700], unchanged])
    const counts = (await accessLog()).filter((row) => row['operation'] === 'readings/statistics')
    assert.deepEqual(
      counts.map((row) => row['readings_count']),
      [3, 2, 2, 2, 3, 3],
    )
  })

test('CSV and lines of JSON show withdrawn readings with their mark, where they are asked for', async () => {
  const { call, post, readings } = await patientWithWeights([
    { timestamp: 1_000, value: 71 },
    { timestamp: 2_000, value: 700 },
  ])
  const [good, mistyped] = readings
  await post('withdraw', mistyped as Stored, '=1+1; "no"')
  const linesOf = async (query: string, accept: string) =>
    (await call(`get${query}`, { accept })).text.trim().split(/\r?\n/)
  const lines = await linesOf('?withdrawn=include', 'application/x-ndjson')
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const { withdrawn, ...reading } = second ?? {}
  assert.deepEqual([lines.length, first, reading], [2, good, mistyped])
  assert.equal((withdrawn as Record<string, unknown>)['reason'], '=1+1; "no"')
  assert.equal((await linesOf('', 'application/x-ndjson')).length, 1)
  const rows = await linesOf('?withdrawn=include', 'text/csv')
  assert.equal(rows.length, 3)
  assert.ok(!rows[1]?.includes('withdrawn'))
  assert.match(
    rows[2] ?? '',
    /""withdrawn"":\{""at"":""[^"]+"",""by"":""test"",""allowedAs"":""patient"",""reason"":""=1\+1; /,
  )
  assert.equal((await linesOf('', 'text/csv')).length, 2)
})

test('an export of everything that is held of a patient includes withdrawn readings with their mark', async () => {
  const { patientUid, post, readings } = await patientWithWeights([
    { timestamp: 1_000, value: 71 },
    { timestamp: 2_000, value: 700 },
  ])
  const [good, mistyped] = readings
  await post('withdraw', mistyped as Stored, 'mistyped')
  const { code, output } = await runPatientCommand(
    ['export', patientUid, '--by', 'an-operator'],
    rounds.ownerUrl,
  )
  assert.equal(code, 0, output)
  const exported = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { reading?: Record<string, unknown>; end?: object })
  const [first, second] = exported.flatMap(({ reading }) => (reading ? [reading] : []))
  const { withdrawn, ...reading } = second ?? {}
  assert.deepEqual([first, reading], [good, mistyped])
  assert.deepEqual(
    [(withdrawn as Record<string, unknown>)['by'], (withdrawn as Record<string, unknown>)['reason']],
    ['test', 'mistyped'],
  )
  assert.deepEqual(exported.at(-1)?.end, {
    readings: 2,
    corrections: 1,
    targets: 0,
    targetChanges: 0,
    reviews: 0,
    rules: 0,
    ruleChanges: 0,
    alerts: 0,
    alertEvents: 0,
    grants: 0,
    grantChanges: 0,
    accesses: 3,
  })
})

test('withdrawn readings that statistics leave out count as work before it is done', async () => {
  for (const [readingType, count] of [
    ['heartRate', 110_000],
    ['acme.many', 110_000],
  ] as const) {
    const { patientUid, token } = await newPatient(rounds)
    await runSql(
      rounds.ownerUrl,
      `insert into casesheet.readings
         (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by, withdrawn_at, withdrawn_by)
       select '${patientUid}', to_timestamp(n), gen_random_uuid(), '${readingType}', n, '{"value":71}', 'test', now(), 'test'
       from generate_series(1, ${count + 1}) n`,
    )
    const ask = (to: number, query = '') =>
      rounds.call(
        `/casesheet/readings/statistics?readingType=${readingType}&from=0&to=${to}&bucket=month${query}`,
        { token },
      )
    assertRefused(await ask(count + 1), 400, 'ValidationFailed')
    assertRefused(await ask(count + 1, '&withdrawn=include'), 400, 'ValidationFailed')
    const { status, json } = await ask(count - 100)
    assert.deepEqual([status, json.data[0]?.['count']], [200, 0])
  }
})
