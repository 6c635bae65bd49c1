// The settings of `rounds serve`: the one table from which config.ts takes defaults and bounds, `rounds serve --help` its
// text, and docs/settings.md its tables. A setting without a default is required; an empty default means none.

export type Setting = { meaning: string; default?: string | number; min?: number; max?: number }

/** The largest body that is accepted. A limit on bytes below it would refuse some bodies at any time. */
const LARGEST_BODY = 4_194_304
/** One connection of each kind: src/db/connections.ts. */
const MIN_POOL_SIZE = 4
const PORTS = { min: 0, max: 65_535 }
const BYTES = { min: LARGEST_BODY, max: 1_000_000_000_000 }

export const SETTINGS = {
  DATABASE_URL: {
    meaning: 'postgres:// address that leads to the primary; a login role in rounds_server is enough',
  },
  AUTH_ISSUER: {
    meaning: 'address of the token issuer, equal to the "iss" of its tokens; several with commas',
  },
  AUTH_AUDIENCE: { meaning: 'the "aud" of tokens for this service' },

  HOST: { default: '0.0.0.0', meaning: 'address to listen on' },
  PORT: { default: 8080, ...PORTS, meaning: 'port to listen on' },
  ADMIN_HOST: { default: '127.0.0.1', meaning: 'address of /livez, /readyz and /metrics' },
  ADMIN_PORT: { default: 9090, ...PORTS, meaning: 'port of /livez, /readyz and /metrics' },
  MODULES: {
    default: 'appointments,casesheet',
    meaning: 'modules to serve: one or several of appointments, casesheet, fhir',
  },
  APPOINTMENTS_PATH: { default: '/appointments', meaning: 'base path of the directory' },
  CASESHEET_PATH: { default: '/casesheet', meaning: 'base path of the readings' },
  FHIR_PATH: { default: '/fhir', meaning: 'base path of FHIR R4, where the module fhir is served' },

  AUTH_JWKS_URL: { default: '', meaning: "address of the issuer's keys, instead of discovery" },
  AUTH_ALLOW_HTTP: { default: 'false', meaning: 'true: fetch keys by http:// beyond this machine' },
  AUTH_TOKEN_TYPE: {
    default: '',
    meaning: 'at+jwt: accept only tokens of that type (RFC 9068), instead of also JWT or none',
  },
  AUTH_PATIENT_CLAIM: { default: 'patientUid', meaning: 'claim that names the patient or patients' },
  AUTH_STAFF_SCOPE: { default: 'readings:read', meaning: 'scope that may read every patient' },
  AUTH_WITHDRAW_SCOPE: {
    default: 'readings:withdraw',
    meaning: 'scope that may withdraw readings of every patient',
  },
  AUTH_CHANGES_SCOPE: {
    default: 'readings:changes',
    meaning: 'scope that may follow the changes of all patients',
  },
  CONSOLE_CLIENT_ID: {
    default: '',
    meaning: 'public client of the issuer for the console: serves it at /console/',
  },
  CONSOLE_SCOPE: { default: 'openid profile', meaning: 'scopes that the console asks for' },
  CONSOLE_RESOURCE: {
    default: '',
    meaning: 'resource that the console asks for (RFC 8707), where the issuer needs one',
  },
  CORS_ORIGINS: { default: '', meaning: 'web apps that may call from browsers, with commas' },
  TRUST_PROXY: {
    default: '',
    meaning: "proxies whose X-Forwarded-For gives the caller's address: addresses or networks",
  },

  RATE_LIMIT_PER_MINUTE: {
    default: 600,
    min: 1,
    max: 1_000_000_000,
    meaning: 'requests per minute, per token subject',
  },
  RATE_LIMIT_BYTES_PER_MINUTE: {
    default: 16_777_216,
    ...BYTES,
    meaning: 'bytes of bodies per minute, per token subject',
  },
  RATE_LIMIT_REFUSED_PER_MINUTE: {
    default: 6_000,
    min: 1,
    max: 1_000_000_000,
    meaning: 'requests without a valid token per minute, per address',
  },
  MAX_READING_AHEAD_SECONDS: {
    default: 0,
    min: 0,
    max: 1_000_000_000,
    meaning: 'how far ahead of now an added reading may be; 0 for any time, as the interface has it',
  },
  PATIENT_BYTES_PER_DAY: {
    default: 67_108_864,
    ...BYTES,
    meaning: 'bytes of readings added per day, per patient',
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
    meaning: 'how long requests are accepted after SIGTERM: longer than load balancers take to notice',
  },
  DATABASE_URL_FILE: { default: '', meaning: 'file that holds DATABASE_URL, instead of it' },
  DATABASE_POOL_SIZE: {
    default: 10,
    min: MIN_POOL_SIZE,
    max: 1_000,
    meaning: 'connections to PostgreSQL, of all kinds together',
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
    meaning: 'how long an idle connection stays open after an answer: longer than in the proxy',
  },
  MAX_STREAMS: {
    default: 5_000,
    min: 0,
    max: 100_000,
    meaning: 'streams of changes that may be open: 32 KiB each, and a connection in the proxy',
  },
  ERASURE_KEY: {
    default: '',
    meaning: 'key of patient erase --refuse-until; without it adds fail while a patient is refused',
  },
  LOG_LEVEL: { default: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent' },
} as const satisfies Record<string, Setting>
