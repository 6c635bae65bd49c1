// The form of every type of the catalogue, from its JSON Schema, and what becomes of what is typed into it.
import './words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkReading } from '../../../src/modules/casesheet/reading.ts'
import { formOf, type ReadingForm } from '../src/screens/add/form-of.ts'
import { numberFrom, readForm, type Typed, typedFrom } from '../src/screens/add/read-form.ts'
import { catalogue, entryOf } from './catalogue.ts'
import './words.ts'

const NOW = 1_762_000_000_000
const AROUND = { patientUid: 'patient-1', zone: 'Europe/Berlin', now: NOW }
const typedInto = (form: ReadingForm, texts: Record<string, string>, rest: Partial<Typed> = {}): Typed => ({
  texts,
  unit: form.units[0] ?? '',
  at: '',
  ...rest,
})

/** Something right for every field of a form, in a unit. */
function filled(form: ReadingForm, unit: string): Typed {
  const texts: Record<string, string> = {}
  for (const field of form.fields) {
    if (field.kind === 'choice') texts[field.name] = field.choices[0] ?? ''
    if (field.kind === 'text') texts[field.name] = 'as typed'
    if (field.kind === 'time') texts[field.name] = '2025-11-01T07:00'
    if (field.kind !== 'number') continue
    const { least, most } = field.limitsIn(unit) ?? assert.fail(`${field.name} has no limits in ${unit}`)
    texts[field.name] = String(field.below === undefined ? most : least)
  }
  if (form.readingType === 'symptom') Object.assign(texts, { words: ' headache ', severity: 'MILD' })
  return typedInto(form, texts, { unit })
}

const ajv = new Ajv2020({ logger: false })
for (const entry of catalogue.values()) {
  test(`the form of ${entry.readingType} makes readings that the service accepts, in each unit`, () => {
    const form = formOf(entry)
    assert.ok(form.fields.length > 0)
    const isValid = ajv.compile(entry.schema)
    for (const unit of entry.units.length > 0 ? entry.units : ['']) {
      const read = readForm(form, filled(form, unit), AROUND)
      assert.ok('reading' in read, JSON.stringify(read))
      assert.ok(isValid(read.reading), JSON.stringify(isValid.errors))
      assert.deepEqual(checkReading(read.reading), [])
      // One that is not accepted comes back into the form as it was typed, to the minute.
      const again = readForm(form, typedFrom(form, read.reading, AROUND.zone), AROUND)
      const timestamp = Math.floor(NOW / 60_000) * 60_000
      assert.deepEqual(again, { reading: { ...read.reading, timestamp } })
    }
    // Nobody may have overlooked which unit it was.
    const [first = '', ...others] = entry.units
    const unitless = readForm(form, { ...filled(form, first), unit: '' }, AROUND)
    if (others.length > 0) assert.deepEqual(unitless, { mistakes: { unit: 'Choose the unit.' } })
  })

  test(`the form of ${entry.readingType} says what is wrong before the service would`, () => {
    const form = formOf(entry)
    for (const field of form.fields) {
      if (field.kind !== 'number') continue
      for (const unit of entry.units) {
        const { most } = field.limitsIn(unit) ?? assert.fail()
        const typed = filled(form, unit)
        typed.texts[field.name] = String(most + 1)
        const read = readForm(form, typed, AROUND)
        assert.ok('mistakes' in read)
        assert.match(read.mistakes[field.name] ?? '', /^It must be from [\d.,]+ to [\d.,]+ \S/)
      }
    }
  })
}

test('the limits of a number are those of the unit that is chosen', () => {
  const [value] = formOf(entryOf('bodyTemperature')).fields
  assert.ok(value?.kind === 'number')
  assert.deepEqual(value.limitsIn('Cel'), { least: 20, most: 46 })
  assert.deepEqual(value.limitsIn('[degF]'), { least: 68, most: 114.8 })
})

test('a required field that is empty is missing, an optional one is left out', () => {
  const form = formOf(entryOf('bloodPressure'))
  const missing = readForm(form, typedInto(form, { systolic: '128' }), AROUND)
  assert.deepEqual(missing, { mistakes: { diastolic: 'Diastolic is missing.' } })
  const read = readForm(form, typedInto(form, { systolic: '128', diastolic: '82' }), AROUND)
  assert.deepEqual(read, {
    reading: {
      patientUid: 'patient-1',
      readingType: 'bloodPressure',
      systolic: 128,
      diastolic: 82,
      timestamp: NOW,
      source: { kind: 'manual', app: { name: 'Rounds console' } },
    },
  })
})

test('a diastolic pressure that is not below the systolic is noticed', () => {
  const form = formOf(entryOf('bloodPressure'))
  const read = readForm(form, typedInto(form, { systolic: '80', diastolic: '120' }), AROUND)
  assert.deepEqual(read, { mistakes: { diastolic: 'It must be below systolic.' } })
})

test('a chosen time is that of the zone on the screen, and may not be in the future', () => {
  const form = formOf(entryOf('heartRate'))
  const at = (text: string) => readForm(form, typedInto(form, { value: '72' }, { at: text }), AROUND)
  const read = at('2025-11-01T07:42')
  assert.ok('reading' in read)
  assert.equal(read.reading.timestamp, Date.parse('2025-11-01T06:42:00Z'))
  assert.deepEqual(at('2026-11-01T07:42'), { mistakes: { timestamp: 'This time is in the future.' } })
  assert.deepEqual(at('soon'), { mistakes: { timestamp: 'This is not a date and a time.' } })
})

test('decimals are typed with a point or a comma, and nothing else is a number', () => {
  assert.deepEqual([' 6.1 ', '6,1', '-3', '.5', '7.'].map(numberFrom), [6.1, 6.1, -3, 0.5, 7])
  for (const text of ['', 'six', '1,234.5', '1e9', '0x10', '12 34', 'NaN', 'Infinity', '--1'])
    assert.equal(numberFrom(text), undefined, text)
})

test('a score is a whole number', () => {
  const form = formOf(entryOf('painScore'))
  const read = readForm(form, typedInto(form, { value: '4.5' }), AROUND)
  assert.deepEqual(read, { mistakes: { value: 'It must be a whole number.' } })
})

test('a symptom is one of a few, or own words, or both, and how bad it is', () => {
  const form = formOf(entryOf('symptom'))
  const read = (texts: Record<string, string>) => {
    const found = readForm(form, typedInto(form, texts), AROUND)
    return 'reading' in found ? found.reading['symptoms'] : found.mistakes
  }
  const said = (symptom: string) => [{ symptom, severity: 'SEVERE' }]
  assert.deepEqual(read({ symptom: 'Chest pain', severity: 'SEVERE' }), said('Chest pain'))
  assert.deepEqual(read({ words: ' crushing ', severity: 'SEVERE' }), said('crushing'))
  assert.deepEqual(
    read({ symptom: 'Chest pain', words: 'crushing', severity: 'SEVERE' }),
    said('Chest pain, crushing'),
  )
  assert.deepEqual(read({ words: '  ', severity: 'MILD' }), {
    symptoms: 'Choose one, or say it in your words.',
  })
  assert.deepEqual(read({ words: 'cough' }), { severity: 'Choose how bad it is.' })
})
