// When the rules were not looked after. In that time Rounds may not have run at all, so that no reading could arrive: it does not count
// as time without readings.
import type { Db } from '../../../db/db.ts'
import { FOLLOWER } from './mark-rules.ts'
import { type Micros, micros } from './micros.ts'

export type Outage = { began: Micros; ended: Micros }

/** Another process takes over, and a database fails over, in less. */
export const SHORT = "interval '2 minutes'"
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
  return db.query<Outage>(
    {
      name: 'read-outages',
      text: `
        select ${micros('began_at')} as began, ${micros('ended_at')} as ended
        from care.outages
        order by began_at`,
      values: [],
    },
    { on: 'follow' },
  )
}

/** Devices that could send nothing get some time to send what they have stored. */
const TO_CATCH_UP: Micros = 30 * 60 * 1_000_000

/** When nothing has come for so long. The time of outages does not count. */
export function deadlineOf(since: Micros, duration: Micros, outages: readonly Outage[]): Micros {
  let deadline = since + duration
  for (const { began, ended } of outages)
    if (ended > since && began < deadline) deadline += ended - Math.max(began, since)
  return deadline === since + duration ? deadline : deadline + TO_CATCH_UP
}
