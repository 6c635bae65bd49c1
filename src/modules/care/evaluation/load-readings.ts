// The readings that rules look at. The time of a reading is when it was measured, or when it arrived if its clock was ahead; one whose
// clock is more than a day ahead is left out. Readings are stored in the order of measured_at, so those of a span of time are found up to
// a day behind it.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { orderOfTime } from '../../casesheet/by-type.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { conversionBetween, convert, type Unit } from '../../casesheet/catalogue/units.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { RuleTerms } from '../rules/rule.ts'
import { comparedIn } from '../unit-sql.ts'
import { micros } from './load-rules.ts'
import type { Micros, Seen } from './span.ts'
import { MOST_BACK_DAYS } from './span.ts'

const MAX_AHEAD = "interval '1 day'"
const MOST_BACK = `interval '${MOST_BACK_DAYS} days'`

/** What is to be read of a patient and type. */
export type Asked = {
  patientUid: string
  readingType: string
  fields: readonly string[]
  now: Micros
  /** From when on readings are evaluated. */
  from: Micros
  /** Nothing before this is looked at. */
  notBefore: Micros
  /**
   * How far to look back from `from`: so many readings that have a number in the field, or of any where it is null; and from the
   * first of all these so much time.
   */
  backTo: readonly { field: string | null; readings: number }[]
  backMicros: Micros
}

/** A reading with the numbers of the fields that were asked for, as they were sent. */
export type ReadReading = {
  id: string
  at: Micros
  receivedAt: Micros
  measuredAt: string
  unit: string | null
  numbers: readonly (number | null)[]
}

type Row = {
  nth: number
  reading_id: string
  at: string
  received_at: string
  measured_at: string
  unit: string | null
  numbers: (string | null)[]
}

/** The readings of each in order; undefined where there are more than are read together. */
export async function readTogether(
  db: Db,
  asked: readonly Asked[],
  limit: number,
): Promise<(ReadReading[] | undefined)[]> {
  const rows = await db.query<Row>(togetherStatement(asked, limit), { on: 'follow' })
  const read = asked.map((): ReadReading[] => [])
  for (const row of rows) read[row.nth]?.push(readingFrom(row))
  return read.map((readings) => (readings.length > limit ? undefined : readings.toSorted(byTime)))
}

/** All readings of one, in order, some at a time. */
export async function* readAlone(db: Db, asked: Asked, size: number): AsyncGenerator<ReadReading[]> {
  const start = await db.query<{ start_at: string }>(
    { name: 'start-for-rules', text: START, values: valuesOf([asked]) },
    { on: 'follow' },
  )
  let from = start[0]?.start_at ?? '-infinity'
  while (from !== 'infinity') {
    const rows: (Row & { end_at: string })[] = await db.query<Row & { end_at: string }>(
      partStatement(asked, from, size),
      { on: 'follow' },
    )
    const [first] = rows
    if (!first) return
    yield rows
      .filter(({ reading_id }) => reading_id !== null)
      .map(readingFrom)
      .toSorted(byTime)
    from = first.end_at
  }
}

export function togetherStatement(asked: readonly Asked[], limit: number): Statement {
  return { name: 'read-for-rules', text: READ, values: [...valuesOf(asked), limit + 1] }
}

export function partStatement(
  { patientUid, readingType, fields, now }: Asked,
  from: string,
  size: number,
): Statement {
  const values = [patientUid, readingType, fields.join(','), from, size, now]
  return { name: 'read-part-for-rules', text: READ_PART, values }
}

function byTime(a: ReadReading, b: ReadReading): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1)
}

function readingFrom(row: Row): ReadReading {
  return {
    id: row.reading_id,
    at: Number(row.at),
    receivedAt: Number(row.received_at),
    measuredAt: instantFrom(row.measured_at, 6),
    unit: row.unit,
    numbers: row.numbers.map((number) => (number === null ? null : Number(number))),
  }
}

/** As a rule sees it; undefined where it has no number in its field. */
export function seenBy(
  { readingType, field, terms }: { readingType: string; field: string | null; terms: RuleTerms },
  reading: ReadReading,
  fields: readonly string[],
): Seen | undefined {
  const { id, at, receivedAt, measuredAt } = reading
  const type = CATALOGUE[readingType]
  const ownUnit = field === null ? undefined : type?.quantities[field]?.unit
  const unit = ownUnit ?? reading.unit ?? type?.units[0] ?? null
  if (field === null) return { id, at, receivedAt, value: 0, sent: { measuredAt, value: null, unit: null } }
  const number = reading.numbers[fields.indexOf(field)] ?? null
  if (number === null || !Number.isFinite(number)) return undefined
  const known = [ownUnit, ...(type?.units ?? [])]
  const [from, to] = [unit, terms.unit].map((named) => known.find((one) => one === named))
  if (!from || !to) return undefined
  return {
    id,
    at,
    receivedAt,
    value: comparable(number, from, to),
    sent: { measuredAt, value: number, unit },
  }
}

/** As targets are compared: what had to be converted is rounded to what people are shown. */
export function comparable(value: number, from: Unit, to: Unit): number {
  if (from === to) return value
  return comparedIn(to, convert(value, conversionBetween(from, to)))
}

function valuesOf(asked: readonly Asked[]) {
  const instants = (of: (one: Asked) => Micros) => plainArray(asked.map(of))
  return [
    plainArray(asked.map((_, nth) => nth)),
    textArray(asked.map(({ patientUid }) => patientUid)),
    textArray(asked.map(({ readingType }) => readingType)),
    textArray(asked.map(({ fields }) => fields.join(','))),
    instants(({ from }) => from),
    instants(({ notBefore }) => notBefore),
    textArray(asked.map(({ backTo }) => backTo.map(({ field }) => field ?? ANY).join(','))),
    textArray(asked.map(({ backTo }) => backTo.map(({ readings }) => readings).join(','))),
    textArray(
      asked.map(({ readingType, backTo }) =>
        backTo.map(({ field }) => unitsOf(readingType, field)).join(','),
      ),
    ),
    instants(({ backMicros }) => backMicros),
    instants(({ now }) => now),
  ]
}

/** The units in which a number of the field can be compared, one after the other; `ANY` where the field has a unit of its own. */
function unitsOf(readingType: string, field: string | null): string {
  const type = CATALOGUE[readingType]
  return field === null || type?.quantities[field]?.unit ? ANY : (type?.units ?? []).join(' ')
}

const instant = (value: string) => `to_timestamp(0) + ${value} * interval '1 microsecond'`
/** Instead of a field. */
const ANY = '*'

// All in the order of the index by type: by the primary key, readings of all types would be read. Where the planner knew how many are
// wanted, it might sort all that there are.
const TASK = `
  from (
    select nth, patient_uid, reading_type, fields, ${instant('from_micros')} as since, ${instant('not_before')} as not_before,
      back_fields, back_counts, back_units, back * interval '1 microsecond' as back, ${instant('now_micros')} as now
    from unnest(
      $1::integer[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::text[], $8::text[], $9::text[],
      $10::float8[], $11::float8[]
    ) as task (
      nth, patient_uid, reading_type, fields, from_micros, not_before, back_fields, back_counts, back_units, back, now_micros
    )
  ) as task
  cross join lateral (
    select greatest(task.not_before, min(coalesce(first_at, not_found)) - task.back) as start_at
    from unnest(
      string_to_array(back_fields, ','), string_to_array(back_counts, ',')::integer[], string_to_array(back_units, ',')
    ) as looked (field, wanted, units)
    cross join lateral (
      select case when field = '${ANY}' then task.not_before else greatest(task.not_before, task.since - ${MOST_BACK}) end as not_found
    ) as least
    cross join lateral (
      -- What was measured before is in time before too. So all readings from the first of these on hold as many.
      select case when count(*) = wanted then min(at) end as first_at
      from (
        select least(measured_at, received_at) as at
        from casesheet.readings
        where readings.patient_uid = task.patient_uid
          and reading_type = task.reading_type
          and measured_at >= not_found
          and measured_at < task.since
          and measured_at <= received_at + ${MAX_AHEAD}
          and withdrawn_at is null
          and (field = '${ANY}' or json_typeof(details -> field) = 'number')
          and (units = '${ANY}' or coalesce(details ->> 'unit', split_part(units, ' ', 1)) = any (string_to_array(units, ' ')))
        order by ${orderOfTime('desc')}
        limit wanted
      ) as last
    ) as found
  ) as start`

const COLUMNS = (
  fields: string,
) => `reading_id, ${micros('least(measured_at, received_at)')} as at, ${micros('received_at')} as received_at,
      measured_at::text as measured_at, details ->> 'unit' as unit,
      array(
        select case when json_typeof(details -> name) = 'number' then details ->> name end
        from unnest(string_to_array(${fields}, ',')) with ordinality as field (name, position)
        order by position
      ) as numbers`

const START = `select start_at::text ${TASK}`

const READ = `
  select nth, readings.*
  ${TASK}
  cross join lateral (
    select ${COLUMNS('task.fields')}
    from casesheet.readings
    where readings.patient_uid = task.patient_uid
      and reading_type = task.reading_type
      and measured_at >= start_at
      and measured_at < task.now + ${MAX_AHEAD}
      and measured_at <= received_at + ${MAX_AHEAD}
      and withdrawn_at is null
    order by ${orderOfTime('asc')}
    limit (select $12::integer)
  ) as readings`

const READ_PART = `
  with part as materialized (
    select case when count(*) = $5 then max(measured_at) else 'infinity' end as end_at
    from (
      select measured_at
      from casesheet.readings
      where patient_uid = $1
        and reading_type = $2
        and measured_at > $4::timestamptz
      order by ${orderOfTime('asc')}
      limit (select $5::integer)
    ) as first
  )
  select end_at::text, readings.*
  from part
  left join lateral (
    select 0 as nth, ${COLUMNS('$3::text')}
    from casesheet.readings
    where patient_uid = $1
      and reading_type = $2
      and measured_at >= $4
      and measured_at < least(end_at, ${instant('$6::float8')}) + ${MAX_AHEAD}
      and measured_at <= received_at + ${MAX_AHEAD}
      and least(measured_at, received_at) >= $4
      and least(measured_at, received_at) < end_at
      and withdrawn_at is null
    order by ${orderOfTime('asc')}
  ) as readings on true`
