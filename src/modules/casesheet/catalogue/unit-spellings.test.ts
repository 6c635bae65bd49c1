// Units through HTTP: required where a type has several, and named in the refusal where a usual spelling was sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { patientTrying } from '../../../../test/support/patient-trying.ts'
import { CATALOGUE } from './catalogue.ts'
import { UNIT_SPELLINGS, unitMeantBy } from './unit-spellings.ts'
import type { Unit } from './units.ts'

const rounds = await startRounds()
const ALL_UNITS = UNIT_SPELLINGS.map(([unit]) => unit)

for (const [name, { units, example }] of Object.entries(CATALOGUE)) {
  const { unit: _unit, ...withoutUnit } = example
  if (units.length === 1) {
    test(`${name}: the unit may be left out`, async () => {
      await (await patientTrying(rounds, name)).accepts(withoutUnit)
    })
    continue
  }
  test(`${name}: a reading without its unit is refused and the units are listed`, async () => {
    const { refuses, stored } = await patientTrying(rounds, name)
    const error = { pointer: '/unit', message: `is required: one of ${units.join(', ')}` }
    await refuses(withoutUnit, error)
    // No limits are known without the unit, so only that is said, whatever the number is.
    for (const value of [45, 0, -1e300]) await refuses({ ...withoutUnit, value }, error)
    assert.deepEqual(await stored(), [])
  })
}

const SPELLED: [readingType: string, right: Unit, spellings: string[]][] = [
  ['bloodGlucose', 'mg/dL', ['mg/dl', 'MG/DL', 'mg / dL', 'mgdl', 'mg/100ml', 'mg∕dL', '㎎/㎗']],
  ['bloodGlucose', 'mmol/L', ['mmol/l', 'MMOL/L', 'mmol/litre', 'mmol·L⁻¹', ' mmol/L']],
  ['heartRate', '/min', ['bpm', 'BPM', 'beats/min', 'beats per minute', '1/min', 'min⁻¹', 'count/min']],
  ['respiratoryRate', '/min', ['breaths/min', 'brpm']],
  ['bodyTemperature', 'Cel', ['°C', 'C', 'c', 'celsius', 'Celsius', 'degC', '℃', 'º C', '˚C', 'cel']],
  ['bodyTemperature', '[degF]', ['°F', 'F', 'fahrenheit', 'degF', '℉', 'degrees Fahrenheit']],
  ['bodyWeight', '[lb_av]', ['lb', 'lbs', 'Pounds', 'lb_av']],
  ['bodyWeight', 'kg', ['kgs', 'KG', 'Kilogram', '㎏', 'kg.']],
  ['bodyWeight', 'g', ['grams', 'G', 'gm']],
  ['bodyHeight', 'cm', ['CM', 'centimetres', 'cms']],
  ['bodyHeight', '[in_i]', ['in', 'inches', '"', '″']],
  ['bloodPressure', 'mm[Hg]', ['mmHg', 'mmhg', 'mm Hg']],
  ['oxygenSaturation', '%', ['percent', ' %', '％', 'pct']],
  ['bodyMassIndex', 'kg/m2', ['kg/m²', 'kg/m^2', 'kg·m⁻²']],
  ['stepCount', '{steps}', ['steps', 'count']],
  ['activeEnergy', 'kcal', ['KCAL', 'kilocalories']],
  ['heartRateVariabilitySdnn', 'ms', ['msec', 'milliseconds']],
  ['peakExpiratoryFlow', 'L/min', ['l/min', 'LPM']],
  ['fev1', 'L', ['l', 'litres']],
  ['sleep', 'min', ['minutes', 'mins']],
  ['painScore', '{score}', ['points']],
]

test('a usual spelling of a unit is refused with the one to write, and never stored', async () => {
  for (const [readingType, right, spellings] of SPELLED) {
    const { units, example } = CATALOGUE[readingType] ?? assert.fail(readingType)
    const { refuses, stored } = await patientTrying(rounds, readingType)
    const message = `must be one of ${units.join(', ')}: write ${right}`
    for (const unit of spellings) await refuses({ ...example, unit }, { pointer: '/unit', message })
    assert.deepEqual(await stored(), [])
  }
})

test('a spelling of a unit that the type does not have is not named', async () => {
  const { refuses } = await patientTrying(rounds, 'bodyTemperature')
  for (const unit of ['bpm', 'mg/dl', 'K', 'x'.repeat(60_000)]) {
    await refuses({ value: 37, unit }, { pointer: '/unit', message: 'must be one of Cel, [degF]' })
  }
})

test('every spelling means one unit', () => {
  for (const spellings of UNIT_SPELLINGS) {
    const [unit] = spellings
    for (const text of spellings) {
      assert.equal(unitMeantBy(text, ALL_UNITS), unit, text)
      assert.equal(unitMeantBy(` ${text.toUpperCase()} `, ALL_UNITS), unit, text)
    }
  }
})

test('a reading that was stored without its unit is returned as it was sent', async () => {
  const { get, patientUid, token } = await newPatient(rounds)
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ($1, to_timestamp(1762000000), gen_random_uuid(), 'bloodGlucose', 1762000000, '{"value":6.1}', 'test')`,
    [patientUid],
  )
  const [reading = {}] = (await get()).json.data
  assert.deepEqual([reading['value'], 'unit' in reading], [6.1, false])
  const latest = await rounds.call('/casesheet/readings/latest', { token })
  assert.deepEqual(latest.json.data, [reading])
})
