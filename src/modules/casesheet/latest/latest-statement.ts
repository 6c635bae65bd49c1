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

export type LatestRequest = {
  patientUid: string
  readingTypes: string[] | null
  /** As RFC 3339. */
  to: string
  reader: Reader
  budget: number
}

export type Kind = 'of-all-types' | 'of-some-types'
/** `readings` is null where there are too many types, or the readings take more bytes than the budget. */
export type Row = { types: number; types_beyond: number; found: number; readings: string | null }

export function latestStatement(kind: Kind, requests: LatestRequest[], withdrawn: Withdrawn) {
  return {
    name: `latest-readings-${kind}${withdrawn === 'shown' ? '-with-withdrawn' : ''}`,
    text: TEXT_OF[withdrawn][kind],
    values: [
      textArray(requests.map(({ patientUid }) => patientUid)),
      // Types hold no comma; an array of arrays could not be taken apart again.
      textArray(requests.map(({ readingTypes }) => readingTypes?.join() ?? null)),
      plainArray(requests.map(({ budget }) => budget)),
      plainArray(requests.map(({ to }) => to)),
    ],
  }
}

const COLUMNS = `${LISTED_COLUMNS}, details`
const STORED: Record<Withdrawn, { columns: string; condition: string }> = {
  'left-out': { columns: COLUMNS, condition: 'and withdrawn_by is null' },
  shown: { columns: COLUMNS.replace('details', `${DETAILS_WITH_CORRECTIONS} as details`), condition: '' },
}

type NewestWhere = (isOfType: string) => string

// Comparing types by order and not for equality leaves no index but the one by type. Equality would let the planner walk
// back through all readings of the patient, on the guess that one of this type comes soon. Withdrawn readings that are newer
// than the one found are walked over.
const newestIn =
  (withdrawn: Withdrawn): NewestWhere =>
  (isOfType) =>
    `
  select ${STORED[withdrawn].columns}
  from casesheet.readings
  where patient_uid = asked.patient_uid
    and ${isOfType}
    ${STORED[withdrawn].condition}
  order by ${orderOfType('desc')}
  limit 1`

const LAST_OF_TYPES: Record<Kind, (newestWhere: NewestWhere) => string> = {
  'of-some-types': (newestWhere) => `
    last_of_types as (
      select newest.*
      from unnest(string_to_array(asked.reading_types, ',')) as wanted (reading_type)
      cross join lateral (${newestWhere('reading_type >= wanted.reading_type and reading_type <= wanted.reading_type')}) as newest
    )`,
  // From the last type to the one before it, until there is none.
  'of-all-types': (newestWhere) => `
    newest as (
      select 1 as nth, last_type.*
      from (${newestWhere('true')}) as last_type
      union all
      select newest.nth + 1, type_before.*
      from newest
      cross join lateral (${newestWhere('reading_type < newest.reading_type')}) as type_before
      where newest.nth <= ${MAX_TYPES}
    ), last_of_types as (
      select ${COLUMNS}
      from newest
    )`,
}

// One row for each type: its last reading, or where that is beyond the range the last one within, which may be none. The row
// comparison is where the scan of the index begins; `measured_at <= to` beside an order of types would only filter, and read all
// readings beyond.
const newestOf = (kind: Kind, newestWhere: NewestWhere) => `
  with recursive ${LAST_OF_TYPES[kind](newestWhere)}
  select ${COLUMNS}, false as has_beyond
  from last_of_types
  where measured_at <= asked.range_to
  union all
  select last.reading_type, within.sent_timestamp, within.reading_id, within.measured_at, within.received_at, within.changed_at, within.details, true
  from last_of_types as last
  left join lateral (
    ${newestWhere('(reading_type, measured_at) <= (last.reading_type, asked.range_to) and reading_type >= last.reading_type')}
  ) as within on true
  where last.measured_at > asked.range_to`

const TEXT_OF: Record<Withdrawn, Record<Kind, string>> = {
  'left-out': textsOf('left-out'),
  shown: textsOf('shown'),
}

function textsOf(withdrawn: Withdrawn): Record<Kind, string> {
  const newestWhere = newestIn(withdrawn)
  return {
    'of-all-types': latestText(newestOf('of-all-types', newestWhere)),
    'of-some-types': latestText(newestOf('of-some-types', newestWhere)),
  }
}

function latestText(newest: string): string {
  return `
    with asked as (
      select patient_uid, reading_types, budget, range_to, number
      from unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[]) with ordinality
        as asked (patient_uid, reading_types, budget, range_to, number)
    ), latest as (
      select asked.number, of_patient.types, of_patient.types_beyond, of_patient.found,
        case when of_patient.types <= ${MAX_TYPES} and of_patient.bytes <= asked.budget then of_patient.readings end as readings
      from asked
      cross join lateral (
        select count(*)::integer as types, (count(*) filter (where has_beyond))::integer as types_beyond,
          count(reading)::integer as found, coalesce(max(bytes), 0) as bytes,
          coalesce(string_agg(reading, ${charOf(READING_END)}) filter (where bytes <= asked.budget), '') as readings
        from (
          select reading, has_beyond, sum(octet_length(reading)) over (rows unbounded preceding) as bytes
          from (
            -- Null for a type that has no reading within the range.
            select case when reading_id is not null then ${READING_AS_TEXT} end as reading, has_beyond
            from (
              select ${COLUMNS}, has_beyond
              from (${newest}) as newest_of_types
              order by reading_type
            ) as in_order
            offset 0
          ) as listed
        ) as summed
      ) as of_patient
    )
    select types, types_beyond, found, readings
    from latest
    order by number`
}
