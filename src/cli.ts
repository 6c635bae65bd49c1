#!/usr/bin/env node
// The commands. The only reader of argv and the environment.
import { parseArgs } from 'node:util'
import { ConfigError, readDatabaseUrl, readServeConfig } from './config.ts'
import { MigrationError, migrate } from './db/migrate.ts'
import { DirectoryError } from './modules/appointments/import/mistakes.ts'
import { showProgress } from './modules/appointments/import/progress.ts'
import { describeReport } from './modules/appointments/import/report.ts'
import { importDirectory } from './modules/appointments/import-directory.ts'
import { serve } from './serve.ts'

const HELP = `Rounds: a doctor directory and patient readings service in front of PostgreSQL.

  rounds serve                    answer requests
  rounds migrate                  bring the database up to date
  rounds directory import FILE    fill the doctor directory from a JSON or CSV file (--dry-run: only say what would change)

Settings come from the environment; "rounds COMMAND --help" lists those of a command.
`

const HELP_OF: Record<string, string> = {
  serve: `rounds serve: answer requests until SIGTERM or SIGINT.

Needed:
  DATABASE_URL              postgres:// address that leads to the primary; a login role in rounds_server is enough
  AUTH_ISSUER               address of the token issuer, as in the "iss" of its tokens; several with commas
  AUTH_AUDIENCE             the "aud" that tokens for this service carry

Optional:
  HOST, PORT                where to listen (0.0.0.0, 8080)
  ADMIN_HOST, ADMIN_PORT    where /livez, /readyz and /metrics answer (127.0.0.1, 9090)
  MODULES                   appointments,casesheet or one of them (both)
  APPOINTMENTS_PATH         base path of the directory (/appointments)
  CASESHEET_PATH            base path of the readings (/casesheet)
  AUTH_JWKS_URL             the issuer's keys, where discovery is not to be used
  AUTH_PATIENT_CLAIM        claim that names the patient or patients (patientUid)
  AUTH_STAFF_SCOPE          scope that may read every patient (readings:read)
  CORS_ORIGINS              web apps that may call, with commas (none)
  TRUST_PROXY               addresses or networks of proxies to believe, with commas (none)
  RATE_LIMIT_PER_MINUTE     requests a minute for each token subject, in this process (600)
  REQUEST_DEADLINE_SECONDS  how long a request waits for a database that is away (30)
  DATABASE_POOL_SIZE        connections to PostgreSQL (10)
  MAX_WAITING_REQUESTS      requests that may wait for a connection before others are refused (1000)
  LOG_LEVEL                 fatal, error, warn, info, debug, trace or silent (info)

Example:
  DATABASE_URL=postgres://api@localhost/rounds AUTH_ISSUER=https://id.example AUTH_AUDIENCE=rounds rounds serve
`,
  migrate: `rounds migrate: bring the database up to date. Running it again, or twice at once, does no harm.

Needed:
  DATABASE_URL              postgres:// address of a role that may create schemas (the owner of the tables)

Example:
  DATABASE_URL=postgres://owner@localhost/rounds rounds migrate
`,
  directory: `rounds directory import FILE [--dry-run]: fill the doctor directory from a file, all of it or nothing.

Specialities and doctors in the file are added, or replaced as a whole where they are known already; others stay as
they are. Importing the same file again changes nothing. With --dry-run nothing is changed: it says what would be.

FILE is JSON:
  { "specialities": [{ "title": "Cardiology" }],
    "doctors": [{ "name": "Dr. Invented Example", "specialities": ["Cardiology"], "city": "Pune" }] }
or, where its name ends in .csv, CSV of doctors: a header line, commas between columns, ";" between items of a list.

  speciality  title; isActive (true), specialityId
  doctor      name, specialities; doctorId, gender, qualifications, registrationNumber, languages (such as en-IN),
              experienceYears, city, photoUrl, isActive (true)

A doctor is the same one when doctorId is; without it, registrationNumber; without that, name and specialities.

Needed:
  DATABASE_URL              postgres:// address of the role that ran "rounds migrate"

Example:
  DATABASE_URL=postgres://owner@localhost/rounds rounds directory import doctors.json --dry-run
`,
}

const COMMANDS: Record<string, (args: string[], options: Set<string>) => Promise<void>> = {
  async serve() {
    const { url, adminUrl, stop } = await serve(readServeConfig(process.env))
    say(`Rounds answers at ${url}, reference pages at ${url}/docs, health at ${adminUrl}/readyz.`)
    await new Promise((received) => process.once('SIGTERM', received).once('SIGINT', received))
    await stop()
  },
  async migrate() {
    const applied = await migrate(readDatabaseUrl(process.env))
    say(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  },
  async directory([verb, file, ...others], options) {
    if (verb !== 'import' || file === undefined || others.length > 0) {
      throw new ConfigError('Say "rounds directory import FILE", with one file.')
    }
    const databaseUrl = readDatabaseUrl(process.env)
    const isDryRun = options.has('dry-run')
    const progress = showProgress(process.stderr)
    const report = await importDirectory({ databaseUrl, file, isDryRun, onProgress: progress.show }).finally(
      progress.end,
    )
    say(describeReport(report, isDryRun))
  },
}

/** The options of each command beside --help. One that is not known must not be overlooked: it may be a misspelt --dry-run. */
const OPTIONS_OF: Record<string, string[]> = { directory: ['dry-run'] }

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    strict: false,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  const [name = '', ...args] = positionals
  const command = COMMANDS[name]
  if (values['help'] || name === '' || name === 'help') return say(HELP_OF[name] ?? HELP)
  if (!command) throw new ConfigError(`There is no command "${name}". "rounds --help" lists them.`)
  const unknown = Object.keys(values).find((option) => !OPTIONS_OF[name]?.includes(option))
  if (unknown)
    throw new ConfigError(`"rounds ${name}" has no option "${unknown}". "rounds ${name} --help" lists them.`)
  return command(args, new Set(Object.keys(values)))
}

function say(text: string) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

try {
  await main()
} catch (error) {
  // What a person can mend is a sentence; anything else keeps its stack.
  const isTheirs = [ConfigError, MigrationError, DirectoryError].some((kind) => error instanceof kind)
  const text = error instanceof Error ? (isTheirs ? error.message : error.stack) : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
