// `rounds serve`.
import { setTimeout as pause } from 'node:timers/promises'
import { readServeConfig } from '../config/config.ts'
import { defineCommand } from './command.ts'
import { nextSignal } from './signals.ts'

const HELP = `rounds serve: answer requests until SIGTERM or SIGINT.

On SIGTERM, /readyz fails at once; requests are accepted for STOP_DELAY_SECONDS more, so that load balancers can send them
elsewhere; then requests in flight are answered, for at most REQUEST_DEADLINE_SECONDS and 5 seconds, and it exits with 0.
SIGINT, or a second signal, skips the delay.

Needed:
  DATABASE_URL              postgres:// address that leads to the primary; a login role in rounds_server is enough
  AUTH_ISSUER               address of the token issuer, as in the "iss" of its tokens; several separated by commas
  AUTH_AUDIENCE             the "aud" that tokens for this service carry

Optional:
  HOST, PORT                where to listen (0.0.0.0, 8080)
  ADMIN_HOST, ADMIN_PORT    where /livez, /readyz and /metrics answer (127.0.0.1, 9090)
  MODULES                   appointments,casesheet or one of them (both)
  APPOINTMENTS_PATH         base path of the directory (/appointments)
  CASESHEET_PATH            base path of the readings (/casesheet)
  AUTH_JWKS_URL             address of the issuer's keys, instead of discovery
  AUTH_ALLOW_HTTP           true: issuers and keys may be reached by http:// beyond this machine (false)
  AUTH_TOKEN_TYPE           at+jwt: only tokens of that type (RFC 9068); else also those of type JWT or of none
  AUTH_PATIENT_CLAIM        claim that names the patient or patients (patientUid)
  AUTH_STAFF_SCOPE          scope that may read every patient (readings:read)
  CORS_ORIGINS              origins of web apps that may call, separated by commas (none)
  TRUST_PROXY               addresses or networks of proxies whose X-Forwarded-For names the caller, separated by commas (none)
  RATE_LIMIT_PER_MINUTE     requests a minute for each token subject, in this process (600)
  RATE_LIMIT_BYTES_PER_MINUTE
                            bytes of bodies a minute for each token subject, in this process (16777216)
  RATE_LIMIT_REFUSED_PER_MINUTE
                            requests a minute without a valid token for each address, in this process (6000)
  PATIENT_BYTES_PER_DAY     bytes of readings added a day for each patient, in this process (67108864)
  REQUEST_DEADLINE_SECONDS  how long a request waits while the database is unavailable (30)
  STOP_DELAY_SECONDS        how long it still accepts requests after SIGTERM: longer than load balancers take to notice (0)
  DATABASE_POOL_SIZE        maximum size of the connection pool, at least 4 (10)
  MAX_WAITING_REQUESTS      maximum number of requests that wait for a connection; further ones are refused (1000)
  MAX_REQUESTS_WHEN_BUSY    maximum number of requests in work while the process is overloaded (64)
  KEEP_ALIVE_SECONDS        how long an idle connection stays open; longer than in a proxy in front of it (72)
  ERASURE_KEY               key under which patients were erased with --refuse-until; without it, adds fail while any are
                            refused (none)
  LOG_LEVEL                 fatal, error, warn, info, debug, trace or silent (info)

Example:
  DATABASE_URL=postgres://api@localhost/rounds AUTH_ISSUER=https://id.example AUTH_AUDIENCE=rounds node src/cli.ts serve
`

export const serveCommand = defineCommand({
  summary: 'rounds serve                    answer requests',
  help: HELP,
  options: {},
  async run(_, { env, output }) {
    const { serve } = await import('../server/serve.ts')
    const config = readServeConfig(env)
    const { url, adminUrl, announceStop, stop } = await serve(config)
    // Before the line that others wait for: they may send a signal as soon as they read it.
    const signalled = nextSignal()
    output.write(`Rounds answers at ${url}, reference pages at ${url}/docs, health at ${adminUrl}/readyz.\n`)
    const signal = await signalled
    if (signal === 'SIGTERM') {
      announceStop(signal)
      await Promise.race([pause(config.stopDelayMs, undefined, { ref: false }), nextSignal()])
    }
    await stop(signal)
    return ''
  },
})
