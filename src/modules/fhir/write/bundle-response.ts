// The answer to a batch: for each entry, in the order sent, its status and its address, or why it was refused.
import { STATUS_CODES } from 'node:http'
import { Refusal, STATUS_OF } from '../../../refusal.ts'
import { outcomeOf } from '../answers/operation-outcome.ts'
import { type Added, MAX_ERRORS_OF_EACH } from './add-observations.ts'

export function printBundleResponse(added: readonly Added[]): string {
  return JSON.stringify({
    resourceType: 'Bundle',
    type: 'batch-response',
    // A list in FHIR is never empty.
    ...(added.length > 0 ? { entry: added.map((one) => ({ response: responseOf(one) })) } : {}),
  })
}

function responseOf(added: Added) {
  if (added instanceof Refusal) {
    const status = STATUS_OF[added.code]
    const errors = added.errors?.slice(0, MAX_ERRORS_OF_EACH)
    return {
      status: `${status} ${STATUS_CODES[status]}`,
      outcome: outcomeOf({ code: added.code, message: added.message, errors }),
    }
  }
  return { status: added.isNew ? '201 Created' : '200 OK', location: `Observation/${added.id}` }
}
