// The readings that changed, for the streams that may show them. A row of the access log for each stream is written behind them.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { logBehind, type Read } from '../../casesheet/access-log/log-reads.ts'
import { charOf, READING_END } from '../../casesheet/get/print-readings.ts'
import type { Reader } from '../../casesheet/reader.ts'
import type { Key } from '../changes/change-history.ts'
import { type PrintedChange, printChanges, READING_CHANGE } from '../changes/print-changes.ts'

/** A change that one stream is to show. All that is due to a stream names the same reader. */
export type Due = { reader: Reader; key: Key }

/** Its place in what is due, counted from 1; PostgreSQL's bigint is a text here. */
type Row = { number: string; change: string }

/** The grant of the reader no longer holds. */
type NotGranted = 'not-granted'

/** The changes in the order of `due`; undefined for a reading that is no longer there, or whose type is not shared. */
export function createReadStreamed(db: Db) {
  const reads = countReads(db.metrics, 'readings/stream')
  return async (due: Due[]): Promise<(PrintedChange | NotGranted | undefined)[]> => {
    const streams = [...Map.groupBy(due, ({ reader }) => reader)]
    const lost = new Set<Reader>()
    const rows = await db.query<Row>(
      logBehind<Row>(
        streamedStatement(due),
        (found) => {
          const shown = Map.groupBy(
            found.map((row) => dueOf(due, row)),
            ({ reader }) => reader,
          )
          return streams.map(([reader, [first]]) => readOf(first as Due, shown.get(reader) ?? []))
        },
        (found, proved) => {
          lost.clear()
          for (const [nth, [reader]] of streams.entries()) if (!proved[nth]?.is_granted) lost.add(reader)
          return found
        },
      ),
    )
    const changes: (PrintedChange | NotGranted | undefined)[] = due.map(({ reader }) =>
      lost.has(reader) ? 'not-granted' : undefined,
    )
    const logged = new Set<Reader>()
    for (const row of rows) {
      const { reader } = dueOf(due, row)
      if (lost.has(reader)) continue
      const [printed] = printChanges(row.change)
      changes[Number(row.number) - 1] = printed
      logged.add(reader)
      reads.readings++
    }
    reads.rows += logged.size
    return changes
  }
}

function dueOf(due: Due[], { number }: Row): Due {
  return due[Number(number) - 1] as Due
}

/** A stream to which nothing is shown leaves no row, but its grant is looked at. */
function readOf({ reader, key }: Due, shown: Due[]): Read {
  // All are printed by PostgreSQL in UTC, so their texts stand in the order of their times.
  const instants = shown.map((each) => each.key.measuredAt ?? '').toSorted()
  return {
    patientUid: key.patientUid,
    operation: 'readings/stream',
    readingTypes: reader.limitedTo,
    from: instants[0] ?? '-infinity',
    to: instants.at(-1) ?? 'infinity',
    reader,
    count: shown.length > 0 ? shown.length : null,
  }
}

function streamedStatement(due: Due[]) {
  return {
    name: 'read-streamed',
    text: TEXT,
    values: [
      textArray(due.map(({ key }) => key.patientUid)),
      textArray(due.map(({ key }) => key.measuredAt ?? null)),
      plainArray(due.map(({ key }) => key.id)),
      // Types hold no comma.
      textArray(due.map(({ reader }) => reader.limitedTo?.join() ?? null)),
    ],
  }
}

const TEXT = `
  select number, replace(reading.change, ${charOf(READING_END)}, ' ') as change
  from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::text[]) with ordinality
    as due (patient_uid, measured_at, reading_id, limited_to, number)
  cross join lateral (
    select ${READING_CHANGE} as change
    from casesheet.readings
    where readings.patient_uid = due.patient_uid
      and readings.measured_at = due.measured_at
      and readings.reading_id = due.reading_id
      and (due.limited_to is null or readings.reading_type = any (string_to_array(due.limited_to, ',')))
  ) as reading
  order by number`
