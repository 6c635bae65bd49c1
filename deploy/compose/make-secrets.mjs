// The service "secrets" of compose.yaml: makes the passwords at the first start, each once, and leaves each where only the
// services that need it can read it. A password that .env names is taken instead. It prints where to go next, and no password;
//   docker compose run --rm secrets show users-password     (or admin-password) prints one.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const ROUNDS = 1000
const file = (volume, name) => `/secrets/${volume}/${name}`

// Those that people type. The database's are known to its services only.
const SHOWN = ['users-password', 'admin-password']
const [, , command, wanted] = process.argv
if (command === 'show' && SHOWN.includes(wanted)) {
  process.stdout.write(`${readFileSync(file('keycloak', wanted), 'utf8')}\n`)
  process.exit()
}
if (command !== undefined) throw new Error(`Say "show" and one of ${SHOWN.join(', ')}, or nothing.`)

/** Renamed into place, so that a start that is cut off leaves no half of a password. */
function write(path, text, { mode, owner = 0 }) {
  rmSync(`${path}.new`, { force: true })
  writeFileSync(`${path}.new`, text, { mode })
  chownSync(`${path}.new`, owner, owner)
  renameSync(`${path}.new`, path)
}

/** Letters and digits only, since two of them become part of an address. All users of a service that mounts it can read it. */
function password(volume, name, given = '') {
  const path = file(volume, name)
  if (given !== '') write(path, given, { mode: 0o444 })
  else if (!existsSync(path)) write(path, randomBytes(24).toString('hex'), { mode: 0o444 })
  return readFileSync(path, 'utf8')
}

const owner = password('postgres', 'owner-password', process.env.POSTGRES_PASSWORD)
const api = password('postgres', 'api-password', process.env.ROUNDS_API_PASSWORD)
password('keycloak', 'admin-password', process.env.KEYCLOAK_ADMIN_PASSWORD)
password('keycloak', 'users-password', process.env.KEYCLOAK_USERS_PASSWORD)

const addressFor = (role, secret) => `postgres://${role}:${encodeURIComponent(secret)}@postgres:5432/rounds`
const onlyRounds = { mode: 0o400, owner: ROUNDS }
write(file('owner', 'database-url'), addressFor('rounds', owner), onlyRounds)
write(file('serving', 'database-url'), addressFor('rounds_api', api), onlyRounds)
// The servers and the owner's "rounds patient erase" need the same one. Once made, it stays. It cannot be read again here: the
// file is for Rounds alone. The owner's is written last, so where it is, the servers have theirs.
const given = process.env.ERASURE_KEY ?? ''
if (given !== '' || !existsSync(file('owner', 'erasure-key'))) {
  const key = given || randomBytes(32).toString('hex')
  for (const volume of ['serving', 'owner']) write(file(volume, 'erasure-key'), key, onlyRounds)
}

process.stdout.write(`When all services are up:
  console           http://localhost:8080/console/
  Rounds            http://localhost:8080
  reference page    http://localhost:8080/docs
  health, metrics   http://localhost:9090/readyz
  Keycloak          http://localhost:8081, administrator "admin"
  people            patient, carer and staff, whose password "docker compose run --rm secrets show users-password" prints
`)
