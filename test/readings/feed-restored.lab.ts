// What happens to cursors of readings/changes when the tables are copied into another cluster or database, and when a cluster is set
// back to an earlier state: a consumer is refused and begins again; it is never silently wrong.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findPostgres } from '../../tools/dev/find-postgres.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runExamples } from '../support/document-examples.ts'
import { openStream } from '../support/event-stream.ts'
import { give, grantsOf, revoke } from '../support/grants-by-hand.ts'
import { assertRefused, onServer, type Rounds, runSql, startRounds } from '../support/harness.ts'
import { skipUnless } from '../support/needs.ts'
import { newPatient } from '../support/patient.ts'
import { BY, runPatientCommand } from '../support/patient-with-history.ts'
import { runCommand } from '../support/process.ts'
import { review, reviewsOf } from '../support/reviews-by-hand.ts'
import { alertsOf, storeAlert, storeRule } from '../support/stored-alerts.ts'
import { set, targetsOf } from '../support/targets-by-hand.ts'
import { until } from '../support/until.ts'

const { binDir } = await findPostgres()
const needsPgDump = skipUnless(existsSync(join(binDir, 'pg_dump')), 'pg_dump is not installed')

type Item = { state: string; patientUid?: string; reading?: { patientUid: string; timestamp: number } }

/** Without the followers, which write all the time: the ids of a cluster that was set back would soon be those of before. */
async function startOn(url: string, settings: Record<string, string> = {}): Promise<Rounds> {
  return onServer(url, () => startRounds({ MODULES: 'casesheet', ...settings }))
}

/** The pages from a cursor to the end, and where that is. An autovacuum may hold changes back, so their count is waited for. */
async function follow(rounds: Rounds, from?: string, count = 0) {
  let cursor = from
  const giveUpAt = Date.now() + 60_000
  const token = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
  const items: Item[] = []
  for (;;) {
    const query = cursor === undefined ? '' : `?cursor=${cursor}`
    const answer = await rounds.call(`/casesheet/readings/changes${query}`, { token })
    if (answer.status !== 200) return { answer, items, cursor: '' }
    items.push(...(answer.json.data as Item[]))
    cursor = answer.json.nextCursor ?? ''
    if (answer.json.data.length > 0) continue
    if (items.length >= count || Date.now() > giveUpAt) return { answer, items, cursor }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

const migrate = (databaseUrl: string, ...args: string[]) =>
  runCommand(['migrate', ...args], { DATABASE_URL: databaseUrl }).ended

test('a copy into another cluster begins a new generation: old cursors expire, and nothing is missing', {
  timeout: 120_000,
  ...needsPgDump,
}, async () => {
  const [source, target] = [await startThrowawayPostgres(), await startThrowawayPostgres()]
  const rounds = await startOn(source.url)
  after(async () => {
    await Promise.all([rounds.stop(), copied.stop()])
    await Promise.all([source.stop(), target.stop()])
  })
  const patient = await newPatient(rounds)
  await patient.addAt([1, 2, 3])
  // Ids that the other cluster is far from: their readings would not be shown there for a long time.
  await runSql(
    rounds.ownerUrl,
    'do $$ begin for n in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$',
  )
  const erased = await newPatient(rounds)
  await erased.addAt([1])
  const erasure = await runPatientCommand(['erase', erased.patientUid, ...BY, '--yes'], rounds.ownerUrl)
  assert.equal(erasure.code, 0, erasure.output)
  await erased.addAt([7])
  await patient.addAt([4, 5])
  await give(rounds.ownerUrl, { patientUid: patient.patientUid, doctorId: 'doctor-1' })
  await revoke(rounds.ownerUrl, { patientUid: patient.patientUid, doctorId: 'doctor-1' })
  await set(rounds.ownerUrl, { patientUid: patient.patientUid, readingType: 'oxygenSaturation', low: 92 })
  await review(rounds.ownerUrl, { patientUid: patient.patientUid, note: 'Seen' })
  await storeAlert(rounds.ownerUrl, await storeRule(rounds.ownerUrl, patient.patientUid))
  const before = await follow(rounds, undefined, 7)
  assert.equal(before.items.length, 7)
  const copy = Object.assign(new URL(target.url), { pathname: 'postgres' }).href
  await runSql(copy, 'create role rounds_server')
  const serveUrl = await restoreInto(copy, dumpOf(rounds))
  const copied = await startOn(target.url, { DATABASE_URL: serveUrl })
  assert.equal((await follow(copied)).answer.status, 500, 'nothing is served from ids of another cluster')
  // Until the migration, the erasure has an id of the other cluster, and what is added one of this cluster.
  const late = { patientUid: erased.patientUid, readingType: 'acme.step', timestamp: 8 }
  const token = await copied.token({ patientUid: erased.patientUid })
  assert.equal((await copied.call('/casesheet/readings/add', { token, body: late })).status, 200)
  const migrated = await migrate(copy)
  assert.equal(migrated.code, 0, migrated.output)
  assert.match(migrated.output, /cursors of readings\/changes have expired/)
  assert.doesNotMatch((await migrate(copy)).output, /expired/, 'only once')
  assertRefused((await follow(copied, before.cursor)).answer, 410, 'CursorExpired')
  const again = await follow(copied, undefined, 8)
  const sorted = (items: Item[]) => items.map((item) => JSON.stringify(item)).toSorted()
  const isLate = ({ reading }: Item) => reading?.timestamp === late.timestamp
  assert.deepEqual(sorted(again.items.filter((item) => !isLate(item))), sorted(before.items))
  const ofErased = again.items.filter((item) => (item.reading ?? item).patientUid === erased.patientUid)
  assert.deepEqual(
    ofErased.map(({ state }) => state),
    ['erased', 'present', 'present'],
    'readings that came after the erasure stay behind it',
  )
  const ahead = await runSql<{ count: number }>(
    copy,
    `select count(*)::integer as count
     from (
       select changed_xid from casesheet.readings union all select changed_xid from casesheet.grants
       union all select changed_xid from casesheet.targets union all select changed_xid from casesheet.looks
       union all select changed_xid from casesheet.rules union all select changed_xid from casesheet.alerts
     ) as changes
     where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`,
  )
  assert.equal(ahead[0]?.count, 0)
  const grants = await grantsOf(copy, patient.patientUid)
  assert.equal(grants.length, 3)
  assert.deepEqual(grants, await grantsOf(rounds.ownerUrl, patient.patientUid), 'no grant was changed by it')
  const targets = await targetsOf(copy, patient.patientUid)
  assert.equal(targets.length, 2)
  assert.deepEqual(targets, await targetsOf(rounds.ownerUrl, patient.patientUid), 'nor a target')
  const reviews = await reviewsOf(copy, patient.patientUid)
  assert.equal(reviews.length, 1)
  assert.deepEqual(reviews, await reviewsOf(rounds.ownerUrl, patient.patientUid), 'nor a review')
  const alerts = await alertsOf(copy, patient.patientUid)
  assert.equal(alerts.length, 4)
  assert.deepEqual(alerts, await alertsOf(rounds.ownerUrl, patient.patientUid), 'nor a rule or an alert')
  assert.equal((await follow(rounds, before.cursor)).answer.status, 200, 'the source is as it was')
})

test('a copy within the cluster begins a new generation, because it lacks what came after it', {
  timeout: 120_000,
  ...needsPgDump,
}, async () => {
  const cluster = await startThrowawayPostgres()
  const rounds = await startOn(cluster.url)
  let copied: Rounds | undefined
  after(async () => {
    await Promise.all([rounds.stop(), copied?.stop()])
    await cluster.stop()
  })
  const patient = await newPatient(rounds)
  await patient.addAt([1, 2])
  const early = await follow(rounds, undefined, 2)
  const dump = dumpOf(rounds)
  await patient.addAt([3])
  const late = await follow(rounds, early.cursor, 1)
  assert.equal(late.items.length, 1)
  await runSql(rounds.ownerUrl, 'create database restored')
  const copy = Object.assign(new URL(rounds.ownerUrl), { pathname: 'restored' }).href
  copied = await startOn(cluster.url, { DATABASE_URL: await restoreInto(copy, dump) })
  assert.equal((await follow(copied)).answer.status, 500, 'nothing is served before the migration')
  assert.match((await migrate(copy)).output, /cursors of readings\/changes have expired/)
  assert.equal((await follow(copied, undefined, 2)).items.length, 2)
  for (const cursor of [early.cursor, late.cursor])
    assertRefused((await follow(copied, cursor)).answer, 410, 'CursorExpired')
  assert.equal((await follow(rounds, late.cursor)).answer.status, 200, 'the source is as it was')

  // A template gives its tables' oids to the copy too.
  await copied.stop()
  await runSql(rounds.ownerUrl, 'create database from_template template restored')
  const ofTemplate = Object.assign(new URL(copy), { pathname: 'from_template' }).href
  assert.match((await migrate(ofTemplate)).output, /cursors of readings\/changes have expired/)
})

function dumpOf(rounds: Rounds): Buffer {
  return execFileSync(join(binDir, 'pg_dump'), [rounds.ownerUrl], { maxBuffer: 1e9 })
}

/** Returns an address under which it can be served. */
async function restoreInto(databaseUrl: string, dump: Buffer): Promise<string> {
  execFileSync(join(binDir, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', databaseUrl], {
    input: dump,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  await runSql(databaseUrl, 'create role rounds_copy_api login in role rounds_server')
  return Object.assign(new URL(databaseUrl), { username: 'rounds_copy_api' }).href
}

/** A cluster that can be stopped, set back and started again. */
async function startCluster() {
  const dir = temporaryDirectory()
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:', dir])
  const environment = { PATH: `${binDir}:${process.env['PATH']}`, PGDATA: join(dir, 'data') }
  const run = (...scripts: string[]) => runExamples(scripts, { environment, as: 'postgres', cwd: dir })
  await run('initdb -U postgres --auth-local=trust --locale=C.UTF-8 -E UTF8 > /dev/null')
  appendFileSync(
    join(environment.PGDATA, 'postgresql.conf'),
    `\nunix_socket_directories = '${dir}'\nlisten_addresses = ''\nfsync = off\n`,
  )
  const start = 'pg_ctl start -w -l log > /dev/null'
  const stop = 'pg_ctl stop -w -m fast > /dev/null'
  await run(start)
  return {
    url: `postgres://postgres@${encodeURIComponent(dir)}/postgres`,
    copy: () => run(stop, 'cp -a data copy; rm -f copy/postmaster.pid', start),
    stop: () => run('pg_ctl stop -w -m immediate > /dev/null || true'),
    setBack: () => run(stop, 'rm -rf data && mv copy data', start),
  }
}

test('cursors from after the copy of a cluster that was set back are refused, earlier ones go on, and streams are reset', {
  timeout: 120_000,
}, async () => {
  const cluster = await startCluster()
  const rounds = await startOn(cluster.url)
  try {
    await useSetBack(rounds, cluster)
  } finally {
    await rounds.stop()
    await cluster.stop()
  }
})

async function useSetBack(rounds: Rounds, cluster: Awaited<ReturnType<typeof startCluster>>) {
  const { addAt, token } = await newPatient(rounds)
  await addAt([1, 2])
  const early = await follow(rounds, undefined, 2)
  assert.equal(early.items.length, 2)
  await cluster.copy()
  const { socket, text } = await openStream(rounds.url, token)
  await addAt([3, 4])
  const late = await follow(rounds, early.cursor, 2)
  assert.equal(late.items.length, 2)
  await until(() => text().split('event: change').length === 3)
  await cluster.setBack()
  await until(() => text().includes('event: reset'))
  assertRefused((await follow(rounds, late.cursor)).answer, 410, 'CursorExpired')
  await addAt([5])
  await until(() => /event: reset[^]*"timestamp":5,/.test(text()))
  socket.destroy()
  assertRefused((await follow(rounds, late.cursor)).answer, 410, 'CursorExpired')
  const resumed = await follow(rounds, early.cursor, 1)
  assert.deepEqual(
    resumed.items.map(({ reading }) => reading?.timestamp),
    [5],
  )
  // Such a copy has no timeline of its own. Once deliveries have passed the place of the lost ones, only a new generation tells.
  const migrated = await migrate(rounds.ownerUrl, '--restored')
  assert.equal(migrated.code, 0, migrated.output)
  assert.match(migrated.output, /cursors of readings\/changes have expired/)
  for (const cursor of [early.cursor, late.cursor, resumed.cursor])
    assertRefused((await follow(rounds, cursor)).answer, 410, 'CursorExpired')
  assert.equal((await follow(rounds, undefined, 3)).items.length, 3)
}
