// The Authorization header of a request → `request.caller`. Routes under this hook need a token, whatever their path.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientDisconnected, Refusal, STATUS_OF } from '../../refusal.ts'
import type { RefusedAddresses } from '../limits/refused-addresses.ts'
import { isSentTwice } from '../request-head.ts'
import { type Caller, type Tokens, tokenIsInvalid } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

export function requireBearer(app: FastifyInstance, tokens: Tokens, addresses: RefusedAddresses) {
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization === undefined) addresses.mustNotBeOver(request.ip)
    let token: string
    let caller: Caller | undefined
    try {
      token = bearerTokenOf(request)
      caller = tokens.recall(token)
    } catch (error) {
      throw noted(request, error)
    }
    // Fastify goes on at `done()`, or when a promise that it was given is fulfilled.
    if (!caller) return verifyCallerOf(request, token)
    request.caller = caller
    app.admission.know(request)
    return done()
  })

  async function verifyCallerOf(request: FastifyRequest, token: string) {
    if (addresses.isOver(request.ip)) {
      app.admission.pause(request)
      await addresses.untilAdmitted(request.ip)
      app.admission.resume(request)
    }
    request.caller = await tokens.verify(token).catch((error: unknown) => {
      throw noted(request, error)
    })
    // Keys may have had to be fetched first. What a client has disconnected from is not begun.
    if (request.raw.socket.destroyed) throw clientDisconnected()
    app.admission.know(request)
  }

  function noted({ ip }: FastifyRequest, error: unknown): unknown {
    if (error instanceof Refusal && STATUS_OF[error.code] === 401) addresses.count(ip)
    return error
  }
}

/** What an Authorization header holds, empty where it is of another kind. */
export const credentialsIn = (authorization: string) =>
  /^bearer(?: |$)/i.test(authorization) ? authorization.slice(6).replace(/^ +/, '') : ''

function bearerTokenOf({ headers, raw }: FastifyRequest): string {
  // Node silently keeps the first of two Authorization headers; which one a proxy looked at cannot be known.
  if (isSentTwice(raw, 'authorization')) throw tokenIsInvalid('sentTwice')
  const credentials = credentialsIn(headers.authorization ?? '')
  if (credentials.trim() === '') {
    throw new Refusal(
      'TokenMissing',
      'Send an access token in the header Authorization: Bearer <ACCESS_TOKEN>.',
      {
        headers: { 'www-authenticate': 'Bearer realm="rounds"' },
      },
    )
  }
  return credentials
}
