// Why the database is unavailable: each cause is in the log once when it begins and once when it ends, with its code and its
// text; in a metric by code; and in /readyz with the seconds. None is logged as a fault of ours.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { temporaryDirectory } from '../support/dev.ts'
import {
  type Answer,
  assertRefused,
  createEmptyDatabase,
  type Rounds,
  runSql,
  startRounds,
} from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { newPatient } from '../support/patient.ts'
import { find, scrape } from '../support/scrape.ts'
import { PASSWORD, startGuardedPostgres, startProxy } from '../support/unavailable-database.ts'
import { until } from '../support/until.ts'

const postgres = await startGuardedPostgres()

type Line = { level: number; msg: string; code?: string; reason?: string; seconds?: number }

const linesOf = (rounds: Rounds) =>
  rounds
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
const gone = (rounds: Rounds) => linesOf(rounds).filter(({ msg }) => msg === 'the database is unavailable')
const back = (rounds: Rounds) =>
  linesOf(rounds).filter(({ msg }) => msg === 'the database is available again')
const failures = async ({ adminUrl }: Rounds, code: string) =>
  find(await scrape(adminUrl), 'rounds_database_failures_total', { code })[0]?.value ?? 0
const readiness = async ({ adminUrl }: Rounds) =>
  (await (await fetch(`${adminUrl}/readyz`)).json()) as {
    checks: { database: boolean }
    unavailable?: { database?: { seconds: number; code?: string } }
  }

/** Rounds on the guarded database, with a short deadline. */
async function startOn(url: string) {
  // Without followers, whose statements would fail at any moment.
  const MODULES = 'appointments,casesheet'
  const rounds = await startRounds({ DATABASE_URL: url, REQUEST_DEADLINE_SECONDS: '1', MODULES })
  return { rounds, ...(await newPatient(rounds)) }
}

/**
 * Waits until requests are served and no outage goes on: on a busy machine the first connection may take longer than its limit, which
 * is an outage. Returns the server as if its log began here, and a time before which none of its checks has begun to fail.
 */
async function untilServing({ rounds, add, symptom }: Awaited<ReturnType<typeof startOn>>) {
  let beganAt = 0
  await until(async () => {
    if ((await add(symptom(1))).status !== 200) return false
    beganAt = performance.now()
    return (await readiness(rounds)).unavailable === undefined
  })
  const logged = rounds.log().length
  return { serving: { ...rounds, log: () => rounds.log().slice(logged) }, beganAt }
}

type Drill = { code: string; reason: RegExp; strike: () => Promise<unknown>; heal: () => Promise<unknown> }

/** Strikes, and looks at the log, the metric, /readyz and a request; then heals, and looks again. */
async function drill(url: string, { code, reason, strike, heal }: Drill) {
  const started = await startOn(url)
  const { patientUid, add, symptom } = started
  const { serving: rounds, beganAt } = await untilServing(started)
  await strike()
  // A request of a person, while nothing has been noticed and afterwards.
  const refused = [await add(symptom(2)), await add(symptom(3))]
  for (const answer of refused) assertRefused(answer, 503, 'DatabaseUnavailable')
  await until(() => gone(rounds).some((line) => line.code === code))
  // Past the grace of readiness, which is the deadline.
  await until(async () => !(await readiness(rounds)).checks.database)
  await until(async () => ((await readiness(rounds)).unavailable?.database?.seconds ?? 0) >= 1)
  // A server that falls silent has two codes in turn.
  const latest = String((await readiness(rounds)).unavailable?.database?.code)
  assert.ok(
    gone(rounds).some((line) => line.code === latest),
    latest,
  )
  assert.ok((await failures(rounds, code)) > 0)
  await heal()
  await until(() => back(rounds).length > 0)
  const outageSeconds = (performance.now() - beganAt) / 1_000
  assertLines(rounds, { code, reason, outageSeconds })
  await until(async () => (await add(symptom(4))).status === 200)
  await until(async () => (await readiness(rounds)).unavailable === undefined)
  for (const secret of [PASSWORD, patientUid]) assert.equal(started.rounds.log().includes(secret), false)
  await rounds.stop()
  return refused
}

function assertLines(
  rounds: Rounds,
  { code, reason, outageSeconds }: { code: string; reason: RegExp; outageSeconds: number },
) {
  const [first, ...others] = gone(rounds).filter((line) => line.code === code)
  assert.deepEqual([first?.code, first?.level, others], [code, 50, []], rounds.log())
  assert.match(String(first?.reason), reason)
  const [end, ...furtherEnds] = back(rounds)
  assert.deepEqual(furtherEnds, [])
  assert.ok(Number(end?.seconds) > 0.5 && Number(end?.seconds) < outageSeconds, String(end?.seconds))
  assert.equal(rounds.log().includes('a fault of ours'), false, rounds.log())
  assert.equal(rounds.log().includes('"at":['), false)
}

const startOwnProxy = async () => startProxy(postgres.socketPath, (await postgres.createRole()).name)

const certificates = needs('openssl')

/** Paths of a key, of a certificate that is valid, and of one of the same key that has expired. */
async function makeCertificates() {
  const directory = temporaryDirectory()
  const file = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => execFileSync(programOf('openssl'), args, { stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file('key')]
  openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-out',
    file('valid'),
  )
  openssl('x509', '-in', file('valid'), '-signkey', file('key'), '-days', '-1', '-out', file('expired'))
  const [keyText, valid, expired] = await Promise.all(
    ['key', 'valid', 'expired'].map((name) => readFile(file(name), 'utf8')),
  )
  const trusted = file('trusted')
  await writeFile(trusted, `${valid}${expired}`)
  return { key: String(keyText), valid: String(valid), expired: String(expired), trusted }
}

// They mostly wait.
void describe('each cause is reported once when it begins and once when it ends:', {
  concurrency: true,
}, () => {
  test('a wrong password', async () => {
    const { url, alter } = await postgres.createRole()
    await drill(url, {
      code: '28P01',
      reason: /^password authentication failed for user "rounds_drill_\d+"$/,
      strike: alter("password 'another'"),
      heal: alter(`password '${PASSWORD}'`),
    })
  })

  test('too many connections', async () => {
    const { url, alter } = await postgres.createRole()
    await drill(url, {
      code: '53300',
      reason: /^too many connections for role/,
      strike: alter('connection limit 0'),
      heal: alter('connection limit -1'),
    })
  })

  test('a database that became read-only', async () => {
    const { url, alter } = await postgres.createRole()
    await drill(url, {
      code: '25006',
      reason: /read-only/,
      strike: alter('set default_transaction_read_only = on'),
      heal: alter('reset default_transaction_read_only'),
    })
  })

  test('a connection that is refused', async () => {
    const proxy = await startOwnProxy()
    await drill(proxy.url, {
      code: 'ECONNREFUSED',
      reason: /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
      strike: proxy.refuse,
      heal: proxy.acceptAgain,
    })
  })

  test('a server that accepts connections and never answers', async () => {
    const proxy = await startOwnProxy()
    await drill(proxy.url, {
      code: 'ConnectTimeout',
      reason: /timeout/,
      strike: async () => {
        await proxy.refuse()
        await proxy.acceptAgain()
        proxy.fallSilent()
      },
      heal: async () => proxy.speakAgain(),
    })
  })

  test('a server that falls silent: its old connections do not answer, and new ones are not made', async () => {
    const proxy = await startOwnProxy()
    await drill(proxy.url, {
      code: 'QueryTimeout',
      reason: /^Query read timeout$/,
      strike: async () => proxy.fallSilent(),
      heal: async () => proxy.speakAgain(),
    })
  })

  test('a certificate that has expired, and one that is not trusted', certificates, async () => {
    const { key, valid, expired, trusted } = await makeCertificates()
    const other = await makeCertificates()
    async function present(certificate: string, ofKey = key) {
      await postgres.sql(`alter system set ssl_key_file = '${await postgres.writeKey('key.pem', ofKey)}'`)
      await postgres.sql(
        `alter system set ssl_cert_file = '${await postgres.writeKey('cert.pem', certificate)}'`,
      )
      await postgres.sql('alter system set ssl = on')
      await postgres.sql('select pg_reload_conf()')
      await cut()
    }
    const { name, cut } = await postgres.createRole()
    await present(valid)
    const url = `postgres://${name}:${PASSWORD}@127.0.0.1:${postgres.tlsPort}/postgres?sslmode=verify-full&sslrootcert=${trusted}`
    await drill(url, {
      code: 'CERT_HAS_EXPIRED',
      reason: /^certificate has expired$/,
      strike: () => present(expired),
      heal: () => present(valid),
    })
    await drill(url, {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      reason: /^self-signed certificate\b/,
      strike: () => present(other.valid, other.key),
      heal: () => present(valid),
    })
  })
})

test('a name that cannot be resolved', async () => {
  const { rounds, add, symptom } = await startOn('postgres://rounds_drill@nowhere.invalid/postgres')
  assertRefused(await add(symptom(1)), 503, 'DatabaseUnavailable')
  await until(() => gone(rounds).length > 0)
  assert.match(String(gone(rounds)[0]?.code), /^(ENOTFOUND|EAI_AGAIN)$/)
  assert.match(String(gone(rounds)[0]?.reason), /nowhere\.invalid/)
})

test('an empty database is 503 with what to do, until it is migrated', async () => {
  const url = await createEmptyDatabase('template0')
  const { rounds, add, symptom } = await startOn(url)
  const answer = await add(symptom(1))
  assertNotMigrated(answer)
  await until(async () => (await readiness(rounds)).unavailable?.database?.code === '42P01')
  assert.equal((await readiness(rounds)).checks.database, false)
  assert.match(
    String(gone(rounds)[0]?.reason),
    /^(relation|schema) "\S+" does not exist; run "rounds migrate"$/,
  )
  await migrate(url)
  await until(() => back(rounds).length > 0)
  assert.equal((await add(symptom(1))).status, 200)
  assert.equal(rounds.log().includes('a fault of ours'), false)
})

test('a database without the last migrations names them', async () => {
  const rounds = await startRounds({ REQUEST_DEADLINE_SECONDS: '1' })
  await runSql(
    rounds.ownerUrl,
    `update rounds.migration_files
     set name = 'later'
     where name = (select max(name) from rounds.migration_files where name < 'a')`,
  )
  await until(() => gone(rounds).length > 0)
  assert.match(
    String(gone(rounds)[0]?.reason),
    /^migrations are missing: \d{4}-\S+; run "rounds migrate" with the MODULES of this server$/,
  )
  assert.equal((await readiness(rounds)).unavailable?.database?.code, 'NotMigrated')
})

function assertNotMigrated(answer: Answer) {
  assertRefused(answer, 503, 'DatabaseUnavailable')
  assert.match(answer.json.message, /"rounds migrate"/)
}

test('a missing column and a missing right, which strike some requests only', async () => {
  const rounds = await startRounds({ REQUEST_DEADLINE_SECONDS: '1' })
  const { add, get, symptom } = await newPatient(rounds)
  assert.equal((await add(symptom(1))).status, 200)
  await runSql(rounds.ownerUrl, 'alter table casesheet.readings rename column details to hidden')
  assertNotMigrated(await add(symptom(2)))
  await runSql(rounds.ownerUrl, 'alter table casesheet.readings rename column hidden to details')
  assert.match(String(gone(rounds)[0]?.reason), /^column .*details.* does not exist/)
  await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  assertRefused(await get(), 503, 'DatabaseUnavailable')
  await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
  assert.deepEqual(
    gone(rounds).map(({ code, reason }) => [code, code === '42501' && reason]),
    [
      ['42703', false],
      ['42501', 'permission denied for table access_log'],
    ],
  )
  await until(() => back(rounds).length === 1)
  assert.equal(rounds.log().includes('a fault of ours'), false)
})

test('a cause that changes has a line of its own, and one that stays has none however much fails', async () => {
  const { name, alter } = await postgres.createRole()
  const proxy = await startProxy(postgres.socketPath, name)
  const started = await startOn(proxy.url)
  const { add, symptom } = started
  const { serving: rounds } = await untilServing(started)
  const codes = () => gone(rounds).map(({ code }) => code)
  await alter("password 'another'")()
  const fail = () => Promise.all(Array.from({ length: 50 }, (_, index) => add(symptom(10 + index))))
  await fail()
  await fail()
  assert.deepEqual(codes(), ['28P01'])
  await proxy.refuse()
  await fail()
  await alter(`password '${PASSWORD}'`)()
  await proxy.acceptAgain()
  await until(() => back(rounds).length > 0)
  // An attempt that was cut on its way is a cause too.
  assert.ok(codes().includes('ECONNREFUSED'))
  assert.equal(new Set(codes()).size, codes().length, String(codes()))
})

test('connections that a restart cuts are one line, and no outage where the next ones are made', async () => {
  const { url, cut } = await postgres.createRole()
  const started = await startOn(url)
  const { add, symptom } = started
  const { serving: rounds } = await untilServing(started)
  await Promise.all(Array.from({ length: 50 }, (_, index) => add(symptom(index))))
  await cut()
  const lost = () => linesOf(rounds).filter(({ msg }) => msg === 'database connections were lost')
  await until(() => lost().length > 0)
  assert.equal((await add(symptom(100))).status, 200)
  assert.equal(lost().length, 1, rounds.log())
  assert.deepEqual(gone(rounds), [])
})
