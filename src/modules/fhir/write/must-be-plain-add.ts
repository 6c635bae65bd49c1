import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../refusal.ts'
import { mustNameAPatient } from '../../casesheet/access.ts'
import { mustHaveGeneralParametersOnly } from '../answers/general-parameters.ts'

/** Before the body is read. */
export async function mustBePlainAdd(request: FastifyRequest) {
  mustNameAPatient(request.caller)
  mustBeUnconditional(request)
}

export function mustBeUnconditional(request: FastifyRequest) {
  mustHaveGeneralParametersOnly(request)
  if (request.headers['if-none-exist'] !== undefined) {
    throw new Refusal(
      'ValidationFailed',
      'If-None-Exist is not supported: an Observation that is sent again is stored once.',
    )
  }
}
