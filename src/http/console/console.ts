// The console at /console/: a web app that calls the API as any other client does, with tokens of the issuer. It is served
// beside the API, on the same origin, so it needs no CORS.
//   /console/config.json   where to sign in and where the API answers
//   /console/assets/…      files whose names change with their content
//   /console/…             every other path is a screen, and the app shows which
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendPrepared } from '../answers/prepared-answers.ts'
import type { ConsoleFiles } from './console-files.ts'

export type ConsoleSettings = {
  /** Where people sign in. Of several issuers of tokens this is the first. */
  issuer: string
  clientId: string
  scope: string
  resource?: string | undefined
  /** To call in an emergency. */
  emergencyNumber?: string | undefined
  casesheetUrl: string
  appointmentsUrl: string
  /** Where targets, reviews and reports are served. */
  careUrl?: string | undefined
  /** Whether rules and alerts are served there too. */
  alerts?: boolean | undefined
  /** What the tokens call patients, doctors and staff. */
  patientClaim: string
  doctorClaim: string
  staffScope: string
}

const IMMUTABLE = 'public, max-age=31536000, immutable'

export function serveConsole(app: FastifyInstance, settings: ConsoleSettings, files: ConsoleFiles) {
  const headers = headersFor(settings.issuer)
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
  type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  const handlers = new Map<string, Handler>(
    Array.from(files, ([name, file]) => {
      const caching = name.startsWith('assets/') ? IMMUTABLE : undefined
      return [name, sendPrepared(async () => file, caching)]
    }),
  )
  const answerNothing: Handler = async (request) => {
    throw app.notFound(request)
  }
  const schema = { hide: true }
  const page = handlers.get('index.html') ?? answerNothing
  app.get('/console', { schema }, (_request, reply) => reply.redirect('/console/', 301))
  app.get('/console/', { schema }, page)
  app.get(
    '/console/config.json',
    { schema },
    sendPrepared(async () => asJson(settings)),
  )
  app.get<{ Params: { '*': string } }>('/console/*', { schema }, (request, reply) => {
    const name = request.params['*']
    const handler = handlers.get(name) ?? (isScreen(name) ? page : answerNothing)
    return handler(request, reply)
  })
}

/** A name with a dot is that of a file: a browser that asks for a file of another release must not get the page instead. */
const isScreen = (name: string) => !name.includes('.')

const asJson = (value: object) => ({
  type: 'application/json; charset=utf-8',
  body: Buffer.from(JSON.stringify(value)),
})

/** No script, style or connection but our own and the issuer's, where tokens are fetched; no other page may frame it. */
function headersFor(issuer: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${new URL(issuer).origin}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // An address of the console names a patient.
    'referrer-policy': 'no-referrer',
  }
}
