// The whole server, wired, not listening.
import type { FastifyBaseLogger } from 'fastify'
import type { ServeConfig } from '../config/config.ts'
import type { Db } from '../db/db.ts'
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
import { casesheetRoutes, MAX_SILENCE_MS } from '../modules/casesheet/routes.ts'

export type Parts = {
  db: Db
  tokens: Tokens
  logger: FastifyBaseLogger
  now: () => number
  development?: Development | undefined
}

export async function buildApp(config: ServeConfig, { db, tokens, logger, now, development }: Parts) {
  const isKnown = (authorization: string) => tokens.isCached(credentialsIn(authorization))
  const app = await createServer({
    ...config,
    logger,
    metrics: db.metrics,
    maxSilenceMs: MAX_SILENCE_MS,
    isKnown,
    development,
  })
  await describeApi(app, development)
  frontPage(app, basesOf(config))
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
