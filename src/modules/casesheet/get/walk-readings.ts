// SQL: the readings of one request (`asked`), along the index that fits: all of a patient, or those of some types.
import { idStart, orderOfType } from '../by-type.ts'
import { DETAILS_WITH_CORRECTIONS, LISTED_COLUMNS } from './print-readings.ts'
import type { Withdrawn } from './range.ts'

const WALK = {
  asc: { beyond: '>', within: '<=', end: 'asked.range_to' },
  desc: { beyond: '<', within: '>=', end: 'asked.range_from' },
}

const COLUMNS: Record<Withdrawn, string> = {
  'left-out': `${LISTED_COLUMNS}, details`,
  shown: `${LISTED_COLUMNS}, ${DETAILS_WITH_CORRECTIONS} as details`,
}
const CONDITION: Record<Withdrawn, string> = { 'left-out': 'and withdrawn_by is null', shown: '' }

export function readingsOfAllTypes(order: 'asc' | 'desc', withdrawn: Withdrawn): string {
  const { beyond, within, end } = WALK[order]
  return `
          select ${COLUMNS[withdrawn]}
          from casesheet.readings
          where patient_uid = asked.patient_uid
            and (measured_at, reading_id) ${beyond} (asked.begin_at, asked.begin_id)
            and measured_at ${within} ${end}
            ${CONDITION[withdrawn]}`
}

// As many of each type as the page may hold. Types are compared by order and not for equality: that leaves no index but
// the one by type, where the planner might else walk along all readings, on the guess that those of this type come soon. The
// end of the range stands outside, because such a comparison cannot end a walk before the type ends.
export function readingsOfTypes(order: 'asc' | 'desc', withdrawn: Withdrawn): string {
  const { beyond, within, end } = WALK[order]
  return `
          select of_type.*
          from unnest(string_to_array(asked.reading_types, ',')) as wanted (reading_type)
          cross join lateral (
            select ${COLUMNS[withdrawn]}
            from casesheet.readings
            where patient_uid = asked.patient_uid
              and (reading_type, measured_at, ${idStart('reading_id')}, reading_id)
                ${beyond} (wanted.reading_type, asked.begin_at, ${idStart('asked.begin_id')}, asked.begin_id)
              and reading_type ${within} wanted.reading_type
              ${CONDITION[withdrawn]}
            order by ${orderOfType(order)}
            limit asked.size + 1
          ) as of_type
          where measured_at ${within} ${end}`
}
