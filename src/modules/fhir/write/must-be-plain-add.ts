import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../refusal.ts'
import { mustNameAPatient } from '../../casesheet/access.ts'
import { mustHaveGeneralParametersOnly } from '../answers/general-parameters.ts'

/**
 * A condition such as `identifier=…` could only be taken at its word by a search, and there is none: an Observation with the same
 * identifier and another value would be stored beside the first, which is what its sender asked to prevent.
 */
export const STORED_ONCE = 'An Observation that is sent again is stored once.'

/** Before the body is read. */
export async function mustBePlainAdd(request: FastifyRequest) {
  mustNameAPatient(request.caller)
  mustHaveGeneralParametersOnly(request)
  if (request.headers['if-none-exist'] !== undefined) {
    throw new Refusal(
      'ValidationFailed',
      `If-None-Exist is not supported, because nothing is searched by identifier: leave it out. ${STORED_ONCE}`,
    )
  }
}
