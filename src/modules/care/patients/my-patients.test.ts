// GET {care_url}/patients/list: each status with its reason and its rule, from readings that were just added.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { newDoctor, pressure } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import type { Answer } from './list-contract.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })
const HOUR = 60
const DAY = 24 * HOUR
const ESH = { preset: 'home-blood-pressure-esh' }
const CONSENSUS = { preset: 'sensor-glucose', unit: 'mmol/L' }
const RULES = '?silentAfter=3&worseBy=10'

const isReady = ({ counts }: Answer) => counts.preparing === 0

const glucose = (value: number, minutesAgo: number) => ({
  readingType: 'interstitialGlucose',
  timestamp: Date.now() - minutesAgo * 60_000,
  value,
  unit: 'mmol/L',
})

/** So many readings, one every five minutes, of which every nth has the other value. */
const sensor = (count: number, values: [usual: number, other: number], every: number, from = 10) =>
  Array.from({ length: count }, (_, index) => glucose(values[index % every === 0 ? 1 : 0], from + index * 5))

test('a patient is prepared, then has a status with its rule, and then what changes', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ sharedAs: 'Jonas Sample' })
  await patient.setTarget(ESH)
  // The last is one of the fortnight before.
  await patient.add(pressure(178, 112, 5), pressure(120, 80, 3 * DAY), pressure(121, 81, 14 * DAY))
  const first = await doctor.list()
  assert.deepEqual([first.data[0]?.status, first.counts.preparing], ['preparing', 1])
  const { data, counts } = await doctor.untilListed(isReady)
  const [listed] = data
  assert.deepEqual([counts.all, counts.attention, counts.new], [1, 1, 1])
  assert.equal(listed?.status, 'attention')
  assert.match(listed.reason, /^Blood pressure 178\/112 mmHg at \d\d:\d\d .*, above the target\.$/)
  assert.match(
    listed.rule?.text ?? '',
    /^The newest reading is outside the target below 135\/85 mmHg, set by patient-.* on /,
  )
  for (const [language, clock] of [
    ['en-US,en;q=0.9', /at \d\d:\d\d\s[AP]M (today|on [A-Z][a-z]+ \d+),/],
    ['en-GB;q=0.5, en-us', /\s[AP]M /],
    ['de, en-US;q=0.9', /at \d\d:\d\d (today|on \d)/],
    ['en-US-u-hc-h23', /at \d\d:\d\d (today|on \d)/],
    ['*', /at \d\d:\d\d (today|on \d)/],
  ] as const) {
    const { json, headers } = await doctor.ask('', { 'accept-language': language })
    assert.match((json as unknown as Answer).data[0]?.reason ?? '', clock, language)
    assert.match(headers.get('vary') ?? '', /\bAccept-Language\b/)
  }
  const [type] = listed.types
  assert.deepEqual(type?.newest?.values, { systolic: 178, diastolic: 112 })
  assert.deepEqual(type?.newest?.sides, { systolic: 'above', diastolic: 'above' })
  assert.deepEqual(type?.share, { judged: 2, inTarget: 1, before: { judged: 1, inTarget: 1 } })
  assert.equal(listed.daysWithData.withData, 3)
  assert.equal(type?.days.length, 2)
  await patient.add(pressure(121, 81, 1))
  const { data: later } = await doctor.untilListed(({ data: [one] }) => one?.status === 'review', '', 5_000)
  assert.match(later[0]?.reason ?? '', /178\/112/)
})

/** Who has which status, and what the list says. */
const PATIENTS: Record<
  string,
  {
    status: string
    reason: RegExp
    rule?: RegExp
    target?: Record<string, unknown>
    readings: Record<string, unknown>[]
  }
> = {
  'the newest is beyond the outer bounds': {
    status: 'attention',
    target: CONSENSUS,
    readings: [glucose(23, 5), glucose(6, 10)],
    reason: /^Sensor glucose 23\.0 mmol\/L at .*, above 13\.9 mmol\/L\.$/,
    rule: /^The newest reading is outside 3\.0–13\.9 mmol\/L, the outer bounds of the target 3\.9–10\.0 mmol\/L, set by .* \(international consensus on time in range, 2019\)\.$/,
  },
  'one low in the night, long ago': {
    status: 'review',
    target: CONSENSUS,
    readings: [glucose(2.1, 5 * DAY), ...sensor(50, [6, 6], 1)],
    reason: /^Sensor glucose 2\.1 mmol\/L at \d\d:\d\d on \d+ \w+, below 3\.0 mmol\/L\.$/,
    rule: /^A reading of the last 14 days is outside 3\.0/,
  },
  'too few in target': {
    status: 'review',
    target: CONSENSUS,
    readings: sensor(120, [6, 11], 2),
    reason: /^50 % of sensor glucose in target in 14 days\.$/,
    rule: /^At most 70 % of the readings of 14 days are in the target/,
  },
  'a little above, as happens with a sensor': {
    status: 'inTarget',
    target: CONSENSUS,
    readings: sensor(120, [6, 11], 10, 5),
    reason: /^90 % of sensor glucose in target in 14 days\.$/,
  },
  'most above, of too few to judge': {
    status: 'noData',
    target: CONSENSUS,
    readings: sensor(50, [11, 6], 10, 5),
    reason: /^Too few readings to judge: 5 of 50 of sensor glucose in target in 14 days\.$/,
  },
  'the share fell': {
    status: 'worse',
    target: CONSENSUS,
    readings: [...sensor(20, [6, 11], 4, 20), ...sensor(20, [6, 6], 1, 16 * DAY)],
    reason: /^75 % of sensor glucose in target in 14 days, 100 % in the 14 days before\.$/,
    rule: /fell by 10 percentage points or more from one fortnight to the next, as chosen for this list\.$/,
  },
  'no reading for six days, and the last one was high': {
    status: 'silent',
    target: { readingType: 'bodyWeight', high: 83, unit: 'kg' },
    readings: [
      { readingType: 'bodyWeight', timestamp: Date.now() - 20 * DAY * 60_000, value: 84, unit: 'kg' },
    ],
    reason: /^No reading of body weight for 20 days; the last was 84 kg at .*, above the target\.$/,
    rule: /^There is the target up to 83 kg, set by .*, and no reading for 3 days, as chosen for this list\.$/,
  },
  'a target and never a reading': {
    status: 'silent',
    target: ESH,
    readings: [],
    reason: /^No reading of blood pressure so far\.$/,
  },
  'all in target': {
    status: 'inTarget',
    target: ESH,
    readings: [pressure(120, 80, 30), pressure(134, 84, DAY)],
    reason: /^All readings of blood pressure in 14 days are in target\.$/,
  },
  'just not below': {
    status: 'attention',
    target: ESH,
    readings: [pressure(135, 80, 30)],
    reason: /^Blood pressure 135\/80 mmHg at .*, above the target\.$/,
  },
  'a dangerous value, and nobody set a target': {
    status: 'noTarget',
    readings: [pressure(240, 140, 30)],
    reason: /^No target is set, so nothing is judged\.$/,
  },
}

test('each status is the first that applies, and says why and by which rule', async () => {
  const doctor = await newDoctor(rounds)
  const names = Object.keys(PATIENTS)
  for (const [name, { target, readings }] of Object.entries(PATIENTS)) {
    const patient = await doctor.patient({ sharedAs: name })
    if (target) await patient.setTarget(target)
    if (readings.length > 0) await patient.add(...readings)
  }
  const { data, counts } = await doctor.untilListed(
    (answer) => isReady(answer) && answer.data.length > 0,
    RULES,
  )
  assert.equal(counts.all, names.length)
  for (const { sharedAs, status, reason, rule } of data) {
    const expected = PATIENTS[sharedAs ?? '']
    assert.equal(status, expected?.status, `${sharedAs}: ${reason}`)
    assert.match(reason, expected?.reason ?? /^$/, sharedAs ?? '')
    if (expected?.rule) assert.match(rule?.text ?? '', expected.rule)
    assert.equal(rule === null, ['noData', 'inTarget', 'noTarget'].includes(status), sharedAs ?? '')
  }
  // In order of attention, and the latest first.
  const statuses = data.map(({ status }) => status)
  const RANKS = ['attention', 'review', 'worse', 'silent', 'noData', 'inTarget', 'noTarget']
  assert.deepEqual(
    statuses,
    statuses.toSorted((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)),
  )
  // Without rules chosen in the list, nobody is silent or worse.
  const plain = await doctor.list()
  assert.deepEqual([plain.counts.silent, plain.counts.worse], [0, 0])
  assert.deepEqual(
    await pagesOf(doctor, RULES),
    data.map(({ patientUid }) => patientUid),
  )
})

async function pagesOf(doctor: Awaited<ReturnType<typeof newDoctor>>, query: string) {
  const all: string[] = []
  let cursor: string | null = ''
  do {
    const page: Answer = await doctor.list(`${query}&limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    all.push(...page.data.map(({ patientUid }) => patientUid))
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

test('a type outside its target is named beside the one that decides, and a target of the doctor as theirs', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  await patient.setTarget(ESH, doctor.token)
  await patient.setTarget({ readingType: 'oxygenSaturation', low: 92 }, doctor.token)
  await patient.add(pressure(178, 112, 5), {
    readingType: 'oxygenSaturation',
    timestamp: Date.now() - 60 * 60_000,
    value: 85,
  })
  const { data } = await doctor.untilListed(isReady)
  assert.match(data[0]?.reason ?? '', /^Blood pressure 178.*; also outside: oxygen saturation\.$/)
  assert.match(data[0]?.rule?.text ?? '', /, set by you on /)
})

test('sorts, filters and search', async () => {
  const doctor = await newDoctor(rounds)
  const [ada, bo, cleo] = [
    await doctor.patient({ sharedAs: 'Ádá Example' }),
    await doctor.patient({ sharedAs: 'Bo Example' }),
    await doctor.patient({}, `CLEO-${doctor.doctorId}`),
  ]
  await ada.setTarget(ESH)
  await ada.add(pressure(120, 80, 10), pressure(150, 80, DAY))
  await bo.setTarget(ESH)
  await bo.add(pressure(120, 80, 5 * DAY))
  await doctor.untilListed(isReady)
  await doctor.list()
  const idsOf = async (query: string) => (await doctor.list(query)).data.map(({ patientUid }) => patientUid)
  const [a, b, c] = [ada.patientUid, bo.patientUid, cleo.patientUid]
  assert.deepEqual(await idsOf('?sort=name'), [a, b, c])
  assert.deepEqual(await idsOf('?sort=name&order=desc'), [c, b, a])
  assert.deepEqual(await idsOf('?sort=share'), [a, b, c])
  assert.deepEqual(await idsOf('?sort=daysWithData'), [c, b, a])
  assert.deepEqual(await idsOf('?sort=lastReading'), [c, b, a])
  assert.deepEqual(await idsOf('?sort=lastReading&order=desc'), [a, b, c])
  assert.deepEqual(await idsOf('?sort=lastReview'), [a, b, c])
  assert.deepEqual(await idsOf('?find=ADA'), [a])
  assert.deepEqual(await idsOf('?find=cleo-'), [c])
  assert.deepEqual(await idsOf('?status=review'), [a])
  assert.deepEqual(await idsOf('?status=inTarget&status=noTarget'), [b, c])
  assert.deepEqual(await idsOf('?isNew=true'), [a, b])
  for (const sort of ['name', 'share', 'daysWithData', 'lastReading', 'lastReview'])
    assert.equal((await pagesOf(doctor, `?sort=${sort}`)).length, 3, sort)
  const { nextCursor } = await doctor.list('?limit=1')
  assertRefused(await doctor.ask(`?sort=name&cursor=${nextCursor}`), 400, 'InvalidCursor')
  const forged = Buffer.from(JSON.stringify(['attention asc', '1e400', '', ''])).toString('base64url')
  assertRefused(await doctor.ask(`?cursor=${forged}`), 400, 'InvalidCursor')
  assertRefused(await doctor.ask('?timeZone=Mars/Olympus'), 400, 'ValidationFailed')
  assertRefused(await doctor.ask('?changedSince=yesterday'), 400, 'ValidationFailed')
  assertRefused(await rounds.call('/care/patients/list', { token: ada.token }), 403, 'NotADoctor')
})

test('an answer that has not changed is 304, and changedSince shows who has', async () => {
  const doctor = await newDoctor(rounds)
  const [one, other] = [await doctor.patient(), await doctor.patient()]
  await doctor.untilListed(isReady)
  // While any transaction runs, asOf stays behind it, and both patients may have changed since.
  let asOf: string
  do ({ asOf } = await doctor.list())
  while ((await doctor.list(`?changedSince=${asOf}`)).data.length > 0)
  const { headers } = await doctor.ask()
  const etag = headers.get('etag') ?? ''
  assert.equal((await doctor.ask('', { 'if-none-match': etag })).status, 304)
  await other.add(pressure(120, 80, 1))
  const { data } = await doctor.untilListed(
    ({ data: [changed] }) => changed?.lastReadingAt != null,
    `?changedSince=${asOf}`,
  )
  assert.deepEqual(
    data.map(({ patientUid }) => patientUid),
    [other.patientUid],
  )
  assert.equal((await doctor.ask('', { 'if-none-match': etag })).status, 200)
  await one.revoke()
  const { data: left, counts } = await doctor.list()
  assert.deepEqual([left.map(({ patientUid }) => patientUid), counts.all], [[other.patientUid], 1])
})

test('a grant of some types shows nothing of others', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ readingTypes: ['bodyWeight'] })
  await patient.setTarget(ESH)
  await patient.add(
    pressure(190, 120, 1),
    { readingType: 'acme.step', timestamp: Date.now(), value: 4 },
    { readingType: 'bodyWeight', timestamp: Date.now() - 4 * DAY * 60_000, value: 80, unit: 'kg' },
  )
  await doctor.untilListed(isReady)
  const listed = await doctor.listed(patient.patientUid, RULES)
  assert.deepEqual(
    [listed?.status, listed?.types.map(({ readingType }) => readingType), listed?.daysWithData.withData],
    ['noTarget', ['bodyWeight'], 1],
  )
  assert.ok(Date.now() - Date.parse(listed?.lastReadingAt ?? '') > 3 * DAY * 60_000)
  await patient.give({ readingTypes: ['bodyWeight', 'bloodPressure'] })
  assert.equal((await doctor.listed(patient.patientUid))?.status, 'attention')
})

test('a grant of some types does not tell by changedSince when others have changed', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ readingTypes: ['bodyWeight'] })
  await doctor.untilListed(isReady)
  const idsSince = async (asOf: string) =>
    (await doctor.list(`?changedSince=${asOf}`)).data.map(({ patientUid }) => patientUid)
  // Once all that was asked for is made, before and after a reading that is not shared.
  const { asOf: before } = await doctor.list()
  assert.deepEqual(await idsSince(before), [patient.patientUid])
  await patient.add(pressure(120, 80, 1))
  const { asOf: later } = await doctor.list()
  assert.deepEqual(await idsSince(later), [patient.patientUid])
})

test('a share that fell by exactly as much as was chosen is worse', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  await patient.setTarget(CONSENSUS)
  await patient.add(...sensor(20, [6, 11], 5, 20), ...sensor(20, [6, 11], 10, 16 * DAY))
  const { data } = await doctor.untilListed(isReady, '?worseBy=10')
  assert.equal(data[0]?.status, 'worse', data[0]?.reason)
})

test('the patient sees one look a day, however often the list is asked for', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient({ readingTypes: ['bodyWeight'] })
  await Promise.all(Array.from({ length: 8 }, () => doctor.list()))
  await doctor.untilListed(isReady)
  const looks = await runSql(
    rounds.ownerUrl,
    `select operation, read_by, allowed_as, doctor_id, reading_types
     from casesheet.access_log
     where patient_uid = $1`,
    [patient.patientUid],
  )
  assert.deepEqual(looks, [
    {
      operation: 'care/patients/list',
      read_by: `sub-of-${doctor.doctorId}`,
      allowed_as: 'grant',
      doctor_id: doctor.doctorId,
      reading_types: ['bodyWeight'],
    },
  ])
})

test('a patient who cannot be summarised holds up nobody else', async () => {
  const doctor = await newDoctor(rounds)
  const [broken, sound] = [await doctor.patient(), await doctor.patient()]
  await doctor.untilListed(isReady)
  for (const patient of [broken, sound]) await patient.setTarget(ESH)
  // As no add would store it.
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ($1, now(), gen_random_uuid(), 'bloodPressure', 1, ('{"systolic":1' || repeat('0', 400) || '}')::json, 'test')`,
    [broken.patientUid],
  )
  await sound.add(pressure(178, 112, 1))
  const isOf = (patientUid: string, status: string) => (answer: Answer) =>
    answer.data.some((listed) => listed.patientUid === patientUid && listed.status === status)
  await doctor.untilListed(isOf(sound.patientUid, 'attention'))
  await sound.add(pressure(120, 80, 0))
  const { behindSince, data } = await doctor.untilListed(isOf(sound.patientUid, 'review'))
  assert.equal(behindSince, null)
  assert.equal(data.find(({ patientUid }) => patientUid === sound.patientUid)?.behindSince, null)
  // What is not in the list is said of that patient.
  await runSql(
    rounds.ownerUrl,
    "update care.stale set since = since - interval '1 minute' where patient_uid = $1",
    [broken.patientUid],
  )
  assert.notEqual((await doctor.listed(broken.patientUid))?.behindSince, null)
})

test('a list whose follower stands still says since when', async () => {
  const doctor = await newDoctor(rounds)
  await doctor.patient()
  await doctor.untilListed(isReady)
  const blocker = new Client({ connectionString: rounds.ownerUrl })
  await blocker.connect()
  after(() => blocker.end())
  // The follower may go on between the two statements; then once more.
  await until(async () => {
    await blocker.query(
      "update casesheet.followers set caught_up_at = now() - interval '1 minute' where name = 'care:list'",
    )
    await blocker.query('begin')
    await blocker.query("select from casesheet.followers where name = 'care:list' for update")
    const { behindSince } = await doctor.list()
    await blocker.query('rollback')
    return behindSince !== null
  })
  await doctor.untilListed(({ behindSince }) => behindSince === null)
})
