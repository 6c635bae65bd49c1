// The document at /openapi.json, made from the schemas that validate, and the reference pages at /docs, which fetch
// nothing from elsewhere.
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { version } from '../config/version.ts'
import { ELSEWHERE, errorList, exampleOf } from './answers/error-examples.ts'
import { ErrorAnswer } from './answers/errors.ts'
import { sendPrepared } from './answers/prepared-answers.ts'
import { type Development, isForThisMachine } from './development.ts'
import type { Server } from './server.ts'

export async function describeApi(app: Server, development?: Development) {
  app.addSchema({ ...ErrorAnswer, examples: ELSEWHERE.map(exampleOf) })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Rounds',
        version,
        description: `A doctor directory and patient readings. Every operation needs a bearer access token.

## Errors

Every failure has the shape of \`Error\`. Where it says \`retryable\`, the same request may succeed later, unchanged. Any
add may be repeated: the same reading is stored once.

${errorList()}`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'appointments', description: 'The doctor directory.' },
        { name: 'casesheet', description: "Patients' readings." },
        {
          name: 'care',
          description: 'Targets of patients, reports on their readings, and reviews by doctors.',
        },
        { name: 'webhooks', description: 'Other systems that are called with changes.' },
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
  app.get(
    '/openapi.json',
    { schema: { hide: true } },
    sendPrepared(async () => ({
      type: 'application/json; charset=utf-8',
      body: Buffer.from(JSON.stringify(app.swagger())),
    })),
  )
  await app.register(async (pages) => referencePages(pages, development))
}

/** The addresses that the reference plugin itself would answer at, from bytes that it made once. */
function referencePages(app: FastifyInstance, development: Development | undefined) {
  const schema = { hide: true }
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header(
      'content-security-policy',
      "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'",
    )
    done()
  })
  app.get('/docs', { schema }, (_request, reply) => reply.redirect('/docs/', 301))
  const page = sendPrepared(render('/docs/'))
  const pageWithToken = development ? sendPrepared(render('/docs/', development.token)) : page
  app.get('/docs/', { schema }, (request, reply) =>
    (isForThisMachine(request.hostname) ? pageWithToken : page)(request, reply),
  )
  app.get('/docs/js/scalar.js', { schema }, sendPrepared(render('/docs/js/scalar.js')))
}

/** The plugin would encode its script of 4.3 MB anew for each request: 20 ms of CPU for a caller without a token. */
const render = (path: string, token?: string) => async () => {
  // Not before: it is 30 MB and a seventh of the CPU of a start, for pages that few processes are ever asked for.
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const plugin = Fastify()
  await plugin.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Rounds',
      favicon: 'data:,',
      withDefaultFonts: false,
      telemetry: false,
      defaultOpenAllTags: true,
      // Services of the page's maker, on other hosts.
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      ...(token === undefined
        ? {}
        : { authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } } }),
    },
  })
  const { rawPayload, headers } = await plugin.inject(path)
  await plugin.close()
  return { type: String(headers['content-type']), body: rawPayload }
}

/**
 * The example of a parameter that is not part of the example request: the page shows it, and leaves the parameter out of
 * what it would send.
 */
export function exampleBeside(value: unknown) {
  return { 'x-examples': { example: { value, 'x-disabled': true } } }
}
