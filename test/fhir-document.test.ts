// The mapping of every type stands in the documents; it is made of the code, so that it cannot drift.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CATALOGUE } from '../src/modules/casesheet/catalogue/catalogue.ts'
import { EXAMPLE_SYMPTOM } from '../src/modules/casesheet/example-readings.ts'
import { SERVED } from '../src/modules/fhir/answers/served.ts'
import { readingToObservation } from '../src/modules/fhir/observation/reading-to-observation.ts'
import type { CodeableConcept, Observation } from '../src/modules/fhir/resources.ts'

const document = readFileSync(join(import.meta.dirname, '../docs/fhir.md'), 'utf8')
const lines = document.split('\n').map((line) => line.replaceAll(/ +/g, ' '))

const common = { patientUid: 'patient-1', timestamp: 1_762_000_000 }

/** Each type with every field that it may have, once for each of its units. */
const observationsOf: [readingType: string, Observation[]][] = [
  ['symptom', [readingToObservation(EXAMPLE_SYMPTOM)]],
  ...Object.entries(CATALOGUE).map(
    ([readingType, { units, quantities, notes = {} }]): [string, Observation[]] => {
      const numbers = Object.keys(quantities).map((name) => [name, 1])
      const others = Object.entries(notes).map(([name, note]) => [
        name,
        note === 'time' ? 1_761_999_000 : 'x',
      ])
      const fields = Object.fromEntries([...numbers, ...others])
      return [
        readingType,
        units.map((unit) =>
          readingToObservation({ ...common, readingType, ...fields, ...(units.length > 1 ? { unit } : {}) }),
        ),
      ]
    },
  ),
]

const codesOf = ({ coding = [] }: CodeableConcept, system: string) =>
  coding.filter((one) => one.system === system).map(({ code }) => code)

function rowOf(readingType: string, observations: Observation[]): string {
  const [first] = observations
  assert.ok(first)
  const loinc = [...new Set(observations.flatMap(({ code }) => codesOf(code, 'http://loinc.org')))]
  const units = observations.flatMap(({ valueQuantity }) =>
    valueQuantity?.code ? [`\`${valueQuantity.code}\``] : [],
  )
  const value = units.length > 0 ? units.join(', ') : first.valueCodeableConcept ? 'the symptom' : '–'
  const components = (first.component ?? []).map(({ code }) =>
    [...codesOf(code, 'http://loinc.org'), ...codesOf(code, 'urn:rounds:field')].join(' '),
  )
  const cells = [
    readingType,
    loinc.join(', ') || '–',
    first.category?.[0]?.coding?.[0]?.code ?? '–',
    value,
    components.join(', ') || '–',
    first.effectivePeriod ? 'period' : 'instant',
    first.meta?.profile?.map((url) => url.replace(/^.*\//, '')).join(', ') ?? '–',
  ]
  return `| ${cells.join(' | ')} |`
}

test('docs/fhir.md has the mapping of each type, and of no other', () => {
  const wanted = observationsOf.map(([readingType, observations]) => rowOf(readingType, observations))
  const start = lines.findIndex((line) => line.startsWith('| readingType | LOINC '))
  assert.notEqual(start, -1, `no table of the mapping; it should be:\n${wanted.join('\n')}`)
  const table = lines.slice(start + 2, start + 2 + wanted.length + 1)
  assert.deepEqual(table, [...wanted, ''], `the table should be:\n${wanted.join('\n')}`)
})

test('docs/fhir.md names every parameter of every search', () => {
  for (const [type, { parameters }] of Object.entries(SERVED)) {
    const line = lines.find((one) => one.startsWith(`| \`${type}\` `))
    for (const { name } of parameters) assert.ok(line?.includes(`\`${name}\``), `${type}: ${name}`)
  }
})
