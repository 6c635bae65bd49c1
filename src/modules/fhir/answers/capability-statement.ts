// GET metadata: the CapabilityStatement, made from what is served.
import type { Parameter } from '../search/search-query.ts'
import { SERVED, type Served, type ServedType } from './served.ts'

/** The program, when it began to serve, and whether web apps may call it. */
export type Software = { version: string; startedAt: string; hasCors: boolean }

export function capabilityStatement(
  base: string,
  types: readonly ServedType[],
  { version, startedAt, hasCors }: Software,
) {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: startedAt,
    kind: 'instance',
    software: { name: 'Rounds', version },
    implementation: { description: 'A doctor directory and patient readings', url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    rest: [
      {
        mode: 'server',
        security: {
          cors: hasCors,
          service: [
            {
              coding: [
                {
                  system: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
                  code: 'SMART-on-FHIR',
                },
              ],
            },
          ],
          description: 'A bearer access token is needed for everything but this statement.',
        },
        resource: types.map((type) => resourceOf(type, SERVED[type])),
        ...(types.includes('Observation') ? { interaction: [{ code: 'batch' }] } : {}),
      },
    ],
  }
}

function resourceOf(
  type: string,
  { interactions, parameters, profiles, documentation, operations = [] }: Served,
) {
  return {
    type,
    ...(profiles.length > 0 ? { supportedProfile: [...profiles] } : {}),
    documentation,
    interaction: interactions.map((code) => ({ code })),
    versioning: 'no-version',
    readHistory: false,
    updateCreate: false,
    conditionalCreate: false,
    searchParam: parameters.map(searchParameterOf),
    ...(operations.length > 0 ? { operation: operations.map((one) => ({ ...one })) } : {}),
  }
}

function searchParameterOf({ name, type, documentation }: Parameter) {
  return { name, type, documentation }
}
