// The whole server, wired, not listening.
import type { FastifyBaseLogger } from 'fastify'
import type { ServeConfig } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { type ConsoleSettings, serveConsole } from '../http/console/console.ts'
import type { ConsoleFiles } from '../http/console/console-files.ts'
import type { Development } from '../http/development.ts'
import { frontPage } from '../http/front-page.ts'
import { limitPatientBytes } from '../http/limits/patient-bytes.ts'
import { limitRate } from '../http/limits/rate-limit.ts'
import { createRefusedAddresses } from '../http/limits/refused-addresses.ts'
import { describeApi } from '../http/openapi.ts'
import { createServer } from '../http/server.ts'
import { credentialsIn, requireBearer } from '../http/tokens/bearer.ts'
import type { Tokens } from '../http/tokens/tokens.ts'
import { appointmentsRoutes } from '../modules/appointments/routes.ts'
import { casesheetRoutes } from '../modules/casesheet/routes.ts'

export type Parts = {
  db: Db
  tokens: Tokens
  logger: FastifyBaseLogger
  now: () => number
  development?: Development | undefined
  /** Where the settings name its client. */
  consoleFiles?: ConsoleFiles | undefined
}

export async function buildApp(config: ServeConfig, parts: Parts) {
  const { db, tokens, logger, now, development, consoleFiles } = parts
  const isKnown = (authorization: string) => tokens.isCached(credentialsIn(authorization))
  const app = await createServer({
    ...config,
    logger,
    metrics: db.metrics,
    isKnown,
    development,
  })
  await describeApi(app, development)
  const settings = consoleSettingsOf(config)
  if (settings && consoleFiles)
    await app.register(async (pages) => serveConsole(pages, settings, consoleFiles))
  frontPage(app, { ...(settings && consoleFiles ? { console: '/console/' } : {}), ...basesOf(config) })
  const patientBytes = limitPatientBytes(config.patientBytesPerDay, now)
  // Every route registered in here needs a token; access never depends on how a path is spelled.
  await app.register(async (protectedApp) => {
    requireBearer(protectedApp, tokens, createRefusedAddresses(config.rateLimitRefusedPerMinute, now))
    const limits = {
      perMinute: config.rateLimitPerMinute,
      bytesPerMinute: config.rateLimitBytesPerMinute,
    }
    limitRate(protectedApp, limits, now)
    if (config.modules.includes('appointments')) {
      await protectedApp.register(appointmentsRoutes(db), { prefix: config.appointmentsPath })
    }
    if (config.modules.includes('casesheet')) {
      const { erasureKey, maxStreams, maxReadingAheadMs: maxAheadMs } = config
      await protectedApp.register(
        casesheetRoutes(db, { patientBytes, erasureKey, maxStreams, maxAheadMs, now }),
        {
          prefix: config.casesheetPath,
        },
      )
    }
  })
  return app
}

/** The base addresses of the modules that this process serves. */
function basesOf({ modules, appointmentsPath, casesheetPath }: ServeConfig): Record<string, string> {
  const bases = { appointments: appointmentsPath, casesheet: casesheetPath }
  return Object.fromEntries(modules.map((module) => [module, bases[module]]))
}

/** The API is on the console's own origin: a proxy that divides the modules between processes keeps their paths. */
function consoleSettingsOf(config: ServeConfig): ConsoleSettings | undefined {
  const { console, auth, casesheetPath, appointmentsPath } = config
  const { issuers, patientClaim, staffScope, withdrawScope } = auth
  const [issuer] = issuers
  if (!console || issuer === undefined) return undefined
  const addresses = { casesheetUrl: casesheetPath, appointmentsUrl: appointmentsPath }
  return { issuer, ...console, ...addresses, patientClaim, staffScope, withdrawScope }
}
