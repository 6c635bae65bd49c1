// Health and metrics of one process; admin-port.ts serves them.
//   /livez    the process answers
//   /readyz   it can serve: the database is migrated and has not been lost for longer than requests wait for it, and the
//             issuer's keys are cached. It also reports what should be repaired and does not stop it from serving; and for how
//             many seconds a dependency has been unavailable, with the code of the cause. The text of the cause, which names
//             addresses and roles, is in the log only
//   /readyz/directory   the same for the directory alone, whose cached pages need no database
//   /metrics  for Prometheus
import { collectDefaultMetrics } from 'prom-client'
import { commit, version } from '../config/version.ts'
import type { Server as App } from '../http/server.ts'
import { memoryLimitBytes } from '../metrics/memory-limit.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AdminAnswers } from './admin-port.ts'
import { withGrace } from './readiness.ts'

/** Each dependency of serving: whether it is available, and for how long requests wait for it when it is not. */
type Readiness = Record<
  string,
  {
    isThere: () => Promise<boolean>
    graceMs: number
    isOnlyReported?: boolean
    /** For how long it has been unavailable, and why, if it is known. */
    outage?: () => Outage | undefined
  }
>

type Outage = { seconds: number; code?: string }

export type AdminParts = { app: App; metrics: Metrics; readiness: Readiness; directoryReadiness: Readiness }

export function buildAdmin({ app, metrics, readiness, directoryReadiness }: AdminParts) {
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
  for (const [check, { isThere }] of Object.entries(readiness)) {
    metrics.gauge(
      {
        name: 'rounds_ready',
        help: '1 while this dependency is available, else 0.',
        labels: { check },
      },
      async () => Number(await isThere()),
    )
  }

  const [whole, directory] = [watchParts(readiness), watchParts(directoryReadiness)]
  async function answerReadiness({ check }: ReturnType<typeof watchParts>) {
    const { isReady, ...found } = app.isStopping ? STOPPING : await check()
    const body = JSON.stringify({ status: isReady ? 'ok' : 'unavailable', ...found })
    return { status: isReady ? 200 : 503, type: 'application/json', body }
  }
  const answers: AdminAnswers = {
    '/livez': async () => ({ status: 200, type: 'application/json', body: '{"status":"ok"}' }),
    '/readyz': () => answerReadiness(whole),
    '/readyz/directory': () => answerReadiness(directory),
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  }
  return {
    answers,
    /** Begins to watch the dependencies. */
    start: () => [whole, directory].forEach(({ start }) => start()),
    stop: () => [whole, directory].forEach(({ stop }) => stop()),
  }
}

const STOPPING = { isReady: false, checks: { running: false } }

/** All parts of a readiness together, each with its grace. */
function watchParts(readiness: Readiness) {
  const parts = Object.entries(readiness).map(
    ([part, { isThere, graceMs, isOnlyReported = false, outage }]) => {
      const { falseSeconds, ...graced } = withGrace(isThere, graceMs)
      return { part, isOnlyReported, ...graced, outage: () => longest(outage?.(), falseSeconds()) }
    },
  )
  async function check() {
    const checked = await Promise.all(parts.map(async (part) => ({ ...part, is: await part.isUsable() })))
    const outages = parts.flatMap(({ part, outage }) => {
      const found = outage()
      return found ? [[part, { ...found, seconds: Math.floor(found.seconds) }] as const] : []
    })
    return {
      isReady: checked.every(({ is, isOnlyReported }) => is || isOnlyReported),
      checks: Object.fromEntries(checked.map(({ part, is }) => [part, is])),
      ...(outages.length > 0 && { unavailable: Object.fromEntries(outages) }),
    }
  }
  return {
    check,
    start: () => parts.forEach(({ start }) => start()),
    stop: () => parts.forEach(({ stop }) => stop()),
  }
}

/** A check may fail before the cause is known, and a cause may be known before the next check. */
function longest(outage: Outage | undefined, falseSeconds: number | undefined): Outage | undefined {
  if (!outage) return falseSeconds === undefined ? undefined : { seconds: falseSeconds }
  return { ...outage, seconds: Math.max(outage.seconds, falseSeconds ?? 0) }
}
