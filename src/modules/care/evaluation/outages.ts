// When the rules were not looked after. In that time Rounds may not have run at all, so that no reading could arrive: it does not count
// as time without readings.
import type { Db } from '../../../db/db.ts'
import { FOLLOWER } from './mark-rules.ts'
import type { Outage } from './span.ts'

/** Another process takes over, and a database fails over, in less. */
const SHORT = "interval '2 minutes'"
const KEPT = "interval '400 days'"

/** Notes that the rules are looked after now, and when they were not before. */
export async function noteWatch(db: Db, processId: string) {
  await db.query({ name: 'note-watch', text: NOTE_WATCH, values: [processId] }, { on: 'follow' })
}

// The update reads `before`, so that this is read before it: PostgreSQL would leave out a row that the same statement has changed.
const NOTE_WATCH = `
  with held as materialized (
    select name
    from casesheet.followers
    where name = '${FOLLOWER}'
      and held_by = $1::uuid
  ), before as materialized (
    select watched_at
    from care.alert_watch
    for update
  ), away as (
    insert into care.outages (began_at, ended_at)
    select watched_at, clock_timestamp()
    from before, held
    where clock_timestamp() - watched_at > ${SHORT}
    on conflict do nothing
  ), trimmed as (
    delete from care.outages
    where ended_at < now() - ${KEPT}
      and exists (select from held)
  )
  update care.alert_watch
  set watched_at = greatest(alert_watch.watched_at, clock_timestamp())
  from before, held`

export async function readOutages(db: Db): Promise<Outage[]> {
  const rows = await db.query<{ began: string; ended: string }>(
    {
      name: 'read-outages',
      text: `
        select (extract(epoch from began_at) * 1000000)::bigint as began, (extract(epoch from ended_at) * 1000000)::bigint as ended
        from care.outages
        order by began_at`,
      values: [],
    },
    { on: 'follow' },
  )
  return rows.map(({ began, ended }) => ({ began: Number(began), ended: Number(ended) }))
}
