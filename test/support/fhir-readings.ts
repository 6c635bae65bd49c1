// Random readings that readings/add accepts: every type of the catalogue with its fields, types of others, fields that no one
// knows, and times and patients of every shape. For tests of FHIR.
import fc from 'fast-check'
import { CATALOGUE, type CatalogueType, type Note } from '../../src/modules/casesheet/catalogue/catalogue.ts'
import { rangesOf } from '../../src/modules/casesheet/catalogue/limits.ts'
import { checkReading } from '../../src/modules/casesheet/reading.ts'
import { FHIR_ELEMENTS } from './fhir-elements.ts'

export type RandomReading = Record<string, unknown> & {
  patientUid: string
  readingType: string
  timestamp: number
}

/** Texts of any characters that can be stored. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ minLength: 1, maxLength }),
    fc.string({ unit: 'binary', minLength: 1, maxLength }).map((any) => any.replaceAll('\0', ' ')),
    fc.constantFrom(' ', ' led', 'a\u00a0b', 'line\nend', '\u0007', 'тест', '🩺'),
  )

const epochTime = fc.oneof(
  fc.integer({ min: 0, max: 4_000_000_000 }),
  fc.integer({ min: 100_000_000_000, max: 4_000_000_000_000 }),
  fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds + 0.5),
  fc.double({ min: 0, max: 253_402_300_799_999, noNaN: true }),
  fc.constantFrom(0, 1e11 - 1, 1e11, 1e11 - 0.25, 86_400.123, 253_402_300_799_999, 1_762_000_000_123.456),
)

const patientUid = fc.oneof(
  fc.uuid(),
  fc.constantFrom('patient-1', 'a b', 'patient/1', 'ümlaut', 'x'.repeat(128), 'P.1-2', 'a,b|c', '患者'),
)

const json = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** Fields beyond those of a type. */
const others = fc.dictionary(
  fc.oneof(fc.constantFrom('device', 'batteryPercent', 'utcOffset', 'note', 'x y', 'constructor'), text(12)),
  fc.oneof(json, fc.constantFrom('+05:30', '-03:00', '+99:99')),
  { maxKeys: 4 },
)

const sourceText = text(20).filter((any) => any.trim() !== '')
const source = fc.record(
  {
    kind: fc.constantFrom('device', 'manual', 'import'),
    device: fc.record(
      { name: sourceText, manufacturer: sourceText, model: sourceText, serial: sourceText },
      { requiredKeys: ['name'] },
    ),
    app: fc.record({ name: sourceText, version: sourceText }, { requiredKeys: ['name'] }),
  },
  { requiredKeys: ['kind'] },
)

function noteValue(note: Note): fc.Arbitrary<unknown> {
  if (note === 'time') return epochTime
  if (note === 'note')
    return fc.oneof(text(20), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())
  return fc.constantFrom(...note)
}

function fieldsOf(type: CatalogueType): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom(...type.units).chain((unit) => {
    const quantities = Object.entries(type.quantities).map(([name, quantity]) => {
      const [min, max] = (
        rangesOf(quantity, type).find((range) => range.unit === unit) ?? { possible: quantity.possible }
      ).possible
      const number = quantity.isWhole
        ? fc.integer({ min, max })
        : fc.oneof(
            fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
            fc.double({ min, max, noNaN: true }),
          )
      return [name, quantity.isOptional ? fc.option(number, { nil: undefined }) : number] as const
    })
    const notes = Object.entries(type.notes ?? {}).map(
      ([name, note]) => [name, fc.option(noteValue(note), { nil: undefined })] as const,
    )
    const sentUnit = type.units.length > 1 ? fc.constant(unit) : fc.constantFrom(unit, undefined)
    return fc.record(Object.fromEntries([...quantities, ...notes, ['unit', sentUnit]]))
  })
}

const symptoms = fc.record({
  symptoms: fc.array(
    fc
      .record({
        symptom: text(40),
        severity: fc.constantFrom('MILD', 'MODERATE', 'SEVERE', 'VERY_BAD_2'),
      })
      .chain((symptom) =>
        fc.oneof(
          fc.constant(symptom),
          others.map((rest) => ({ ...rest, ...symptom })),
        ),
      ),
    { minLength: 1, maxLength: 4 },
  ),
})

function readingOf(
  readingType: string,
  fields: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<RandomReading> {
  return (
    fc
      .record({
        patientUid,
        timestamp: epochTime,
        others,
        fields,
        source: fc.option(source, { nil: undefined }),
        fhir: fc.option(FHIR_ELEMENTS, { nil: undefined, freq: 1 }),
      })
      .map(({ fields: own, others: rest, ...common }) => {
        // What is undefined, or a number that is -0, is not what arrives.
        const sent = JSON.parse(JSON.stringify({ ...rest, ...own, ...common, readingType })) as RandomReading
        return sent
      })
      // The last is refused when a body is read.
      .filter(
        (reading) => checkReading(reading).length === 0 && !JSON.stringify(reading).includes('__proto__'),
      )
  )
}

/** Random readings of each type, by its name. */
export const RANDOM_READINGS: ReadonlyMap<string, fc.Arbitrary<RandomReading>> = new Map([
  ['symptom', readingOf('symptom', symptoms)],
  ['note', readingOf('note', fc.record({ text: text(500) }))],
  ...Object.entries(CATALOGUE).map(([name, type]) => [name, readingOf(name, fieldsOf(type))] as const),
  ['acme.grip', readingOf('acme.grip', others)],
])
