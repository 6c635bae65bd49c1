import { CATALOGUE } from '../src/modules/casesheet/catalogue/catalogue.ts'
import { EXAMPLE_NOTE, EXAMPLE_SYMPTOM } from '../src/modules/casesheet/reading.ts'
import { readingToObservation } from '../src/modules/fhir/observation/reading-to-observation.ts'
import type { Component, Observation } from '../src/modules/fhir/resources.ts'

const COMMON = { patientUid: 'patient-1', timestamp: 1_762_000_000 }

/** docs/fhir-mapping.md: how each type is written as an Observation. */
export function printFhirMapping(): string {
  const types = Object.keys(CATALOGUE).map((readingType) => typeOf(readingType, observationsOf(readingType)))
  const own = [EXAMPLE_SYMPTOM, EXAMPLE_NOTE].map((example) =>
    typeOf(example.readingType, [readingToObservation(example)]),
  )
  const all = [...own, ...types]
  const byCategory = Object.entries(Object.groupBy(all, ({ category }) => category))
  return `<!-- Made from the mapping itself by \`npm run generate:docs\`. Do not edit. -->

# FHIR mapping

The LOINC codes of each [type](reading-types.md), its profile of R4 (every vital sign also has \`vitalsigns\`), and the
LOINC codes of its components. [FHIR R4](fhir.md#mapping) explains the rest.

${byCategory.map(([category, ofIt = []]) => `## ${category}\n\n${ofIt.map(({ line }) => line).join('\n')}`).join('\n\n')}
`
}

/** A reading of the type with every field that it may have, once for each of its units. */
function observationsOf(readingType: string): Observation[] {
  const { units, quantities, notes = {} } = CATALOGUE[readingType] ?? { units: [], quantities: {} }
  const numbers = Object.keys(quantities).map((name) => [name, 1])
  const others = Object.entries(notes).map(([name, note]) => [name, note === 'time' ? 1_761_999_000 : 'x'])
  const fields = Object.fromEntries([...numbers, ...others])
  return units.map((unit) =>
    readingToObservation({ ...COMMON, readingType, ...fields, ...(units.length > 1 ? { unit } : {}) }),
  )
}

function typeOf(readingType: string, observations: Observation[]): { category: string; line: string } {
  const [first] = observations
  if (first === undefined) throw new Error(`${readingType} has no unit.`)
  const loinc = [...new Set(observations.flatMap(({ code }) => loincOf(code)))]
  const components = (first.component ?? []).flatMap(({ code }) => loincOf(code))
  const parts = [
    loinc.join(', ') || 'no LOINC code',
    ...profilesOf(first).map((name) => `profile \`${name}\``),
    ...(components.length > 0 ? [`components ${components.join(', ')}`] : []),
  ]
  const category = first.category?.[0]?.coding?.[0]?.code ?? 'none'
  return { category, line: `- ${readingType}: ${parts.join('; ')}` }
}

function profilesOf({ meta }: Observation): string[] {
  const names = (meta?.profile ?? []).map((url) => url.replace(/^.*\//, ''))
  return names.filter((name) => name !== 'vitalsigns')
}

function loincOf({ coding = [] }: Observation['code'] | Component['code']) {
  return coding.filter(({ system }) => system === 'http://loinc.org').map(({ code }) => code)
}
