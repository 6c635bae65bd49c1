// The statement of GET readings/latest: the newest readings of many requests.
import { plainArray, textArray } from '../../../db/array.ts'
import { orderOfType } from '../by-type.ts'
import {
  charOf,
  DETAILS_WITH_CORRECTIONS,
  LISTED_COLUMNS,
  READING_AS_TEXT,
  READING_END,
} from '../get/print-readings.ts'
import type { Withdrawn } from '../get/range.ts'
import type { Reader } from '../reader.ts'

// A patient's types are few. A caller that has more than this must name those it wants, at most 50.
export const MAX_TYPES = 200
/** Of the readings of an answer, by their stored texts. One reading always fits. */
export const MAX_BYTES = 1_048_576

export type LatestRequest = {
  patientUid: string
  /** Null for all types. */
  readingTypes: string[] | null
  /** As RFC 3339. */
  to: string
  reader: Reader
}

/** `readings` is null where there are too many types, or the readings take too many bytes. */
export type Row = { types: number; types_beyond: number; found: number; readings: string | null }

export function latestStatement(requests: LatestRequest[], withdrawn: Withdrawn) {
  return {
    name: withdrawn === 'shown' ? 'latest-readings-with-withdrawn' : 'latest-readings',
    text: TEXT_OF[withdrawn],
    values: [
      textArray(requests.map(({ patientUid }) => patientUid)),
      // Types hold no comma; an array of arrays could not be taken apart again.
      textArray(requests.map(({ readingTypes }) => readingTypes?.join() ?? null)),
      plainArray(requests.map(({ to }) => to)),
    ],
  }
}

// Comparing types by order and not for equality leaves no index but the one by type. Equality would let the planner walk
// back through all readings of the patient, on the guess that one of this type comes soon. Withdrawn readings that are newer
// than the one found are walked over.
const newest = (withdrawn: Withdrawn, columns: string, isWanted: string) => `
      select ${columns}
      from casesheet.readings
      where patient_uid = asked.patient_uid
        and ${isWanted}
        ${withdrawn === 'left-out' ? 'and withdrawn_by is null' : ''}
      order by ${orderOfType('desc')}
      limit 1`

const textOf = (withdrawn: Withdrawn) => `
  select types, types_beyond, found, readings
  from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality as asked (patient_uid, reading_types, range_to, number)
  cross join lateral (
    -- The last reading of each type. Where all types are asked for, from the last type to the one before it, until there is none.
    with recursive last as (
      select 1 as nth, wanted.lowest, last_of_type.*
      from (
        select reading_type as lowest, reading_type as highest
        from unnest(string_to_array(asked.reading_types, ',')) as reading_type
        union all
        select '', chr(1114111)
        where asked.reading_types is null
      ) as wanted
      cross join lateral (${newest(withdrawn, 'reading_type, measured_at', 'reading_type >= wanted.lowest and reading_type <= wanted.highest')}
      ) as last_of_type
      union all
      select last.nth + 1, last.lowest, type_before.*
      from last
      cross join lateral (${newest(withdrawn, 'reading_type, measured_at', 'reading_type < last.reading_type')}
      ) as type_before
      where last.lowest = ''
        and last.nth <= ${MAX_TYPES}
    )
    select count(*)::integer as types, (count(*) filter (where is_beyond))::integer as types_beyond, count(reading_id)::integer as found,
      case when count(*) <= ${MAX_TYPES} and coalesce(max(bytes), 0) <= ${MAX_BYTES} then coalesce(
        string_agg(${READING_AS_TEXT}, ${charOf(READING_END)} order by reading_type)
          filter (where reading_id is not null and bytes <= ${MAX_BYTES}),
        ''
      ) end as readings
    from (
      -- The last one up to that time, which may be none. The row comparison is where the scan of the index begins: "measured_at <=" beside an
      -- order of types would only filter, and read all readings beyond.
      select within.*, last.measured_at > asked.range_to as is_beyond, sum(details_bytes) over () as bytes
      from last
      left join lateral (${newest(
        withdrawn,
        `${LISTED_COLUMNS}, details_bytes, ${withdrawn === 'shown' ? `${DETAILS_WITH_CORRECTIONS} as details` : 'details'}`,
        '(reading_type, measured_at) <= (last.reading_type, asked.range_to) and reading_type >= last.reading_type',
      )}
      ) as within on true
    ) as listed
  ) as latest
  order by number`

const TEXT_OF: Record<Withdrawn, string> = { 'left-out': textOf('left-out'), shown: textOf('shown') }
