// The answer of readings/get on its way: what its headers say, and a long one compressed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressFor } from '../../../http/answers/compress.ts'
import { logCut } from '../../../http/answers/errors.ts'
import { varyBy } from '../../../http/preferences.ts'
import { queryOf } from '../../../http/request-head.ts'
import { instantOf } from '../epoch-time.ts'
import type { GetQuery, Obtained } from './get-readings.ts'
import type { Format } from './reading-formats.ts'

type GetRequest = FastifyRequest<{ Querystring: GetQuery }>

export function sendReadings(request: GetRequest, reply: FastifyReply, answer: Obtained, format: Format) {
  void reply.header('content-type', format.contentType).header('cache-control', 'no-store')
  varyBy(reply, 'Accept', 'Accept-Encoding')
  if (format.fileEnding !== null) {
    void reply.header(
      'content-disposition',
      `attachment; filename="${fileNameOf(request.query, format.fileEnding)}"`,
    )
    // The formats without an envelope say in headers where to go on.
    if (answer.nextCursor !== null) {
      void reply
        .header('x-next-cursor', answer.nextCursor)
        .header('link', `<${addressOfNext(request.url, answer.nextCursor)}>; rel="next"`)
    }
  }
  if (Buffer.isBuffer(answer.body)) return reply.send(answer.body)
  // A stream that fails has sent its 200 already: the client sees it cut off, and the log must say why.
  answer.body.once('error', (error) => logCut(request, error))
  const { stream, encoding } = compressFor(request.headers['accept-encoding'], answer.body)
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply.send(stream)
}

/** Named for the days of the range, and never for the patient: file names travel further than what is in the files. */
function fileNameOf({ from, to }: GetQuery, ending: string): string {
  const dayOf = (epochTime: number) => instantOf(epochTime).slice(0, 10)
  const days = [
    ...(from === undefined ? [] : ['from', dayOf(from)]),
    ...(to === undefined ? [] : ['to', dayOf(to)]),
  ]
  return `${['readings', ...days].join('-')}.${ending}`
}

/** Relative to the address of this request, which a proxy may have changed. Whatever the query holds is escaped. */
function addressOfNext(url: string, cursor: string): string {
  const parameters = new URLSearchParams(queryOf(url))
  parameters.set('cursor', cursor)
  return `?${parameters.toString()}`
}
