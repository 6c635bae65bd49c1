// Environment → Config. Read once at start and passed down; every bad variable is named in one message.
import { accessSync, constants, readFileSync } from 'node:fs'
import { CommandError } from '../refusal.ts'
import { keyFrom, type Rule, SETTINGS } from './settings.ts'

export type ServeConfig = ReturnType<typeof readServeConfig>
export type AuthConfig = ReturnType<typeof authFrom>

export class ConfigError extends CommandError {}

type Environment = Record<string, string | undefined>

/** What `serve` needs. */
export const readServeConfig = (environment: Environment) => readAll(environment, serveConfigFrom)

/** What `token check` needs: the settings by which `serve` judges tokens. */
export const readAuthConfig = (environment: Environment) => readAll(environment, authFrom)

/** What all commands except `serve` need: an address whose role owns the tables. */
export const readDatabaseUrl = (environment: Environment) => readAll(environment, databaseUrlFrom)

/** What `migrate` needs: some modules have indexes of their own. */
export const readMigrateConfig = (environment: Environment) =>
  readAll(environment, (reader) => ({
    databaseUrl: databaseUrlFrom(reader),
    modules: reader.read('MODULES'),
  }))

/** What `patient erase` needs: the key of the digests that remain of an erased patient. */
export const readErasureKey = (environment: Environment) =>
  readAll(environment, ({ readAs }) => {
    const key = readAs('ERASURE_KEY', { ...SETTINGS.ERASURE_KEY, default: undefined })
    return keyFrom(key) ?? Buffer.alloc(0)
  })

/** For what can also be done without it. */
export const readErasureKeyIfSet = (environment: Environment) =>
  readAll(environment, ({ read }) => keyFrom(read('ERASURE_KEY')))

/** What `simulate` needs: an issuer that issues tokens for any patient. */
export const readTokenSource = (environment: Environment) =>
  readAll(environment, ({ readAs }) => {
    const isHttpUrl = SETTINGS.AUTH_ISSUER.isRight
    return {
      url: readAs('AUTH_ISSUER', { isRight: isHttpUrl, wanted: 'the http(s) address of the issuer' }),
      clientId: readAs('AUTH_CLIENT_ID', { default: 'rounds-dev' }),
      clientSecret: readAs('AUTH_CLIENT_SECRET', { wanted: "the secret of the issuer's client" }),
    }
  })

function serveConfigFrom(reader: Reader) {
  const { read, mistakes } = reader
  const config = {
    host: read('HOST'),
    port: read('PORT'),
    adminHost: read('ADMIN_HOST'),
    adminPort: read('ADMIN_PORT'),
    databaseUrl: databaseUrlFrom(reader),
    poolSize: read('DATABASE_POOL_SIZE'),
    maxWaiting: read('MAX_WAITING_REQUESTS'),
    maxWhenBusy: read('MAX_REQUESTS_WHEN_BUSY'),
    keepAliveMs: 1_000 * read('KEEP_ALIVE_SECONDS'),
    requestDeadlineMs: 1_000 * read('REQUEST_DEADLINE_SECONDS'),
    stopDelayMs: 1_000 * read('STOP_DELAY_SECONDS'),
    modules: read('MODULES'),
    alerts: alertsFrom(reader),
    appointmentsPath: read('APPOINTMENTS_PATH'),
    casesheetPath: read('CASESHEET_PATH'),
    carePath: read('CARE_PATH'),
    webhooksPath: read('WEBHOOKS_PATH'),
    fhirPath: read('FHIR_PATH'),
    mcpPath: read('MCP_PATH'),
    auth: authFrom(reader),
    corsOrigins: read('CORS_ORIGINS'),
    trustProxy: read('TRUST_PROXY'),
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE'),
    rateLimitProfessionalsPerMinute: read('RATE_LIMIT_PROFESSIONALS_PER_MINUTE'),
    rateLimitBytesPerMinute: read('RATE_LIMIT_BYTES_PER_MINUTE'),
    rateLimitRefusedPerMinute: read('RATE_LIMIT_REFUSED_PER_MINUTE'),
    patientBytesPerDay: read('PATIENT_BYTES_PER_DAY'),
    maxStreams: read('MAX_STREAMS'),
    /** How far ahead of now a reading may be; 0 for any time. */
    maxReadingAheadMs: 1_000 * read('MAX_READING_AHEAD_SECONDS'),
    erasureKey: keyFrom(read('ERASURE_KEY')),
    webhookKey: keyOfModule('webhooks', 'WEBHOOK_KEY', reader),
    webhookNetworks: read('WEBHOOK_ALLOW_NETWORKS'),
    fhirIdKey: keyOfModule('fhir', 'FHIR_ID_KEY', reader),
    console: consoleFrom(reader),
    logLevel: read('LOG_LEVEL'),
  }
  for (const mistake of sharedPaths(config)) mistakes.add(mistake)
  if (config.modules.includes('mcp') && !config.modules.some((module) => HAVE_TOOLS.has(module))) {
    mistakes.add('The module mcp needs another one to read: add appointments, casesheet or care to MODULES.')
  }
  if (config.console && Object.values(pathsOf(config)).some(isInConsole)) {
    mistakes.add(
      'APPOINTMENTS_PATH, CASESHEET_PATH, CARE_PATH, WEBHOOKS_PATH, FHIR_PATH and MCP_PATH must not be /console or below: the console is there.',
    )
  }
  if (config.port !== 0 && config.port === config.adminPort) {
    mistakes.add('PORT and ADMIN_PORT must differ: health and metrics must not be public.')
  }
  return config
}

/** The modules that mcp has tools for. */
const HAVE_TOOLS = new Set<string>(['appointments', 'casesheet', 'care'])

/** Whether rules are evaluated. They are part of the module care. */
function alertsFrom({ read, mistakes }: Reader): boolean {
  const isOn = read('ALERTS') === 'on'
  if (isOn && !read('MODULES').includes('care')) {
    mistakes.add('ALERTS=on needs the module care: add it to MODULES, or leave ALERTS out.')
  }
  return isOn
}

/** A key is needed where its module is served, and only there. */
function keyOfModule(
  module: ServedModule,
  name: 'WEBHOOK_KEY' | 'FHIR_ID_KEY',
  { read, readAs }: Reader,
): Buffer | undefined {
  if (!read('MODULES').includes(module)) return undefined
  return keyFrom(readAs(name, { ...SETTINGS[name], default: undefined }))
}

/** What `webhook` needs where it calls an endpoint or judges its address. */
export const readWebhookNetworks = (environment: Environment) =>
  readAll(environment, ({ read }) => read('WEBHOOK_ALLOW_NETWORKS'))

/** What `webhook` needs beside the database: the key of the secrets. */
export const readWebhookKey = (environment: Environment) =>
  readAll(environment, ({ readAs }) => {
    const key = readAs('WEBHOOK_KEY', { ...SETTINGS.WEBHOOK_KEY, default: undefined })
    return keyFrom(key) ?? Buffer.alloc(0)
  })

type Paths = Record<
  'appointmentsPath' | 'casesheetPath' | 'carePath' | 'webhooksPath' | 'fhirPath' | 'mcpPath',
  string
>

/** The base path of each module. */
export function pathsOf({
  appointmentsPath,
  casesheetPath,
  carePath,
  webhooksPath,
  fhirPath,
  mcpPath,
}: Paths) {
  return {
    appointments: appointmentsPath,
    casesheet: casesheetPath,
    care: carePath,
    webhooks: webhooksPath,
    fhir: fhirPath,
    mcp: mcpPath,
  }
}

/** Modules that one process serves need addresses of their own, of which none lies below that of FHIR. */
function sharedPaths(config: Paths & { modules: ServedModule[] }): string[] {
  const mistakes: string[] = []
  const paths = pathsOf(config)
  const others = config.modules.filter((module) => module !== 'fhir')
  for (const [index, module] of others.entries()) {
    const same = others.slice(index + 1).find((other) => paths[other] === paths[module])
    if (same)
      mistakes.push(
        `${settingOf(module)} and ${settingOf(same)} must differ when one process serves both modules.`,
      )
  }
  const isBelowFhir = (module: ServedModule) => `${paths[module]}/`.startsWith(`${paths.fhir}/`)
  if (config.modules.includes('fhir') && others.some(isBelowFhir)) {
    mistakes.push('FHIR_PATH must be another path than those of the other modules, and none above them.')
  }
  return mistakes
}

type ServedModule = keyof ReturnType<typeof pathsOf>

const settingOf = (module: ServedModule) => `${module.toUpperCase()}_PATH`

const isInConsole = (path: string) => path === '/console' || path.startsWith('/console/')

function authFrom({ read, mistakes }: Reader) {
  const auth = {
    issuers: read('AUTH_ISSUER'),
    jwksUrl: read('AUTH_JWKS_URL') || undefined,
    /** Whether an issuer may be reached by http beyond this machine. */
    allowHttp: read('AUTH_ALLOW_HTTP') === 'true',
    audience: read('AUTH_AUDIENCE'),
    /** Whether tokens must say that they are access tokens, by `typ: at+jwt` (RFC 9068). */
    mustBeAtJwt: read('AUTH_TOKEN_TYPE') === 'at+jwt',
    patientClaim: read('AUTH_PATIENT_CLAIM'),
    doctorClaim: read('AUTH_DOCTOR_CLAIM'),
    practiceClaim: read('AUTH_PRACTICE_CLAIM'),
    staffScope: read('AUTH_STAFF_SCOPE'),
    /** Whether staff must say why they read. */
    staffNeedsReason: read('STAFF_REASON') === 'required',
    withdrawScope: read('AUTH_WITHDRAW_SCOPE'),
    changesScope: read('AUTH_CHANGES_SCOPE'),
    webhooksScope: read('AUTH_WEBHOOKS_SCOPE'),
    /** Whether this process serves FHIR. Scopes of SMART limit a token everywhere, and grant something only where it does. */
    servesFhir: read('MODULES').includes('fhir'),
    /** Whether the issuer gives `user/` scopes of SMART to clinicians alone. */
    smartUsersAreStaff: read('AUTH_SMART_USERS_ARE_STAFF') === 'true',
  }
  const { issuers, jwksUrl = '', allowHttp } = auth
  const isPlain = (address: string) =>
    URL.parse(address)?.protocol === 'http:' && !mayFetchFrom(address, allowHttp)
  for (const [name, addresses] of Object.entries({ AUTH_ISSUER: issuers, AUTH_JWKS_URL: [jwksUrl] })) {
    if (!addresses.some(isPlain)) continue
    mistakes.add(
      `${name} must begin with https:// unless it is on this machine; AUTH_ALLOW_HTTP=true allows http:// elsewhere.`,
    )
  }
  if (auth.patientClaim === auth.doctorClaim) {
    mistakes.add(
      'AUTH_PATIENT_CLAIM and AUTH_DOCTOR_CLAIM must differ: a patient would be taken for a doctor.',
    )
  }
  if ([auth.patientClaim, auth.doctorClaim].includes(auth.practiceClaim)) {
    mistakes.add(
      'AUTH_PRACTICE_CLAIM must differ from AUTH_PATIENT_CLAIM and AUTH_DOCTOR_CLAIM: strangers would stand in for each other.',
    )
  }
  if (jwksUrl !== '' && issuers.length > 1) {
    mistakes.add('AUTH_JWKS_URL requires a single AUTH_ISSUER; leave it out to find the keys by discovery.')
  }
  return auth
}

/** The client of the issuer by which people sign in to the console, where it is served. */
function consoleFrom({ read }: Reader) {
  const [clientId, scope] = [read('CONSOLE_CLIENT_ID'), read('CONSOLE_SCOPE')]
  const resource = read('CONSOLE_RESOURCE') || undefined
  const emergencyNumber = read('EMERGENCY_NUMBER') || undefined
  return clientId === '' ? undefined : { clientId, scope, resource, emergencyNumber }
}

function databaseUrlFrom({ read, mistakes }: Reader): string {
  const url = read('DATABASE_URL')
  if (!namesReadableFiles(url)) mistakes.add('DATABASE_URL names a certificate or a key that cannot be read.')
  return url
}

/**
 * Whether an issuer's keys may be fetched from an address. A party that can change them in transit can sign tokens, so it must
 * be https; http is allowed within this machine, and elsewhere where the operator vouches for the network (AUTH_ALLOW_HTTP).
 */
export function mayFetchFrom(address: string, allowHttp: boolean): boolean {
  const url = URL.parse(address)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && (allowHttp || isLoopback(url.hostname))
}

/** `URL` has brought every spelling of an IPv4 address to four numbers, and of ::1 to this one. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Whether the certificates that the address of the database names can be read: without them no connection would succeed. */
function namesReadableFiles(databaseUrl: string): boolean {
  const searchParams = URL.parse(databaseUrl)?.searchParams
  try {
    for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
      const file = searchParams?.get(name)
      if (file) accessSync(file, constants.R_OK)
    }
    return true
  } catch {
    return false
  }
}

type ItemOf<R> = R extends { min: number } ? number : R extends { among: readonly (infer T)[] } ? T : string
type ValueOf<R> = R extends { isList: true } ? ItemOf<R>[] : ItemOf<R>

type Reader = ReturnType<typeof readerOf>

/** Collects all mistakes, so that an operator sees them at once. A value is never echoed. */
function readAll<Value>(environment: Environment, from: (reader: Reader) => Value): Value {
  const reader = readerOf(environment)
  const value = from(reader)
  if (reader.mistakes.size === 0) return value
  throw new ConfigError(`These settings must be corrected first:\n  ${[...reader.mistakes].join('\n  ')}`)
}

function readerOf(environment: Environment) {
  const mistakes = new Set<string>()

  function readAs<R extends Rule>(name: string, rule: R): ValueOf<R> {
    const file = rule.isSecret ? environment[`${name}_FILE`]?.trim() : ''
    const given = file ? contentOf(name, file) : environment[name]?.trim()
    const text = given || String(rule.default ?? '')
    const items = (rule.isList ? text.split(',').map((item) => item.trim()) : [text]).filter(Boolean)
    // The content of a file that cannot be read is undefined, and has been reported.
    if (file) {
      if (given !== undefined && !isRight(given, rule))
        mistakes.add(`${name}_FILE must name a file that holds ${wantedBy(rule)}.`)
    } else if (items.length === 0 && (rule.default === undefined || text !== '')) {
      mistakes.add(`${name} is missing: it must be ${wantedBy(rule)}.`)
    } else if (!items.every((item) => isRight(item, rule))) mistakes.add(`${name} must be ${wantedBy(rule)}.`)
    const value = rule.isList ? items : rule.min === undefined ? text : Number(text)
    return value as ValueOf<R>
  }

  function contentOf(name: string, file: string): string | undefined {
    if (environment[name]?.trim()) mistakes.add(`${name} and ${name}_FILE: set one of them.`)
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      mistakes.add(`${name}_FILE names a file that cannot be read.`)
      return undefined
    }
  }

  const read = <Name extends keyof typeof SETTINGS>(name: Name) => readAs(name, SETTINGS[name])
  return { read, readAs, mistakes }
}

function isRight(text: string, { min, max = Infinity, among, isRight: isRightText }: Rule): boolean {
  if (min !== undefined) return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
  return among?.includes(text) ?? isRightText?.(text) ?? true
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function wantedBy({ min, max, among, wanted }: Rule): string {
  if (min !== undefined) return `a whole number from ${min} to ${max}`
  return wanted ?? OR.format(among ?? [])
}
