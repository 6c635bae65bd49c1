// The rules of patients who move. The old cell evaluates them until it closes the slots, the new one from when it opens them; while they are
// copied, its evaluation passes over them (src/modules/care/evaluation). What the old cell has not evaluated by then is marked in the new
// one, and so is every rule, because the clocks of rules do not move.
//
// Only that is evaluated anew. The rest was, by a cell that knew when it was not running itself; and there may be years of readings.
import type { Client } from 'pg'
import { isInRange, type SlotRange } from '../slot-range.ts'

/** From when on the readings of a patient and type are to be evaluated. */
export type Unevaluated = { patient_uid: string; reading_type: string; measured_from: string }

/** In the old cell, in the switch, when nothing changes any more. */
export async function findUnevaluated(source: Client, range: SlotRange): Promise<Unevaluated[]> {
  const { rows } = await source.query<Unevaluated>(unevaluatedText(range))
  return rows
}

// A follower that is far behind would have to be read after in the switch. Then the rules are evaluated from when they were set.
const unevaluatedText = (range: SlotRange) => `
  with place as materialized (
    select xid, followers.generation = feed.generation and caught_up_at > now() - interval '1 minute' as is_near
    from casesheet.followers
    cross join casesheet.feed
    where name = 'alerts:rules'
  ), ruled as materialized (
    select patient_uid, reading_type, min(changed_at) as set_at
    from casesheet.rules
    where ${isInRange(range)}
    group by patient_uid, reading_type
  ), changed as (
    select patient_uid, reading_type, case when is_near then now() else set_at end as measured_from
    from ruled
    cross join place
    union all
    -- A rule that was changed to another type leaves alerts of its type before.
    select patient_uid, reading_type, now()
    from casesheet.alerts
    where condition in ('open', 'pending')
      and ${isInRange(range)}
    union all
    select patient_uid, reading_type, measured_from
    from care.alert_marks
    where ${isInRange(range)}
    union all
    select patient_uid, reading_type, changed_at
    from casesheet.rules
    where changed_xid >= (select xid from place)
      and ${isInRange(range)}
    union all
    select patient_uid, reading_type, least(measured_at, received_at)
    from casesheet.readings
    join ruled using (patient_uid, reading_type)
    where changed_xid >= (select xid from place)
      and (select is_near and exists (select from ruled) from place)
  )
  select patient_uid, reading_type, min(measured_from)::text as measured_from
  from changed
  group by patient_uid, reading_type`

/** SQL, in the statement that opens the slots: marks these, given as JSON, if it did. */
export const markUnevaluated = (parameter: string) => `
  insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
  select patient_uid, reading_type, measured_from, 'infinity'
  from json_to_recordset(${parameter}) as unevaluated (patient_uid text, reading_type text, measured_from timestamptz)
  where exists (select from opened)
  on conflict (patient_uid, reading_type) do update
  set measured_from = least(mark.measured_from, excluded.measured_from),
    measured_to = greatest(mark.measured_to, excluded.measured_to),
    version = mark.version + 1`
