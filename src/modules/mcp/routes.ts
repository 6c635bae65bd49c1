// The module mcp: tools for language models, by the Model Context Protocol, at {MCP_PATH}. It reads by the operations of the other
// modules, with the rights of the caller, and stores nothing.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { baseOf } from '../../http/base-address.ts'
import { readJson } from '../../http/server.ts'
import { Refusal } from '../../refusal.ts'
import type { FindDoctors } from '../appointments/find-doctors.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import { printError } from './json-rpc-errors.ts'
import { createProtocol } from './protocol.ts'
import { careTools } from './tools/care-tools.ts'
import { directoryTools } from './tools/directory-tools.ts'
import { readingTools } from './tools/reading-tools.ts'

type Deps = {
  /** Where readings are served. */
  operations: ReadingOperations | undefined
  findDoctors: FindDoctors
  modules: readonly string[]
  /** Whether rules are evaluated. */
  alerts: boolean
  path: string
  /** Of web pages that may call. */
  isAllowedOrigin: (origin: string) => boolean
  version: string
  now: () => number
}

/** A message: its arguments are few. */
const LIMITS = {
  valueBytes: 64 * 1_024,
  fields: 1_000,
  values: 5_000,
  tooLarge: () => new Refusal('BodyTooLarge', 'A message may take 64 KiB.'),
}
/** It comes back in the answer. */
const MAX_ID_CHARS = 256
/** What the access log can hold. */
const MAX_REQUEST_ID_CHARS = 128

export function mcpRoutes(db: Db, deps: Deps) {
  return async (app: FastifyInstance) => {
    const protocol = createProtocol(toolsOf(db, deps), deps.version, (error) =>
      app.log.debug({ fault: error.name }, 'a message of MCP was refused'),
    )
    app.addHook('onClose', () => protocol.close())
    app.removeContentTypeParser('application/json')
    readJson(app, LIMITS)
    nameMetadata(app, deps.path)
    app.addHook('onRequest', async (request, reply) => {
      const { origin } = request.headers
      if (origin === undefined || deps.isAllowedOrigin(origin)) return
      // A page whose name was made to lead here: its origin is known, whatever Host says.
      const refused = printError('Pages of this origin may not call: see CORS_ORIGINS.')
      await reply.code(403).type('application/json; charset=utf-8').send(refused)
    })

    app.post('', { schema: { hide: true }, bodyLimit: LIMITS.valueBytes }, async (request, reply) => {
      const { body, caller, headers, id, raw } = request
      mustBeOneMessage(body)
      let fault: Error | undefined
      const answer = await protocol.answer({
        // The access log says by the id of its request that a read came this way.
        request: { caller, headers, raw, id: `mcp:${id}`.slice(0, MAX_REQUEST_ID_CHARS) },
        reply,
        sent: asWebRequest(request, deps.path),
        body,
        onRefused: (refusal) => {
          request.server.refusals[refusal.code]++
          request.refusedWith = refusal
          void reply.headers(refusal.headers)
        },
        onFault: (error) => void (fault = error),
      })
      if (fault) throw fault
      if (answer.status >= 500) throw new Error('The library of the protocol failed.')
      void reply.code(answer.status).header('cache-control', 'no-store')
      const text = await answer.text()
      return text === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(text)
    })
  }
}

/** Tools on what this process serves. */
function toolsOf(db: Db, { operations, findDoctors, modules, alerts, now }: Deps) {
  return [
    ...(operations && modules.includes('casesheet') ? readingTools(operations) : []),
    ...(operations && modules.includes('care') ? careTools(db, { operations, alerts, now }) : []),
    ...(modules.includes('appointments') ? directoryTools(db, findDoctors) : []),
  ]
}

/** Lists of messages were in one version of the protocol, which is not served. */
function mustBeOneMessage(body: unknown) {
  if (Array.isArray(body)) throw new Refusal('ValidationFailed', 'Send one message in a request, not a list.')
  const { id } = Object(body) as { id?: unknown }
  if (typeof id === 'string' && id.length > MAX_ID_CHARS)
    throw new Refusal('ValidationFailed', `The id of a message may have ${MAX_ID_CHARS} characters.`)
}

/** The library takes requests as `fetch` makes them. It reads the headers; the body was read before. */
function asWebRequest(request: FastifyRequest, path: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && value !== undefined) headers.set(name, String(value))
  }
  return new Request(baseOf(request, path), { method: 'POST', headers })
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Without a good token, a client learns where to read which issuer gives one (RFC 9728). */
function nameMetadata(app: FastifyInstance, path: string) {
  app.addHook('onSend', async (request, reply) => {
    const challenge = reply.getHeader('www-authenticate')
    if (reply.statusCode !== 401 || challenge === undefined) return
    const metadata = baseOf(request, `${WELL_KNOWN}${path}`)
    void reply.header('www-authenticate', `${String(challenge)}, resource_metadata="${metadata}"`)
  })
}

/** What anyone may ask without a token. */
export function mcpPublicRoutes(issuers: readonly string[], path: string) {
  return async (app: FastifyInstance) => {
    app.get(`${WELL_KNOWN}${path}`, { schema: { hide: true } }, async (request, reply) => {
      void reply.header('cache-control', 'public, no-cache')
      return {
        resource: baseOf(request, path),
        authorization_servers: issuers,
        bearer_methods_supported: ['header'],
        resource_name: 'Rounds',
      }
    })
  }
}
