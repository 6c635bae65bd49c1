// Health and metrics, on a port of their own so that they are never public by accident.
//   /livez    the process answers
//   /readyz   it can serve: the database answers and is migrated, and the issuer's keys are known
//   /metrics  for Prometheus
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Server as App } from './http/server.ts'

export type AdminParts = { app: App; readiness: () => Promise<Record<string, boolean>> }

export function buildAdmin({ app, readiness }: AdminParts): Server {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'rounds_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    duration.observe(
      { method, route: routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })

  // Refused at the door, these meet no hook.
  let counted = 0
  const refused = new Counter({
    name: 'rounds_http_refused_at_the_door_total',
    help: 'Requests refused because there was more to do than this process could do.',
    registers: [registry],
    collect() {
      const refusedCount = app.door.refusedCount()
      refused.inc(refusedCount - counted)
      counted = refusedCount
    },
  })

  const answers: Record<string, () => Promise<{ status: number; type: string; body: string }>> = {
    '/livez': async () => ({ status: 200, type: 'application/json', body: '{"status":"ok"}' }),
    '/readyz': async () => {
      const checks = app.isStopping ? { running: false } : await readiness()
      const isReady = Object.values(checks).every(Boolean)
      const body = JSON.stringify({ status: isReady ? 'ok' : 'unavailable', checks })
      return { status: isReady ? 200 : 503, type: 'application/json', body }
    },
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  }
  return createServer((request, response) => {
    const answer = answers[request.url?.split('?', 1)[0] ?? ''] ?? notFound
    answer()
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
      .catch((error: unknown) => {
        app.log.error(
          { fault: error instanceof Error ? error.name : 'unknown' },
          'the admin port could not answer',
        )
        response.writeHead(500).end()
      })
  })
}

async function notFound() {
  return { status: 404, type: 'application/json', body: '{"status":"error","code":"NotFound"}' }
}
