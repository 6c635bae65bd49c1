// Parameters that any request of FHIR may have: `_format`, of which JSON is the only one served, and `_pretty`, which a server
// may disregard. Client libraries add both to every address.
import type { FastifyRequest } from 'fastify'
import { queryOf } from '../../../http/request-head.ts'
import { refuseParameter } from '../search/search-query.ts'

const GENERAL = new Set(['_format', '_pretty'])
/** A plus sign that was not escaped arrives as a blank. */
const JSON_FORMAT = /^(?:json|text\/json|application\/(?:fhir[+ ])?json)$/i

export async function mustWantJson({ raw }: FastifyRequest) {
  mustAskForJson(queryOf(raw.url ?? ''))
}

/** Refuses a query for XML or Turtle, which would be answered with what its client cannot read. */
export function mustAskForJson(query: string) {
  if (!query.includes('_format')) return
  for (const format of new URLSearchParams(query).getAll('_format')) {
    if (format !== '' && !JSON_FORMAT.test(format)) {
      throw refuseParameter('_format', 'must be json: nothing else is served')
    }
  }
}

/** Refuses every other parameter. */
export function mustHaveGeneralParametersOnly({ raw }: FastifyRequest) {
  for (const name of new URLSearchParams(queryOf(raw.url ?? '')).keys()) {
    if (!GENERAL.has(name)) throw refuseParameter(name, 'is not a parameter of this request')
  }
}
