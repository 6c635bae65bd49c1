// The Authorization header of a request → `request.caller`. Routes under this hook need a token, whatever their path.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { isSentTwice } from './header-parts.ts'
import { type Caller, type Tokens, tokenIsInvalid } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

export function requireBearer(app: FastifyInstance, tokens: Tokens) {
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    const token = bearerTokenOf(request)
    const caller = tokens.recall(token)
    // Fastify goes on at `done()`, or when a promise that it was given is fulfilled.
    if (!caller) return verifyCallerOf(request, token)
    request.caller = caller
    return done()
  })

  async function verifyCallerOf(request: FastifyRequest, token: string) {
    request.caller = await tokens.verify(token)
  }
}

function bearerTokenOf({ headers, raw }: FastifyRequest): string {
  const header = headers.authorization ?? ''
  // Node keeps the first of two Authorization headers without a word; which one a proxy looked at cannot be known.
  if (isSentTwice(raw, 'authorization')) throw tokenIsInvalid()
  const credentials = /^bearer(?: |$)/i.test(header) ? header.slice(6).replace(/^ +/, '') : ''
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
