// The next slice of the readings that rules look at, in the order in which they count, and those on which they look back. Whatever readings
// have, so many are walked over and no more.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { orderOfTime } from '../../casesheet/by-type.ts'
import { HOUSE } from '../status/house.ts'
import { IS_STRANGE } from '../summaries/counted-at.ts'
import { HOUR, type Micros, micros, SECOND } from './micros.ts'
import { countedAt, type ReadReading } from './seen.ts'

/** What a look back, and the slice of one with many readings, walks over. */
export const MAX_WALKED = 5_000

export type Asked = {
  patientUid: string
  readingType: string
  fields: readonly string[]
  now: Micros
  from: Micros
  /** As far as rules look back from there. */
  backTo: Micros
  /** Whether a slice before it ended at `from`. */
  goesOn: boolean
  /** How many readings the slice has at most. */
  size: number
}

/** `to`: up to when all were read; null if there are no more. `walked`: how many readings that took. */
export type Slice = { before: ReadReading[]; readings: ReadReading[]; to: Micros | null; walked: number }

type Row = {
  nth: number
  part: 'next' | 'before' | 'newest' | 'strange'
  id: string
  measured_at: number
  received_at: number
  values: Record<string, number> | null
  unit: string | null
  out_of_range: string | null
  symptoms: ReadReading['symptoms']
}

export async function readSlices(db: Db, asked: readonly Asked[]): Promise<Slice[]> {
  const rows = await db.query<Row>(sliceStatement(asked), { on: 'follow' })
  const ofOne = Map.groupBy(rows, ({ nth }) => nth)
  const slices = asked.map((one, nth) => sliceOf(one, ofOne.get(nth) ?? []))
  // A slice that ends in the second in which it begins is read again, with the rest of that second.
  const again = asked.flatMap((one, nth) => {
    const { to } = slices[nth] ?? {}
    return to && to - one.from < SECOND && one.size < MAX_WALKED ? [{ nth, ...one, size: MAX_WALKED }] : []
  })
  if (again.length === 0) return slices
  const whole = await readSlices(db, again)
  return slices.map((slice, nth) => whole[again.findIndex((one) => one.nth === nth)] ?? slice)
}

function sliceOf({ from, size, goesOn }: Asked, rows: readonly Row[]): Slice {
  const next = rows.filter(({ part }) => part === 'next')
  const isFull = next.length >= size
  const last = next.reduce((latest, { measured_at }) => Math.max(latest, measured_at), from)
  const second = Math.floor(last / SECOND) * SECOND
  // Whole seconds, because what was measured in one may be equal. Of one with more than MAX_WALKED, so many are compared at a time, and all
  // are looked at, unless so many are of the same microsecond: of these no more are.
  const to = isFull ? Math.max(second > from ? second : last, from + 1) : null
  const read = new Map(rows.flatMap((row) => (row.values === null ? [] : [[row.id, readingFrom(row)]])))
  // From a clock that is ahead, it was not in the slice in which it counts: it counts where this one begins.
  if (goesOn)
    for (const reading of read.values())
      if (reading.measuredAt >= from) reading.at = Math.max(reading.at, from)
  const all = [...read.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  return {
    before: all.filter(({ at }) => at < from),
    readings: all.filter(({ at }) => at >= from && (to === null || at < to)),
    to,
    walked: rows.length,
  }
}

const readingFrom = (row: Row): ReadReading => ({
  id: row.id,
  at: countedAt(row.measured_at, row.received_at),
  measuredAt: row.measured_at,
  receivedAt: row.received_at,
  values: row.values ?? {},
  unit: row.unit,
  outOfRange: row.out_of_range,
  symptoms: row.symptoms,
})

export function sliceStatement(asked: readonly Asked[]): Statement {
  return {
    name: 'read-for-rules',
    text: READ,
    values: [
      plainArray(asked.map((_, nth) => nth)),
      textArray(asked.map(({ patientUid }) => patientUid)),
      textArray(asked.map(({ readingType }) => readingType)),
      textArray(asked.map(({ fields }) => fields.join(','))),
      plainArray(asked.map(({ from }) => from)),
      plainArray(asked.map(({ backTo }) => backTo)),
      plainArray(asked.map(({ now }) => now + HOUSE.aheadHours * HOUR)),
      plainArray(asked.map(({ size }) => size)),
    ],
  }
}

const instant = (value: string) => `to_timestamp(0) + ${value} * interval '1 microsecond'`

const OF_TASK = `readings.patient_uid = task.patient_uid
            and reading_type = task.reading_type`

// What was withdrawn is walked over too: it is told by its values, which are null.
const walked = (part: string, where: string, order: 'asc' | 'desc', limit: string) => `
      (
        select '${part}' as part, reading_id, measured_at, received_at, details, withdrawn_at is null and ${
          part === 'strange' ? 'true' : `not ${IS_STRANGE}`
        } as counts
        from casesheet.readings
        where ${OF_TASK}
          and ${where}
        order by ${part === 'strange' ? 'received_at desc' : orderOfTime(order)}
        limit ${limit}
      )`

/** What was measured last, however long ago: since then readings may be missing. */
const newestOf = (some: string) => `
      (
        select *
        from (${some}) as walked
        where counts
        limit 1
      )`

/** One from a clock that is ahead counts before it was measured: those between the two times may count later. */
const COUNTED_OF_NEWEST = `(
            select least(measured_at, received_at)
            from (${newestOf(walked('newest', 'measured_at < from_at', 'desc', String(MAX_WALKED)))}) as newest
          )`

// All in the order of the index by type: by the primary key, readings of all types would be read.
const READ = `
  select nth, part, reading_id as id, ${micros('measured_at')} as measured_at, ${micros('received_at')} as received_at,
    case when counts then (
      select coalesce(json_object_agg(name, details -> name) filter (where json_typeof(details -> name) = 'number'), '{}')
      from unnest(string_to_array(fields, ',')) as name
    ) end as values,
    details ->> 'unit' as unit, details ->> 'outOfRange' as out_of_range,
    case when reading_type = 'symptom' then details -> 'symptoms' end as symptoms
  from (
    select nth, patient_uid, reading_type, fields, ${instant('from_micros')} as from_at, ${instant('back_micros')} as back_to,
      ${instant('to_micros')} as before_at, size
    from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::float8[], $8::integer[])
      as task (nth, patient_uid, reading_type, fields, from_micros, back_micros, to_micros, size)
  ) as task
  cross join lateral (${walked('next', 'measured_at >= from_at and measured_at < before_at', 'asc', 'size')}
    union all${walked('before', 'measured_at < from_at and measured_at >= back_to', 'desc', String(MAX_WALKED))}
    union all${walked('newest', `measured_at < from_at and measured_at >= ${COUNTED_OF_NEWEST}`, 'desc', String(MAX_WALKED))}
    union all${newestOf(walked('strange', `${IS_STRANGE} and received_at < from_at`, 'desc', String(MAX_WALKED)))}
    union all${walked('strange', `${IS_STRANGE} and received_at >= back_to and received_at < before_at`, 'desc', String(MAX_WALKED))}
  ) as readings`
