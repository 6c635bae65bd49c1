// What is served: the one table from which the CapabilityStatement is made, and by which methods and parameters are accepted.
import { PRACTITIONER_PARAMETERS, ROLE_PARAMETERS } from '../practitioner/search-practitioners.ts'
import { OBSERVATION_PARAMETERS } from '../search/observation-query.ts'
import type { Parameter } from '../search/search-query.ts'

type Interaction = 'read' | 'search-type' | 'create'

export type Served = {
  interactions: readonly Interaction[]
  parameters: readonly Parameter[]
  profiles: readonly string[]
  documentation: string
}

const PROFILE = 'http://hl7.org/fhir/StructureDefinition/'

export const SERVED = {
  Observation: {
    interactions: ['read', 'search-type', 'create'],
    parameters: OBSERVATION_PARAMETERS,
    profiles: [
      'vitalsigns',
      'heartrate',
      'bp',
      'oxygensat',
      'bodytemp',
      'resprate',
      'bodyweight',
      'bodyheight',
      'bmi',
      'headcircum',
    ].map((name) => `${PROFILE}${name}`),
    documentation:
      'Readings of patients. A search is about one patient, sorted by date or -date (the default). An Observation that is sent ' +
      'again is stored once.',
  },
  Practitioner: {
    interactions: ['read', 'search-type'],
    parameters: PRACTITIONER_PARAMETERS,
    profiles: [],
    documentation: 'Doctors of the directory.',
  },
  PractitionerRole: {
    interactions: ['read', 'search-type'],
    parameters: ROLE_PARAMETERS,
    profiles: [],
    documentation: 'Specialities of the doctors, under the same ids.',
  },
} as const satisfies Record<string, Served>

export type ServedType = keyof typeof SERVED
