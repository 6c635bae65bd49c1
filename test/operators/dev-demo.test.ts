// `rounds dev --demo`: there is something to see at once, for each of the invented people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDev, temporaryDirectory } from '../support/dev.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'

const WILLOW = ['--doctor', 'dr-willow-sample']
const TMPDIR = temporaryDirectory()
const dev = await startDev({ TMPDIR, PG_BIN: process.env['PG_BIN'] ?? '' }, ['--port', '0', '--demo'])

async function call(path: string, holder: string[], module = 'casesheet') {
  const { output: token } = await runCommand(['token', ...holder], { TMPDIR }).ended
  const answer = await fetch(`${dev.casesheetUrl.replace('casesheet', module)}${path}`, {
    headers: { authorization: `Bearer ${token.trim()}` },
  })
  const { data } = Object(await answer.json()) as { data: Record<string, unknown>[] }
  return { status: answer.status, data }
}

test('it says how many readings there are, and no request of the start is shown', () => {
  const [, count = ''] =
    /^✓ Three months of invented readings: ([\d,]+) of Ada Example, Mia Example, Leo Example and 12 others$/m.exec(
      dev.output(),
    ) ?? []
  assert.ok(Number(count.replaceAll(',', '')) > 15_000, dev.output())
  assert.ok(dev.printed.length <= 13, dev.output())
  for (const line of dev.printed) assert.ok(line.length <= 100, line)
  assert.doesNotMatch(dev.output(), /^(GET|POST|curl) /m)
})

for (const [patientUid, silentDays] of [
  ['patient-1', 0],
  ['child-1', 0],
  ['child-2', 6],
] as const) {
  test(`${patientUid} has readings of several types, the newest ${silentDays} days ago`, async () => {
    const { data } = await call(`/readings/latest?patientUid=${patientUid}`, ['--patient', patientUid])
    assert.ok(data.length >= 4)
    const newest = Math.max(...data.map(({ measuredAt }) => Date.parse(String(measuredAt))))
    assert.equal(Math.floor((Date.now() - newest) / (24 * 3_600_000)), silentDays)
  })
}

test('one reading is withdrawn, with who and why, and the access log names staff', async () => {
  const own = ['--patient', 'patient-1']
  const { data } = await call('/readings/get?readingType=bodyWeight&withdrawn=include', own)
  const withdrawn = data.flatMap((reading) => (reading['withdrawn'] ? [Object(reading['withdrawn'])] : []))
  assert.deepEqual(
    withdrawn.map(({ by, reason }) => [by, reason]),
    [['kim-sample', 'Typed in pounds instead of kilograms']],
  )
  const log = await call('/readings/access-log', own)
  assert.ok(log.data.some(({ readBy, allowedAs }) => readBy === 'kim-sample' && allowedAs === 'staff'))
})

test('the patients share with the doctor: one until a day, one only some types, one to be read only', async () => {
  const { data } = await call('/patients/list', WILLOW)
  const types = ['bodyTemperature', 'heartRate', 'interstitialGlucose']
  assert.equal(data.length, 15)
  for (const { sharedAs } of data)
    assert.match(String(sharedAs), /^\w+ (Example|Muster|Probe|Sample|Specimen), born \d{4}$/)
  const special = data.filter(
    ({ permission, readingTypes, validUntil }) => permission === 'view' || readingTypes || validUntil,
  )
  assert.deepEqual(
    special.map(({ sharedAs, permission, readingTypes, validUntil }) => [
      sharedAs,
      permission,
      readingTypes,
      validUntil !== null,
    ]),
    [
      ['Ada Example, born 1971', 'manage', null, true],
      ['Leo Example, born 2019', 'view', null, false],
      ['Mia Example, born 2017', 'manage', types, false],
    ],
  )
  const latest = await call('/readings/latest?patientUid=child-1', WILLOW)
  assert.deepEqual(
    latest.data.map(({ readingType }) => readingType),
    types,
  )
})

test('targets are set for all, for some, and by a patient; none for one whose grant is to be read only', async () => {
  const targetsOf = async (patientUid: string) => {
    const { data } = await call(`/targets/list?patientUid=${patientUid}`, ['--patient', patientUid], 'care')
    return data.map(({ readingType, author, isForAll, judges }) =>
      [Object(author)['kind'], readingType, isForAll && 'for all', judges && 'judges']
        .filter(Boolean)
        .join(' '),
    )
  }
  assert.deepEqual((await targetsOf('patient-1')).toSorted(), [
    'doctor bloodPressure for all',
    'doctor bloodPressure judges',
    'doctor interstitialGlucose for all',
    'patient bodyWeight judges',
  ])
  assert.deepEqual(await targetsOf('patient-2'), [
    'doctor bloodPressure for all judges',
    'doctor interstitialGlucose for all',
  ])
  assert.deepEqual(await targetsOf('child-2'), [])
})

test("the doctor's list has somebody in each queue, for each kind of reason", async () => {
  const listed = async () => {
    const { data } = await call('/patients/list', WILLOW, 'care')
    return data.map(({ sharedAs, queue, reasons, notJudged }) => {
      const [first] = (reasons as { code: string; alerts?: object[] }[]) ?? []
      const [lack] = notJudged as { why: string }[]
      const why = first ? `${first.code}${first.alerts?.length ? ' with an alert' : ''}` : lack?.why
      return [queue, String(sharedAs).split(',')[0], why].filter(Boolean).join(': ')
    })
  }
  await until(async () => (await listed()).filter((line) => line.endsWith('with an alert')).length === 2)
  assert.deepEqual(await listed(), [
    'actNow: Hugo Probe: severe with an alert',
    'actNow: Bruno Muster: value with an alert',
    'actNow: Mia Example: value',
    'thisWeek: Ada Example: moderate',
    'thisWeek: Clara Probe: goal',
    'thisWeek: Edda Sample: fall',
    'thisWeek: Greta Example: clock',
    'silent: Kira Example: silent',
    'silent: Finn Muster: silent',
    'seen: Dario Specimen: goal',
    'seen: Jona Sample: mean',
    'fine: Ines Specimen',
    'fine: Lars Muster',
    'notJudged: Leo Example: noTarget',
    'notJudged: Mona Probe: tooFew',
  ])
})

test('alerts are on, as it says: the doctor has rules of each kind, and an alert to acknowledge', async () => {
  assert.match(dev.output(), /^✓ Alerts are on: 7 rules of Dr\. Willow Sample, and 2 alerts to acknowledge$/m)
  const { data: forAll } = await call('/rules/list', WILLOW, 'care')
  const { data: ofBruno } = await call('/rules/list?patientUid=patient-2', WILLOW, 'care')
  assert.deepEqual(
    ofBruno.map(({ ruleId, value, symptom }) => [ruleId === forAll[0]?.['ruleId'], value ?? symptom]),
    [
      [false, { above: 180, times: 1 }],
      [true, { severity: 'SEVERE' }],
    ],
  )
  const openAlerts = async () => (await call('/alerts/list?state=open', WILLOW, 'care')).data
  await until(async () => (await openAlerts()).length === 2)
  assert.deepEqual(
    (await openAlerts())
      .map(({ sharedAs, severity, why }) => [sharedAs, severity, why].join(': '))
      .toSorted(),
    [
      'Bruno Muster, born 1958: urgent: Blood pressure (systolic) was 224 mmHg, above 180 mmHg.',
      'Hugo Probe, born 1944: urgent: Symptom: crushing chest pain (SEVERE).',
    ],
  )
})

test('its requests are shown from then on', async () => {
  await call('/readings/latest', ['--patient', 'patient-1'])
  assert.match(dev.output(), /^GET \/casesheet\/readings\/latest 200 /m)
})
