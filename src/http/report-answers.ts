// Each answer is reported when it has ended: by a log line and in the metrics. Both name the route and never anything of the
// address or the body, hence no patient. Fastify's own hook reports only answers that ended well.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECONDS, type Series } from '../metrics/histogram.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Refusal } from '../refusal.ts'
import { pathOf } from './request-head.ts'

/** The status reported when the client disconnected before there was an answer, as nginx does. */
const CLIENT_DISCONNECTED = 499

/** What a path may hold in the log of a developer: no character that a terminal would obey, and not too many. */
const MAX_PATH_CHARS = 200

type Reporting = {
  metrics: Metrics
  /** Whether the paths of refused requests are logged, as they are for developers; a path may hold what a person typed. */
  logsPaths: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error that it was answered with. */
    refusedWith: Refusal | undefined
  }
}

export function reportAnswers(app: FastifyInstance, { metrics, logsPaths }: Reporting) {
  const duration = metrics.histogram({
    name: 'rounds_http_request_duration_seconds',
    help: 'Time from the head of a request to the last byte of its answer.',
    buckets: SECONDS,
  })
  const durationOf = new Map<string, Series>()
  const isLogged = ['trace', 'debug', 'info'].includes(app.log.level)
  let cut = 0
  metrics.counter(
    {
      name: 'rounds_http_responses_aborted_total',
      help: 'Responses that ended before their last byte: the client disconnected, or a stream failed.',
    },
    () => cut,
  )

  app.decorateRequest('refusedWith', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const began = { at: performance.now(), bytes: socket.bytesWritten }
    reply.raw.on('close', () =>
      report(request, reply, { ms: performance.now() - began.at, bytes: socket.bytesWritten - began.bytes }),
    )
    done()
  })

  /** The bytes are those of the connection, including headers. */
  function report(
    request: FastifyRequest,
    reply: FastifyReply,
    { ms, bytes }: { ms: number; bytes: number },
  ) {
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
    series.observe(ms / 1_000)
    if (isCut) cut++
    if (!isLogged) return
    app.log.info({
      requestId: request.id,
      method,
      route,
      status,
      code: request.refusedWith?.code,
      reason: request.refusedWith?.reason,
      path: logsPaths && status >= 400 ? printable(pathOf(request.url)) : undefined,
      ms: Math.round(ms * 10) / 10,
      bytes,
      isCut: isCut || undefined,
    })
  }
}

const printable = (path: string) => path.replace(/[^ -~]/g, '?').slice(0, MAX_PATH_CHARS)
