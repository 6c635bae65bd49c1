// `rounds serve`: everything that runs, started in order and stopped in reverse.
import type { AddressInfo } from 'node:net'
import { type DestinationStream, type Logger, pino } from 'pino'
import { ConfigError, type ServeConfig } from '../config/config.ts'
import { version } from '../config/version.ts'
import { connectDb } from '../db/db.ts'
import { canServe } from '../db/migrate.ts'
import { migrationNames } from '../db/migration-files.ts'
import { codeOf } from '../error-code.ts'
import { readConsoleFiles } from '../http/console/console-files.ts'
import type { Development } from '../http/development.ts'
import { createTokens } from '../http/tokens/tokens.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { buildAdmin } from './admin.ts'
import { buildApp } from './app.ts'
import { inTime } from './readiness.ts'

/**
 * How long a stop waits for the answers in flight: longer than a request may wait for the database, so that a stop during a
 * failover cuts none of them.
 */
export const stopGraceMs = (requestDeadlineMs: number) => requestDeadlineMs + 5_000

export type Serving = {
  url: string
  adminUrl: string
  /** Makes /readyz fail and lets each connection end after its next answer; all requests are still served. */
  announceStop: (reason: string) => void
  stop: (reason?: string) => Promise<void>
}

/** Where the log goes, and the clock that tokens and rate limits use. */
type Surroundings = { logTo?: DestinationStream; now?: () => number; development?: Development }

export async function serve(
  config: ServeConfig,
  { logTo = pino.destination({ sync: false }), now = Date.now, development }: Surroundings = {},
): Promise<Serving> {
  const logger = pino({ level: config.logLevel, base: null }, logTo)
  // Before anything is opened that would have to be closed again.
  const consoleFiles = config.console && (await readConsoleFiles())
  const logLife = reportLife(logger)
  const metrics = createMetrics()
  const db = connectDb({
    url: config.databaseUrl,
    poolSize: config.poolSize,
    maxWaiting: config.maxWaiting,
    maxWhenBusy: config.maxWhenBusy,
    deadlineMs: config.requestDeadlineMs,
    warn: (code) => logger.warn({ code }, 'a database connection was lost'),
    metrics,
  })
  const migrations = await migrationNames()
  const tokens = createTokens(config.auth, { warn: (message) => logger.warn(message), now, metrics })
  const app = await buildApp(config, { db, tokens, logger, now, development, consoleFiles })
  const admin = buildAdmin({
    app,
    metrics,
    readiness: {
      database: { isThere: inTime(() => canServe(db, migrations)), graceMs: config.requestDeadlineMs },
      issuer: { isThere: async () => tokens.keysAreKnown(), graceMs: 0 },
    },
  })
  async function stop(reason = 'asked to') {
    logLife.stopping(reason)
    // A client that does not read its answer must not hold the process for ever.
    const giveUp = setTimeout(() => app.server.closeAllConnections(), stopGraceMs(config.requestDeadlineMs))
    await app.close()
    clearTimeout(giveUp)
    tokens.close()
    await db.end()
    admin.closeAllConnections()
    await new Promise((done) => admin.close(done))
    logLife.stopped()
  }
  try {
    await tokens.refreshKeys()
    await app.listen({ host: config.host, port: config.port })
    await new Promise<void>((done, fail) => {
      admin.once('error', fail).listen(config.adminPort, config.adminHost, done)
    })
  } catch (error) {
    await stop('the start failed')
    throw withMeaning(error)
  }
  const url = addressOf(config.host, app.server.address())
  const adminUrl = addressOf(config.adminHost, admin.address())
  logLife.started({ url, adminUrl })
  function announceStop(reason: string) {
    logLife.stopping(reason)
    app.isStopping = true
  }
  return { url, adminUrl, announceStop, stop }
}

/** The log of a process's life: when it began and ended to serve, why, and how long that took. */
function reportLife(logger: Logger) {
  const startedAt = performance.now()
  let stoppingAt: number | undefined
  const msSince = (at: number) => Math.round(performance.now() - at)
  logger.info({ version, node: process.version, pid: process.pid }, 'starting')
  return {
    started: (addresses: object) => logger.info({ ...addresses, ms: msSince(startedAt) }, 'started'),
    /** Only the first reason counts. */
    stopping(reason: string) {
      if (stoppingAt !== undefined) return
      stoppingAt = performance.now()
      logger.info({ reason, afterSeconds: Math.round(msSince(startedAt) / 1_000) }, 'stopping')
    },
    stopped: () => logger.info({ ms: msSince(stoppingAt ?? startedAt) }, 'stopped'),
  }
}

/** An error that an operator can fix becomes a sentence. */
function withMeaning(error: unknown): unknown {
  const code = error instanceof Error ? codeOf(error) : ''
  if (!['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES'].includes(code)) return error
  return new ConfigError(`Rounds cannot listen where HOST, PORT, ADMIN_HOST and ADMIN_PORT say (${code}).`, {
    cause: error,
  })
}

function addressOf(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
