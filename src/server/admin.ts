// Health and metrics of one process; admin-port.ts serves them.
//   /livez    the process answers
//   /readyz   it can serve: the database is migrated and has not been lost for longer than requests wait for it, and the
//             issuer's keys are cached. It also reports what should be repaired and does not stop it from serving; and for how
//             many seconds the database has been unavailable, with the code of the cause. The text of the cause, which names
//             addresses and roles, is in the log only
//   /readyz/directory   the same for the directory alone, whose cached pages need no database
//   /metrics  for Prometheus
import { collectDefaultMetrics } from 'prom-client'
import { commit, version } from '../config/version.ts'
import type { Server as App } from '../http/server.ts'
import { memoryLimitBytes } from '../metrics/memory-limit.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AdminAnswers } from './admin-port.ts'
import { type Dependency, watchDependency } from './readiness.ts'

type AdminParts = { app: App; metrics: Metrics; dependencies: Record<string, Dependency> }

export function buildAdmin({ app, metrics, dependencies }: AdminParts) {
  const { registry } = metrics
  collectDefaultMetrics({ register: registry })
  metrics.gauge(
    {
      name: 'rounds_build_info',
      help: 'Always 1; the labels are the running version and its commit.',
      labels: { version, commit: commit() },
    },
    () => 1,
  )
  metrics.gauge(
    {
      name: 'rounds_memory_limit_bytes',
      help: 'The memory limit of the container or unit, or the memory of the machine where there is none.',
    },
    memoryLimitBytes,
  )
  for (const [check, { isThere }] of Object.entries(dependencies)) {
    metrics.gauge(
      {
        name: 'rounds_ready',
        help: '1 while this dependency is available, else 0.',
        labels: { check },
      },
      async () => Number(await isThere()),
    )
  }

  const watched = Object.entries(dependencies).map(([name, of]) => watchDependency(name, of))
  const ofDirectory = watched.filter(({ dependency }) => dependency.directoryGraceMs !== undefined)

  async function answerReadiness(parts: typeof watched, check: (part: Watched) => Promise<boolean>) {
    if (app.isStopping) return asAnswer(false, { checks: { running: false } })
    const checked = await Promise.all(parts.map(async (part) => ({ ...part, is: await check(part) })))
    const outages = parts.flatMap(({ name, dependency }) => {
      const found = dependency.outage?.()
      return found ? [[name, { ...found, seconds: Math.floor(found.seconds) }] as const] : []
    })
    return asAnswer(
      checked.every(({ is, isOnlyReported }) => is || isOnlyReported),
      {
        checks: Object.fromEntries(checked.map(({ name, is }) => [name, is])),
        ...(outages.length > 0 && { unavailable: Object.fromEntries(outages) }),
      },
    )
  }
  const answers: AdminAnswers = {
    '/livez': async () => ({ status: 200, type: 'application/json', body: '{"status":"ok"}' }),
    '/readyz': () => answerReadiness(watched, ({ isUsable }) => isUsable()),
    '/readyz/directory': () =>
      answerReadiness(ofDirectory, ({ isUsable, dependency }) => isUsable(dependency.directoryGraceMs)),
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  }
  return {
    answers,
    /** Begins to watch the dependencies. */
    start: () => watched.forEach(({ start }) => start()),
    stop: () => watched.forEach(({ stop }) => stop()),
  }
}

type Watched = ReturnType<typeof watchDependency>

function asAnswer(isReady: boolean, found: object) {
  const body = JSON.stringify({ status: isReady ? 'ok' : 'unavailable', ...found })
  return { status: isReady ? 200 : 503, type: 'application/json', body }
}
