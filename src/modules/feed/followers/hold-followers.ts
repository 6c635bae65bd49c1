// Which followers this process works for. A follower is a consumer inside Rounds with a durable position in the sequence of changes
// (casesheet.followers). Every process renews one lease each second and takes followers that no living process holds, up to its
// share: two processes hold half of them each. When a process dies, its lease ends after LEASE_SECONDS and the others take over.
//
// The lease only decides who works, and for a moment two processes may believe that they hold a follower. That nothing is applied
// twice is decided by `advance`: a position is written only by the holder, and only from the position that the holder read.
import { randomUUID } from 'node:crypto'
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Place } from '../changes/change-history.ts'

const BEAT_MS = 1_000
/** With the beat after its end, and the statements of both, another process continues within five seconds. */
const LEASE_SECONDS = 3.5
/** Without a renewal for this long, another process may hold the followers soon: what is under way for them is stopped. */
const LAPSE_MS = 3_000
const MARK_EVERY = '1 minute'
const KEEP_MARKS = '400 days'
/** A beat that takes longer is no renewal. */
const BEAT_WITHIN_MS = 2_500

/** A position is one of a generation of casesheet.feed. */
export type FollowerPosition = Place & { generation: string }

export type Holder = {
  processId: string
  /** Aborted when the followers may be held by another process; a new one holds after the next renewal. */
  lease: () => AbortSignal
  stop: () => Promise<void>
}

type Deps = {
  /** How the names of the followers begin. */
  prefix: string
  /** After a renewal, with the names of all followers that this process holds. The next call comes when this one has ended. */
  onHeld: (names: string[]) => void | Promise<void>
  /** Which of these may be given up: nothing is under way for them. */
  idleOf: (names: string[]) => string[]
  warn: (error: unknown, message: string) => void
}

type Beat = { share: number; held: string[] }

export function holdFollowers(db: Db, { prefix, onHeld, idleOf, warn }: Deps): Holder {
  const processId = randomUUID()
  let lease = new AbortController()
  let renewedAt = -Infinity
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  /** What is done after a renewal. It may take longer than a lease, which is renewed meanwhile. */
  let applying: Promise<void> | undefined
  const failing = new Set<string>()

  const run = <Row extends object>(name: string, text: string, values: unknown[]) =>
    db.query<Row>({ name, text, values }, { on: 'lease', withinMs: BEAT_WITHIN_MS })

  /** Reports the first failure of several. */
  async function attempt(work: () => Promise<void>, failure: string) {
    try {
      await work()
      failing.delete(failure)
    } catch (error) {
      if (!failing.has(failure)) warn(error, failure)
      failing.add(failure)
    }
  }

  async function beat() {
    const beganAt = performance.now()
    await attempt(() => renew(beganAt), 'the lease of followers could not be renewed')
    if (!isStopped) timer = setTimeout(begin, Math.max(0, BEAT_MS - (performance.now() - beganAt)))
  }

  function begin() {
    beating = beat()
  }

  async function renew(beganAt: number) {
    const [row] = await run<Beat>('renew-lease', RENEW_LEASE, [processId, prefix])
    if (isStopped || !row) return
    renewedAt = beganAt
    if (lease.signal.aborted) lease = new AbortController()
    applying ??= attempt(() => apply(row), 'followers could not be taken or given up').finally(() => {
      applying = undefined
    })
  }

  async function apply({ held, share }: Beat) {
    await onHeld(held)
    const surplus = held.length > share ? idleOf(held).slice(0, held.length - share) : []
    if (surplus.length === 0) return
    // First, so that nothing begins for those that another process may take from now on.
    await onHeld(held.filter((name) => !surplus.includes(name)))
    await run('give-up-followers', GIVE_UP, [processId, textArray(surplus)])
  }

  /** Looks at the clock itself, because a process that was suspended may handle answers before its timers. */
  function currentLease(): AbortSignal {
    if (performance.now() - renewedAt > LAPSE_MS) lease.abort()
    return lease.signal
  }
  const watchLapse = setInterval(currentLease, 100)
  begin()

  return {
    processId,
    lease: currentLease,
    /** Others take the followers at once. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(watchLapse)
      lease.abort()
      await beating
      await applying
      await attempt(async () => {
        await run('end-lease', END_LEASE, [processId])
      }, 'the lease of followers could not be ended: it ends by itself')
    },
  }
}

// - Leases go by the clock of the database. If that was set back, a lease may seem to end later than any lease can: it has ended.
// - Rows that another process is renewing or deleting are skipped. Where all leases have ended, because the database was away,
//   processes would wait for each other.
const RENEW_LEASE = `
  with renewed as (
    insert into casesheet.follower_processes (process_id, prefix, lease_until)
    values ($1::uuid, $2, now() + interval '${LEASE_SECONDS} seconds')
    on conflict (process_id) do update
    set lease_until = excluded.lease_until
  ), ended as (
    delete from casesheet.follower_processes
    where process_id in (
      select process_id
      from casesheet.follower_processes
      where lease_until < now() - interval '1 minute'
        and process_id <> $1
      for update skip locked
    )
  ), others as materialized (
    select process_id
    from casesheet.follower_processes
    where lease_until between now() and now() + interval '${2 * LEASE_SECONDS} seconds'
      and prefix = $2
      and process_id <> $1
  ), counted as materialized (
    select ceil(count(*) / (1 + (select count(*) from others))::numeric)::integer as share,
      count(*) filter (where held_by = $1) as held
    from casesheet.followers
    where starts_with(name, $2)
  ), free as (
    select name
    from casesheet.followers
    where starts_with(name, $2)
      and (held_by is null or held_by <> $1 and held_by not in (select process_id from others))
    order by name
    limit (select greatest(share - held, 0) from counted)
    for update skip locked
  ), taken as (
    update casesheet.followers
    set held_by = $1
    from free
    where followers.name = free.name
    returning followers.name
  ), marked as (
    insert into casesheet.feed_marks (generation, xid)
    select generation, pg_snapshot_xmin(pg_current_snapshot())
    from casesheet.feed
    where not exists (select from casesheet.feed_marks where at > now() - interval '${MARK_EVERY}')
    on conflict do nothing
    returning at
  ), trimmed as (
    delete from casesheet.feed_marks
    where at < now() - interval '${KEEP_MARKS}'
      and exists (select from marked)
  )
  select share, array(
    select name from casesheet.followers where held_by = $1 and starts_with(name, $2)
    union
    select name from taken
  ) as held
  from counted`

const GIVE_UP = `
  update casesheet.followers
  set held_by = null
  where held_by = $1::uuid
    and name = any ($2::text[])`

const END_LEASE = `
  with given_up as (
    update casesheet.followers
    set held_by = null
    where held_by = $1::uuid
  )
  delete from casesheet.follower_processes
  where process_id = $1`
