// What `rounds --help` and `rounds COMMAND --help` say.
import { SIMULATE_HELP } from './simulate/help.ts'

export const HELP = `Rounds: a doctor directory and patient readings service in front of PostgreSQL.

  rounds serve                    answer requests
  rounds migrate                  bring the database up to date
  rounds directory import FILE    fill the doctor directory from a JSON or CSV file (--dry-run: only say what would change)
  rounds simulate                 send the readings of simulated patients, and prove that each is stored exactly once

Settings come from the environment; "rounds COMMAND --help" lists those of a command.
`

export const HELP_OF: Record<string, string> = {
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
  simulate: SIMULATE_HELP,
}
