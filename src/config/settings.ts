// The settings of `rounds serve`: the one table from which config.ts takes defaults and rules, `rounds serve --help` its text,
// and docs/settings.md its list.
import { isIP } from 'node:net'

/** What config.ts needs to read a setting. */
export type Rule = {
  /** A setting without a default is required; an empty default means none. */
  default?: string | number | undefined
  /** The bounds of a whole number. */
  min?: number
  max?: number
  /** All values that are right. */
  among?: readonly string[]
  /** Whether a text is right, or an item of a list. */
  isRight?: (text: string) => boolean
  /** What would be right, for the message. */
  wanted?: string
  /** Items, separated by commas. */
  isList?: true
  /** NAME_FILE may name a file that holds it: engines mount secrets as files. */
  isSecret?: true
}

export type Setting = Rule & { meaning: string }

/** The largest body that is accepted. A limit on bytes below it would refuse some bodies at any time. */
const LARGEST_BODY = 4_194_304
/** One connection of each kind: src/db/connections.ts. */
const MIN_POOL_SIZE = 4
const MIN_KEY_BYTES = 32

const PORTS = { min: 0, max: 65_535 }
const BYTES = { min: LARGEST_BODY, max: 1_000_000_000_000 }
const MANY = { min: 1, max: 1_000_000_000 }
const FLAG = { default: 'false', among: ['true', 'false'] } as const

const protocolOf = (text: string) => URL.parse(text)?.protocol ?? ''
const isHttpUrl = (text: string) => /^https?:$/.test(protocolOf(text))
const BASE_PATH = {
  isRight: (text: string) => /^(\/[a-z0-9._~-]+)+$/i.test(text),
  wanted: 'a path such as /casesheet, with no slash at its end',
}

/** The bytes of a key in hex or base64. */
export function keyFrom(text: string): Buffer | undefined {
  if (/^[0-9a-f]+$/i.test(text)) return text.length % 2 === 0 ? Buffer.from(text, 'hex') : undefined
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

const KEY = {
  default: '',
  isSecret: true,
  isRight: (text: string) => (keyFrom(text)?.length ?? 0) >= MIN_KEY_BYTES,
  wanted: 'at least 32 random bytes in base64 or hex, such as "openssl rand -base64 32" prints',
} as const

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = isIP(address) === 6 ? 128 : 32
  const isNetwork =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits)
  return (
    /^(loopback|linklocal|uniquelocal)$/.test(text) || (isIP(address) !== 0 && isNetwork && rest.length === 0)
  )
}

export const SETTINGS = {
  DATABASE_URL: {
    isSecret: true,
    isRight: (text) => /^postgres(ql)?:$/.test(protocolOf(text)),
    wanted: 'a postgres:// address',
    meaning: 'postgres:// address of the primary; a login role in rounds_server is enough',
  },
  AUTH_ISSUER: {
    isList: true,
    isRight: isHttpUrl,
    wanted: 'the http(s) address of an issuer, or several with commas',
    meaning: 'address of the token issuer, equal to the "iss" of its tokens; several with commas',
  },
  AUTH_AUDIENCE: {
    wanted: 'the audience that tokens for this service carry',
    meaning: 'the "aud" of tokens for this service',
  },

  HOST: { default: '0.0.0.0', meaning: 'address to listen on' },
  PORT: { default: 8080, ...PORTS, meaning: 'port to listen on' },
  ADMIN_HOST: { default: '127.0.0.1', meaning: 'address of /livez, /readyz and /metrics' },
  ADMIN_PORT: { default: 9090, ...PORTS, meaning: 'port of /livez, /readyz and /metrics' },
  MODULES: {
    default: 'appointments,casesheet,care',
    isList: true,
    among: ['appointments', 'casesheet', 'care', 'webhooks', 'fhir', 'mcp'],
    wanted: 'appointments, casesheet, care, webhooks, fhir, mcp or several of them with commas',
    meaning: 'any of appointments, casesheet, care, webhooks, fhir, mcp',
  },
  ALERTS: {
    default: 'off',
    among: ['on', 'off'],
    meaning: '"on" evaluates the alert rules that doctors set; read docs/alerts.md first',
  },
  APPOINTMENTS_PATH: { default: '/appointments', ...BASE_PATH, meaning: 'base path of the directory' },
  CASESHEET_PATH: { default: '/casesheet', ...BASE_PATH, meaning: 'base path of the readings' },
  CARE_PATH: { default: '/care', ...BASE_PATH, meaning: 'base path of targets, reviews and reports' },
  WEBHOOKS_PATH: { default: '/webhooks', ...BASE_PATH, meaning: 'base path of the management of webhooks' },
  FHIR_PATH: {
    default: '/fhir',
    ...BASE_PATH,
    meaning: 'base path of FHIR R4, where the module fhir is served',
  },
  MCP_PATH: {
    default: '/mcp',
    ...BASE_PATH,
    meaning: 'path of the Model Context Protocol, where the module mcp is served',
  },

  AUTH_JWKS_URL: {
    default: '',
    isRight: isHttpUrl,
    wanted: 'an http(s) address',
    meaning: "address of the issuer's keys, instead of discovery",
  },
  AUTH_ALLOW_HTTP: { ...FLAG, meaning: '"true" fetches keys by http:// beyond this machine' },
  AUTH_TOKEN_TYPE: {
    default: '',
    among: ['at+jwt'],
    wanted: 'at+jwt, or left out',
    meaning: '"at+jwt" accepts only tokens of that type (RFC 9068), instead of also JWT or none',
  },
  AUTH_PATIENT_CLAIM: { default: 'patientUid', meaning: 'claim that names the patient or patients' },
  AUTH_DOCTOR_CLAIM: { default: 'doctorId', meaning: 'claim that names the doctor of the directory' },
  AUTH_PRACTICE_CLAIM: {
    default: 'practiceIds',
    meaning: 'claim that names the practice or practices in which the doctor works',
  },
  AUTH_STAFF_SCOPE: { default: 'readings:read', meaning: 'scope that may read every patient' },
  STAFF_REASON: {
    default: 'optional',
    among: ['optional', 'required'],
    meaning: '"required" refuses reads by the staff scope without a reason (x-access-reason)',
  },
  AUTH_WITHDRAW_SCOPE: {
    default: 'readings:withdraw',
    meaning: 'scope that may withdraw readings of every patient',
  },
  AUTH_CHANGES_SCOPE: {
    default: 'readings:changes',
    meaning: 'scope that may follow the changes of all patients',
  },
  AUTH_WEBHOOKS_SCOPE: {
    default: 'webhooks:manage',
    meaning: 'scope that may have the changes of all patients sent elsewhere',
  },
  AUTH_SMART_USERS_ARE_STAFF: {
    ...FLAG,
    meaning: 'lets user/ scopes of SMART read every patient, without a practitioner in "fhirUser"',
  },
  CONSOLE_CLIENT_ID: {
    default: '',
    meaning: 'public client of the issuer; serves the console at /console/',
  },
  CONSOLE_SCOPE: {
    default: 'openid profile',
    isRight: (text) => text.split(' ').includes('openid'),
    wanted: 'scopes with blanks between them, among them openid',
    meaning: 'scopes that the console asks for',
  },
  CONSOLE_RESOURCE: {
    default: '',
    meaning: 'resource that the console asks for (RFC 8707), where the issuer needs one',
  },
  EMERGENCY_NUMBER: {
    default: '',
    isRight: (text) => /^\+?\d[\d ]{1,18}$/.test(text),
    wanted: 'a telephone number such as 112',
    meaning: 'number to call in an emergency, which the console names and offers; none is assumed',
  },
  CORS_ORIGINS: {
    default: '',
    isList: true,
    isRight: (text) => isHttpUrl(text) && new URL(text).origin === text,
    wanted: 'origins such as https://app.example, separated by commas',
    meaning: 'origins of web apps that may call, with commas',
  },
  TRUST_PROXY: {
    default: '',
    isList: true,
    isRight: isAddressOrNetwork,
    wanted: 'addresses or networks of proxies, separated by commas',
    meaning: "proxies whose X-Forwarded-For gives the caller's address: addresses or networks",
  },

  RATE_LIMIT_PER_MINUTE: {
    default: 600,
    ...MANY,
    meaning: 'requests per minute, per token subject that is a patient or carer',
  },
  RATE_LIMIT_PROFESSIONALS_PER_MINUTE: {
    default: 6_000,
    ...MANY,
    meaning: 'the same of doctors, staff and services; never less than that of patients',
  },
  RATE_LIMIT_BYTES_PER_MINUTE: {
    default: 16_777_216,
    ...BYTES,
    meaning: 'bytes of bodies per minute, per token subject',
  },
  RATE_LIMIT_REFUSED_PER_MINUTE: {
    default: 6_000,
    ...MANY,
    meaning: 'requests without a valid token per minute, per address',
  },
  MAX_READING_AHEAD_SECONDS: {
    default: 0,
    min: 0,
    max: 1_000_000_000,
    meaning: 'how far ahead of now a reading may be; 0 for any time',
  },
  PATIENT_BYTES_PER_DAY: {
    default: 67_108_864,
    ...BYTES,
    meaning: 'bytes of readings, grants, targets and reviews added per day, per patient',
  },

  REQUEST_DEADLINE_SECONDS: {
    default: 30,
    min: 1,
    max: 600,
    meaning: 'how long a request waits for an unavailable database',
  },
  STOP_DELAY_SECONDS: {
    default: 0,
    min: 0,
    max: 300,
    meaning: 'how long requests are accepted after SIGTERM: longer than balancers take to notice',
  },
  DATABASE_URL_FILE: { default: '', meaning: 'file that holds DATABASE_URL, instead of it' },
  DATABASE_POOL_SIZE: {
    default: 10,
    min: MIN_POOL_SIZE,
    max: 1_000,
    meaning: 'connections to PostgreSQL, of all kinds together; with care or webhooks, three more',
  },
  MAX_WAITING_REQUESTS: {
    default: 1_000,
    min: 1,
    max: 1_000_000,
    meaning: 'queued requests per queue; more are refused',
  },
  MAX_REQUESTS_WHEN_BUSY: {
    default: 64,
    min: 1,
    max: 1_000_000,
    meaning: 'requests in progress while the process is overloaded',
  },
  KEEP_ALIVE_SECONDS: {
    default: 72,
    min: 1,
    max: 600,
    meaning: 'how long an idle connection stays open: longer than in the proxy',
  },
  MAX_STREAMS: {
    default: 5_000,
    min: 0,
    max: 100_000,
    meaning: 'streams that may be open: 32 KiB each, and a connection in the proxy',
  },
  ERASURE_KEY: {
    ...KEY,
    meaning: 'key of patient erase --refuse-until, in base64 or hex; all servers need the same one',
  },
  ERASURE_KEY_FILE: { default: '', meaning: 'file that holds ERASURE_KEY, instead of it' },
  WEBHOOK_KEY: {
    ...KEY,
    meaning: 'key that encrypts the secrets of webhooks; all servers need the same one',
  },
  WEBHOOK_KEY_FILE: { default: '', meaning: 'file that holds WEBHOOK_KEY, instead of it' },
  WEBHOOK_ALLOW_NETWORKS: {
    default: '',
    isList: true,
    isRight: isAddressOrNetwork,
    wanted: 'addresses or networks, separated by commas',
    meaning: 'addresses or networks that are not public and may get webhooks',
  },
  FHIR_ID_KEY: {
    ...KEY,
    meaning: 'key that hides patients in ids of FHIR; all servers need the same one',
  },
  FHIR_ID_KEY_FILE: { default: '', meaning: 'file that holds FHIR_ID_KEY, instead of it' },
  LOG_LEVEL: {
    default: 'info',
    among: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'fatal, error, warn, info, debug, trace or silent',
  },
} as const satisfies Record<string, Setting>
