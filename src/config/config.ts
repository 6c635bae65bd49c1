// Environment → Config. Read once at start and passed down; every bad variable is named in one message.
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { MIN_POOL_SIZE } from '../db/connections.ts'
import { mayFetchFrom } from '../http/tokens/key-address.ts'
import { CommandError } from '../refusal.ts'
import { isAnything, readerOf } from './setting-readers.ts'

type Module = 'appointments' | 'casesheet'

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
  auth: AuthConfig
  corsOrigins: string[]
  trustProxy: string[]
  rateLimitPerMinute: number
  rateLimitBytesPerMinute: number
  rateLimitRefusedPerMinute: number
  patientBytesPerDay: number
  erasureKey: Buffer | undefined
  logLevel: string
}

export class ConfigError extends CommandError {}

type Environment = Record<string, string | undefined>

export function readServeConfig(environment: Environment): ServeConfig {
  const reader = readerOf(environment)
  const { required, text, number, list, done } = reader
  const config: ServeConfig = {
    host: text('HOST', '0.0.0.0'),
    port: number('PORT', { otherwise: 8080, least: 0, most: 65_535 }),
    adminHost: text('ADMIN_HOST', '127.0.0.1'),
    adminPort: number('ADMIN_PORT', { otherwise: 9090, least: 0, most: 65_535 }),
    databaseUrl: required('DATABASE_URL', isPostgresUrl, 'a postgres:// address'),
    poolSize: number('DATABASE_POOL_SIZE', { otherwise: 10, least: MIN_POOL_SIZE, most: 1_000 }),
    maxWaiting: number('MAX_WAITING_REQUESTS', { otherwise: 1_000, least: 1, most: 1_000_000 }),
    maxWhenBusy: number('MAX_REQUESTS_WHEN_BUSY', { otherwise: 64, least: 1, most: 1_000_000 }),
    keepAliveMs: 1_000 * number('KEEP_ALIVE_SECONDS', { otherwise: 72, least: 1, most: 600 }),
    requestDeadlineMs: 1_000 * number('REQUEST_DEADLINE_SECONDS', { otherwise: 30, least: 1, most: 600 }),
    stopDelayMs: 1_000 * number('STOP_DELAY_SECONDS', { otherwise: 0, least: 0, most: 300 }),
    modules: list('MODULES', 'appointments,casesheet', isModule, 'appointments, casesheet or both'),
    appointmentsPath: text('APPOINTMENTS_PATH', '/appointments', isBasePath, BASE_PATH),
    casesheetPath: text('CASESHEET_PATH', '/casesheet', isBasePath, BASE_PATH),
    auth: authFrom(reader),
    corsOrigins: list(
      'CORS_ORIGINS',
      '',
      isOrigin,
      'origins such as https://app.example, separated by commas',
    ),
    trustProxy: list(
      'TRUST_PROXY',
      '',
      isAddressOrNetwork,
      'addresses or networks of proxies, separated by commas',
    ),
    rateLimitPerMinute: number('RATE_LIMIT_PER_MINUTE', { otherwise: 600, least: 1, most: 1_000_000_000 }),
    rateLimitBytesPerMinute: number('RATE_LIMIT_BYTES_PER_MINUTE', {
      otherwise: 16_777_216,
      least: LARGEST_BODY,
      most: 1_000_000_000_000,
    }),
    rateLimitRefusedPerMinute: number('RATE_LIMIT_REFUSED_PER_MINUTE', {
      otherwise: 6_000,
      least: 1,
      most: 1_000_000_000,
    }),
    patientBytesPerDay: number('PATIENT_BYTES_PER_DAY', {
      otherwise: 67_108_864,
      least: LARGEST_BODY,
      most: 1_000_000_000_000,
    }),
    erasureKey: keyFrom(text('ERASURE_KEY', '', isErasureKey, ERASURE_KEY)),
    logLevel: text('LOG_LEVEL', 'info', isLogLevel, LOG_LEVELS.join(', ')),
  }
  const mistakes = done()
  if (!namesReadableFiles(config.databaseUrl)) mistakes.push(UNREADABLE)
  mistakes.push(...mistakesOf(config.auth))
  if (config.appointmentsPath === config.casesheetPath && config.modules.length > 1) {
    mistakes.push('APPOINTMENTS_PATH and CASESHEET_PATH must differ when one process serves both modules.')
  }
  if (config.port !== 0 && config.port === config.adminPort) {
    mistakes.push('PORT and ADMIN_PORT must differ: health and metrics are not for those who send requests.')
  }
  mustHaveNone(mistakes)
  return config
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
    jwksUrl: text('AUTH_JWKS_URL', '', isHttpUrl, 'an http(s) address') || undefined,
    allowHttp: text('AUTH_ALLOW_HTTP', 'false', isTrueOrFalse, 'true or false') === 'true',
    audience: required('AUTH_AUDIENCE', isAnything, 'the audience that tokens for this service carry'),
    mustBeAtJwt: text('AUTH_TOKEN_TYPE', '', isAtJwt, 'at+jwt, or left out') !== '',
    patientClaim: text('AUTH_PATIENT_CLAIM', 'patientUid'),
    staffScope: text('AUTH_STAFF_SCOPE', 'readings:read'),
  }
}

function mistakesOf(auth: AuthConfig): string[] {
  const isAmbiguous = auth.jwksUrl !== undefined && auth.issuers.length > 1
  const oneIssuer =
    'AUTH_JWKS_URL goes with one AUTH_ISSUER only; leave it out to find the keys by discovery.'
  return [...plainHttpAddresses(auth), ...(isAmbiguous ? [oneIssuer] : [])]
}

/** What all commands but `serve` need: an address whose role owns the tables. */
export function readDatabaseUrl(environment: Environment): string {
  const { required, done } = readerOf(environment)
  const url = required('DATABASE_URL', isPostgresUrl, 'a postgres:// address')
  mustHaveNone(namesReadableFiles(url) ? done() : [...done(), UNREADABLE])
  return url
}

/** What `patient erase` needs beside: the key of the digests that stay of a patient. */
export function readErasureKey(environment: Environment): Buffer {
  const { required, done } = readerOf(environment)
  const key = keyFrom(required('ERASURE_KEY', isErasureKey, ERASURE_KEY))
  mustHaveNone(done())
  return key ?? Buffer.alloc(0)
}

/** What `simulate` needs: an issuer that hands out tokens for any patient. */
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
      `Rounds cannot start with these settings:\n${mistakes.map((line) => `  ${line}`).join('\n')}`,
    )
  }
}

/** A limit below it would refuse some bodies at any time. */
const LARGEST_BODY = 4_194_304
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const UNREADABLE = 'DATABASE_URL names a certificate or a key that cannot be read.'
const BASE_PATH = 'a path such as /casesheet, with no slash at its end'

const ERASURE_KEY = 'at least 32 random bytes in base64 or hex, such as "openssl rand -base64 32" prints'
const MIN_KEY_BYTES = 32

const isModule = (value: string): value is Module => value === 'appointments' || value === 'casesheet'
const isLogLevel = (value: string) => LOG_LEVELS.includes(value)
const isBasePath = (value: string) => /^(\/[a-z0-9._~-]+)+$/i.test(value)
const isHttpUrl = (value: string) => /^https?:$/.test(protocolOf(value))
const isPostgresUrl = (value: string) => /^postgres(ql)?:$/.test(protocolOf(value))
const isOrigin = (value: string) => isHttpUrl(value) && new URL(value).origin === value

const isTrueOrFalse = (value: string) => /^(true|false)$/.test(value)
const isAtJwt = (value: string) => value === 'at+jwt'

/** Those of the issuers' addresses that may not be used as they are. */
function plainHttpAddresses({ issuers, jwksUrl = '', allowHttp }: AuthConfig): string[] {
  const isPlain = (address: string) => isHttpUrl(address) && !mayFetchFrom(address, allowHttp)
  const advice =
    'must begin with https://, but on this machine; AUTH_ALLOW_HTTP=true permits http:// elsewhere.'
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
  const most = isIP(address) === 6 ? 128 : 32
  const isNetwork =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most)
  return (
    /^(loopback|linklocal|uniquelocal)$/.test(value) ||
    (isIP(address) !== 0 && isNetwork && rest.length === 0)
  )
}

/** Whether a certificate that the address of the database names is there; else every connection would fail, for ever. */
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
