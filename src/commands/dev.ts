// `rounds dev`.
import { isIPv4 } from 'node:net'
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import { defineCommand, mustHaveNoArguments, readPort } from './command.ts'
import { stopSignal } from './signals.ts'

const HELP = `rounds dev [--demo] [--curl] [--webhook URL] [--port PORT] [--issuer-port PORT] [--host ADDRESS | --database]: all that a developer needs to try and call Rounds, until Ctrl-C.

Starts a throw-away PostgreSQL and an OpenID issuer, creates the tables, imports samples/directory.json, serves, and prints
addresses: first the console's, where you sign in as an invented patient, carer, doctor or staff, without a password.
"rounds token" gets tokens for programs, also for carers and staff. Without --host all listens on 127.0.0.1 only, and PostgreSQL on a
socket that only you can reach. Ctrl-C (or SIGTERM) stops all of it and deletes the database.

Each request is logged on one line; a refusal with its path and its code, never with its query string. Web apps on any port of
http://localhost and http://127.0.0.1 may call. The reference page has a token of the patient "patient-1" filled in.

  --demo                    add three months of invented readings for the patients of these people, and a month for nine
                            others. All share with the doctor, who has set targets for most of them. Alerts
                            are on, with some rules, and an alert to acknowledge
  --curl                    also print lines to paste into another terminal
  --webhook URL             call this address with every change, and print the secret by which it verifies them. It may be
                            http:// on this machine. samples/receiver.mts is a receiver.
  --port PORT               port to listen on (PORT, else 8080, or a free port if that is taken; 0: any free port)
  --issuer-port PORT        port of the issuer, for an app that is set up with its address (a free port)
  --host ADDRESS            an IPv4 address of this machine, for an app on a phone or in an emulator: Rounds and the issuer are
                            there too, and it may be an app's redirect URI. Sign-in has no password, so anyone in that
                            network can read and change everything. Not with --database. The console signs in at 127.0.0.1
                            only, because browsers have Web Crypto only there or by https
  --database                use the database of DATABASE_URL instead of a throw-away one. The issuer keeps its key, its secret
                            and its port for this database, and webhooks their key, in a file that only you can read.

Apps sign in by authorization code with PKCE: the public client is rounds-app, and the redirect URI any address on
http://localhost or of an app (myapp://callback). They may ask for scopes of SMART on FHIR, such as patient/Observation.rs. A gateway gets tokens by token exchange
(RFC 8693) with the client of "rounds token --client".

Optional:
  PORT                      as --port
  DATABASE_URL              with --database: postgres:// address of a database, as a role that may create schemas. It is
                            migrated and served as that role, and what is stored stays. Its directory is filled only if it
                            is empty. No doctor and no staff sign in to the console then: a token of staff, who read every
                            patient, takes "rounds token --staff". Without --database it is ignored.
  PG_BIN                    which PostgreSQL to start: a directory of binaries, or "embedded" for the npm package
                            (an installed PostgreSQL 15 to 18, else the npm package)
  RATE_LIMIT_PER_MINUTE …   as for "rounds serve", and so are its other settings, but for addresses, the issuer and the console
  WEBHOOK_KEY, FHIR_ID_KEY  as for "rounds serve" (made at the start; with --database kept for the next one)
  CORS_ORIGINS              further origins of web apps that may call, separated by commas (none)
  TMPDIR                    where the throw-away database and the note for "rounds token" are kept (/tmp)
  XDG_STATE_HOME            with --database: where rounds-dev/issuer-….json is kept (~/.local/state)

Examples:
  npx rounds dev --demo
  npx rounds dev --curl
  npx rounds dev --demo --webhook http://127.0.0.1:8000/
  npx rounds dev --port 8081
  npx rounds dev --host 192.168.1.20
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds dev --database
`

export const devCommand = defineCommand({
  summary:
    'rounds dev                      try it: a database, an issuer, sample doctors, the server and its console',
  help: HELP,
  options: {
    port: { type: 'string' },
    'issuer-port': { type: 'string' },
    host: { type: 'string' },
    database: { type: 'boolean' },
    demo: { type: 'boolean' },
    curl: { type: 'boolean' },
    webhook: { type: 'string' },
  },
  isOfAClone: true,
  async run({ args, options }, { env, output }) {
    mustHaveNoArguments('dev', args)
    const settings = {
      port: readPort(options.port) ?? readPort(env['PORT']?.trim() || undefined, 'PORT'),
      issuerPort: readPort(options['issuer-port'], '--issuer-port'),
      host: readHost(options),
      databaseUrl: options.database ? readDatabaseUrl(env) : undefined,
      ignoresDatabase: !options.database && Boolean(env['DATABASE_URL']?.trim()),
      environment: env,
      hasDemo: Boolean(options.demo),
      printsCurl: Boolean(options.curl),
      webhook: options.webhook,
      output,
      stopping: stopSignal(env),
    }
    const { runDev } = await import('../../tools/dev/run-dev.ts')
    await runDev(settings)
    return ''
  },
})

function readHost({ host, database }: { host?: string | undefined; database?: boolean | undefined }) {
  if (host === undefined) return undefined
  if (database)
    throw new ConfigError(
      '--host does not go with --database: anyone in the network could sign in to it, without a password.',
    )
  if (!isIPv4(host) || host === '0.0.0.0' || host === '127.0.0.1')
    throw new ConfigError(
      '--host must be an IPv4 address of this machine in its network, such as 192.168.1.20.',
    )
  return host
}
