// Environment → Config. Read once at start and passed down; every bad variable is named in one message.
import { accessSync, constants, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { CommandError } from '../refusal.ts'
import { SETTINGS } from './settings.ts'

type Module = 'appointments' | 'casesheet' | 'fhir'

export type AuthConfig = {
  issuers: string[]
  jwksUrl: string | undefined
  /** Whether an issuer may be reached by http beyond this machine. */
  allowHttp: boolean
  audience: string
  /** Whether tokens must say that they are access tokens, by `typ: at+jwt` (RFC 9068). */
  mustBeAtJwt: boolean
  patientClaim: string
  staffScope: string
  withdrawScope: string
  changesScope: string
  /** Whether scopes of SMART on FHIR count: where FHIR is served. */
  readsSmartScopes: boolean
}

export type ServeConfig = {
  host: string
  port: number
  adminHost: string
  adminPort: number
  databaseUrl: string
  poolSize: number
  maxWaiting: number
  maxWhenBusy: number
  keepAliveMs: number
  requestDeadlineMs: number
  stopDelayMs: number
  modules: Module[]
  appointmentsPath: string
  casesheetPath: string
  fhirPath: string
  auth: AuthConfig
  corsOrigins: string[]
  trustProxy: string[]
  rateLimitPerMinute: number
  rateLimitBytesPerMinute: number
  rateLimitRefusedPerMinute: number
  patientBytesPerDay: number
  maxStreams: number
  /** How far ahead of now a reading may be; 0 for any time. */
  maxReadingAheadMs: number
  erasureKey: Buffer | undefined
  /** The client of the issuer by which people sign in to the console, where it is served. */
  console: ConsoleConfig | undefined
  logLevel: string
}

type ConsoleConfig = { clientId: string; scope: string; resource: string | undefined }

export class ConfigError extends CommandError {}

type Environment = Record<string, string | undefined>

export function readServeConfig(environment: Environment): ServeConfig {
  const reader = readerOf(environment)
  const { text, number, list, done } = reader
  const config: ServeConfig = {
    host: text('HOST', SETTINGS.HOST.default),
    port: number('PORT', SETTINGS.PORT),
    adminHost: text('ADMIN_HOST', SETTINGS.ADMIN_HOST.default),
    adminPort: number('ADMIN_PORT', SETTINGS.ADMIN_PORT),
    databaseUrl: reader.databaseUrl(),
    poolSize: number('DATABASE_POOL_SIZE', SETTINGS.DATABASE_POOL_SIZE),
    maxWaiting: number('MAX_WAITING_REQUESTS', SETTINGS.MAX_WAITING_REQUESTS),
    maxWhenBusy: number('MAX_REQUESTS_WHEN_BUSY', SETTINGS.MAX_REQUESTS_WHEN_BUSY),
    keepAliveMs: 1_000 * number('KEEP_ALIVE_SECONDS', SETTINGS.KEEP_ALIVE_SECONDS),
    requestDeadlineMs: 1_000 * number('REQUEST_DEADLINE_SECONDS', SETTINGS.REQUEST_DEADLINE_SECONDS),
    stopDelayMs: 1_000 * number('STOP_DELAY_SECONDS', SETTINGS.STOP_DELAY_SECONDS),
    modules: list('MODULES', SETTINGS.MODULES.default, isModule, MODULES),
    appointmentsPath: text('APPOINTMENTS_PATH', SETTINGS.APPOINTMENTS_PATH.default, isBasePath, BASE_PATH),
    casesheetPath: text('CASESHEET_PATH', SETTINGS.CASESHEET_PATH.default, isBasePath, BASE_PATH),
    fhirPath: text('FHIR_PATH', SETTINGS.FHIR_PATH.default, isBasePath, BASE_PATH),
    auth: authFrom(reader),
    corsOrigins: list(
      'CORS_ORIGINS',
      SETTINGS.CORS_ORIGINS.default,
      isOrigin,
      'origins such as https://app.example, separated by commas',
    ),
    trustProxy: list(
      'TRUST_PROXY',
      SETTINGS.TRUST_PROXY.default,
      isAddressOrNetwork,
      'addresses or networks of proxies, separated by commas',
    ),
    rateLimitPerMinute: number('RATE_LIMIT_PER_MINUTE', SETTINGS.RATE_LIMIT_PER_MINUTE),
    rateLimitBytesPerMinute: number('RATE_LIMIT_BYTES_PER_MINUTE', SETTINGS.RATE_LIMIT_BYTES_PER_MINUTE),
    rateLimitRefusedPerMinute: number(
      'RATE_LIMIT_REFUSED_PER_MINUTE',
      SETTINGS.RATE_LIMIT_REFUSED_PER_MINUTE,
    ),
    patientBytesPerDay: number('PATIENT_BYTES_PER_DAY', SETTINGS.PATIENT_BYTES_PER_DAY),
    maxReadingAheadMs: 1_000 * number('MAX_READING_AHEAD_SECONDS', SETTINGS.MAX_READING_AHEAD_SECONDS),
    maxStreams: number('MAX_STREAMS', SETTINGS.MAX_STREAMS),
    erasureKey: keyFrom(text('ERASURE_KEY', SETTINGS.ERASURE_KEY.default, isErasureKey, ERASURE_KEY)),
    console: consoleFrom(reader),
    logLevel: text('LOG_LEVEL', SETTINGS.LOG_LEVEL.default, isLogLevel, LOG_LEVELS.join(', ')),
  }
  const mistakes = done()
  if (!namesReadableFiles(config.databaseUrl)) mistakes.push(UNREADABLE)
  mistakes.push(...mistakesOf(config.auth))
  mistakes.push(...sharedPaths(config))
  if (config.console && [config.appointmentsPath, config.casesheetPath, config.fhirPath].some(isInConsole)) {
    mistakes.push(
      'APPOINTMENTS_PATH, CASESHEET_PATH and FHIR_PATH must not be /console or below: the console is there.',
    )
  }
  if (config.port !== 0 && config.port === config.adminPort) {
    mistakes.push('PORT and ADMIN_PORT must differ: health and metrics must not be public.')
  }
  mustHaveNone(mistakes)
  return config
}

/** Modules that one process serves need addresses of their own, of which none lies below that of FHIR. */
function sharedPaths({ modules, appointmentsPath, casesheetPath, fhirPath }: ServeConfig): string[] {
  const mistakes: string[] = []
  const [hasAppointments, hasCasesheet] = [modules.includes('appointments'), modules.includes('casesheet')]
  if (hasAppointments && hasCasesheet && appointmentsPath === casesheetPath) {
    mistakes.push('APPOINTMENTS_PATH and CASESHEET_PATH must differ when one process serves both modules.')
  }
  const others = [...(hasAppointments ? [appointmentsPath] : []), ...(hasCasesheet ? [casesheetPath] : [])]
  if (modules.includes('fhir') && others.some((path) => `${path}/`.startsWith(`${fhirPath}/`))) {
    mistakes.push('FHIR_PATH must be another path than those of the other modules, and none above them.')
  }
  return mistakes
}

/** What `token check` needs: the settings by which `serve` judges tokens. */
export function readAuthConfig(environment: Environment): AuthConfig {
  const reader = readerOf(environment)
  const auth = authFrom(reader)
  mustHaveNone([...reader.done(), ...mistakesOf(auth)])
  return auth
}

function authFrom({ required, text, list }: ReturnType<typeof readerOf>): AuthConfig {
  return {
    issuers: list(
      'AUTH_ISSUER',
      undefined,
      isHttpUrl,
      'the http(s) address of an issuer, or several with commas',
    ),
    jwksUrl:
      text('AUTH_JWKS_URL', SETTINGS.AUTH_JWKS_URL.default, isHttpUrl, 'an http(s) address') || undefined,
    allowHttp:
      text('AUTH_ALLOW_HTTP', SETTINGS.AUTH_ALLOW_HTTP.default, isTrueOrFalse, 'true or false') === 'true',
    audience: required('AUTH_AUDIENCE', isAnything, 'the audience that tokens for this service carry'),
    mustBeAtJwt:
      text('AUTH_TOKEN_TYPE', SETTINGS.AUTH_TOKEN_TYPE.default, isAtJwt, 'at+jwt, or left out') !== '',
    patientClaim: text('AUTH_PATIENT_CLAIM', SETTINGS.AUTH_PATIENT_CLAIM.default),
    staffScope: text('AUTH_STAFF_SCOPE', SETTINGS.AUTH_STAFF_SCOPE.default),
    withdrawScope: text('AUTH_WITHDRAW_SCOPE', SETTINGS.AUTH_WITHDRAW_SCOPE.default),
    changesScope: text('AUTH_CHANGES_SCOPE', SETTINGS.AUTH_CHANGES_SCOPE.default),
    readsSmartScopes: /(^|,)\s*fhir\s*(,|$)/.test(text('MODULES', SETTINGS.MODULES.default)),
  }
}

function consoleFrom({ text }: ReturnType<typeof readerOf>): ConsoleConfig | undefined {
  const clientId = text('CONSOLE_CLIENT_ID', SETTINGS.CONSOLE_CLIENT_ID.default)
  const scope = text(
    'CONSOLE_SCOPE',
    SETTINGS.CONSOLE_SCOPE.default,
    isOpenIdScope,
    'scopes with blanks between them, among them openid',
  )
  const resource = text('CONSOLE_RESOURCE', SETTINGS.CONSOLE_RESOURCE.default) || undefined
  return clientId === '' ? undefined : { clientId, scope, resource }
}

function mistakesOf(auth: AuthConfig): string[] {
  const isAmbiguous = auth.jwksUrl !== undefined && auth.issuers.length > 1
  const oneIssuer = 'AUTH_JWKS_URL requires a single AUTH_ISSUER; leave it out to find the keys by discovery.'
  return [...plainHttpAddresses(auth), ...(isAmbiguous ? [oneIssuer] : [])]
}

/** For all commands except `serve`: an address whose role owns the tables. */
export function readDatabaseUrl(environment: Environment): string {
  const { databaseUrl, done } = readerOf(environment)
  const url = databaseUrl()
  mustHaveNone(namesReadableFiles(url) ? done() : [...done(), UNREADABLE])
  return url
}

/** For `patient erase`: the key of the digests that remain of an erased patient. */
export function readErasureKey(environment: Environment): Buffer {
  const { required, done } = readerOf(environment)
  const key = keyFrom(required('ERASURE_KEY', isErasureKey, ERASURE_KEY))
  mustHaveNone(done())
  return key ?? Buffer.alloc(0)
}

/** For `simulate`: an issuer that issues tokens for any patient. */
export function readTokenSource(environment: Environment) {
  const { required, text, done } = readerOf(environment)
  const source = {
    url: required('AUTH_ISSUER', isHttpUrl, 'the http(s) address of the issuer'),
    clientId: text('AUTH_CLIENT_ID', 'rounds-dev'),
    clientSecret: required('AUTH_CLIENT_SECRET', isAnything, "the secret of the issuer's client"),
  }
  mustHaveNone(done())
  return source
}

function mustHaveNone(mistakes: string[]) {
  if (mistakes.length > 0) {
    throw new ConfigError(
      `These settings must be corrected first:\n${mistakes.map((line) => `  ${line}`).join('\n')}`,
    )
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const UNREADABLE = 'DATABASE_URL names a certificate or a key that cannot be read.'
const BASE_PATH = 'a path such as /casesheet, with no slash at its end'

const ERASURE_KEY = 'at least 32 random bytes in base64 or hex, such as "openssl rand -base64 32" prints'
const MIN_KEY_BYTES = 32

const MODULES = 'appointments, casesheet, fhir or several of them with commas'
const isModule = (value: string): value is Module => ['appointments', 'casesheet', 'fhir'].includes(value)
const isLogLevel = (value: string) => LOG_LEVELS.includes(value)
const isBasePath = (value: string) => /^(\/[a-z0-9._~-]+)+$/i.test(value)
const isInConsole = (path: string) => path === '/console' || path.startsWith('/console/')
const isOpenIdScope = (value: string) => value.split(' ').includes('openid')
const isHttpUrl = (value: string) => /^https?:$/.test(protocolOf(value))
const isPostgresUrl = (value: string) => /^postgres(ql)?:$/.test(protocolOf(value))
const isOrigin = (value: string) => isHttpUrl(value) && new URL(value).origin === value

const isTrueOrFalse = (value: string) => /^(true|false)$/.test(value)
const isAtJwt = (value: string) => value === 'at+jwt'

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

/** One message for each setting with an address that may not be used. */
function plainHttpAddresses({ issuers, jwksUrl = '', allowHttp }: AuthConfig): string[] {
  const isPlain = (address: string) => isHttpUrl(address) && !mayFetchFrom(address, allowHttp)
  const advice =
    'must begin with https:// unless it is on this machine; AUTH_ALLOW_HTTP=true allows http:// elsewhere.'
  return [
    ...(issuers.some(isPlain) ? [`AUTH_ISSUER ${advice}`] : []),
    ...(isPlain(jwksUrl) ? [`AUTH_JWKS_URL ${advice}`] : []),
  ]
}

const isErasureKey = (value: string) => (keyFrom(value)?.length ?? 0) >= MIN_KEY_BYTES

/** The bytes of a key in hex or base64. */
function keyFrom(text: string): Buffer | undefined {
  if (/^[0-9a-f]+$/i.test(text)) return text.length % 2 === 0 ? Buffer.from(text, 'hex') : undefined
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : ''
}

function isAddressOrNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const maxBits = isIP(address) === 6 ? 128 : 32
  const isNetwork =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits)
  return (
    /^(loopback|linklocal|uniquelocal)$/.test(value) ||
    (isIP(address) !== 0 && isNetwork && rest.length === 0)
  )
}

/** Whether the certificates that the address of the database names can be read: without them no connection would succeed. */
function namesReadableFiles(databaseUrl: string): boolean {
  const searchParams = URL.parse(databaseUrl)?.searchParams
  return ['sslrootcert', 'sslcert', 'sslkey'].every((name) => {
    const file = searchParams?.get(name)
    if (!file) return true
    try {
      accessSync(file, constants.R_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Readers of settings that collect all mistakes, so that an operator sees them at once. A value is never echoed. */
function readerOf(environment: Record<string, string | undefined>) {
  const mistakes: string[] = []
  function text(
    name: string,
    defaultValue: string,
    isGood: (value: string) => boolean = isAnything,
    wanted = '',
  ) {
    const value = environment[name]?.trim() || defaultValue
    if (value !== defaultValue && !isGood(value)) mistakes.push(`${name} must be ${wanted}.`)
    return value
  }
  function required(name: string, isGood: (value: string) => boolean, wanted: string) {
    const value = environment[name]?.trim() ?? ''
    if (value === '') mistakes.push(`${name} is missing: it must be ${wanted}.`)
    else if (!isGood(value)) mistakes.push(`${name} must be ${wanted}.`)
    return value
  }
  /** The address itself, or the content of the file that DATABASE_URL_FILE names: engines mount secrets as files. */
  function databaseUrl() {
    const file = environment['DATABASE_URL_FILE']?.trim() ?? ''
    if (file === '') return required('DATABASE_URL', isPostgresUrl, 'a postgres:// address')
    if (environment['DATABASE_URL']?.trim())
      mistakes.push('DATABASE_URL and DATABASE_URL_FILE: set one of them.')
    try {
      const url = readFileSync(file, 'utf8').trim()
      if (!isPostgresUrl(url))
        mistakes.push('DATABASE_URL_FILE must name a file that holds a postgres:// address.')
      return url
    } catch {
      mistakes.push('DATABASE_URL_FILE names a file that cannot be read.')
      return ''
    }
  }
  function number(
    name: string,
    { default: defaultValue, min, max }: { default: number; min: number; max: number },
  ) {
    const value = environment[name]?.trim() || String(defaultValue)
    const parsed = Number(value)
    if (!/^\d+$/.test(value) || parsed < min || parsed > max) {
      mistakes.push(`${name} must be a whole number from ${min} to ${max}.`)
    }
    return parsed
  }
  function list<T extends string>(
    name: string,
    defaultValue: string | undefined,
    isGood: (value: string) => value is T,
    wanted: string,
  ): T[]
  function list(
    name: string,
    defaultValue: string | undefined,
    isGood: (value: string) => boolean,
    wanted: string,
  ): string[]
  function list(
    name: string,
    defaultValue: string | undefined,
    isGood: (value: string) => boolean,
    wanted: string,
  ) {
    const value = environment[name]?.trim() || defaultValue
    const items = (value ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    if (value === undefined || (items.length === 0 && value !== ''))
      mistakes.push(`${name} is missing: it must be ${wanted}.`)
    if (!items.every((item) => isGood(item))) mistakes.push(`${name} must be ${wanted}.`)
    return items
  }
  return { text, required, databaseUrl, number, list, done: () => mistakes }
}

const isAnything = () => true
