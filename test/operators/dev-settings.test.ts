// `rounds dev` with a database of one's own, beside another one, and where something is in its way.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Dev, STATE, startDev, temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase, createEmptyDatabase, runSql } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { runCommand } from '../support/process.ts'

const { serveUrl } = await createDatabase()
const TMPDIR = temporaryDirectory()
const PG_BIN = process.env['PG_BIN'] ?? ''
const OWN_DATABASE = ['--port', '0', '--database']

const taken = createServer()
const takenPort = await new Promise<number>((found, fail) => {
  taken.once('error', fail)
  taken.listen(0, '127.0.0.1', () => {
    const address = taken.address()
    found(address && typeof address === 'object' ? address.port : assert.fail('no port'))
  })
})
after(() => taken.close())

// Both run until the next test ends them.
const { ownerUrl } = await createDatabase()
const port = String(await findFreePort())
const one = await startDev({ TMPDIR, DATABASE_URL: ownerUrl, PORT: port }, ['--database'])
const other = await startDev({ TMPDIR, DATABASE_URL: ownerUrl, PORT: port }, OWN_DATABASE)
const portOf = ({ casesheetUrl }: Dev) => new URL(casesheetUrl).port

test('a database of one’s own is filled and used, and filled once', async () => {
  assert.match(one.output(), /^✓ Tables in the database of DATABASE_URL, which keeps what is stored$/m)
  // It may hold real patients: without the issuer's secret no one gets a token that reads them all.
  assert.match(one.printed[0] ?? '', /\(sign in as an invented patient or carer\)$/)
  assert.deepEqual(await peopleAt(one), ['ada-example', 'robin-example'])
  assert.match(one.output(), /^✓ Directory of 320 invented doctors in 50 specialities$/m)
  assert.match(other.output(), /^✓ Directory left as it was: it is not empty$/m)
  assert.equal((await runSql(ownerUrl, 'select from appointments.doctors')).length, 320)
})

test('PORT chooses the port, and --port has the last word', () => {
  assert.equal(portOf(one), port)
  assert.notEqual(portOf(other), port)
})

test('two run side by side, rounds token asks which one is meant, and what was stored is kept', async () => {
  const ports = [one, other].map(portOf).toSorted()
  const asking = runCommand(['token', '--staff'], { TMPDIR })
  let printed = ''
  asking.child.stdout.on('data', (text) => (printed += text))
  assert.deepEqual(await asking.ended, {
    code: 2,
    output: `Several "rounds dev" are running. Choose one: --port ${ports[0]} or --port ${ports[1]}.\n`,
  })
  assert.equal(printed, '', 'no token')
  for (const dev of [one, other]) {
    const args = ['token', '--patient', 'p', '--port', portOf(dev)]
    const { output: token } = await runCommand(args, { TMPDIR }).ended
    const headers = { authorization: `Bearer ${token.trim()}` }
    assert.equal((await fetch(`${dev.casesheetUrl}/readings/get`, { headers })).status, 200)
    dev.child.kill('SIGINT')
    const { code, output } = await dev.ended
    assert.equal(code, 0)
    assert.match(output, /What was stored stays in the database of DATABASE_URL\.\n$/)
  }
  assert.equal((await runSql(ownerUrl, 'select from appointments.doctors')).length, 320)
})

test('a DATABASE_URL in the environment is left alone unless --database asks for it, and a line says so', async () => {
  const emptyUrl = await createEmptyDatabase()
  const dev = await startDev({ TMPDIR, PG_BIN, DATABASE_URL: emptyUrl })
  assert.match(dev.output(), /^DATABASE_URL is ignored: only --database makes "rounds dev" use it\.$/m)
  assert.ok(dev.printed.length <= 12, dev.output())
  dev.child.kill('SIGINT')
  assert.match((await dev.ended).output, /\nRounds has stopped\. Nothing is kept\.\n$/)
  assert.deepEqual(await runSql(emptyUrl, "select from pg_namespace where nspname = 'rounds'"), [])
})

test('where 8080 is taken, another port is, and what another user puts into TMPDIR is ignored and left alone: links, files, directories that all may enter', async () => {
  // Unless another program has it already.
  const first = createServer().on('error', () => {})
  first.listen(8_080, '127.0.0.1')
  after(() => first.close())
  const dir = temporaryDirectory()
  const elsewhere = temporaryDirectory()
  chmodSync(elsewhere, 0o700)
  const note = { url: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'x', pid: process.pid, port: 1 }
  for (const place of [elsewhere, join(dir, 'rounds-dev-open')]) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'issuer.json'), JSON.stringify(note))
  }
  symlinkSync(elsewhere, join(dir, 'rounds-dev-link'))
  symlinkSync('/nowhere', join(dir, 'rounds-dev-dangling'))
  symlinkSync('rounds-dev-loop', join(dir, 'rounds-dev-loop'))
  writeFileSync(join(dir, 'rounds-dev-file'), '')
  mkdirSync(join(dir, 'rounds-dev-broken'), { mode: 0o700 })
  writeFileSync(join(dir, 'rounds-dev-broken/issuer.json'), '{')
  mkdirSync(join(dir, 'rounds-dev-strange/issuer.json'), { recursive: true, mode: 0o700 })
  const foreign = readdirSync(dir)
  assert.deepEqual(await runCommand(['token', '--staff'], { TMPDIR: dir }).ended, {
    code: 1,
    output: 'No "rounds dev" is running. Start it first: npx rounds dev\n',
  })
  const dev = await startDev({ TMPDIR: dir, DATABASE_URL: ownerUrl }, ['--database'])
  assert.match(dev.output(), /^✓ Rounds at http:\S+ \(8080 is taken\), health at http:\S+\/readyz$/m)
  assert.equal((await runCommand(['token', '--staff'], { TMPDIR: dir }).ended).code, 0)
  dev.child.kill('SIGINT')
  assert.equal((await dev.ended).code, 0)
  assert.deepEqual(readdirSync(dir), foreign)
  assert.deepEqual(readdirSync(elsewhere), ['issuer.json'])
})

/** Who may sign in to its console, by the page of its issuer. */
async function peopleAt({ consoleUrl, issuerUrl }: Dev): Promise<string[]> {
  const asked = new URLSearchParams({
    client_id: 'rounds-console',
    redirect_uri: consoleUrl,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const started = await fetch(`${issuerUrl}/auth?${asked.toString()}`, { redirect: 'manual' })
  const cookie = started.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const address = new URL(started.headers.get('location') ?? '', issuerUrl)
  // Who is not on the page cannot be chosen either.
  const chosen = await fetch(address, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ person: 'kim-sample' }),
    redirect: 'manual',
  })
  assert.equal(chosen.status, 200)
  return [...(await chosen.text()).matchAll(/name="person" value="([\w-]+)"/g)].map(([, id = '']) => id)
}

const NO_ISSUER = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    return next(name === 'oidc-provider' ? 'not-installed' : name, context)
  },
})`

const faults: [string, Record<string, string>, string[], RegExp][] = [
  [
    'a port that is taken',
    {},
    ['--port', String(takenPort)],
    /^Port \d+ is taken\. Choose another with --port or PORT, or leave out both to get a free one\.\n$/,
  ],
  ['a PORT that is taken', { PORT: String(takenPort) }, [], /^Port \d+ is taken\. /],
  ['a PORT that is none', { PORT: 'http' }, [], /^PORT must be a whole number from 0 to 65535\.\n$/],
  [
    'a port of the issuer that is taken',
    {},
    ['--issuer-port', String(takenPort)],
    /^Port \d+ is taken\. Choose another with --issuer-port, or leave it out\.\n$/,
  ],
  [
    'a setting of the server that is none',
    { RATE_LIMIT_PER_MINUTE: 'many' },
    [],
    /RATE_LIMIT_PER_MINUTE must be a whole number/,
  ],
  ['a port that is none', {}, ['--port', 'http'], /^--port must be a whole number from 0 to 65535\.\n$/],
  [
    'a host beside a database of one’s own',
    { DATABASE_URL: serveUrl },
    ['--database', '--host', '127.0.0.2'],
    /^--host does not go with --database: anyone in the network could sign in to it, without a password\.\n$/,
  ],
  ['a host that is a name', {}, ['--host', 'localhost'], /^--host must be an IPv4 address of this machine /],
  ['a host that is every address', {}, ['--host', '0.0.0.0'], /^--host must be an IPv4 address of this /],
  [
    'a host elsewhere',
    {},
    ['--host', '192.0.2.1'],
    /^--host 192\.0\.2\.1 is no address of this machine\.\n$/,
  ],
  ['an option without its value', {}, ['--port'], /^Option '--port <value>' argument missing\n$/],
  ['an option it does not have', {}, ['--prot', '1'], /^"rounds dev" has no option "prot"\. /],
  ['an argument', {}, ['8080'], /^"rounds dev" takes options only\. "rounds dev --help" lists them\.\n$/],
  ['no binaries', { PG_BIN: '/nowhere' }, [], /^PG_BIN must be "embedded" or a directory that holds /],
  [
    'no database',
    { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
    ['--database'],
    /^The database cannot be used: .+\.\n$/,
  ],
  [
    'no rights',
    { DATABASE_URL: serveUrl },
    ['--database'],
    /^The role of DATABASE_URL may not change the tables: .+\.\n$/,
  ],
  [
    'no address',
    { DATABASE_URL: 'somewhere' },
    ['--database'],
    /DATABASE_URL must be a postgres:\/\/ address\.\n$/,
  ],
  [
    'no database named',
    {},
    ['--database'],
    /DATABASE_URL is missing: it must be a postgres:\/\/ address\.\n$/,
  ],
  [
    'no development packages',
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NO_ISSUER)}` },
    [],
    /^"rounds dev" needs the development packages: run "npm ci"\.\n$/,
  ],
]
const ASKS_FOR_ROOT = 'no user to run as'
faults.push([ASKS_FOR_ROOT, { PATH: '/nowhere' }, [], /^PostgreSQL does not run as root\. /])

for (const [fault, environment, args, sentence] of faults) {
  const options = fault === ASKS_FOR_ROOT ? needs('root') : {}
  test(
    `${fault}: rounds dev says so in a sentence, ends with exit code 1, and leaves nothing behind`,
    options,
    async () => {
      const { code, output } = await runCommand(['dev', ...args], {
        TMPDIR,
        XDG_STATE_HOME: STATE,
        ...environment,
      }).ended
      assert.equal(code, 1)
      assert.match(output, sentence)
      assert.doesNotMatch(output, /^ {4}at /m)
      assert.deepEqual(readdirSync(TMPDIR), [])
    },
  )
}

test('rounds token wants to know for whom', async () => {
  const sentence =
    'Say "rounds token --patient UID", once for each patient, or --doctor ID, --staff, or --scope NAME instead.\n'
  const wrong = [
    [],
    ['--patient', 'p', '--staff'],
    ['--patient='],
    ['--scope', 'readings:read', '--staff'],
    ['--doctor='],
    ['--doctor', 'd', '--patient', 'p'],
  ]
  for (const args of wrong) {
    assert.deepEqual(await runCommand(['token', ...args], { TMPDIR }).ended, { code: 1, output: sentence })
  }
})
