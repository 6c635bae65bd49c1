// `rounds dev`: everything that a developer needs to call Rounds, started in order and, at the end, stopped in reverse.
// What listens on a port does so on loopback and, with --host, at that address; what it made is gone afterwards.
import { ConfigError, readMigrateConfig, readServeConfig, type ServeConfig } from '../../src/config/config.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { codeOf } from '../../src/error-code.ts'
import { CommandError } from '../../src/refusal.ts'
import { type Serving, serve } from '../../src/server/serve.ts'
import { buildConsoleIfStale } from './build-console.ts'
import { curlLines, PATIENT } from './curl-lines.ts'
import { addDemoReadings } from './demo.ts'
import { setDemoRules } from './demo-rules.ts'
import type { DevIssuer } from './issuer.ts'
import type { ModuleKeys } from './kept-issuer.ts'
import { APP_CLIENT_ID, CONSOLE_CLIENT_ID, PATIENT_NAMES, PEOPLE, patientsAndCarers } from './people.ts'
import { createServingRole, fillDirectory } from './prepare-database.ts'
import { relayTo } from './relay.ts'
import { type RequestLog, showRequests } from './request-log.ts'
import { requestToken } from './request-token.ts'
import { announceIssuer } from './running-issuer.ts'
import { type Output, type Step, showSteps } from './steps.ts'
import { startThrowawayPostgres } from './throwaway-postgres.ts'
import { addWebhook, mustBeWebhook, type Webhook } from './webhook.ts'

const USUAL_PORT = 8080
const AUDIENCE = 'rounds-dev'

export type DevSettings = {
  /** The port to listen on; by default the usual one, or a free one where that is taken. */
  port: number | undefined
  /** A further address of this machine, at which phones reach the server and the issuer. */
  host: string | undefined
  /** A database to use, and to leave as it is in the end; by default a throw-away one. */
  databaseUrl: string | undefined
  /** The port of the issuer; by default a free one, or with a database of one's own the one it had before. */
  issuerPort: number | undefined
  /** Whether the environment names a database that is not to be used. */
  ignoresDatabase: boolean
  /** The settings of the server, as "rounds serve" reads them. */
  environment: Record<string, string | undefined>
  /** Whether invented readings are added, and whether lines to paste are printed. */
  hasDemo: boolean
  printsCurl: boolean
  /** An address to call with every change. */
  webhook: string | undefined
  output: Output
  /** Aborted when it should stop, also during the start. */
  stopping: AbortSignal
}

type Stops = (() => Promise<void>)[]

export async function runDev(settings: DevSettings): Promise<void> {
  const { databaseUrl, output, stopping } = settings
  const stops: Stops = []
  try {
    await start(settings, stops)
    await untilAborted(stopping)
  } catch (error) {
    // Ctrl-C interrupts whatever a step is running as well, and so that step fails: there is nothing to report.
    if (!stopping.aborted) throw error
  } finally {
    await stopAll(stops)
  }
  const kept = databaseUrl ? 'What was stored stays in the database of DATABASE_URL.' : 'Nothing is kept.'
  output.write(`\nRounds has stopped. ${kept}\n`)
}

async function start(settings: DevSettings, stops: Stops) {
  const { port, host, databaseUrl, hasDemo, webhook: calledUrl, output, stopping } = settings
  const { step, done } = showSteps(output, stopping)
  await step('building the console', buildConsoleIfStale)
  const { issuer, moduleKeys } = await step('starting the issuer', () => startIssuer(settings))
  stops.push(issuer.stop)
  const ownerUrl = databaseUrl ?? (await startPostgres(step, stops))
  const environment = servingSettings(settings, moduleKeys)
  await step(
    'creating tables',
    () =>
      migrate(ownerUrl, { modules: readMigrateConfig({ ...environment, DATABASE_URL: ownerUrl }).modules }),
    () => (databaseUrl ? 'Tables in the database of DATABASE_URL, which keeps what is stored' : ''),
  )
  await step(
    'filling the directory',
    () => fillDirectory(ownerUrl),
    (filled) => filled,
  )
  const config = readServeConfig({
    ...environment,
    PORT: String(port ?? USUAL_PORT),
    DATABASE_URL: databaseUrl ?? (await createServingRole(ownerUrl)),
    AUTH_ISSUER: issuer.url,
  })
  if (calledUrl !== undefined) mustBeWebhook(calledUrl, config)
  const logTo = showRequests(output, stopping)
  const deps = {
    logTo,
    development: { token: await requestToken(issuer, { patientUids: [PATIENT] }), host },
  }
  const { url, stop } = await step(
    'starting Rounds',
    () => serveAt(config, port, deps),
    (serving) =>
      `Rounds at ${serving.url}${isElsewhere(serving, config) ? TAKEN : ''}, health at ${serving.adminUrl}/readyz`,
  )
  stops.push(stop)
  const appsUrl = host === undefined ? url : await relayFrom(host, url, stops)
  const bases = {
    appointmentsUrl: `${appsUrl}${config.appointmentsPath}`,
    casesheetUrl: `${appsUrl}${config.casesheetPath}`,
    careUrl: config.modules.includes('care') ? `${appsUrl}${config.carePath}` : undefined,
    mcpUrl: config.modules.includes('mcp') ? `${appsUrl}${config.mcpPath}` : undefined,
    port: Number(new URL(url).port),
  }
  for (const name of ['127.0.0.1', 'localhost']) issuer.allowConsoleAt(`http://${name}:${bases.port}`)
  stops.push(await announceIssuer(issuer, bases.port))
  if (hasDemo) {
    const demo = { ...bases, issuer, now: Date.now(), stopping }
    await step(
      'adding three months of invented readings',
      () => addDemoReadings(demo),
      (count) => `Three months of invented readings: ${count.toLocaleString('en')} of ${NAMES}`,
    )
    if (config.alerts)
      await step(
        'setting alert rules',
        () => setDemoRules(demo),
        (count) => (count === 0 ? 'Alerts are on' : `Alerts are on: ${count} ${RULES}`),
      )
  }
  const webhook = calledUrl === undefined ? undefined : await addWebhook(calledUrl, ownerUrl, config)
  stopping.throwIfAborted()
  logTo.begin()
  output.write(firstScreen(settings, { url, bases, issuerUrl: issuer.url, done: done(), webhook }))
}

type Started = {
  url: string
  bases: Parameters<typeof curlLines>[0] & Record<'careUrl' | 'mcpUrl', string | undefined>
  issuerUrl: string
  /** What the steps did. */
  done: string
  webhook: Webhook | undefined
}

function firstScreen(settings: DevSettings, { url, bases, issuerUrl, done, webhook }: Started): string {
  const { databaseUrl, ignoresDatabase, printsCurl } = settings
  return `Console: ${url}/console/ (sign in as an invented ${databaseUrl ? 'patient or carer' : 'patient, carer, doctor or staff'})
${done}  appointments_url   ${bases.appointmentsUrl}
  casesheet_url      ${bases.casesheetUrl}
${bases.careUrl ? `  care_url           ${bases.careUrl}\n` : ''}${bases.mcpUrl ? `  MCP                ${bases.mcpUrl}\n` : ''}  reference page     ${url}/docs, where a token is filled in
  OpenID issuer      ${issuerUrl}, client ${APP_CLIENT_ID} for http://localhost and myapp://
${webhook ? webhookLines(webhook) : ''}${ignoresDatabase ? IGNORED : ''}
${printsCurl ? `${curlLines(bases, Date.now())}\n` : ''}Started in ${(performance.now() / 1_000).toFixed(1)} s. ${hint(settings)}Ctrl-C stops.
`
}

/** A line to paste stands alone, without blanks before it. */
function webhookLines({ url, secret }: Webhook): string {
  return `  webhook            ${url}, for a receiver such as this one:
WEBHOOK_SECRET=${secret} node samples/receiver.mts
`
}

function hint({ hasDemo, printsCurl }: DevSettings): string {
  const further = [
    ...(hasDemo ? [] : ['--demo (readings)']),
    ...(printsCurl ? [] : ['--curl (lines to paste)']),
  ]
  return `Go on: docs/api.md. ${further.length > 0 ? `Options: ${further.join(', ')}. ` : ''}`
}

const RULES = 'rules of Dr. Willow Sample, and 2 alerts to acknowledge'
const NAMES = `${Object.values(PATIENT_NAMES).join(', ')} and 12 others`
const IGNORED = 'DATABASE_URL is ignored: only --database makes "rounds dev" use it.'
const TAKEN = ` (${USUAL_PORT} is taken)`

/** Serves at the port that was asked for; or at the usual one; or, where that is taken, at one that the system chooses. */
async function serveAt(
  config: ServeConfig,
  wanted: number | undefined,
  deps: { logTo: RequestLog; development: { token: string } },
): Promise<Serving> {
  return serve(config, deps).catch((error: unknown) => {
    const cause = error instanceof ConfigError ? error.cause : undefined
    if (!(cause instanceof Error)) throw error
    if (wanted === undefined) return serve({ ...config, port: 0 }, deps)
    const reason = codeOf(cause) === 'EADDRINUSE' ? 'is taken' : `cannot be used (${codeOf(cause)})`
    throw new ConfigError(
      `Port ${wanted} ${reason}. Choose another with --port or PORT, or leave out both to get a free one.`,
      { cause },
    )
  })
}

/** Where apps on a phone reach the server, which itself listens on loopback. */
async function relayFrom(host: string, serverUrl: string, stops: Stops): Promise<string> {
  const { port } = new URL(serverUrl)
  stops.push(
    await relayTo(Number(port), host).catch((cause: Error) => {
      const reason = `Port ${port} at ${host} cannot be used (${codeOf(cause)}).`
      throw new ConfigError(`${reason} Choose another with --port.`, { cause })
    }),
  )
  return `http://${host}:${port}`
}

function isElsewhere({ url }: Serving, { port }: ServeConfig): boolean {
  return port !== 0 && Number(new URL(url).port) !== port
}

async function startPostgres(step: Step, stops: Stops): Promise<string> {
  const { url, stop } = await step(
    'starting PostgreSQL',
    () => startThrowawayPostgres(),
    ({ version, origin }) => `PostgreSQL ${version} of ${origin}, deleted at the end`,
  )
  stops.push(stop)
  return url
}

/** What "rounds dev" decides itself: the addresses, and all about its own issuer. The environment decides the rest. */
function servingSettings(
  { host, hasDemo, environment: given }: DevSettings,
  { webhookKey, fhirIdKey }: ModuleKeys,
) {
  const { ADMIN_PORT, MODULES, ALERTS, WEBHOOK_ALLOW_NETWORKS, ...environment } = given
  const modules = MODULES?.trim() || 'appointments,casesheet,care,webhooks,fhir'
  const hasKey = (name: string) => Boolean(environment[name]?.trim() || environment[`${name}_FILE`]?.trim())
  return {
    ...environment,
    ...(hasKey('WEBHOOK_KEY') ? {} : { WEBHOOK_KEY: webhookKey }),
    ...(hasKey('FHIR_ID_KEY') ? {} : { FHIR_ID_KEY: fhirIdKey }),
    WEBHOOK_ALLOW_NETWORKS: ['loopback', WEBHOOK_ALLOW_NETWORKS?.trim()].filter(Boolean).join(','),
    HOST: '127.0.0.1',
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: ADMIN_PORT?.trim() || '0',
    MODULES: modules,
    ALERTS: ALERTS?.trim() || (hasDemo && /\bcare\b/.test(modules) ? 'on' : 'off'),
    DATABASE_URL_FILE: undefined,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: undefined,
    ...(host === undefined ? {} : { AUTH_ALLOW_HTTP: 'true' }),
    AUTH_PATIENT_CLAIM: undefined,
    AUTH_DOCTOR_CLAIM: undefined,
    AUTH_STAFF_SCOPE: undefined,
    AUTH_WITHDRAW_SCOPE: undefined,
    AUTH_CHANGES_SCOPE: undefined,
    AUTH_WEBHOOKS_SCOPE: undefined,
    CONSOLE_CLIENT_ID,
    CONSOLE_SCOPE: undefined,
    CONSOLE_RESOURCE: undefined,
  }
}

/** The issuer stands on a package that only development needs, so that an installation for serving goes without. */
async function startIssuer({
  databaseUrl,
  host,
  issuerPort,
  environment,
}: DevSettings): Promise<{ issuer: DevIssuer; moduleKeys: ModuleKeys }> {
  const [{ startDevIssuer }, { keepIssuer, keptIssuerFile, makeIssuerKeys, makeModuleKey, readKeptIssuer }] =
    await Promise.all([import('./issuer.ts'), import('./kept-issuer.ts')]).catch((error: Error) => {
      if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new CommandError('"rounds dev" needs the development packages: run "npm ci".', { cause: error })
    })
  const file = databaseUrl && keptIssuerFile(databaseUrl, environment)
  const kept = file === undefined ? undefined : await readKeptIssuer(file)
  const keys = kept ?? (await makeIssuerKeys())
  const people = databaseUrl ? patientsAndCarers() : PEOPLE
  const startAt = (at: number) => startDevIssuer({ audience: AUDIENCE, people, keys, host, port: at })
  const issuer = await startAt(issuerPort ?? kept?.port ?? 0).catch((error: Error) => {
    // Another "rounds dev" with the same database has its port.
    if (issuerPort === undefined && codeOf(error) === 'EADDRINUSE') return startAt(0)
    if (codeOf(error) === 'EADDRNOTAVAIL')
      throw new ConfigError(`--host ${host} is no address of this machine.`, { cause: error })
    const reason = codeOf(error) === 'EADDRINUSE' ? 'is taken' : `cannot be used (${codeOf(error)})`
    throw new ConfigError(
      `Port ${issuerPort} ${reason}. Choose another with --issuer-port, or leave it out.`,
      {
        cause: error,
      },
    )
  })
  const { key, clientSecret } = keys
  const port = issuerPort ?? kept?.port ?? Number(new URL(issuer.url).port)
  const moduleKeys = {
    webhookKey: kept?.webhookKey ?? makeModuleKey(),
    fhirIdKey: kept?.fhirIdKey ?? makeModuleKey(),
  }
  if (file !== undefined) {
    await keepIssuer(file, { key, clientSecret, port, ...moduleKeys }).catch(async (error: unknown) => {
      await issuer.stop()
      throw error
    })
  }
  return { issuer, moduleKeys }
}

/** Stops the last one first, and every one, whatever happens to another. */
async function stopAll(stops: Stops): Promise<void> {
  const stop = stops.pop()
  if (!stop) return
  try {
    await stop()
  } finally {
    await stopAll(stops)
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
}
