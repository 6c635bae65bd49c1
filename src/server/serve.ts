// `rounds serve`: everything that runs, started in order and stopped in reverse.
import { type DestinationStream, type Logger, pino } from 'pino'
import type { ServeConfig } from '../config/config.ts'
import { commit, version } from '../config/version.ts'
import { connectDb } from '../db/db.ts'
import { findObstacle } from '../db/find-obstacle.ts'
import { readMigrations } from '../db/migrate/migration-files.ts'
import { OutageWatch } from '../db/outage-watch.ts'
import { mustWrite } from '../db/write-check.ts'
import { readConsoleFiles } from '../http/console/console-files.ts'
import type { Development } from '../http/development.ts'
import { createTokens } from '../http/tokens/tokens.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { createErasureKeyCheck, sessionNameOf } from '../modules/casesheet/add/erasure-key.ts'
import { createPatientDigests } from '../modules/casesheet/patient-digest.ts'
import { CommandError } from '../refusal.ts'
import { withinMs } from '../time-limit.ts'
import { buildAdmin } from './admin.ts'
import { addressOf, asListenError, openAdminPort } from './admin-port.ts'
import { buildApp } from './app.ts'
import { inTime } from './readiness.ts'
import { stopGraceMs, stopWithinMs } from './stop-limits.ts'

/** A log that is not read must not hold the process for ever. */
const FLUSH_WITHIN_MS = 2_000

export type Serving = {
  url: string
  adminUrl: string
  /** Makes /readyz fail and lets each connection end after its next answer; all requests are still served. */
  announceStop: (reason: string) => void
  stop: (reason?: string) => Promise<void>
}

/** Where the log goes, and the clock that tokens and rate limits use. */
type Deps = {
  logTo?: DestinationStream
  now?: () => number
  development?: Development
}

export async function serve(
  config: ServeConfig,
  { logTo, now = Date.now, development }: Deps = {},
): Promise<Serving> {
  const logger = pino({ level: config.logLevel, base: null }, logTo ?? pino.destination({ sync: false }))
  // Before anything is opened that would have to be closed again.
  const consoleFiles = config.console && (await readConsoleFiles())
  const logLife = reportLife(logger)
  const metrics = createMetrics()
  const digests = config.erasureKey && createPatientDigests(config.erasureKey)
  const addsReadings = config.modules.some((module) => module !== 'appointments')
  const sessionName = addsReadings ? sessionNameOf(digests) : 'rounds directory'
  const { db, outages } = await openDatabase(config, sessionName, { logger, metrics })
  const tokens = createTokens(config.auth, { warn: (message) => logger.warn(message), now, metrics })
  const app = await buildApp(config, { db, digests, tokens, logger, now, development, consoleFiles })
  const admin = buildAdmin({
    app,
    metrics,
    dependencies: {
      database: {
        isThere: inTime(() => outages.canServe()),
        graceMs: config.requestDeadlineMs,
        // A process that once had the database has pages of it.
        directoryGraceMs: Infinity,
        outage: () => outages.current(),
      },
      issuer: { isThere: async () => tokens.keysAreKnown(), graceMs: 0, directoryGraceMs: 0 },
      ...(addsReadings && {
        erasureKey: {
          isThere: inTime(createErasureKeyCheck(db, digests, reportKey(logger)), true),
          graceMs: 0,
          isOnlyReported: true,
        },
      }),
    },
  })
  let adminPort: Awaited<ReturnType<typeof openAdminPort>> | undefined
  async function stop(reason = 'asked to') {
    logLife.stopping(reason)
    const isStopped = await withinMs(stopAll(), stopWithinMs(config.requestDeadlineMs), () => false)
    if (isStopped) logLife.stopped()
    else logLife.abandoned()
    await withinMs(new Promise((done) => logger.flush(done)), FLUSH_WITHIN_MS, () => {})
    if (!isStopped) throw new CommandError('Rounds did not stop in time. The log says what was left.')
  }
  async function stopAll(): Promise<true> {
    // A client that does not read its answer must not hold the process for ever.
    const giveUp = setTimeout(() => app.server.closeAllConnections(), stopGraceMs(config.requestDeadlineMs))
    await app.close()
    clearTimeout(giveUp)
    tokens.close()
    outages.stop()
    await db.end()
    admin.stop()
    await adminPort?.close()
    return true
  }
  try {
    await tokens.refreshKeys()
    await app.listen({ host: config.host, port: config.port })
    adminPort = await openAdminPort(config, admin.answers, reportFault(logger))
    admin.start()
  } catch (error) {
    await stop('the start failed')
    throw asListenError(error)
  }
  const url = addressOf(config.host, app.server.address())
  const adminUrl = adminPort.url
  logLife.started({ url, adminUrl })
  function announceStop(reason: string) {
    logLife.stopping(reason)
    app.isStopping = true
  }
  return { url, adminUrl, announceStop, stop }
}

const LACKS_KEY =
  'patients were erased and are refused under an ERASURE_KEY that this server does not have: it stores what they add'

const reportFault = (logger: Logger) => (error: unknown) =>
  logger.error({ fault: error instanceof Error ? error.name : 'unknown' }, 'the admin port could not answer')

const reportKey = (logger: Logger) => (hasKey: boolean) => {
  if (hasKey) logger.info('every refused patient is refused under the ERASURE_KEY of this server')
  else logger.error(LACKS_KEY)
}

/** The connections to the database, and the watch that reports why there are none. */
async function openDatabase(
  config: ServeConfig,
  sessionName: string,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
) {
  const migrations = await readMigrations(config.modules)
  const outages = new OutageWatch({
    log: logger,
    metrics,
    check: () => findObstacle(db, migrations),
    mustWrite: () => mustWrite(db),
  })
  const db = connectDb({
    url: config.databaseUrl,
    sessionName,
    poolSize: config.poolSize,
    hasFollowers: config.modules.includes('webhooks') || config.modules.includes('care'),
    maxWaiting: config.maxWaiting,
    maxWhenBusy: config.maxWhenBusy,
    deadlineMs: config.requestDeadlineMs,
    warn: (code) => outages.connectionLost(code),
    onFailure: (failure) => outages.failed(failure),
    metrics,
  })
  return { db, outages }
}

/** The log of a process's life: when it began and ended to serve, why, and how long that took. */
function reportLife(logger: Logger) {
  const startedAt = performance.now()
  let stoppingAt: number | undefined
  const msSince = (at: number) => Math.round(performance.now() - at)
  const { pid, version: node } = process
  logger.info({ version, commit: commit(), node, pid }, 'starting')
  return {
    started: (addresses: object) => logger.info({ ...addresses, ms: msSince(startedAt) }, 'started'),
    /** Only the first reason counts. */
    stopping(reason: string) {
      if (stoppingAt !== undefined) return
      stoppingAt = performance.now()
      logger.info({ reason, afterSeconds: Math.round(msSince(startedAt) / 1_000) }, 'stopping')
    },
    stopped: () => logger.info({ ms: msSince(stoppingAt ?? startedAt) }, 'stopped'),
    /** Names kinds of handles and requests, and nothing of what they carry. */
    abandoned() {
      const left = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind))
      const counts = Object.fromEntries(left.map(([kind, all]) => [kind, all?.length]))
      logger.error(
        { ms: msSince(stoppingAt ?? startedAt), left: counts },
        'the stop took too long: the process ends itself',
      )
    },
  }
}
