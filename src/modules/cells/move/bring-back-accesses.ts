// What services read of the copy in the new cell, through readings/changes, before a move was aborted. The copy is removed; the log
// of who has read it goes back to the old cell, which serves the patients.
import type { Client } from 'pg'
import { untilWritesHaveEnded, WRITES_WITHIN_MS } from '../../casesheet/owner/writes-in-flight.ts'
import { isInRange } from '../slot-range.ts'
import { IS_NOT_SERVED } from './delete-slots.ts'
import { withoutDeletions } from './move-record.ts'
import type { TwoCells } from './replicate.ts'

const BATCH = 5_000

/** May be repeated. The new cell has given up the slots, and shows nothing of them any more. */
export async function bringBackAccesses({ source, target, move }: TwoCells) {
  await untilWritesHaveEnded(target, ['casesheet.access_log'], { withinMs: WRITES_WITHIN_MS })
  await target.query('begin')
  // An hour more, because the clock of a machine that took over may be behind.
  await target.query(
    `declare accesses no scroll cursor for
     select row_to_json(access_log)::text as access
     from casesheet.access_log
     where operation = 'readings/changes'
       and at >= (select started_at - interval '1 hour' from casesheet.cell_moves where move_id = '${move.moveId}')
       and ${isInRange(move.range)}
       and ${IS_NOT_SERVED}`,
  )
  await withoutDeletions(source, async () => {
    for (;;) {
      const { rows } = await target.query<{ access: string }>(`fetch ${BATCH} from accesses`)
      if (rows.length === 0) break
      await store(source, move.moveId, rows)
    }
  })
  await target.query('commit')
}

async function store(source: Client, moveId: string, rows: { access: string }[]) {
  await source.query(STORE, [`[${rows.map(({ access }) => access).join()}]`, moveId])
}

const COLUMNS = `patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, reading_types,
    readings_count, doctor_id, reason`

// What the old cell itself has shown since the move began is here already: the new one had copied it. A patient of whom nothing is held
// that was received before the move was aborted has been erased since, and so has the log.
const STORE = `
  insert into casesheet.access_log (${COLUMNS})
  select ${COLUMNS}
  from json_populate_recordset(null::casesheet.access_log, $1) as brought
  where not exists (
      select
      from casesheet.access_log as held
      where held.patient_uid = brought.patient_uid
        and held.at = brought.at
        and held.request_id = brought.request_id
        and held.page = brought.page
    )
    and exists (
      select
      from casesheet.readings
      where readings.patient_uid = brought.patient_uid
        and readings.received_at <= (
          select case when state = 'aborted' then changed_at else 'infinity' end
          from casesheet.cell_moves
          where move_id = $2
        )
    )`
