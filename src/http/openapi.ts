// The document at /openapi.json, made from the schemas that validate, and the reference pages at /docs, which fetch
// nothing from elsewhere.
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import reference from '@scalar/fastify-api-reference'
import type { RefusalCode } from '../refusal.ts'
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
        favicon: 'data:,',
        withDefaultFonts: false,
        telemetry: false,
        defaultOpenAllTags: true,
        // Services of the page's maker, on other hosts.
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}

type ErrorStatus = 400 | 401 | 403 | 413 | 415 | 429 | 500 | 503

/** The error answers of an operation, for its `response` schema: those named, and those that every operation can give. */
export function errorAnswers(...statuses: (400 | 403 | 413 | 415)[]) {
  const all: ErrorStatus[] = [...statuses, 401, 429, 500, 503]
  return Object.fromEntries(all.map((status) => [status, errorAnswer(status)]))
}

function errorAnswer(status: ErrorStatus) {
  const { description, examples } = ERRORS[status]
  const named = examples.map(([code, message]) => [
    code,
    {
      value: {
        status: 'error',
        code,
        message,
        requestId: '6f1c1c1e-0d5e-4c55-8d3c-0f5d6b1f0a11',
        retryable: status === 429 || status === 503,
      },
    },
  ])
  return {
    description,
    content: { 'application/json': { schema: { $ref: 'Error#' }, examples: Object.fromEntries(named) } },
  }
}

const ERRORS: Record<ErrorStatus, { description: string; examples: [RefusalCode, string][] }> = {
  400: {
    description: 'The request is not valid; `errors` points at each wrong field.',
    examples: [
      ['ValidationFailed', 'limit must be a whole number from 1 to 1000.'],
      ['MalformedJson', 'The body is not well-formed JSON.'],
      ['InvalidRange', 'from must not be after to.'],
      ['InvalidCursor', 'The cursor is not one that this query was given.'],
    ],
  },
  401: {
    description: 'The token is missing, not valid, or expired; see WWW-Authenticate.',
    examples: [
      ['TokenMissing', 'Send an access token in the header Authorization: Bearer <ACCESS_TOKEN>.'],
      ['TokenInvalid', 'The access token is not valid for this service.'],
      ['TokenExpired', 'The access token has expired. Get a new one and try again.'],
    ],
  },
  403: {
    description: 'The token does not allow this. The answer is the same whether or not that patient exists.',
    examples: [
      ['PatientMismatch', 'The access token is for another patient.'],
      ['PatientNotInToken', 'The access token names no patient.'],
      ['ScopeMissing', 'The token names no patient and lacks the scope for staff.'],
    ],
  },
  413: { description: 'The body is too large.', examples: [['BodyTooLarge', 'The body is too large.']] },
  415: {
    description: 'The body is not plain application/json.',
    examples: [['UnsupportedMediaType', 'The body must be application/json.']],
  },
  429: {
    description: 'Too many requests of this subject; see Retry-After and RateLimit.',
    examples: [['RateLimited', 'At most 600 requests a minute are served. Wait and try again.']],
  },
  500: {
    description: 'A fault on our side.',
    examples: [
      ['InternalError', 'Something went wrong on our side. Quote the request id when you report it.'],
    ],
  },
  503: {
    description: 'Too busy, or the database or the token issuer is away; try again after Retry-After.',
    examples: [
      ['Overloaded', 'Too many requests are waiting already. Try again shortly.'],
      ['DatabaseUnavailable', 'The database cannot be reached. Try again shortly.'],
      ['IssuerUnavailable', 'The keys of the token issuer cannot be fetched. Try again shortly.'],
    ],
  },
}
