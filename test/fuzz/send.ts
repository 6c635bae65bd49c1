// Sends a request as it is, over a connection that is kept, and gathers the answer.
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FuzzRequest } from './requests.ts'

export type FuzzAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

export function createSender(url: string, connections: number) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  function send(asked: FuzzRequest, bearer: string | undefined): Promise<FuzzAnswer> {
    const { method, path, query, headers, body } = asked
    return new Promise((answered, fail) => {
      const call = request({
        agent,
        hostname,
        port,
        method,
        path: query === '' ? path : `${path}?${query}`,
        headers: {
          ...headers,
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          'content-length': body?.length ?? 0,
        },
      })
      call.once('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => {
          const { statusCode: status = 0, headers: answer } = response
          answered({
            status,
            headers: answer,
            body: decoded(Buffer.concat(chunks), answer['content-encoding']),
          })
        })
        response.once('error', fail)
      })
      call.once('error', fail)
      call.end(body ?? undefined)
    })
  }
  return { send, close: () => agent.destroy() }
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body)
  return encoding === 'br' ? brotliDecompressSync(body) : body
}
