// Exports of Apple Health. All of their content is invented.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { ImportError, importReadings, previewImport } from '../src/import/import-readings.ts'
import { record, XML_END, XML_HEAD } from './apple-export.ts'
import { clientOfNewPatient } from './client-of.ts'
import { fileOf } from './import-file.ts'
import { zipped } from './zip-file.ts'

const rounds = await startRounds()

const GIVEN = new Set(['readingId', 'measuredAt', 'receivedAt', 'patientUid', 'readingType'])

const at = (time: string) => `2026-02-01 ${time} +0100`
const pressure = (type: string, value: string) =>
  record(`BloodPressure${type}`, { value, unit: 'mmHg', start: at('07:00:00'), source: 'Cuff App' })
const sleep = (value: string, start: string, end: string, source?: string) =>
  record('SleepAnalysis', {
    value: `HKCategoryValueSleepAnalysis${value}`,
    start: at(start),
    end: at(end),
    ...(source ? { source } : {}),
  })

const RECORDS = (address: string) =>
  [
    record(
      'HeartRate',
      { value: '72', unit: 'count/min', start: at('08:00:00'), address },
      '  <MetadataEntry key="x" value="1"/>\n',
    ),
    // The same again, and one of another app for the same time.
    record('HeartRate', { value: '72', unit: 'count/min', start: at('08:00:00'), address }),
    record('HeartRate', { value: '72', unit: 'count/min', start: at('08:00:00'), source: 'Other App' }),
    record(
      'HeartRateVariabilitySDNN',
      { value: '41.5', unit: 'ms', start: at('08:00:01'), address },
      '  <HeartRateVariabilityMetadataList>\n   <InstantaneousBeatsPerMinute bpm="61" time="8:00:01,05"/>\n  </HeartRateVariabilityMetadataList>\n',
    ),
    record('OxygenSaturation', { value: '0.57', unit: '%', start: at('08:00:02') }),
    record('BodyFatPercentage', { value: '0.223', unit: '%', start: at('08:00:02') }),
    record('BodyMass', { value: '154.3', unit: 'lb', start: at('08:00:03') }),
    record('Height', { value: '1.72', unit: 'm', start: at('08:00:03') }),
    record('BodyTemperature', { value: '98.6', unit: 'degF', start: at('08:00:03') }),
    record('BloodGlucose', { value: '5.4', unit: 'mmol&lt;180.1558800000541&gt;/L', start: at('08:00:04') }),
    record('BloodGlucose', { value: '97', unit: 'mg/dL', start: at('08:00:05') }),
    record('StepCount', { value: '412', unit: 'count', start: at('08:00:00'), end: at('08:10:00') }),
    record('ActiveEnergyBurned', { value: '12.5', unit: 'Cal', start: at('08:00:00'), end: at('08:10:00') }),
    record('WaistCircumference', { value: '34', unit: 'in', start: at('08:00:03') }),
    record('WalkingSpeed', { value: '4.1', unit: 'km/hr', start: at('08:00:00') }),
    record('WalkingSpeed', { value: '4.2', unit: 'km/hr', start: at('08:00:00') }),
    record('HeartRate', { unit: 'count/min', start: at('08:00:00') }),
    record('HeartRate', { value: '70', unit: 'count/min', start: 'yesterday' }),
    pressure('Systolic', '128'),
    pressure('Diastolic', '82'),
    record('BloodPressureSystolic', { value: '131', unit: 'mmHg', start: at('09:00:00') }),
    ` <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff App" creationDate="${at('07:00:00')}" startDate="${at('07:00:00')}" endDate="${at('07:00:00')}">\n`,
    pressure('Systolic', '128'),
    pressure('Diastolic', '82'),
    ' </Correlation>\n',
    sleep('InBed', '00:00:00', '06:00:00', 'iPhone'),
    sleep('AsleepCore', '00:10:00', '01:10:00'),
    sleep('AsleepDeep', '01:10:00', '01:40:30'),
    sleep('Awake', '01:40:30', '01:45:30'),
    sleep('AsleepREM', '01:45:30', '02:00:30'),
    sleep('AsleepUnspecified', '03:00:00', '03:30:00'),
    sleep('Awake', '04:00:00', '04:01:00'),
    ' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="45.5">\n  <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="150"/>\n </Workout>\n',
    ' <ActivitySummary dateComponents="2026-02-01" activeEnergyBurned="300"/>\n',
  ].join('')

const xmlOf = (address = '28') => `${XML_HEAD}${RECORDS(address)}${XML_END}`
const filesOf = (xml: string) => [
  { name: 'apple_health_export/electrocardiograms/ecg_2026-02-01.csv', content: ['Name,Invented\n'] },
  { name: 'apple_health_export/workout-routes/route_1.gpx', content: ['<gpx/>'] },
  { name: 'apple_health_export/workout-routes/route_2.gpx', content: ['<gpx/>'] },
  { name: 'apple_health_export/export_cda.xml', content: ['<ClinicalDocument/>'] },
  { name: 'apple_health_export/Exportación.xml', content: [xml] },
]

test('an export in any language is understood: exact counts, what was not understood, what is left out', async () => {
  const { client, patientUid } = await clientOfNewPatient(rounds)
  const file = fileOf(await zipped(filesOf(xmlOf())), { name: 'Exportación.zip', pieceBytes: 1_000 })
  const preview = await previewImport(file, { patientUid })
  const counts = Object.fromEntries(
    preview.types.map(({ readingType, unit, count }) => [`${readingType} ${unit}`, count]),
  )
  assert.deepEqual(counts, {
    'heartRate /min': 3,
    'sleep min': 2,
    'activeEnergy kcal': 1,
    'bloodGlucose mmol/L': 1,
    'bloodGlucose mg/dL': 1,
    'bloodPressure mm[Hg]': 1,
    'bodyFat %': 1,
    'bodyHeight cm': 1,
    'bodyTemperature [degF]': 1,
    'bodyWeight [lb_av]': 1,
    'heartRateVariabilitySdnn ms': 1,
    'oxygenSaturation %': 1,
    'stepCount {steps}': 1,
  })
  assert.deepEqual(preview.notUnderstood, [
    { name: 'WalkingSpeed', count: 2 },
    { name: 'workout-routes (files)', count: 2 },
    { name: 'ActivitySummary', count: 1 },
    { name: 'WaistCircumference in in', count: 1 },
    { name: 'Workout', count: 1 },
    { name: 'electrocardiograms (files)', count: 1 },
    { name: 'export_cda.xml (the same data in another form)', count: 1 },
  ])
  assert.deepEqual(
    preview.skipped.map(({ reason, count }) => [reason, count]),
    [
      ['It holds no value.', 1],
      ['Its time cannot be read.', 1],
      ['Time in bed is no sleep.', 1],
      ['It says only that someone was awake.', 1],
      ['It is one value of a blood pressure, without the other.', 1],
    ],
  )
  assert.deepEqual([preview.from, preview.to], ['2026-02-01T01:00:30.000Z', '2026-02-01T07:10:00.000Z'])

  const result = await importReadings(file, { client, patientUid })
  assert.deepEqual(result, { ...preview, stored: 15, duplicates: 1, rejected: { count: 0, examples: [] } })
  const { data } = await client.getReadings({ patientUid })
  const found = (type: string) => data.filter(({ readingType }) => readingType === type)
  const plain = (type: string) =>
    found(type).map((reading) =>
      Object.fromEntries(Object.entries(reading).filter(([name]) => !GIVEN.has(name))),
    )
  const device = { name: 'Apple Watch', manufacturer: 'Apple Inc.', model: 'Watch' }
  const source = { kind: 'import', device, app: { name: 'Invented’s Apple\u00a0Watch', version: '10.1' } }
  const instant = (time: string) => Date.parse(`2026-02-01T${time}+01:00`)
  assert.deepEqual(plain('sleep'), [
    {
      timestamp: instant('02:00:30'),
      startedAt: instant('00:10:00'),
      value: 105.5,
      light: 60,
      deep: 30.5,
      awake: 5,
      rem: 15,
      unit: 'min',
      source,
    },
    { timestamp: instant('03:30:00'), startedAt: instant('03:00:00'), value: 30, unit: 'min', source },
  ])
  assert.deepEqual(plain('bloodPressure'), [
    {
      timestamp: instant('07:00:00'),
      systolic: 128,
      diastolic: 82,
      unit: 'mm[Hg]',
      source: { kind: 'import', app: { name: 'Cuff App' } },
    },
  ])
  assert.deepEqual(plain('stepCount'), [
    { timestamp: instant('08:10:00'), startedAt: instant('08:00:00'), value: 412, unit: '{steps}', source },
  ])
  const values = ['oxygenSaturation', 'bodyFat', 'bodyWeight', 'bodyHeight', 'bodyTemperature'].map(
    (type) => found(type)[0]?.['value'],
  )
  assert.deepEqual(values, [57, 22.3, 154.3, 172, 98.6])

  // A later export of the same phone: other addresses of devices, another kind of zip, or the XML alone.
  for (const again of [
    fileOf(await zipped(filesOf(xmlOf('1234abcd')), { is64: true })),
    fileOf(await zipped(filesOf(xmlOf('5')), { method: 0 }), { pieceBytes: 29 }),
    fileOf(`\ufeff${xmlOf('6').replaceAll('\n', '\r\n')}`),
  ]) {
    const { stored, duplicates } = await importReadings(again, { client, patientUid })
    assert.deepEqual([stored, duplicates], [0, 16])
  }
})

/** The same bytes with one of them changed. */
function tipped(bytes: Buffer, index: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[index] = (copy[index] ?? 0) ^ 4
  return copy
}

test('a hostile or damaged file is a sentence that says what to do, in little memory and time', async () => {
  const good = await zipped(filesOf(xmlOf()))
  const stored = await zipped(filesOf(xmlOf()), { method: 0 })
  const entities =
    '<!DOCTYPE HealthData [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
  const rooted = (inner: string, head = '<!DOCTYPE HealthData>') =>
    `<?xml version="1.0"?>${head}<HealthData locale="x">${inner}</HealthData>`
  const bomb = await zipped([{ name: 'export.xml', content: zeros(XML_HEAD, 200) }])
  const cases: [content: string | Buffer, code: string, message: RegExp][] = [
    [
      good.subarray(0, good.length - 30),
      'Damaged',
      /zip is damaged, or was not copied whole\. Export it again/,
    ],
    [good.subarray(1_000), 'UnknownFormat', /none of these|not UTF-8/],
    [tipped(stored, stored.indexOf('value="72"') + 8), 'Damaged', /zip is damaged/],
    [tipped(good, good.indexOf('Exportación.xml') + 400), 'Damaged', /damaged/],
    [
      await zipped([{ name: 'a/export.xml', content: [xmlOf()] }], { flags: 1 }),
      'Damaged',
      /protected by a password\. Unzip it/,
    ],
    [
      await zipped([{ name: 'letters.txt', content: ['x'] }]),
      'UnknownFormat',
      /zip holds no export of Apple Health/,
    ],
    [xmlOf().slice(0, -20), 'Damaged', /ends too early: it was cut off/],
    [rooted('<Record type="&b;"/>', entities), 'Damaged', /XML of the file is damaged in line 1/],
    [rooted('<Record type="&x;"/>', entities), 'Damaged', /XML of the file is damaged in line 1/],
    [rooted(`<Record type="${'x'.repeat(3_000_000)}"/>`), 'Damaged', /element longer than 1 MiB/],
    [
      rooted(`<Record ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
      'Damaged',
      /element longer than 1 MiB/,
    ],
    [rooted(`text ${'x'.repeat(3_000_000)}`), 'Damaged', /element longer than 1 MiB/],
    [rooted('<a>'.repeat(20)), 'Damaged', /nested too deeply/],
    [rooted('<Record type="HKQuantityTypeIdentifierHeartRate"'), 'Damaged', /damaged|ends too early/],
    [bomb, 'Damaged', /element longer than 1 MiB/],
    [
      '<?xml version="1.0"?><ClinicalDocument/>',
      'UnknownFormat',
      /export_cda\.xml of Apple Health\. Bring in export\.zip/,
    ],
  ]
  for (const [content, code, message] of cases) {
    const begun = performance.now()
    await assert.rejects(previewImport(fileOf(content), { patientUid: 'patient-1' }), (error: unknown) => {
      if (!(error instanceof ImportError)) throw error
      if (code === 'UnknownFormat' && error.message.includes('UTF-8')) return true
      assert.deepEqual([error.code, message.test(error.message)], [code, true], error.message)
      return true
    })
    assert.ok(performance.now() - begun < 10_000)
  }
  const utf16 = Buffer.from(`\ufeff${xmlOf()}`, 'utf16le')
  assert.equal((await previewImport(fileOf(utf16), { patientUid: 'patient-1' })).types[0]?.count, 3)
})

/** So many MiB of one letter: a thousandth of it in a zip. */
function* zeros(head: string, mebibytes: number) {
  yield head
  for (let count = 0; count < mebibytes; count++) yield '0'.repeat(1_048_576)
}
