// Which followers this process works for. A follower is a consumer inside Rounds with a durable position in the sequence of changes
// (casesheet.followers). Every process renews one lease each second and takes followers that no living process holds, up to its
// share: two processes hold half of them each. When a process dies, its lease ends after LEASE_SECONDS and the others take over.
//
// The lease only decides who works. That nothing is applied twice is decided by `ADVANCE`: a position is written only by the holder,
// and only from the position that the holder read.
import { randomUUID } from 'node:crypto'
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Place } from '../changes/change-history.ts'

const BEAT_MS = 1_000
const LEASE_SECONDS = 4
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
  /** After each renewal, with the names of all followers that this process holds. */
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
  let hasFailed = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()

  const run = <Row extends object>(name: string, text: string, values: unknown[]) =>
    db.query<Row>({ name, text, values }, { on: 'follow', withinMs: BEAT_WITHIN_MS })

  async function beat() {
    const beganAt = performance.now()
    try {
      const [row] = await run<Beat>('renew-lease', RENEW_LEASE, [processId, prefix])
      renewedAt = beganAt
      if (lease.signal.aborted) lease = new AbortController()
      await onHeld(row?.held ?? [])
      if (row && row.held.length > row.share) await giveUp(row)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) warn(error, 'the lease of followers could not be renewed')
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(begin, Math.max(0, BEAT_MS - (performance.now() - beganAt)))
  }

  function begin() {
    beating = beat()
  }

  async function giveUp({ held, share }: Beat) {
    const surplus = idleOf(held).slice(0, held.length - share)
    if (surplus.length === 0) return
    await run('give-up-followers', GIVE_UP, [processId, textArray(surplus)])
    const rest = held.filter((name) => !surplus.includes(name))
    await onHeld(rest)
  }

  const watchLapse = setInterval(() => {
    if (performance.now() - renewedAt > LAPSE_MS) lease.abort()
  }, 100)
  begin()

  return {
    processId,
    lease: () => lease.signal,
    /** Others take the followers at once. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(watchLapse)
      lease.abort()
      await beating
      try {
        await run('end-lease', END_LEASE, [processId])
      } catch (error) {
        warn(error, 'the lease of followers could not be ended: it ends by itself')
      }
    },
  }
}

const RENEW_LEASE = `
  with renewed as (
    insert into casesheet.follower_processes (process_id, lease_until)
    values ($1::uuid, now() + interval '${LEASE_SECONDS} seconds')
    on conflict (process_id) do update
    set lease_until = excluded.lease_until
  ), ended as (
    delete from casesheet.follower_processes
    where lease_until < now() - interval '1 minute'
      and process_id <> $1
  ), others as materialized (
    select process_id
    from casesheet.follower_processes
    where lease_until > now()
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
