// GET {care_url}/patients/list over HTTP: queues with their reasons, the order, and what a doctor may not see.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { newDoctor, pressure } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { factsStatement, type PatientRow } from './facts-statement.ts'
import type { Answer } from './list-contract.ts'
import type { ListedPatient, ListedReason } from './listed-patient.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
const DAY = 24 * 60
const BP = {
  readingType: 'bloodPressure',
  unit: 'mm[Hg]',
  expectEvery: null as string | null,
  fields: { systolic: { high: 135, actAbove: 180 }, diastolic: { high: 85, actAbove: null } },
}
const SENSOR = {
  readingType: 'interstitialGlucose',
  unit: 'mmol/L',
  expectEvery: 'P1D',
  fields: {
    value: {
      low: 3.9,
      high: 10,
      farLow: 3,
      actBelow: 3,
      actAbove: null,
      goals: { inRange: 0.7, below: 0.04 },
    },
  },
}

type Doctor = Awaited<ReturnType<typeof newDoctor>>

/** Twice a day for a week. */
const week = (systolic: number, diastolic: number) =>
  Array.from({ length: 14 }, (_, nth) => pressure(systolic, diastolic, 60 + nth * (DAY / 2)))
const symptom = (text: string, severity: string, minutesAgo = 5) => ({
  readingType: 'symptom',
  timestamp: Date.now() - minutesAgo * 60_000,
  symptoms: [{ symptom: text, severity }],
})
const weight = (minutesAgo: number) => ({
  readingType: 'bodyWeight',
  timestamp: Date.now() - minutesAgo * 60_000,
  value: 80,
  unit: 'kg',
})

const codesOf = ({ reasons }: ListedPatient) =>
  reasons.map(({ code, isSeen }) => `${code}${isSeen ? ' seen' : ''}`)
const reasonOf = <Code extends ListedReason['code']>(listed: ListedPatient | undefined, code: Code) => {
  const reason = listed?.reasons.find((each) => each.code === code)
  assert.ok(reason, `${code} of ${listed?.reasons.map((each) => each.code).join()}`)
  return reason as Extract<ListedReason, { code: Code }>
}

/** A look at the entry as it was shown. */
async function lookAt(doctor: Doctor, { patientUid, look }: ListedPatient, more: object = {}) {
  const body = { patientUid, reviewId: randomUUID(), ...look, ...more }
  const { status, text } = await rounds.call('/care/reviews/add', { token: doctor.token, body })
  assert.equal(status, 200, text)
}

async function idsOn(doctor: Doctor, query: string) {
  const all: string[] = []
  let cursor: string | null = ''
  do {
    const page: Answer = await doctor.list(`${query}&limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    all.push(...page.data.map(({ patientUid }) => patientUid))
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

test('patients stand in the order of the queues, with every reason; a look makes its reasons seen', async () => {
  const doctor = await newDoctor(rounds)
  const named = (sharedAs: string, more: object = {}) => doctor.patient({ sharedAs, ...more })
  const judged = async (
    name: string,
    target: Record<string, unknown>,
    ...readings: Record<string, unknown>[]
  ) => {
    const patient = await named(name)
    await patient.setTarget(target, doctor.token)
    await patient.add(...readings)
    return patient.patientUid
  }
  const fine = await judged('Fine', BP, ...week(120, 80), symptom('tired', 'MILD'))
  const silent = await judged('Silent', { ...BP, expectEvery: 'P3D' }, ...week(120, 80).slice(9))
  const mean = await judged('Mean', BP, ...week(148, 84))
  const seen = await judged('Seen', BP, ...week(150, 84), symptom('dizzy', 'MODERATE'))
  const value = await judged(
    'Value',
    BP,
    ...week(120, 80),
    pressure(224, 126, 5),
    symptom('sore', 'MODERATE'),
  )
  const severe = await judged('Severe', BP, ...week(120, 80), symptom('chest pain', 'SEVERE'))
  const ends = await named('Ends', { validUntil: new Date(Date.now() + 3 * DAY * 60_000).toISOString() })
  const clock = await judged('Clock', BP, ...week(120, 80), { ...pressure(121, 80), timestamp: 900_000_000 })
  const none = await named('None')
  await none.add(weight(10))
  const expected = [severe, value, mean, ends.patientUid, clock, silent, seen, fine, none.patientUid]

  const before = await doctor.untilListed(
    ({ counts, data }) =>
      counts.all === 9 &&
      counts.fine === 1 &&
      data.every(({ newest, queue }) => newest.length > 0 || queue === 'thisWeek'),
  )
  const shown = before.data.find(({ patientUid }) => patientUid === seen)
  assert.ok(shown)
  assert.deepEqual(codesOf(shown), ['moderate', 'mean'])
  await lookAt(doctor, shown)
  const { data, counts } = await doctor.list()
  assert.deepEqual(
    data.map(({ patientUid }) => patientUid),
    expected,
  )
  assert.deepEqual(counts, {
    all: 9,
    actNow: 2,
    thisWeek: 3,
    silent: 1,
    seen: 1,
    fine: 1,
    notJudged: 1,
    beyond: 0,
  })
  assert.deepEqual(data.map(codesOf), [
    ['severe'],
    ['value', 'moderate'],
    ['mean'],
    ['sharingEnds'],
    ['clock'],
    ['silent'],
    ['moderate seen', 'mean seen'],
    [],
    [],
  ])
  const { code, value: worst, limit, beyond, author, shown: reading } = reasonOf(data[1], 'value')
  assert.deepEqual(
    [code, worst, limit, beyond, author.doctorId, reading],
    ['value', 224, 180, 1.244, doctor.doctorId, { systolic: 224, diastolic: 126 }],
  )
  const { value: average, days } = reasonOf(data[2], 'mean')
  assert.deepEqual([average, days], [148, 7])
  const last = data[6]
  const today = Math.floor(Date.now() / (DAY * 60_000))
  const measuredOn = new Set(week(150, 84).map(({ timestamp }) => Math.floor(timestamp / (DAY * 60_000))))
  const shownDays = [...measuredOn].filter((day) => day > today - 7).length
  assert.deepEqual([last?.lastLook?.note, last?.lookAgainAt, last?.trend.length], [null, null, shownDays])
  assert.deepEqual(
    data[7]?.symptoms.map(({ symptom: text, severity }) => [text, severity]),
    [['tired', 'MILD']],
  )
  assert.deepEqual(data[7]?.notJudged, [])
  assert.deepEqual(data[8]?.notJudged, [{ why: 'noTarget', readingType: 'bodyWeight' }])
  assert.ok([7, 8].includes(data[7]?.daysWithData ?? 0))

  assert.deepEqual(await idsOn(doctor, '?'), expected)
  assert.deepEqual(await idsOn(doctor, '?order=desc'), await reversed(doctor))
  const filtered = await doctor.list('?queue=silent&queue=fine')
  assert.deepEqual(
    [filtered.data.map(({ patientUid }) => patientUid), filtered.counts],
    [[silent, fine], counts],
  )
  const one = await doctor.list(`?patientUid=${mean}`)
  assert.deepEqual([one.data.map(({ queue }) => queue), one.counts.all], [['thisWeek'], 1])
})

/** By the places from last to first, and equal ones by name. */
async function reversed(doctor: Doctor) {
  const { data } = await doctor.list('?order=desc')
  const queues = data.map(({ queue }) => queue)
  assert.deepEqual([queues[0], queues.at(-1)], ['notJudged', 'actNow'])
  return data.map(({ patientUid }) => patientUid)
}

test('other orders, and search', async () => {
  const doctor = await newDoctor(rounds)
  const ada = await doctor.patient({ sharedAs: 'Ádá Example' })
  const bo = await doctor.patient({ sharedAs: 'Bo Example' })
  const cleo = await doctor.patient({}, `CLEO-${doctor.doctorId}`)
  await ada.add(pressure(120, 80, 10), pressure(120, 80, DAY))
  await bo.add(pressure(120, 80, 5 * DAY))
  const { data } = await doctor.untilListed(
    ({ data: all }) => all.filter(({ newest }) => newest.length > 0).length === 2,
  )
  const listed = data.find(({ patientUid }) => patientUid === bo.patientUid)
  if (listed) await lookAt(doctor, listed, { note: 'Called.', visibleTo: 'doctors' })
  const [a, b, c] = [ada.patientUid, bo.patientUid, cleo.patientUid]
  for (const [query, expected] of [
    ['?sort=name', [a, b, c]],
    ['?sort=name&order=desc', [c, b, a]],
    ['?sort=daysWithData', [c, b, a]],
    ['?sort=lastReading', [c, b, a]],
    ['?sort=lastReading&order=desc', [a, b, c]],
    ['?sort=lastLook', [a, c, b]],
    ['?sort=lastLook&order=desc', [b, a, c]],
    ['?find=ADA', [a]],
    ['?find=cleo-', [c]],
  ] as const)
    assert.deepEqual(await idsOn(doctor, query), expected, query)
  assert.equal((await doctor.listed(b))?.lastLook?.note, 'Called.')
  const { nextCursor } = await doctor.list('?limit=1')
  assertRefused(await doctor.ask(`?sort=name&cursor=${nextCursor}`), 400, 'InvalidCursor')
  const forged = Buffer.from(JSON.stringify(['attention asc', '1e400', '', ''])).toString('base64url')
  assertRefused(await doctor.ask(`?cursor=${forged}`), 400, 'InvalidCursor')
  assertRefused(await rounds.call('/care/patients/list', { token: ada.token }), 403, 'NotADoctor')
})

test('a sensor is judged by its goals; where the device says LOW, no value is shown', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  await patient.setTarget(SENSOR, doctor.token)
  const every = (value: number, nth: number) => ({
    readingType: 'interstitialGlucose',
    timestamp: Date.now() - (10 + nth * 20) * 60_000,
    value,
    unit: 'mmol/L',
  })
  const readings = Array.from({ length: 900 }, (_, nth) => every(nth % 10 === 5 ? 3.5 : 6, nth))
  await patient.add({ ...every(2.2, 0), timestamp: Date.now(), outOfRange: 'low' }, ...readings)
  const { data } = await doctor.untilListed(({ data: [one] }) => one?.queue === 'actNow')
  const [listed] = data
  const { value, outOfRange, beyond } = reasonOf(listed, 'value')
  assert.deepEqual([value, outOfRange, beyond], [null, 'low', 1.364])
  const { part, bound, limit, value: share, days } = reasonOf(listed, 'goal')
  assert.deepEqual([part, bound, limit, share > 0.09 && share < 0.11, days], ['below', 3.9, 0.04, true, 14])
})

test('the target of another doctor who manages judges where this doctor has none; one that is for all and of a reader does not', async () => {
  const [doctor, other, reader] = [await newDoctor(rounds), await newDoctor(rounds), await newDoctor(rounds)]
  const patient = await doctor.patient({ permission: 'view' })
  for (const [who, permission] of [
    [other, 'manage'],
    [reader, 'view'],
  ] as const)
    await patient.give({ doctorId: who.doctorId, permission })
  const setFor = async ({ token }: Doctor, body: object) =>
    assert.equal((await rounds.call('/care/targets/set', { token, body })).status, 200)
  await setFor(doctor, BP)
  await setFor(reader, { ...BP, fields: { systolic: { high: 100 } } })
  await setFor(other, { ...BP, patientUid: patient.patientUid, fields: { systolic: { high: 140 } } })
  await patient.add(...week(148, 80))
  const { data } = await doctor.untilListed(({ data: [one] }) => one?.queue === 'thisWeek')
  const { author, limit } = reasonOf(data[0], 'mean')
  assert.deepEqual([author.doctorId, limit], [other.doctorId, 140])
  await patient.give({ permission: 'manage' })
  const { data: managed } = await doctor.untilListed(
    ({ data: [one] }) =>
      one?.reasons.some((reason) => reason.code === 'mean' && reason.limit === 135) === true,
  )
  assert.equal(reasonOf(managed[0], 'mean').author.doctorId, doctor.doctorId)
})

test('an alert is a reason, or is named with the reading that is one; acknowledged, it is seen', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const call = async (path: string, body: object) => {
    const { status, text } = await rounds.call(path, {
      token: doctor.token,
      body: { patientUid: patient.patientUid, ...body },
    })
    assert.equal(status, 200, text)
  }
  const above = (bound: number, severity: string, label: string) =>
    call('/care/rules/set', {
      readingType: 'bloodPressure',
      field: 'systolic',
      severity,
      value: { above: bound },
      label,
    })
  await above(160, 'urgent', 'Systolic above 160')
  await above(150, 'warning', 'Systolic above 150')
  await patient.add(pressure(170, 80, 5))
  const { data } = await doctor.untilListed(({ data: [one] }) => one?.reasons.length === 2)
  assert.deepEqual(
    data[0]?.reasons.map((reason) => reason.code === 'alert' && [reason.label, reason.value, reason.beyond]),
    [
      ['Systolic above 160', 170, 1.063],
      ['Systolic above 150', 170, 1.133],
    ],
  )
  assert.deepEqual([data[0]?.queue, data[0]?.look.saw.length], ['actNow', 2])
  await call('/care/alerts/acknowledge', { alertId: reasonOf(data[0], 'alert').alertId })
  assert.deepEqual(
    (await doctor.list()).data.map((listed) => [listed.queue, ...codesOf(listed)]),
    [['thisWeek', 'alert', 'alert seen']],
  )
  await patient.setTarget({ ...BP, fields: { systolic: { actAbove: 165 } } }, doctor.token)
  const { data: later } = await doctor.untilListed(({ data: [one] }) => one?.reasons[0]?.code === 'value')
  assert.deepEqual(
    reasonOf(later[0], 'value').alerts.map(({ label }) => label),
    ['Systolic above 150'],
  )
})

test('a grant of some types shows nothing of the others in any field, and not that they changed', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ readingTypes: ['bodyWeight'] })
  const own = await rounds.call('/care/targets/set', { token: doctor.token, body: BP })
  assert.equal(own.status, 200, own.text)
  await patient.add(weight(4 * DAY))
  await doctor.untilListed(({ data: [one] }) => one?.newest.length === 1)
  const { text: before, headers } = await doctor.ask()
  const judged = async () =>
    (await runSql(rounds.ownerUrl, 'select from care.evidence where patient_uid = $1', [patient.patientUid]))
      .length
  await patient.add(pressure(224, 126, 1), symptom('chest pain', 'SEVERE'), symptom('tired', 'MILD'), {
    readingType: 'acme.step',
    timestamp: 900_000_000,
    value: 4,
  })
  await until(async () => (await judged()) >= 2)
  const { text: after, status } = await doctor.ask('', { 'if-none-match': headers.get('etag') ?? '' })
  assert.deepEqual([status, after], [304, ''])
  const [listed] = (JSON.parse(before) as Answer).data
  assert.deepEqual(
    [listed?.queue, listed?.newest.map(({ readingType }) => readingType), listed?.daysWithData, listed?.look],
    ['notJudged', ['bodyWeight'], 1, { seenUpTo: '0', saw: [] }],
  )
  await patient.give()
  const { data } = await doctor.untilListed(({ data: [one] }) => one?.reasons.length === 3)
  assert.deepEqual(codesOf(data[0] as ListedPatient), ['severe', 'value', 'clock'])
})

test('a look with a grant of some types has seen nothing of the others, whatever number it sends', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ readingTypes: ['bodyWeight'] })
  const target = { readingType: 'bodyWeight', unit: 'kg', expectEvery: null }
  await patient.setTarget({ ...target, fields: { value: { actAbove: 70 } } }, doctor.token)
  const evidence = 'select from care.evidence where patient_uid = $1'
  const strange = { timestamp: 900_000_000, value: 60, unit: 'kg' }
  await patient.add(symptom('chest pain', 'SEVERE'), { ...strange, readingType: 'acme.step' })
  await until(async () => (await runSql(rounds.ownerUrl, evidence, [patient.patientUid])).length === 2)
  await patient.add(weight(10), { ...strange, readingType: 'bodyWeight' })
  const { data } = await doctor.untilListed(({ data: [one] }) => one?.reasons.length === 2)
  assert.ok(data[0])
  const tooHigh = { seenUpTo: '9'.repeat(18), reviewId: randomUUID() }
  for (const more of [tooHigh, tooHigh, {}]) await lookAt(doctor, data[0], more)
  assert.deepEqual((await doctor.list()).data.map(codesOf), [['value seen', 'clock seen']])
  const stored = await runSql(
    rounds.ownerUrl,
    'select distinct seen_up_to::text as "seenUpTo", reading_types as types from casesheet.looks where patient_uid = $1',
    [patient.patientUid],
  )
  assert.deepEqual(stored, [{ seenUpTo: data[0].look.seenUpTo, types: ['bodyWeight'] }])
  await patient.give()
  assert.deepEqual((await doctor.list()).data.map(codesOf), [['severe', 'clock', 'value seen']])
})

test('a date to look again lasts through any number of looks, and does not come back once one has ended it', async () => {
  const doctor = await newDoctor(rounds)
  const [pending, ended] = [await doctor.patient(), await doctor.patient()]
  const inDays = (days: number) => new Date(Date.now() + days * DAY * 60_000).toISOString()
  const store = ({ patientUid }: { patientUid: string }, at: string, date: string | null = null) =>
    runSql(
      rounds.ownerUrl,
      `set session_replication_role = replica;
       insert into casesheet.looks
         (at, changed_xid, seen_up_to, look_again_at, review_id, patient_uid, doctor_id, looked_by, saw, acknowledged, date_says)
       select '${at}'::timestamptz + nth * interval '1 minute', pg_current_xact_id(), 0, ${date ? `'${date}'` : 'null'}, gen_random_uuid(),
         '${patientUid}', '${doctor.doctorId}', 'test', '{}', '{}', '${date ? 'set' : 'keep'}'
       from generate_series(1, ${date ? 1 : 60}) as nth`,
    )
  const date = inDays(3)
  await store(pending, inDays(-50), date)
  await store(pending, inDays(-2))
  await store(ended, inDays(-50), inDays(-40))
  await store(ended, inDays(-35))
  assert.equal((await doctor.listed(pending.patientUid))?.lookAgainAt, date)
  const listed = await doctor.listed(ended.patientUid)
  assert.deepEqual([listed?.lookAgainAt, listed?.reasons], [null, []])
})

test('who shares no more is not in the list, also where the grant ends while it is read', async () => {
  const doctor = await newDoctor(rounds)
  const [one, other] = [await doctor.patient(), await doctor.patient()]
  const blocker = new Client({ connectionString: rounds.ownerUrl })
  await blocker.connect()
  await blocker.query('begin; lock table care.list_looks in access exclusive mode')
  const listing = doctor.list()
  await until(async () => {
    const waiting = await runSql(
      rounds.ownerUrl,
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return waiting.length === 1
  })
  await one.revoke()
  await blocker.query('commit')
  await blocker.end()
  const ids = ({ data }: Answer) => data.map(({ patientUid }) => patientUid)
  assert.deepEqual(ids(await listing), [other.patientUid])
  const after = await doctor.list()
  assert.deepEqual([ids(after), after.counts.all], [[other.patientUid], 1])
  const logged = await runSql(rounds.ownerUrl, 'select from casesheet.access_log where patient_uid = $1', [
    one.patientUid,
  ])
  assert.equal(logged.length, 0)
})

test('the patient sees one look a day, and only of a page on which they were', async () => {
  const doctor = await newDoctor(rounds)
  const [one, other] = [
    await doctor.patient({ sharedAs: 'A', readingTypes: ['bodyWeight'] }),
    await doctor.patient({ sharedAs: 'B' }),
  ]
  await Promise.all(Array.from({ length: 8 }, () => doctor.list('?sort=name&limit=1')))
  const logged = async (patientUid: string) =>
    runSql(
      rounds.ownerUrl,
      'select operation, allowed_as, doctor_id, reading_types, readings_count from casesheet.access_log where patient_uid = $1',
      [patientUid],
    )
  const entry = {
    operation: 'care/patients/list',
    allowed_as: 'grant',
    doctor_id: doctor.doctorId,
    reading_types: ['bodyWeight'],
    readings_count: 0,
  }
  assert.deepEqual(await logged(one.patientUid), [entry])
  assert.deepEqual(await logged(other.patientUid), [])
  await runSql(
    rounds.ownerUrl,
    'update care.list_looks set looked_on = looked_on - 1 where patient_uid = $1',
    [one.patientUid],
  )
  await doctor.list()
  assert.deepEqual(await logged(one.patientUid), [entry, entry])
})

test('a list behind another says of each patient what it would say of them alone', async () => {
  const doctor = await newDoctor(rounds)
  const other = await newDoctor(rounds)
  const [mia, ben, zoe] = [await doctor.patient(), await doctor.patient(), await doctor.patient()]
  for (const { setTarget } of [mia, ben, zoe]) await setTarget(BP, doctor.token)
  for (const { add } of [mia, ben, zoe]) await add(...week(120, 80))
  const meanOf = (answer: Answer, { patientUid }: typeof mia) =>
    answer.data
      .find((listed) => listed.patientUid === patientUid)
      ?.reasons.find(({ code }) => code === 'mean')
  const mustBeAsAlone = async (isMade: (answer: Answer) => boolean) => {
    await doctor.untilListed(isMade)
    await until(async () => {
      const { data } = await doctor.list()
      const alone = await Promise.all(data.map(({ patientUid }) => doctor.list(`?patientUid=${patientUid}`)))
      return isDeepStrictEqual(
        data,
        alone.flatMap((one) => one.data),
      )
    })
  }
  await mustBeAsAlone(({ counts }) => counts['fine'] === 3)
  await mia.add(...week(170, 84).map((reading) => ({ ...reading, timestamp: reading.timestamp - 60_000 })))
  await mustBeAsAlone((answer) => meanOf(answer, mia) !== undefined)
  await ben.setTarget({ ...BP, fields: { systolic: { high: 110 }, diastolic: { high: 85 } } }, doctor.token)
  await mustBeAsAlone((answer) => meanOf(answer, ben) !== undefined)
  await zoe.give({ doctorId: other.doctorId, permission: 'manage' })
  await zoe.setTarget({ ...BP, fields: { systolic: { high: 100 }, diastolic: { high: 70 } } }, other.token)
  await mustBeAsAlone((answer) => meanOf(answer, mia) !== undefined)
  const stored = await runSql<{ reading_id: string; timestamp: number }>(
    rounds.ownerUrl,
    `select reading_id, sent_timestamp::float8 as timestamp
     from casesheet.readings where patient_uid = $1 and details ->> 'systolic' = '170'`,
    [mia.patientUid],
  )
  for (const { timestamp, reading_id: readingId } of stored) await mia.withdraw(timestamp, readingId)
  await mustBeAsAlone((answer) => meanOf(answer, mia) === undefined)
})

test('sums that are known are not read again, unless the database goes on from another history', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  await patient.setTarget(BP, doctor.token)
  await patient.add(...week(120, 80))
  await doctor.untilListed(({ counts }) => counts.fine === 1)
  const database = new Client({ connectionString: rounds.ownerUrl })
  await database.connect()
  const read = async (version?: string) => {
    const known = new Map(version === undefined ? [] : [[patientUid, { version }]])
    const asked = { doctorId: doctor.doctorId, practiceIds: [], hasAlerts: true, now: Date.now(), known }
    const { text, values } = factsStatement(asked)
    const { rows } = await database.query<PatientRow>(text, values)
    return rows[0] ?? assert.fail('nobody is listed')
  }
  const { version, sums } = await read()
  assert.ok(sums !== null && sums.length > 0)
  assert.equal((await read(version)).sums, null)
  await database.query('begin; update casesheet.feed set generation = gen_random_uuid()')
  assert.deepEqual((await read(version)).sums, sums)
  await database.query('rollback')
  await database.end()
})

test('of more than 2,000 patients those who have shared longest are listed; any one can be asked for', async () => {
  const doctor = await newDoctor(rounds)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
     select 'many-' || n, $1, 'view', 'Invented ' || n, 'invented ' || n, 'test'
     from generate_series(1, 2001) n`,
    [doctor.doctorId],
  )
  const { counts, data } = await doctor.list('?limit=100')
  assert.deepEqual([counts.all, counts.beyond, data.length], [2_000, 1, 100])
  const [last] = await runSql<{ patient_uid: string }>(
    rounds.ownerUrl,
    'select patient_uid from casesheet.grants where doctor_id = $1 order by given_at desc, patient_uid desc limit 1',
    [doctor.doctorId],
  )
  const one = await doctor.list(`?patientUid=${last?.patient_uid}`)
  assert.deepEqual([one.counts.all, one.counts.beyond, one.data[0]?.patientUid], [1, 0, last?.patient_uid])
})
