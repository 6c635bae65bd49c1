// What `rounds --help` and `rounds COMMAND --help` say. Examples run as printed in a clone.

import { SIMULATE_HELP } from '../../tools/simulate/help.ts'
import { ACCESS_LOG_HELP, PATIENT_HELP } from './patient-help.ts'

export const HELP = `Rounds: a doctor directory and patient readings service in front of PostgreSQL.

  rounds dev                      try it: a database, an issuer, sample doctors and the server, with curl lines to paste
  rounds token --patient UID      another token from the issuer of "rounds dev" (--staff: for staff)
  rounds serve                    answer requests
  rounds migrate                  bring the database up to date (--check: only say whether it is)
  rounds directory import FILE    fill the doctor directory from a JSON or CSV file (--dry-run: only say what would change)
  rounds patient export UID       write everything that is held of a patient
  rounds patient erase UID        remove everything that is held of a patient
  rounds access-log trim          remove old entries of the access log
  rounds simulate                 send the readings of simulated patients, and prove that each is stored exactly once

In a clone, write "npx rounds" for "rounds". Settings come from the environment; "rounds COMMAND --help" lists those of a
command.
`

export const HELP_OF: Record<string, string> = {
  dev: `rounds dev [--port PORT] [--database]: all that a developer needs to call Rounds, until Ctrl-C.

Starts a throw-away PostgreSQL and an OpenID issuer, creates the tables, imports samples/directory.json, serves, and prints
curl lines with tokens for a patient, a carer and staff. Everything listens on 127.0.0.1 only, and PostgreSQL on a socket
that only you can reach. Ctrl-C (or SIGTERM) stops all of it and deletes the database.

  --port PORT               where Rounds answers (8080, or a free port where that is taken; 0: any free port)
  --database                use the database of DATABASE_URL instead of a throw-away one

Optional:
  DATABASE_URL              with --database: postgres:// address of a database, as a role that may create schemas. It is
                            migrated and served as that role, and what is stored stays. Its directory is filled only if it
                            is empty. Without --database it is ignored.
  PG_BIN                    whose PostgreSQL is thrown away: a directory of binaries, or "embedded" for the npm package
                            (the newest below /usr/lib/postgresql, else the npm package)
  CORS_ORIGINS              web apps that may call, with commas (none)
  TMPDIR                    where the throw-away database and the note for "rounds token" are kept (/tmp)

Examples:
  npx rounds dev
  CORS_ORIGINS=http://localhost:5173 npx rounds dev --port 8081
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds dev --database
`,
  token: `rounds token --patient UID | --staff: print an access token from the issuer of the "rounds dev" that is running.

  --patient UID             a patient that the token names; again for each further one, for a parent or carer
  --staff                   a token that may read the readings of every patient, and add none
  --port PORT               the port of the "rounds dev" to ask, where several are running

A token works for 12 hours, and no longer than its "rounds dev" runs. Only the token is printed.

Optional:
  TMPDIR                    as it was for "rounds dev" (/tmp)

Examples:
  npx rounds token --patient patient-1
  curl -H "Authorization: Bearer $(npx rounds token --patient child-1 --patient child-2)" 'http://127.0.0.1:8080/casesheet/readings/get?patientUid=child-2'
`,
  serve: `rounds serve: answer requests until SIGTERM or SIGINT.

On SIGTERM, /readyz fails at once; requests are accepted for STOP_DELAY_SECONDS more, so that load balancers can turn
elsewhere; then what is in flight is answered, for REQUEST_DEADLINE_SECONDS and 5 seconds at most, and it ends with 0.
SIGINT, or a second signal, leaves out the delay.

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
  AUTH_ALLOW_HTTP           true: issuers and keys may be reached by http:// beyond this machine (false)
  AUTH_TOKEN_TYPE           at+jwt: only tokens of that type (RFC 9068); else also those of type JWT or of none
  AUTH_PATIENT_CLAIM        claim that names the patient or patients (patientUid)
  AUTH_STAFF_SCOPE          scope that may read every patient (readings:read)
  CORS_ORIGINS              web apps that may call, with commas (none)
  TRUST_PROXY               addresses or networks of proxies whose X-Forwarded-For names the caller, with commas (none)
  RATE_LIMIT_PER_MINUTE     requests a minute for each token subject, in this process (600)
  RATE_LIMIT_BYTES_PER_MINUTE
                            bytes of bodies a minute for each token subject, in this process (16777216)
  RATE_LIMIT_REFUSED_PER_MINUTE
                            requests a minute without a valid token for each address, in this process (6000)
  PATIENT_BYTES_PER_DAY     bytes of readings added a day for each patient, in this process (67108864)
  REQUEST_DEADLINE_SECONDS  how long a request waits for a database that is away (30)
  STOP_DELAY_SECONDS        how long it still accepts requests after SIGTERM: longer than load balancers take to notice (0)
  DATABASE_POOL_SIZE        connections to PostgreSQL, all kinds together, at least 4 (10)
  MAX_WAITING_REQUESTS      requests that may wait for a connection before others are refused (1000)
  MAX_REQUESTS_WHEN_BUSY    requests in work at a time while there is more to do than can be done (64)
  KEEP_ALIVE_SECONDS        how long a connection stays open after an answer; longer than in a proxy before it (72)
  ERASURE_KEY               key under which patients were erased with --refuse-until; without it, adds fail while any are
                            refused (none)
  LOG_LEVEL                 fatal, error, warn, info, debug, trace or silent (info)

Example:
  DATABASE_URL=postgres://api@localhost/rounds AUTH_ISSUER=https://id.example AUTH_AUDIENCE=rounds node src/cli.ts serve
`,
  migrate: `rounds migrate [--check]: bring the database up to date. Running it again, or twice at once, does no harm.

Requests are served meanwhile. A lock that others hold is waited for 2 seconds at a time, so that nobody waits longer behind
it. A migration that was stopped is taken up again by the next run.

  --check                   change nothing; end with 0 where the database has every migration of this build, else with 1 and
                            their names. A database that is ahead of this build has them all.

Needed:
  DATABASE_URL              postgres:// address of a role that may create schemas (the owner of the tables); for --check, the
                            serving role will do

Examples:
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds migrate
  DATABASE_URL=postgres://api@localhost/rounds npx rounds migrate --check
`,
  directory: `rounds directory import FILE [--dry-run]: fill the doctor directory from a file, all of it or nothing.

Specialities and doctors in the file are added, or replaced as a whole where they are known already; others stay as
they are. Importing the same file again changes nothing.

  --dry-run                 change nothing, only say what would be changed

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
  DATABASE_URL=postgres://owner@localhost/rounds npx rounds directory import samples/directory.json --dry-run
`,
  patient: PATIENT_HELP,
  'access-log': ACCESS_LOG_HELP,
  simulate: SIMULATE_HELP,
}
