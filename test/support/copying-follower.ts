// A follower whose effect is in the database: it copies every change into a table, in the statement that moves its position. Each
// copy says how often it was applied, and by which process.
import { setTimeout as pause } from 'node:timers/promises'
import { connectDb, type Db } from '../../src/db/db.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { LOWEST_ID } from '../../src/modules/casesheet/reading-id.ts'
import { pageOfChanges } from '../../src/modules/feed/changes/page-of-changes.ts'
import { advance } from '../../src/modules/feed/followers/advance.ts'
import { holdFollowers } from '../../src/modules/feed/followers/hold-followers.ts'
import { runSql } from './harness.ts'

const POLL_MS = 20

/** The table, and these followers alone, at the beginning of the sequence. */
export async function createCopies(ownerUrl: string, names: string[]) {
  await runSql(
    ownerUrl,
    `create table public.copies (
       follower text, xid xid8, id uuid, patient_uid text, state text, by uuid,
       at timestamptz default clock_timestamp(), applied integer default 1, primary key (follower, xid, id)
     );
     grant select, insert, update on public.copies to rounds_server;
     delete from casesheet.followers`,
  )
  await runSql(ownerUrl, ADD_FOLLOWERS, [names])
}

/** At the beginning of the present generation. */
export const ADD_FOLLOWERS = `
  insert into casesheet.followers (name, generation, xid, id)
  select name, generation, '0', '${LOWEST_ID}'
  from unnest($1::text[]) as name, casesheet.feed`

export function openDb(url: string): Db {
  return connectDb({
    url,
    poolSize: 4,
    hasFollowers: true,
    maxWaiting: 100,
    maxWhenBusy: 100,
    deadlineMs: 10_000,
    warn: () => {},
    metrics: createMetrics(),
  })
}

export type Copying = ReturnType<typeof startCopying>

/** One process's part of it, until it is stopped. `pageSize` is small, so that there are many pages. */
export function startCopying(url: string, { prefix = 'copy:', pageSize = 7 } = {}) {
  const db = openDb(url)
  const warnings: unknown[] = []
  const working = new Map<string, Promise<void>>()
  const busy = new Set<string>()
  let held: string[] = []
  let lapses = 0
  let renewals = 0

  async function work(name: string) {
    while (held.includes(name) && !holder.lease().aborted) {
      busy.add(name)
      const [row] = await db
        .query<{ copied: number }>(
          { name: 'copy', text: COPY, values: [name, holder.processId, pageSize] },
          { on: 'follow' },
        )
        .catch((error: unknown) => {
          warnings.push(error)
          return []
        })
      busy.delete(name)
      if (!row?.copied) await pause(POLL_MS)
    }
  }

  const holder = holdFollowers(db, {
    prefix,
    onHeld(names) {
      renewals++
      held = names
      for (const name of names) {
        if (working.has(name)) continue
        holder.lease().addEventListener('abort', () => lapses++, { once: true })
        working.set(
          name,
          work(name).finally(() => working.delete(name)),
        )
      }
    },
    idleOf: (names) => names.filter((name) => !busy.has(name)),
    warn: (error) => warnings.push(error),
  })

  async function end() {
    await Promise.all(working.values())
    await db.end()
  }
  return {
    ...holder,
    db,
    warnings,
    held: () => held,
    lapses: () => lapses,
    /** How often the lease was renewed, and what to hold was decided anew: about once in a second. */
    renewals: () => renewals,
    async stop() {
      await holder.stop()
      await end()
    },
  }
}

/** What a process of its own runs, whose clock is wrong by a day. */
export const copyingProgram = (url: string) => `
  import { startCopying } from '${import.meta.filename}'
  const rightNow = Date.now
  Date.now = () => rightNow() - 86_400_000
  console.log('process ' + startCopying('${url}').processId + '.')`

const COPY = `
  with place as materialized (
    select followers.generation, xid, id, pg_snapshot_xmin(pg_current_snapshot()) as horizon
    from casesheet.followers
    join casesheet.feed on feed.generation = followers.generation
    where name = $1
      and held_by = $2::uuid
  ), ${pageOfChanges({
    sources: [
      {
        table: 'casesheet.readings',
        id: 'reading_id',
        columns: `patient_uid, case when withdrawn_by is null then 'present' else 'withdrawn' end as item`,
      },
      { table: 'casesheet.erasure_notices', id: 'erasure_id', columns: `patient_uid, 'erased'` },
    ],
    names: 'patient_uid',
    upTo: () => 'changed_xid < (select horizon from place)',
    if: 'true',
    limit: '$3::integer',
    partBytes: 512,
    maxParts: 2_048,
  })}, page as materialized (
    select changed_xid, id, patient_uid, item, nth
    from whole
    where nth <= $3
  ), last as materialized (
    select changed_xid as xid, id
    from page
    order by nth desc
    limit 1
  ), advanced as (${advance({
    name: '$1',
    processId: '$2',
    from: {
      generation: '(select generation from place)',
      xid: '(select xid from place)',
      id: '(select id from place)',
    },
    to: {
      generation: '(select generation from place)',
      xid: 'coalesce((select xid from last), xid)',
      id: 'coalesce((select id from last), id)',
    },
    caughtUpAt: 'case when (select count(*) from whole) <= $3 then now() end',
  })}
  ), copied as (
    insert into public.copies (follower, xid, id, patient_uid, state, by)
    select $1, changed_xid, id, patient_uid, item, $2
    from page
    where exists (select from advanced)
    on conflict (follower, xid, id) do update
    set applied = copies.applied + 1
    returning 1
  )
  select count(*)::integer as copied
  from copied`
