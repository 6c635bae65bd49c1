// The whole server, wired, not listening.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pathsOf, type ServeConfig } from '../config/config.ts'
import { version } from '../config/version.ts'
import { countWaiting } from '../db/database-queue.ts'
import type { Db } from '../db/db.ts'
import { errorFormatsBelow } from '../http/answers/errors.ts'
import { type ConsoleSettings, serveConsole } from '../http/console/console.ts'
import type { ConsoleFiles } from '../http/console/console-files.ts'
import { type Development, isLocalOrigin } from '../http/development.ts'
import { frontPage } from '../http/front-page.ts'
import { limitPatientBytes } from '../http/limits/patient-bytes.ts'
import { limitRate } from '../http/limits/rate-limit.ts'
import { createRefusedAddresses } from '../http/limits/refused-addresses.ts'
import { describeApi } from '../http/openapi.ts'
import { createServer } from '../http/server.ts'
import { credentialsIn, requireBearer } from '../http/tokens/bearer.ts'
import type { Tokens } from '../http/tokens/tokens.ts'
import { createFindDoctors, type FindDoctors, isActiveDoctor } from '../modules/appointments/find-doctors.ts'
import { appointmentsRoutes } from '../modules/appointments/routes.ts'
import type { PatientDigests } from '../modules/casesheet/patient-digest.ts'
import { createReadingOperations, type ReadingOperations } from '../modules/casesheet/reading-operations.ts'
import { casesheetRoutes } from '../modules/casesheet/routes.ts'
import { createFeed, type Feed } from '../modules/feed/feed.ts'
import { feedRoutes } from '../modules/feed/routes.ts'
import { OUTCOMES } from '../modules/fhir/answers/operation-outcome.ts'
import { typesServed } from '../modules/fhir/answers/served.ts'
import { createObservationIds } from '../modules/fhir/observation/observation-id.ts'
import { JSON_RPC_ERRORS } from '../modules/mcp/json-rpc-errors.ts'

export type Parts = {
  db: Db
  /** Where ERASURE_KEY is set. */
  digests?: PatientDigests | undefined
  tokens: Tokens
  logger: FastifyBaseLogger
  now: () => number
  development?: Development | undefined
  /** Where the settings name its client. */
  consoleFiles?: ConsoleFiles | undefined
}

export async function buildApp(config: ServeConfig, parts: Parts) {
  const { db, digests, tokens, logger, now, development, consoleFiles } = parts
  const serves = (module: ServeConfig['modules'][number]) => config.modules.includes(module)
  const mcp = await loadMcp(config, parts)
  const isKnown = (authorization: string) => tokens.isCached(credentialsIn(authorization))
  const app = await createServer({
    ...config,
    logger,
    metrics: db.metrics,
    isKnown,
    countWaiting: () => countWaiting(db.queues),
    errorFormatOf: errorFormatsBelow({ ...fhirErrorsOf(config), ...mcp?.errorFormats }),
    development,
  })
  await describeApi(app, development)
  const settings = consoleSettingsOf(config)
  if (settings && consoleFiles)
    await app.register(async (pages) => serveConsole(pages, settings, consoleFiles))
  frontPage(app, { ...(settings && consoleFiles ? { console: '/console/' } : {}), ...basesOf(config) })
  const { maxStreams, maxReadingAheadMs: maxAheadMs } = config
  const patientBytes = limitPatientBytes(config.patientBytesPerDay, now)
  const types = serves('fhir') ? typesServed(config.modules) : []
  const findDoctors = createFindDoctors(db)
  const hasFeed = (['casesheet', 'care', 'webhooks'] as const).some(serves)
  const feed = hasFeed ? createFeed(db, { log: app.log, now }) : undefined
  const operations =
    serves('casesheet') || serves('care') || types.includes('Observation')
      ? createReadingOperations(db, { patientBytes, digests, maxAheadMs, now })
      : undefined
  // Every route registered in here needs a token; access never depends on how a path is spelled.
  await app.register(async (protectedApp) => {
    requireBearer(protectedApp, tokens, createRefusedAddresses(config.rateLimitRefusedPerMinute, now))
    const limits = {
      perMinute: config.rateLimitPerMinute,
      professionalsPerMinute: Math.max(config.rateLimitPerMinute, config.rateLimitProfessionalsPerMinute),
      bytesPerMinute: config.rateLimitBytesPerMinute,
    }
    limitRate(protectedApp, limits, now)
    if (serves('appointments')) {
      await protectedApp.register(appointmentsRoutes(db, findDoctors), { prefix: config.appointmentsPath })
    }
    if (operations && feed && serves('casesheet')) {
      const isDoctor = serves('appointments')
        ? (doctorId: string, subject: string) => isActiveDoctor(db, doctorId, subject)
        : undefined
      const readings = casesheetRoutes(db, { operations, isDoctor, now })
      const changes = feedRoutes(db, { feed, mustRead: operations.mustRead, maxStreams, now })
      const prefix = config.casesheetPath
      await protectedApp.register(
        async (sheet, options) => {
          await readings(sheet, options)
          await changes(sheet, options)
        },
        { prefix },
      )
    }
    await serveOnTop(protectedApp, config, { ...parts, feed, operations, findDoctors, types })
    await mcp?.serve(protectedApp, { operations, findDoctors })
  })
  await mcp?.serveMetadata(app)
  if (serves('fhir')) await serveFhirMetadata(app, config, { types, development, now })
  return app
}

type OnTop = Served & { feed: Feed | undefined; types: ReturnType<typeof typesServed> }

/** The modules on top of readings and of their changes, each loaded only where it is served: they take a fifth of a start. */
async function serveOnTop(app: FastifyInstance, config: ServeConfig, parts: Parts & OnTop) {
  const { db, now, development, feed, operations, findDoctors, types } = parts
  const serves = (module: ServeConfig['modules'][number]) => config.modules.includes(module)
  if (operations && feed && serves('care')) {
    const { careRoutes } = await import('../modules/care/routes.ts')
    const { alerts, carePath: prefix } = config
    await app.register(careRoutes(db, { operations, feed, alerts, now }), { prefix })
  }
  if (feed && config.webhookKey && serves('webhooks')) {
    const { webhooksRoutes } = await import('../modules/webhooks/routes.ts')
    const deps = { feed, key: config.webhookKey, networks: config.webhookNetworks, now }
    const sending = { userAgent: `rounds/${version}`, maxDelayMs: development && 5_000 }
    await app.register(webhooksRoutes(db, { ...deps, ...sending }), { prefix: config.webhooksPath })
  }
  if (config.fhirIdKey && serves('fhir')) {
    const { fhirRoutes } = await import('../modules/fhir/routes.ts')
    const { fhirPath: basePath } = config
    const deps = {
      operations,
      types,
      ids: createObservationIds(config.fhirIdKey),
      findDoctors,
      basePath,
      now,
    }
    await app.register(fhirRoutes(db, deps), { prefix: basePath })
  }
}

const fhirErrorsOf = ({ modules, fhirPath }: ServeConfig) =>
  modules.includes('fhir') ? { [fhirPath]: OUTCOMES } : {}

/** What is said of FHIR without a token. */
async function serveFhirMetadata(
  app: FastifyInstance,
  { auth, corsOrigins, fhirPath: basePath }: ServeConfig,
  { types, development, now }: Pick<Parts, 'development' | 'now'> & { types: ReturnType<typeof typesServed> },
) {
  const { fhirPublicRoutes } = await import('../modules/fhir/routes.ts')
  const startedAt = new Date(now()).toISOString()
  const [issuer = ''] = auth.issuers
  const software = { version, startedAt, hasCors: corsOrigins.length > 0 || development !== undefined }
  await app.register(fhirPublicRoutes(issuer, { types, basePath, now, ...software }), { prefix: basePath })
}

/** Operations whose queues all modules of a process share. */
type Served = { operations: ReadingOperations | undefined; findDoctors: FindDoctors }

/** Only where the module is served: its library takes a fifth of a second and 30 MB. */
async function loadMcp(config: ServeConfig, { db, development, now }: Parts) {
  const { modules, alerts, mcpPath: path, corsOrigins, auth } = config
  if (!modules.includes('mcp')) return undefined
  const { mcpPublicRoutes, mcpRoutes } = await import('../modules/mcp/routes.ts')
  const isAllowedOrigin = (origin: string) =>
    corsOrigins.includes(origin) || (development !== undefined && isLocalOrigin(origin, development))
  return {
    errorFormats: { [path]: JSON_RPC_ERRORS },
    serve: async (app: FastifyInstance, served: Served) => {
      const deps = { ...served, modules, alerts, path, isAllowedOrigin, version, now }
      await app.register(mcpRoutes(db, deps), { prefix: path })
    },
    serveMetadata: async (app: FastifyInstance) => {
      await app.register(mcpPublicRoutes(auth.issuers, path))
    },
  }
}

/** The base addresses of the modules that this process serves. */
function basesOf(config: ServeConfig): Record<string, string> {
  const paths = pathsOf(config)
  return Object.fromEntries(config.modules.map((module) => [module, paths[module]]))
}

/** The API is on the console's own origin: a proxy that divides the modules between processes keeps their paths. */
function consoleSettingsOf(config: ServeConfig): ConsoleSettings | undefined {
  const { console, auth, modules, alerts, casesheetPath, appointmentsPath, carePath } = config
  const { issuers, patientClaim, doctorClaim, staffScope } = auth
  const [issuer] = issuers
  if (!console || issuer === undefined) return undefined
  const addresses = {
    casesheetUrl: casesheetPath,
    appointmentsUrl: appointmentsPath,
    ...(modules.includes('care') && { careUrl: carePath, ...(alerts && { alerts }) }),
  }
  const rights = { patientClaim, doctorClaim, staffScope }
  return { issuer, ...console, ...addresses, ...rights }
}
