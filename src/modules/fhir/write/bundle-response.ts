// The answer to a batch or a transaction: for each entry, in the order sent, its status and its address, its resource, or why it
// was refused.
import { STATUS_CODES } from 'node:http'
import { Refusal, STATUS_OF } from '../../../refusal.ts'
import { outcomeOf } from '../answers/operation-outcome.ts'
import { type Added, MAX_ERRORS_OF_EACH } from './add-observations.ts'

/** What became of an Observation that was sent, or the resource that was asked for, as JSON. */
export type Done = Added | string

export function printBundleResponse(type: 'batch' | 'transaction', done: readonly Done[]): string {
  // A list in FHIR is never empty.
  const entry = done.length > 0 ? `,"entry":[${done.map(printEntry).join()}]` : ''
  return `{"resourceType":"Bundle","type":"${type}-response"${entry}}`
}

function printEntry(one: Done): string {
  if (typeof one === 'string') return `{"resource":${one},"response":{"status":"200 OK"}}`
  return JSON.stringify({ response: responseOf(one) })
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
