// Bodies of FHIR requests: JSON, read as strictly as any other and a Bundle entry by entry; and the form of a search.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isDecodable, mustBePlainUtf8, readJson } from '../../../http/server.ts'
import { Refusal } from '../../../refusal.ts'
import { FHIR_LIMITS } from '../fhir-limits.ts'

const BODY_LIMITS = { ...FHIR_LIMITS, listName: 'entry' }

export function readFhirBodies(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  readJson(app, BODY_LIMITS, ['application/fhir+json', 'application/json'])
}

/** As long as the query of an address may be. */
const MAX_FORM_BYTES = 8 * 1_024

/** The parameters of a search in a body, as text, which is read as strictly as the query of an address. */
export function readForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        mustBePlainUtf8(request)
        const form = body.toString()
        if (!isUtf8(body) || !isDecodable(form)) {
          throw new Refusal('ValidationFailed', 'The form is not well-formed.')
        }
        return done(null, form)
      } catch (error) {
        return done(error as Error)
      }
    },
  )
}

const NO_PARAMETERS = '{"resourceType":"Parameters"}'

/** For a POST that says all in its address: no body, or one without parameters, whatever its type is said to be. */
export function readNoBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) => {
    const text = String(body).replaceAll(/\s/g, '')
    if (text === '' || text === NO_PARAMETERS) return done(null)
    return done(new Refusal('ValidationFailed', 'Send the parameters in the address, without a body.'))
  })
}
