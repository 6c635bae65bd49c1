// Environment → Config. Read once at start and passed down; every bad variable is named in one message.
import { isIP } from 'node:net'
import { CommandError } from './refusal.ts'

type Module = 'appointments' | 'casesheet'

export type AuthConfig = {
  issuers: string[]
  jwksUrl: string | undefined
  audience: string
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
  modules: Module[]
  appointmentsPath: string
  casesheetPath: string
  auth: AuthConfig
  corsOrigins: string[]
  trustProxy: string[]
  rateLimitPerMinute: number
  logLevel: string
}

export class ConfigError extends CommandError {}

type Environment = Record<string, string | undefined>

export function readServeConfig(environment: Environment): ServeConfig {
  const { required, text, number, list, done } = readerOf(environment)
  const config: ServeConfig = {
    host: text('HOST', '0.0.0.0'),
    port: number('PORT', { otherwise: 8080, least: 0, most: 65_535 }),
    adminHost: text('ADMIN_HOST', '127.0.0.1'),
    adminPort: number('ADMIN_PORT', { otherwise: 9090, least: 0, most: 65_535 }),
    databaseUrl: required('DATABASE_URL', isPostgresUrl, 'a postgres:// address'),
    poolSize: number('DATABASE_POOL_SIZE', { otherwise: 10, least: 1, most: 1_000 }),
    maxWaiting: number('MAX_WAITING_REQUESTS', { otherwise: 1_000, least: 1, most: 1_000_000 }),
    maxWhenBusy: number('MAX_REQUESTS_WHEN_BUSY', { otherwise: 64, least: 1, most: 1_000_000 }),
    keepAliveMs: 1_000 * number('KEEP_ALIVE_SECONDS', { otherwise: 72, least: 1, most: 600 }),
    requestDeadlineMs: 1_000 * number('REQUEST_DEADLINE_SECONDS', { otherwise: 30, least: 1, most: 600 }),
    modules: list('MODULES', 'appointments,casesheet', isModule, 'appointments, casesheet or both'),
    appointmentsPath: text('APPOINTMENTS_PATH', '/appointments', isBasePath, BASE_PATH),
    casesheetPath: text('CASESHEET_PATH', '/casesheet', isBasePath, BASE_PATH),
    auth: {
      issuers: list(
        'AUTH_ISSUER',
        undefined,
        isHttpUrl,
        'the http(s) address of an issuer, or several with commas',
      ),
      jwksUrl: text('AUTH_JWKS_URL', '', isHttpUrl, 'an http(s) address') || undefined,
      audience: required('AUTH_AUDIENCE', isAnything, 'the audience that tokens for this service carry'),
      patientClaim: text('AUTH_PATIENT_CLAIM', 'patientUid'),
      staffScope: text('AUTH_STAFF_SCOPE', 'readings:read'),
    },
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
    logLevel: text('LOG_LEVEL', 'info', isLogLevel, LOG_LEVELS.join(', ')),
  }
  const mistakes = done()
  if (config.auth.jwksUrl && config.auth.issuers.length > 1) {
    mistakes.push('AUTH_JWKS_URL goes with one AUTH_ISSUER only; leave it out to find the keys by discovery.')
  }
  if (config.appointmentsPath === config.casesheetPath && config.modules.length > 1) {
    mistakes.push('APPOINTMENTS_PATH and CASESHEET_PATH must differ when one process serves both modules.')
  }
  mustHaveNone(mistakes)
  return config
}

/** What `migrate` and `directory import` need: an address whose role owns the tables. */
export function readDatabaseUrl(environment: Environment): string {
  const { required, done } = readerOf(environment)
  const url = required('DATABASE_URL', isPostgresUrl, 'a postgres:// address')
  mustHaveNone(done())
  return url
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

/** Readers that note each mistake and go on, so that an operator sees all of them at once. A value is never echoed. */
function readerOf(environment: Environment) {
  const mistakes: string[] = []
  function text(
    name: string,
    otherwise: string,
    isGood: (value: string) => boolean = isAnything,
    wanted = '',
  ) {
    const value = environment[name]?.trim() || otherwise
    if (value !== otherwise && !isGood(value)) mistakes.push(`${name} must be ${wanted}.`)
    return value
  }
  function required(name: string, isGood: (value: string) => boolean, wanted: string) {
    const value = environment[name]?.trim() ?? ''
    if (value === '') mistakes.push(`${name} is missing: it must be ${wanted}.`)
    else if (!isGood(value)) mistakes.push(`${name} must be ${wanted}.`)
    return value
  }
  function number(
    name: string,
    { otherwise, least, most }: { otherwise: number; least: number; most: number },
  ) {
    const value = environment[name]?.trim() || String(otherwise)
    const parsed = Number(value)
    if (!/^\d+$/.test(value) || parsed < least || parsed > most) {
      mistakes.push(`${name} must be a whole number from ${least} to ${most}.`)
    }
    return parsed
  }
  function list<T extends string>(
    name: string,
    otherwise: string | undefined,
    isGood: (value: string) => value is T,
    wanted: string,
  ): T[]
  function list(
    name: string,
    otherwise: string | undefined,
    isGood: (value: string) => boolean,
    wanted: string,
  ): string[]
  function list(
    name: string,
    otherwise: string | undefined,
    isGood: (value: string) => boolean,
    wanted: string,
  ) {
    const value = environment[name]?.trim() || otherwise
    const items = (value ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    if (value === undefined || (items.length === 0 && value !== ''))
      mistakes.push(`${name} is missing: it must be ${wanted}.`)
    if (!items.every((item) => isGood(item))) mistakes.push(`${name} must be ${wanted}.`)
    return items
  }
  return { text, required, number, list, done: () => mistakes }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const BASE_PATH = 'a path such as /casesheet, with no slash at its end'

const isAnything = () => true
const isModule = (value: string): value is Module => value === 'appointments' || value === 'casesheet'
const isAddressOrNetwork = (value: string) =>
  isIP(value.split('/', 1)[0] ?? '') !== 0 || /^(loopback|linklocal|uniquelocal)$/.test(value)
const isLogLevel = (value: string) => LOG_LEVELS.includes(value)
const isBasePath = (value: string) => /^(\/[a-z0-9._~-]+)+$/i.test(value)
const isHttpUrl = (value: string) => /^https?:$/.test(protocolOf(value))
const isPostgresUrl = (value: string) => /^postgres(ql)?:$/.test(protocolOf(value))
const isOrigin = (value: string) => isHttpUrl(value) && new URL(value).origin === value

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : ''
}
