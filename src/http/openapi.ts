// The document at /openapi.json, made from the schemas that validate, and the reference pages at /docs, which fetch
// nothing from elsewhere.
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import reference from '@scalar/fastify-api-reference'
import { ErrorAnswer } from './errors.ts'
import type { Server } from './server.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export async function describeApi(app: Server) {
  app.addSchema(ErrorAnswer)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Rounds',
        version,
        description: 'A doctor directory and patient readings. Every operation needs a bearer access token.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'appointments', description: 'The doctor directory.' },
        { name: 'casesheet', description: "Patients' readings." },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An OAuth 2.0 access token.',
          },
        },
      },
      security: [{ bearer: [] }],
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `Schema${index}`,
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(async (pages) => {
    pages.addHook('onRequest', async (_request, reply) => {
      void reply.header(
        'content-security-policy',
        "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'",
      )
    })
    await pages.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
      },
    })
  })
}

/** The answers that every operation can give, for its `response` schema. */
export function errorAnswers(...statuses: (400 | 403 | 413 | 415)[]) {
  const all = [...statuses, 401, 429, 500, 503] as const
  return Object.fromEntries(
    all.map((status) => [status, { description: DESCRIPTION_OF[status], $ref: 'Error#' }]),
  )
}

const DESCRIPTION_OF = {
  400: 'The request is not valid; `errors` points at each wrong field.',
  401: 'The token is missing, not valid, or expired.',
  403: 'The token does not allow this.',
  413: 'The body is too large.',
  415: 'The body is not plain application/json.',
  429: 'Too many requests; see Retry-After.',
  500: 'A fault on our side.',
  503: 'The service, its database or the token issuer is unavailable or overloaded; try again after Retry-After.',
}
