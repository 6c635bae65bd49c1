// `rounds serve`: everything that runs, started in order and stopped in reverse.
import type { AddressInfo } from 'node:net'
import { type DestinationStream, pino } from 'pino'
import { buildAdmin } from './admin.ts'
import { buildApp } from './app.ts'
import { ConfigError, type ServeConfig } from './config.ts'
import { codeOf, connectDb } from './db/db.ts'
import { isMigrated } from './db/migrate.ts'
import { createTokens } from './http/tokens.ts'

export const STOP_GRACE_MS = 20_000

export type Serving = { url: string; adminUrl: string; stop: () => Promise<void> }

/** Where the log goes, and the clock that tokens and rate limits go by. */
type Surroundings = { logTo?: DestinationStream; now?: () => number }

export async function serve(
  config: ServeConfig,
  { logTo = pino.destination({ sync: false }), now = Date.now }: Surroundings = {},
): Promise<Serving> {
  const logger = pino({ level: config.logLevel, base: null }, logTo)
  const db = connectDb({
    url: config.databaseUrl,
    poolSize: config.poolSize,
    maxWaiting: config.maxWaiting,
    maxWhenBusy: config.maxWhenBusy,
    deadlineMs: config.requestDeadlineMs,
    warn: (code) => logger.warn({ code }, 'a database connection was cut'),
  })
  const tokens = createTokens(config.auth, { warn: (message) => logger.warn(message), now })
  const app = await buildApp(config, { db, tokens, logger, now })
  const admin = buildAdmin({
    app,
    readiness: async () => ({
      database: await isMigrated(db).catch(() => false),
      issuer: tokens.keysAreKnown(),
    }),
  })
  async function stop() {
    // A client that does not read its answer must not hold the process for ever.
    const giveUp = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS)
    await app.close()
    clearTimeout(giveUp)
    tokens.close()
    await db.end()
    admin.closeAllConnections()
    await new Promise((done) => admin.close(done))
  }
  try {
    await tokens.refreshKeys()
    await app.listen({ host: config.host, port: config.port })
    await new Promise<void>((done, fail) => {
      admin.once('error', fail).listen(config.adminPort, config.adminHost, done)
    })
  } catch (error) {
    await stop()
    throw withMeaning(error)
  }
  return {
    url: addressOf(config.host, app.server.address()),
    adminUrl: addressOf(config.adminHost, admin.address()),
    stop,
  }
}

/** What an operator can mend becomes a sentence. */
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
