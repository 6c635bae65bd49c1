// The readings of a report, as columns of one row: when each was measured, what the local clock showed, and its numbers. The work is counted
// before any of it is read. What a report makes of them is plain functions.
import { setImmediate } from 'node:timers/promises'
import { textArray } from '../../../db/array.ts'
import type { Statement } from '../../../db/statement.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { conversionBetween, convert, type Unit } from '../../casesheet/catalogue/units.ts'
import { instantOf } from '../../casesheet/epoch-time.ts'
import type { Withdrawn } from '../../casesheet/get/range.ts'
import { digitsOf, OfSecond } from '../../casesheet/statistics/of-second.ts'
import { countWork, readingsOfRange } from '../../casesheet/statistics/statistics-work.ts'
import type { SummaryRow } from '../../casesheet/statistics/summaries.ts'
import { inMs } from '../summaries/counted-at.ts'
import type { ReportRange } from './report-query.ts'

/** What is read: null for all types, and none where the grant holds none. */
export type ToRead = {
  types: readonly string[] | null
  fields: readonly string[]
  /** A path in the reading. */
  beside?: readonly string[]
}

export type Measured = {
  /** In ms since 1970. */
  at: number
  /** What the local clock showed, as the ms since 1970 at which one in UTC shows it. */
  clock: number
  type: string
  /** Those of the fields that were asked for, in their order. */
  numbers: (number | undefined)[]
  unit: Unit | undefined
  /** A sensor's value is beyond what it measures. */
  mark: 'low' | 'high' | undefined
  isFromDevice: boolean
}

/** `measured` in order of time. `dates`: the local days that there are; a calendar may leave one out. */
export type Readings = { measured: Measured[]; dates: string[]; fromClock: number; toClock: number }

export type ReadingsRow = SummaryRow & {
  times: Buffer | null
  clocks: Buffer | null
  types: string | null
  numbers_1: string | null
  numbers_2: string | null
  numbers_3: string | null
  numbers_4: string | null
  numbers_5: string | null
  units: string | null
  besides: string | null
  /** What stands in place of numbers where there are none. */
  others: string | null
  dates: string[]
  from_clock: number
  to_clock: number
}

/** Types of any name are read, also of one that every object has, such as constructor. */
const TYPES = new Map(Object.entries(CATALOGUE))
const UNITS = [...new Set([...TYPES.values()].flatMap(({ units }) => units))]
/** Other requests are served after so many. */
const PART = 5_000

export function readingsStatement(
  { patientUid, from, to, timeZone }: ReportRange,
  { types, fields, beside }: ToRead,
): Statement {
  return {
    name: types ? 'report-of-types' : 'report-of-all',
    text: types ? OF_TYPES : OF_ALL,
    values: [
      patientUid,
      types && textArray([...types]),
      instantOf(from),
      instantOf(to),
      textArray([...fields]),
      timeZone,
      textArray(UNITS),
      beside ? textArray([...beside]) : null,
    ],
  }
}

export async function readingsFrom(row: ReadingsRow, { types, fields }: ToRead): Promise<Readings> {
  const { times, dates, from_clock: fromClock, to_clock: toClock } = row
  const readingAt = readerOf(row, types?.[0], fields.length)
  const others = split(row.others)
  const measured: Measured[] = []
  const ofSecond = new OfSecond<Measured>()
  const count = (times?.length ?? 0) / 8
  for (let nth = 0; nth < count; nth++) {
    if (nth % PART === PART - 1) await setImmediate()
    const reading = readingAt(nth)
    const second = Math.floor(reading.at / 1_000)
    const isAlone = [nth - 1, nth + 1].every((other) => Math.floor(msAt(times, other) / 1_000) !== second)
    const what = isAlone ? '' : whatIsMeasured(reading, fields, others[nth])
    const earlier = isAlone ? undefined : ofSecond.earlier(reading.at, what, reading)
    if (earlier) complete(earlier, reading)
    else measured.push(reading)
  }
  return { measured, dates, fromClock, toClock }
}

/** Texts with commas are columns of many. */
const split = (column: string | null) => (column ?? '').split(',')

function readerOf(row: ReadingsRow, onlyType = '', fields: number) {
  const types = row.types?.split(',')
  const units = split(row.units)
  const numbers = [row.numbers_1, row.numbers_2, row.numbers_3, row.numbers_4, row.numbers_5]
    .slice(0, fields)
    .map(split)
  return (nth: number): Measured => {
    const beside = row.besides?.[nth]
    const type = types?.[nth] ?? onlyType
    return {
      at: msAt(row.times, nth),
      clock: msAt(row.clocks, nth),
      type,
      numbers: numbers.map((column) => (column[nth] ? Number(column[nth]) : undefined)),
      unit: units[nth] === '' ? TYPES.get(type)?.units[0] : UNITS[Number(units[nth]) - 1],
      mark: beside === 'l' ? 'low' : beside === 'h' ? 'high' : undefined,
      isFromDevice: beside === 'd',
    }
  }
}

/** To the microsecond, as far as a double has them. */
const msAt = (column: Buffer | null, nth: number) =>
  nth >= 0 && column && 8 * nth < column.length
    ? Math.round(column.readDoubleBE(8 * nth) * 1_000) / 1_000
    : NaN

/** Its numbers in the first unit of the type, without those that may be left out. */
function whatIsMeasured({ type, numbers, unit }: Measured, fields: readonly string[], other = ''): string {
  const { quantities = {}, units: [first] = [] } = TYPES.get(type) ?? {}
  const parts = numbers.map((number, nth) => {
    const { isOptional = false, unit: own } = quantities[fields[nth] ?? ''] ?? {}
    if (number === undefined || isOptional) return ''
    if (own || !unit || !first) return digitsOf(number)
    return digitsOf(convert(number, conversionBetween(unit, first)))
  })
  return `${type} ${parts.join(' ')} ${other}`
}

/** One that was sent again may say more. */
function complete(earlier: Measured, again: Measured) {
  earlier.numbers = earlier.numbers.map((number, nth) => number ?? again.numbers[nth])
  earlier.isFromDevice ||= again.isFromDevice
}

const DAYS = `
      select day::date as date
      from (
        select ($3::timestamptz at time zone $6)::date as of_from, ($4::timestamptz at time zone $6)::date as of_to
      ) as range
      -- Clocks that are put back at midnight may show an earlier date at the end.
      cross join lateral generate_series(
        least(of_from, of_to)::timestamp, greatest(of_from, of_to)::timestamp, interval '1 day'
      ) as day
      where day at time zone $6 < (day + interval '1 day') at time zone $6`

const FIELDS = [1, 2, 3, 4, 5]
const eachField = (of: (nth: number) => string) => FIELDS.map(of).join(', ')
// A JSON number as it is written begins with a digit or a minus, as no other value does. Those with exponents of three digits are left out:
// sums of them could not be held.
const IS_NUMBER = `ascii(written) between ascii('-') and ascii('9') and written not like '%e____'`
const numberOf = (nth: number) =>
  `case when ${IS_NUMBER.replaceAll('written', `written_${nth}`)} then written_${nth} else '' end`

const textFor = (readings: (withdrawn: Withdrawn) => string) => `
  with work as materialized (${countWork('measured', 'left-out', readings('shown'))}
  )
  select work.readings as looked_at, work.is_too_much, columns.*,
    (select json_agg(date order by date) from (${DAYS}) as days) as dates,
    ${inMs('($3::timestamptz at time zone $6)')} as from_clock,
    ${inMs('($4::timestamptz at time zone $6)')} as to_clock
  from work
  cross join (
    select string_agg(float8send(${inMs('measured_at')}), '') as times,
      string_agg(float8send(${inMs('(measured_at at time zone $6)')}), '') as clocks,
      string_agg(case when cardinality($2::text[]) = 1 then null else reading_type end, ',') as types,
      ${eachField((nth) => `string_agg(${numberOf(nth)}, ',') as numbers_${nth}`)},
      string_agg(case when unit is null then '' else coalesce(array_position($7::text[], unit), 0)::text end, ',') as units,
      string_agg(case beside when 'low' then 'l' when 'high' then 'h' when 'device' then 'd' else ' ' end, '') as besides,
      string_agg(
        case when coalesce(${eachField((nth) => `written_${nth}`)}) is null then md5(coalesce(details -> 'symptoms', details)::text) else '' end, ','
      ) as others
    from (
      select reading_type, measured_at, details, details ->> 'unit' as unit, details #>> $8::text[] as beside,
        ${eachField((nth) => `(details -> ($5::text[])[${nth}])::text as written_${nth}`)}
      from (${readings('left-out')}) as readings
      where not (select is_too_much from work)
      offset 0
    ) as fields
  ) as columns`

/** Of each type by its index, or of all types by the primary key. */
const [OF_TYPES, OF_ALL] = [
  textFor(
    (withdrawn) => `
    select readings.*
    from unnest($2::text[]) as asked_type
    cross join lateral (${readingsOfRange(withdrawn, 'asked_type')}
    ) as readings`,
  ),
  textFor((withdrawn) => readingsOfRange(withdrawn, null)),
]
