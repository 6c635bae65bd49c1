// What is served: the one table from which the CapabilityStatement is made, and by which parameters are accepted. A process that
// serves only the readings or only the directory serves the resources of that module.
import { TYPE_MAPPINGS } from '../observation/type-mapping.ts'
import { PATIENT_PARAMETERS } from '../patient/patient-resource.ts'
import { PRACTITIONER_PARAMETERS, ROLE_PARAMETERS } from '../practitioner/search-practitioners.ts'
import { OBSERVATION_PARAMETERS } from '../search/observation-query.ts'
import type { Searched } from '../search/search-query.ts'

type Interaction = 'read' | 'search-type' | 'create'

/** The modules whose data a resource is made of. */
const MODULES = ['appointments', 'casesheet'] as const

export type Served = Searched & {
  module: (typeof MODULES)[number]
  interactions: readonly Interaction[]
  profiles: readonly string[]
  operations?: readonly { name: string; definition: string }[]
  documentation: string
}

export const SERVED = {
  Observation: {
    module: 'casesheet',
    interactions: ['read', 'search-type', 'create'],
    parameters: OBSERVATION_PARAMETERS,
    sorts: 'read later',
    profiles: [...new Set([...TYPE_MAPPINGS.values()].flatMap(({ profiles }) => profiles))],
    documentation:
      'Readings of patients. A search is about one patient, sorted by date or -date (the default). An Observation that is sent ' +
      'again is stored once.',
    operations: [{ name: 'lastn', definition: 'http://hl7.org/fhir/OperationDefinition/Observation-lastn' }],
  },
  Patient: {
    module: 'casesheet',
    interactions: ['read', 'search-type'],
    parameters: PATIENT_PARAMETERS,
    sorts: [],
    profiles: [],
    documentation:
      'A patient whose readings the caller may read: the id, and for a doctor the name under which the patient shares. ' +
      'Patient/id/Observation searches the Observations of the patient.',
  },
  Practitioner: {
    module: 'appointments',
    interactions: ['read', 'search-type'],
    parameters: PRACTITIONER_PARAMETERS,
    sorts: ['name'],
    profiles: [],
    documentation: 'Doctors of the directory.',
  },
  PractitionerRole: {
    module: 'appointments',
    interactions: ['read', 'search-type'],
    parameters: ROLE_PARAMETERS,
    sorts: [],
    profiles: [],
    documentation: 'Specialities of the doctors, under the same ids.',
  },
} as const satisfies Record<string, Served>

export type ServedType = keyof typeof SERVED

/** What a process with these modules serves: all, unless it serves one of the two others without the other. */
export function typesServed(modules: readonly string[]): ServedType[] {
  const named = MODULES.filter((module) => modules.includes(module))
  const served: readonly string[] = named.length === 0 ? MODULES : named
  return Object.entries(SERVED).flatMap(([type, { module }]) =>
    served.includes(module) ? [type as ServedType] : [],
  )
}
