// The mechanism alone: several processes that hold followers of a sequence that many writers change, are suspended and killed, and
// lose their connections. A cluster of its own, because the transactions of other tests would hold the sequence back.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import {
  ADD_FOLLOWERS,
  type Copying,
  copyingProgram,
  createCopies,
  openDb,
  startCopying,
} from '../../../../test/support/copying-follower.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { runProgram, untilSaid } from '../../../../test/support/process.ts'
import { until } from '../../../../test/support/until.ts'
import { startThrowawayPostgres } from '../../../../tools/dev/throwaway-postgres.ts'
import { createRandom, type Random } from '../../../../tools/simulate/random.ts'
import { migrate } from '../../../db/migrate/migrate.ts'
import { createPatientDigests } from '../../casesheet/patient-digest.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { erasePatient } from '../../operators/erase-patient.ts'
import { renewFeed } from '../renew-feed.ts'
import { advance, moveIdle } from './advance.ts'
import { holdFollowers } from './hold-followers.ts'

const REPLACED_WITHIN_MS = 5_000
const SEED = Number(process.env['FOLLOWERS_SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = Number(process.env['FOLLOWERS_ROUNDS'] ?? 2)

const postgres = await startThrowawayPostgres()
after(postgres.stop)
const template = Object.assign(new URL(postgres.url), { pathname: 'rounds_template' }).href
await runSql(postgres.url, 'create database rounds_template')
await migrate(template)
Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_DATABASE_TEMPLATE: template })

type Urls = { ownerUrl: string; serveUrl: string }

/** A database with followers that nobody holds yet; the processes that a test starts there end with it. */
async function databaseWith(names: string[]) {
  const urls = await createDatabase()
  await createCopies(urls.ownerUrl, names)
  const started = new Set<Copying>()
  after(() => Promise.all([...started].map((copying) => copying.stop())))
  return {
    ...urls,
    start: (prefix?: string) => {
      const copying = startCopying(urls.serveUrl, prefix === undefined ? {} : { prefix })
      started.add(copying)
      const stop = async () => {
        if (started.delete(copying)) await copying.stop()
      }
      return { ...copying, stop }
    },
  }
}

/** Where the database says that followers are. */
async function holdersOf(ownerUrl: string): Promise<Map<string | null, number>> {
  const rows = await runSql<{ held_by: string | null; count: number }>(
    ownerUrl,
    'select held_by, count(*)::integer as count from casesheet.followers group by held_by',
  )
  return new Map(rows.map(({ held_by, count }) => [held_by, count]))
}

const addReadings = (ownerUrl: string, count: number) =>
  runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'patient-' || n % 5, now(), gen_random_uuid(), 'acme.step', 1, '{}', 'test'
     from generate_series(1, $1::integer) as n`,
    [count],
  )

/** Changes that a follower has not copied yet, and those whose last state it has otherwise. */
const LACKING = `
  with changes as (
    select changed_xid, reading_id as id, case when withdrawn_by is null then 'present' else 'withdrawn' end as state
    from casesheet.readings
    union all
    select changed_xid, erasure_id, 'erased'
    from casesheet.erasure_notices
  )
  select followers.name, changes.changed_xid::text, changes.id
  from changes
  cross join casesheet.followers
  left join public.copies on follower = name and copies.xid = changed_xid and copies.id = changes.id
  where copies.state is distinct from changes.state`

async function untilCopied(ownerUrl: string, withinMs = 30_000) {
  await until(async () => (await runSql(ownerUrl, `${LACKING} limit 1`)).length === 0, withinMs, {
    everyMs: 50,
    what: () => 'every follower has every change',
  })
}

const appliedTwice = (ownerUrl: string) =>
  runSql(ownerUrl, 'select follower, xid::text, id, applied from public.copies where applied <> 1')

async function openSession(ownerUrl: string) {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  after(() => client.end())
  return client
}

async function changeOne(client: Client, random: Random, patientUid: string) {
  if (random.chance(0.6))
    await client.query(
      `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
       values ($1, now(), $2, 'acme.step', 1, '{}', 'test')`,
      [patientUid, randomUUID()],
    )
  else
    await client.query(
      `update casesheet.readings
       set withdrawn_by = case when withdrawn_by is null then 'test' end
       where patient_uid = $1
         and reading_id = (select reading_id from casesheet.readings where patient_uid = $1 order by random() limit 1)`,
      [patientUid],
    )
}

const MOVE_TO_200 = advance({
  name: "'copy:a'",
  processId: '$1::uuid',
  from: { generation: '$2::uuid', xid: '$3::xid8', id: `'${LOWEST_ID}'` },
  to: { generation: '$2', xid: "'200'", id: `'${LOWEST_ID}'` },
  caughtUpAt: 'now()',
})
const WAITING = `
  select
  from pg_stat_activity
  where wait_event_type = 'Lock'
    and datname = current_database()`

const MARKS = 15 * ROUNDS
const MOVE_MARKS = `
  with moved as (delete from casesheet.feed_marks returning at, generation, xid)
  insert into public.marks
  select at, generation, xid
  from moved
  returning at`

type Committed = { xid: string; after: string }

/** Transactions that overlap those of other writers, until it is over: those that were committed, and a time before that. */
async function write(ownerUrl: string, random: Random, isOver: () => boolean): Promise<Committed[]> {
  const client = await openSession(ownerUrl)
  const committed: Committed[] = []
  while (!isOver()) {
    try {
      await client.query('begin')
      for (let steps = 1 + Math.floor(random.between(0, 4)); steps > 0; steps--) {
        await changeOne(client, random, random.pick(PATIENTS))
        await pause(random.between(0, 12))
      }
      const { rows } = await client.query<Committed>(
        'select pg_current_xact_id()::text as xid, clock_timestamp()::text as after',
      )
      const isCommitted = random.chance(0.9)
      await client.query(isCommitted ? 'commit' : 'rollback')
      if (isCommitted) committed.push(...rows)
    } catch {
      // A deadlock between two writers.
      await client.query('rollback')
    }
  }
  await client.end()
  return committed
}

const PATIENTS = ['patient-0', 'patient-1', 'patient-2', 'patient-3', 'patient-4'] as const
const digests = createPatientDigests(Buffer.alloc(32, 7))

async function eraseSome(ownerUrl: string, random: Random, isOver: () => boolean) {
  do {
    await pause(random.between(50, 300))
    await erasePatient({
      databaseUrl: ownerUrl,
      patientUid: random.pick(PATIENTS),
      erasedBy: 'test',
      digests,
      refuseUntil: undefined,
      announcedForDays: 30,
      isRewritten: false,
      onProgress: () => {},
      // A deadlock with a writer, or rows that a session still sees.
    }).catch(() => {})
  } while (!isOver())
}

/** What strikes holders, one after the other: each is left to pass before the next. */
const FAULTS: Record<string, (urls: Urls, random: Random) => Promise<unknown>> = {
  'connections are lost': ({ ownerUrl, serveUrl }) =>
    runSql(ownerUrl, 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      new URL(serveUrl).username,
    ]),
  'followers are taken away while pages are under way': ({ ownerUrl }) =>
    runSql(ownerUrl, 'update casesheet.followers set held_by = null'),
  'all leases end at once': ({ ownerUrl }) =>
    runSql(ownerUrl, "update casesheet.follower_processes set lease_until = now() - interval '2 minutes'"),
  'rows stay locked for longer than a statement waits': ({ ownerUrl }) =>
    runSql(
      ownerUrl,
      'with locked as materialized (select from casesheet.followers for update) select pg_sleep(0.5) from locked limit 1',
    ),
  'statements are cancelled': ({ ownerUrl, serveUrl }) =>
    runSql(ownerUrl, 'select pg_cancel_backend(pid) from pg_stat_activity where usename = $1', [
      new URL(serveUrl).username,
    ]),
}

void describe('followers', { concurrency: true }, () => {
  test(`through overlapping writers, erasures and faults, each change is applied once (seed ${SEED})`, async () => {
    const { start, ...urls } = await databaseWith(['copy:a', 'copy:b'])
    const { ownerUrl } = urls
    const processes = [start(), start(), start()]
    let isStruck = false
    const isOver = () => isStruck
    async function strike(random: Random) {
      for (let round = 0; round < ROUNDS; round++)
        for (const fault of random.shuffled(Object.values(FAULTS))) {
          await fault(urls, random)
          const before = await countCopies()
          await pause(random.between(50, 400))
          // So that each strikes while pages are under way, on a busy machine too.
          await until(async () => (await countCopies()) > before + 5)
        }
      isStruck = true
    }
    const countCopies = async () => (await runSql(ownerUrl, 'select from public.copies')).length
    /** A process leaves, and another one joins. */
    async function replace(random: Random) {
      while (!isOver()) {
        await pause(random.between(300, 900))
        await processes.shift()?.stop()
        processes.push(start())
      }
    }
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => write(ownerUrl, createRandom(SEED, n), isOver)),
      eraseSome(ownerUrl, createRandom(SEED, 100), isOver),
      strike(createRandom(SEED, 101)),
      replace(createRandom(SEED, 102)),
    ])
    await untilCopied(ownerUrl)
    assert.deepEqual(await appliedTwice(ownerUrl), [])
    const [copied] = await runSql<{ copies: number; processes: number; erased: number }>(
      ownerUrl,
      `select count(*)::integer as copies, count(distinct by)::integer as processes,
         (count(*) filter (where state = 'erased'))::integer as erased
       from public.copies`,
    )
    assert.ok(
      copied && copied.copies > 100 && copied.processes > 3 && copied.erased > 0,
      JSON.stringify(copied),
    )
    // Each was shown in order, so the position is the last one.
    const behind = await runSql(
      ownerUrl,
      'select name from casesheet.followers where (xid, id) <> (select xid, id from public.copies where follower = name order by xid desc, id desc limit 1)',
    )
    assert.deepEqual(behind, [])
  })

  test('a process that is killed is replaced within 5 s, and its share goes to the others', async (t) => {
    const { ownerUrl, serveUrl, start } = await databaseWith(['copy:a', 'copy:b'])
    const child = runProgram(process.execPath, ['--input-type=module', '-e', copyingProgram(serveUrl)], {
      ...testServer(),
    })
    await untilSaid(child, /^process /)
    await until(async () => (await holdersOf(ownerUrl)).get(null) === undefined)
    const survivor = start()
    await until(() => survivor.held().length === 1)
    /** The time from an add to its copies. */
    async function copy() {
      const began = performance.now()
      await addReadings(ownerUrl, 20)
      await untilCopied(ownerUrl)
      return performance.now() - began
    }
    const withBothMs = await copy()
    // At its worst: just after a renewal.
    const renewed = () =>
      runSql<{ at: string }>(
        ownerUrl,
        'select max(lease_until)::text as at from casesheet.follower_processes where process_id <> $1',
        [survivor.processId],
      )
    const [last] = await renewed()
    await until(async () => (await renewed())[0]?.at !== last?.at, 5_000, { everyMs: 2 })
    child.child.kill('SIGKILL')
    const tookMs = await copy()
    t.diagnostic(`replaced after ${tookMs.toFixed()} ms`)
    // A busy machine takes its time for statements in any case.
    const withinMs = REPLACED_WITHIN_MS + 5 * Math.max(0, withBothMs - 150)
    assert.ok(tookMs > 2_000 && tookMs < withinMs, `${tookMs} ms, and ${withBothMs} before`)
    assert.equal(survivor.held().length, 2)
    assert.deepEqual(await appliedTwice(ownerUrl), [])
  })

  test('a process that was suspended for longer than its lease writes nothing with it', async () => {
    const { ownerUrl, serveUrl, start } = await databaseWith(['copy:a'])
    const child = runProgram(process.execPath, ['--input-type=module', '-e', copyingProgram(serveUrl)], {
      ...testServer(),
    })
    const [, suspended] = await untilSaid(child, /^process (\S+)\./)
    await until(async () => (await holdersOf(ownerUrl)).get(suspended ?? '') === 1)
    const successor = start()
    // Its last statement may be with the server, and is applied there; none is sent afterwards.
    child.child.kill('SIGSTOP')
    await addReadings(ownerUrl, 20)
    await until(() => successor.held().length === 1)
    await untilCopied(ownerUrl)
    child.child.kill('SIGCONT')
    const writing = Array.from({ length: 15 }, async (_, n) => {
      await pause(n * 100)
      await addReadings(ownerUrl, 10)
    })
    await Promise.all(writing)
    await untilCopied(ownerUrl)
    const taken = await runSql(ownerUrl, 'select min(at) as at from public.copies where by = $1', [
      successor.processId,
    ])
    const late = await runSql(ownerUrl, 'select id from public.copies where by = $1 and at > $2', [
      suspended,
      taken[0]?.['at'],
    ])
    assert.deepEqual([late, await appliedTwice(ownerUrl)], [[], []])
    const renewed = 'select from casesheet.follower_processes where process_id = $1 and lease_until > now()'
    await until(async () => (await runSql(ownerUrl, renewed, [suspended])).length > 0, undefined, {
      what: () => 'it is back',
    })
    assert.equal((await holdersOf(ownerUrl)).get(successor.processId), 1)
  })

  test('processes have equal shares, give some up when another joins, and hand over at once when they stop', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `copy:${n}`)
    const { ownerUrl, start } = await databaseWith([...names, 'other:1', 'other:2'])
    const first = start()
    await until(() => first.held().length === 8)
    const others = [start('other:'), start('other:')]
    await until(() => others.every(({ held }) => held().length === 1))
    const second = start()
    await until(() => first.held().length === 4 && second.held().length === 4)
    const third = start()
    const three = [first, second, third]
    await until(() => three.every(({ held }) => held().length >= 2 && held().length <= 3))
    // As the processes see it, so the database does.
    const holders = await holdersOf(ownerUrl)
    assert.deepEqual(
      three.map(({ processId }) => holders.get(processId) ?? 0).toSorted((a, b) => a - b),
      [2, 3, 3],
    )
    assert.deepEqual(new Set(three.flatMap(({ held }) => held())), new Set(names))
    await Promise.all([second.stop(), third.stop()])
    const renewals = first.renewals()
    await until(() => first.held().length === 8)
    // The next renewal, or the one after if that had begun: a lease would last for three.
    assert.ok(first.renewals() - renewals <= 2, `${first.renewals() - renewals} renewals`)
    assert.deepEqual(
      others.map(({ held }) => held().length),
      [1, 1],
      'those of another name are not concerned',
    )
    for (const { warnings, lapses } of [first, ...others]) assert.deepEqual([warnings, lapses()], [[], 0])
    assert.deepEqual(await appliedTwice(ownerUrl), [])
  })

  test('a follower whose statement fails each time does not disturb another one', async () => {
    const { ownerUrl, start } = await databaseWith(['copy:a', 'copy:b'])
    await runSql(ownerUrl, "alter table public.copies add constraint fails check (follower <> 'copy:a')")
    const copying = start()
    await addReadings(ownerUrl, 30)
    const copiesOf = async (follower: string) =>
      (await runSql(ownerUrl, 'select from public.copies where follower = $1', [follower])).length
    await until(async () => (await copiesOf('copy:b')) === 30)
    assert.equal(await copiesOf('copy:a'), 0)
    assert.ok(copying.warnings.length > 0)
    await runSql(ownerUrl, 'alter table public.copies drop constraint fails')
    await untilCopied(ownerUrl)
    assert.deepEqual([await appliedTwice(ownerUrl), copying.lapses()], [[], 0])
  })

  test('leases go by the clock of the database, also when it was set back', async () => {
    const { ownerUrl, start } = await databaseWith(['copy:a'])
    const dead = randomUUID()
    await runSql(
      ownerUrl,
      "insert into casesheet.follower_processes values ($1, 'copy:', now() + interval '1 hour')",
      [dead],
    )
    await runSql(ownerUrl, 'update casesheet.followers set held_by = $1', [dead])
    const copying = start()
    await until(() => copying.held().length === 1)
    assert.ok(copying.renewals() <= 5, `${copying.renewals()} renewals`)
  })

  test('a position is written once, by the holder, from the position that the holder read', async () => {
    const { ownerUrl } = await databaseWith(['copy:a'])
    const [holder, other] = [randomUUID(), randomUUID()]
    await runSql(ownerUrl, "update casesheet.followers set held_by = $1, xid = '100'", [holder])
    const [feed] = await runSql<{ generation: string }>(ownerUrl, 'select generation from casesheet.feed')
    const [first, second] = [await openSession(ownerUrl), await openSession(ownerUrl)]
    /** Whether it was written. */
    async function move(client: Client, by: string, { from = '100', generation = feed?.generation } = {}) {
      const { rows } = await client.query(MOVE_TO_200, [by, generation, from])
      return rows.length === 1
    }
    assert.equal(await move(first, other), false, 'by another process')
    assert.equal(await move(first, holder, { from: '99' }), false, 'from another position')
    assert.equal(await move(first, holder, { generation: randomUUID() }), false, 'of another generation')
    // As when an answer was lost and the statement is sent again while it still runs.
    await first.query('begin')
    assert.equal(await move(first, holder), true)
    const again = move(second, holder)
    const isWaiting = async () => (await runSql(ownerUrl, WAITING)).length > 0
    await until(isWaiting)
    await first.query('commit')
    assert.equal(await again, false, 'twice')
    await Promise.all([first.end(), second.end()])
  })

  test('only its holder moves a follower, and only from where the holder saw it', async () => {
    const names = ['idle', 'set back', 'taken', 'of an ended generation', 'ahead']
    const { ownerUrl, serveUrl } = await databaseWith(names)
    const processId = randomUUID()
    const seen = { xid: '100', id: LOWEST_ID }
    await runSql(
      ownerUrl,
      `update casesheet.followers set held_by = $1, xid = '100', caught_up_at = '-infinity'`,
      [processId],
    )
    await runSql(ownerUrl, `update casesheet.followers set xid = '300' where name = 'ahead'`)
    const [feed] = await runSql<{ generation: string }>(ownerUrl, 'select generation from casesheet.feed')
    const generation = String(feed?.generation)
    await runSql(
      ownerUrl,
      `update casesheet.followers
       set xid = case when name = 'set back' then '50' else xid end,
         held_by = case when name = 'taken' then gen_random_uuid() else held_by end,
         generation = case when name = 'of an ended generation' then gen_random_uuid() else generation end`,
    )
    const db = openDb(serveUrl)
    after(db.end)
    const idle = names.map((name) => ({
      name,
      position: { generation, ...seen, ...(name === 'ahead' && { xid: '300' }) },
    }))
    const to = { generation, timeline: 1, xid: '200', id: LOWEST_ID }
    // What was seen on another timeline may not be there on this one.
    assert.deepEqual(await moveIdle(db, idle, { processId, to: { ...to, timeline: 2 } }), [])
    const moved = await moveIdle(db, idle, { processId, to })
    assert.deepEqual(moved.toSorted(), ['ahead', 'idle'])
    const rows = await runSql<{ name: string; xid: string; isCaughtUp: boolean }>(
      ownerUrl,
      `select name, xid::text, caught_up_at > '-infinity' as "isCaughtUp" from casesheet.followers order by name`,
    )
    assert.deepEqual(
      rows.map(({ name, xid, isCaughtUp }) => [name, xid, isCaughtUp]),
      [
        ['ahead', '300', true],
        ['idle', '200', true],
        ['of an ended generation', '100', false],
        ['set back', '50', false],
        ['taken', '100', false],
      ],
    )
  })

  test(`going back to the mark before a time gives every change committed after it (seed ${SEED})`, async () => {
    const { ownerUrl, start } = await databaseWith([])
    await runSql(ownerUrl, 'create table public.marks (at timestamptz, generation uuid, xid xid8)')
    // Their beats are as far apart.
    for (let n = 0; n < 5; n++) {
      start('none:')
      await pause(200)
    }
    let marks = 0
    const isOver = () => marks >= MARKS
    /** A mark is due only each minute: as often as there is none. */
    async function collectMarks() {
      while (!isOver()) {
        marks += (await runSql(ownerUrl, MOVE_MARKS)).length
        await pause(20)
      }
    }
    const [, ...writers] = await Promise.all([
      collectMarks(),
      ...Array.from({ length: 6 }, (_, n) => write(ownerUrl, createRandom(SEED, 200 + n), isOver)),
    ])
    const committed = writers.flat()
    await runSql(
      ownerUrl,
      'create table public.committed as select * from json_to_recordset($1) as each (xid text, after timestamptz)',
      [JSON.stringify(committed)],
    )
    const [found] = await runSql<{ marks: number; missed: number; left: number }>(
      ownerUrl,
      `select count(distinct at)::integer as marks,
         (count(*) filter (where committed.xid::xid8 < marks.xid and after > at))::integer as missed,
         (count(*) filter (where committed.xid::xid8 < marks.xid))::integer as left
       from public.marks, public.committed`,
    )
    assert.equal(found?.missed, 0)
    assert.ok(found.marks >= MARKS && found.left > committed.length, JSON.stringify(found))
  })

  test('after a new generation followers keep the one that their position is of', async () => {
    const { ownerUrl, start } = await databaseWith(['copy:a'])
    const copying = start()
    await addReadings(ownerUrl, 3)
    await untilCopied(ownerUrl)
    const placeOf = (name: string) =>
      runSql(ownerUrl, 'select generation, xid::text, id from casesheet.followers where name = $1', [name])
    const was = await placeOf('copy:a')
    assert.equal(await renewFeed({ databaseUrl: ownerUrl, isRestored: true }), true)
    await addReadings(ownerUrl, 1)
    const [feed] = await runSql(ownerUrl, 'select generation from casesheet.feed')
    assert.notEqual(was[0]?.['generation'], feed?.['generation'])
    // The same process copies the whole of the new generation for a follower that begins there.
    await runSql(ownerUrl, ADD_FOLLOWERS, [['copy:b']])
    const copiesOfB = () => runSql(ownerUrl, "select from public.copies where follower = 'copy:b'")
    await until(async () => (await copiesOfB()).length === 4)
    assert.deepEqual([await placeOf('copy:a'), copying.held().toSorted()], [was, ['copy:a', 'copy:b']])
  })
})

// Behind the others: a transaction that holds a lock for long holds the sequence of the whole cluster back.
void describe('followers, beside locks that are held for long', { concurrency: true }, () => {
  test('a lease is renewed while statements and work of followers are slow, and while rows of ended leases are locked', async () => {
    const { ownerUrl, serveUrl, start } = await databaseWith(['copy:a'])
    await runSql(
      ownerUrl,
      "insert into casesheet.follower_processes values ($1, 'copy:', now() - interval '1 hour')",
      [randomUUID()],
    )
    const locking = await openSession(ownerUrl)
    await locking.query('begin; select from casesheet.follower_processes for update')
    const copying = start()
    await until(() => copying.held().length === 1)
    let lapses = 0
    const db = openDb(serveUrl)
    const slowWork = Promise.withResolvers<void>()
    const holder = holdFollowers(db, {
      prefix: 'none:',
      onHeld: () => slowWork.promise,
      idleOf: (names) => names,
      warn: assert.fail,
    })
    after(async () => {
      slowWork.resolve()
      await holder.stop()
      await db.end()
    })
    await until(
      async () =>
        (
          await runSql(ownerUrl, 'select from casesheet.follower_processes where process_id = $1', [
            holder.processId,
          ])
        ).length === 1,
    )
    await until(() => !holder.lease().aborted)
    holder.lease().addEventListener('abort', () => lapses++)
    const slow = Array.from({ length: 20 }, () =>
      copying.db.query(
        { name: '', text: 'select pg_sleep(5)', values: [] },
        { on: 'follow', withinMs: 4_000 },
      ),
    )
    for (const { status } of await Promise.allSettled(slow)) assert.equal(status, 'rejected')
    assert.deepEqual([copying.lapses(), copying.warnings, lapses], [0, [], 0])
    slowWork.resolve()
    await locking.end()
    await until(
      async () =>
        (await runSql(ownerUrl, 'select from casesheet.follower_processes where lease_until < now()'))
          .length === 0,
    )
  })

  test('a process that stops while it renews its lease does not work again', async () => {
    const { ownerUrl, start } = await databaseWith(['copy:a'])
    const copying = start()
    await until(() => copying.held().length === 1)
    await addReadings(ownerUrl, 1)
    await untilCopied(ownerUrl)
    const locking = await openSession(ownerUrl)
    await locking.query('begin; lock table casesheet.follower_processes')
    const isWaiting = async () => (await runSql(ownerUrl, WAITING)).length > 0
    await until(isWaiting)
    const stopped = copying.stop()
    await locking.end()
    await stopped
    assert.equal(copying.lease().aborted, true)
    assert.deepEqual([...(await holdersOf(ownerUrl))], [[null, 1]])
    assert.deepEqual(await runSql(ownerUrl, 'select from casesheet.follower_processes'), [])
  })
})

const testServer = () => ({ TEST_DATABASE_URL: postgres.url })
