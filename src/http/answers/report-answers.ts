// Each answer is reported when it has ended: by a log line and in the metrics. Both name the route and never anything of the
// address or the body, hence no patient. Fastify's own hook reports only answers that ended well.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECONDS, type Series } from '../../metrics/histogram.ts'
import type { Metrics } from '../../metrics/metrics.ts'

/** The status reported when the client disconnected before there was an answer, as nginx does. */
const CLIENT_DISCONNECTED = 499

export function reportAnswers(app: FastifyInstance, metrics: Metrics) {
  const duration = metrics.histogram({
    name: 'rounds_http_request_duration_seconds',
    help: 'Time from the head of a request to the last byte of its answer.',
    buckets: SECONDS,
  })
  const durationOf = new Map<string, Series>()
  let cut = 0
  metrics.counter(
    {
      name: 'rounds_http_answers_cut_total',
      help: 'Answers that ended before their last byte: the client disconnected, or a stream failed.',
    },
    () => cut,
  )

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const writtenBefore = socket.bytesWritten
    reply.raw.once('close', () => report(request, reply, socket.bytesWritten - writtenBefore))
    done()
  })

  /** The bytes are those of the connection, including headers. */
  function report(request: FastifyRequest, reply: FastifyReply, bytes: number) {
    const { method, routeOptions } = request
    const isCut = !reply.raw.writableFinished
    const route = routeOptions.url ?? 'none'
    const status = isCut && !reply.raw.headersSent ? CLIENT_DISCONNECTED : reply.statusCode
    const key = `${method} ${status} ${route}`
    let series = durationOf.get(key)
    if (!series) {
      const module = routeOptions.schema?.tags?.[0] ?? 'none'
      series = duration.series({ module, method, route, status: String(status) })
      durationOf.set(key, series)
    }
    series.observe(reply.elapsedTime / 1_000)
    if (isCut) cut++
    request.log.info({
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      bytes,
      isCut: isCut || undefined,
    })
  }
}
