// Bodies of FHIR requests: JSON, read as strictly as any other and a Bundle entry by entry; and the form of a search.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_VALUE_BYTES } from '../../../http/json/strict-json.ts'
import { parseObjectInPieces, parseStrictObject } from '../../../http/json/strict-object.ts'
import { mustBePlainUtf8 } from '../../../http/server.ts'
import { FHIR_LIMITS } from '../fhir-limits.ts'

const BODY = { listName: 'entry', limits: FHIR_LIMITS }

export function readFhirBodies(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    ['application/fhir+json', 'application/json'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        mustBePlainUtf8(request)
        if (body.length > MAX_VALUE_BYTES) return parseObjectInPieces(body, BODY)
        return done(null, parseStrictObject(body, BODY))
      } catch (error) {
        return done(error as Error)
      }
    },
  )
}

/** As long as the query of an address may be. */
const MAX_FORM_BYTES = 8 * 1_024

/** The parameters of a search in a body, as text. */
export function readForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (request: FastifyRequest, body: string, done) => {
      try {
        mustBePlainUtf8(request)
        return done(null, body)
      } catch (error) {
        return done(error as Error)
      }
    },
  )
}
