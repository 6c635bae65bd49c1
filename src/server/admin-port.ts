// Health and metrics have a port of their own, so that they are never public by accident.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '../config/config.ts'
import { codeOf } from '../error-code.ts'
import { pathOf } from '../http/request-head.ts'

type AdminAnswer = { status: number; type: string; body: string }
export type AdminAnswers = Record<string, () => Promise<AdminAnswer>>

export async function openAdminPort(
  { adminHost, adminPort }: { adminHost: string; adminPort: number },
  answers: AdminAnswers,
  reportFault: (error: unknown) => void,
) {
  const server = createServer((request, response) => {
    const answer = answers[pathOf(request.url ?? '')] ?? notFound
    answer()
      .then(({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      )
      .catch((error: unknown) => {
        reportFault(error)
        response.writeHead(500, { 'cache-control': 'no-store' }).end()
      })
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(adminPort, adminHost, done)
  })
  return {
    url: addressOf(adminHost, server.address()),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function notFound(): Promise<AdminAnswer> {
  return { status: 404, type: 'application/json', body: '{"status":"error","code":"NotFound"}' }
}

/** An error that an operator can fix becomes a sentence. */
export function asListenError(error: unknown): unknown {
  const code = codeOf(error)
  if (!['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES'].includes(code)) return error
  return new ConfigError(`Rounds cannot listen where HOST, PORT, ADMIN_HOST and ADMIN_PORT say (${code}).`, {
    cause: error,
  })
}

export function addressOf(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
