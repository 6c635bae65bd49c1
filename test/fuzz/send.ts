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
        const { statusCode: status = 0, headers: answer } = response
        const end = () =>
          answered({
            status,
            headers: answer,
            body: decoded(Buffer.concat(chunks), answer['content-encoding']),
          })
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          // A stream goes on until its reader leaves: its first event is enough.
          if (!isStream(answer) || !Buffer.concat(chunks).includes('\n\n')) return
          end()
          call.destroy()
        })
        response.once('end', end)
        response.once('error', fail)
      })
      call.once('error', fail)
      call.end(body ?? undefined)
    })
  }
  return { send, close: () => agent.destroy() }
}

export function isStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body)
  return encoding === 'br' ? brotliDecompressSync(body) : body
}
