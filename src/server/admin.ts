// Health and metrics, on a port of their own so that they are never public by accident.
//   /livez    the process answers
//   /readyz   it can serve: the database is migrated and has not been lost for longer than requests wait for it, and the
//             issuer's keys are cached
//   /metrics  for Prometheus
import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { version } from '../config/version.ts'
import { pathOf } from '../http/request-head.ts'
import type { Server as App } from '../http/server.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { withGrace } from './readiness.ts'

/** Each dependency of serving: whether it is available, and for how long requests wait for it when it is not. */
type Readiness = Record<string, { isThere: () => Promise<boolean>; graceMs: number }>

export type AdminParts = { app: App; metrics: Metrics; readiness: Readiness }

export function buildAdmin({ app, metrics, readiness }: AdminParts): Server {
  const { registry } = metrics
  collectDefaultMetrics({ register: registry })
  metrics.gauge(
    { name: 'rounds_build_info', help: 'Always 1; the label is the running version.', labels: { version } },
    () => 1,
  )
  for (const [part, { isThere }] of Object.entries(readiness)) {
    metrics.gauge(
      { name: 'rounds_ready', help: '1 while this dependency is available, else 0.', labels: { part } },
      async () => Number(await isThere()),
    )
  }

  const parts = Object.entries(readiness).map(([part, { isThere, graceMs }]) => ({
    part,
    ...withGrace(isThere, graceMs),
  }))
  const answers: Record<string, () => Promise<{ status: number; type: string; body: string }>> = {
    '/livez': async () => ({ status: 200, type: 'application/json', body: '{"status":"ok"}' }),
    '/readyz': async () => {
      const checks = app.isStopping ? { running: false } : await checkAll(parts)
      const isReady = Object.values(checks).every(Boolean)
      const body = JSON.stringify({ status: isReady ? 'ok' : 'unavailable', checks })
      return { status: isReady ? 200 : 503, type: 'application/json', body }
    },
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  }
  return createServer((request, response) => {
    const answer = answers[pathOf(request.url ?? '')] ?? notFound
    answer()
      .then(({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      )
      .catch((error: unknown) => {
        app.log.error(
          { fault: error instanceof Error ? error.name : 'unknown' },
          'the admin port could not answer',
        )
        response.writeHead(500, { 'cache-control': 'no-store' }).end()
      })
  })
    .once('listening', () => parts.forEach(({ start }) => start()))
    .once('close', () => parts.forEach(({ stop }) => stop()))
}

async function checkAll(
  parts: { part: string; isUsable: () => Promise<boolean> }[],
): Promise<Record<string, boolean>> {
  const checks = parts.map(async ({ part, isUsable }) => [part, await isUsable()] as const)
  return Object.fromEntries(await Promise.all(checks))
}

async function notFound() {
  return { status: 404, type: 'application/json', body: '{"status":"error","code":"NotFound"}' }
}
