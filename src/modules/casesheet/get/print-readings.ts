// Readings as the database lists them → the JSON of the answer. The stored text of a reading's fields is spliced in,
// neither parsed nor printed again.
import { instantFrom } from '../epoch-time.ts'

// No stored text holds these: in JSON they would be escaped.
export const FIELD_END = '\x1f'
export const READING_END = '\x1e'

const UUID_LENGTH = 36

/** SQL: the columns of a listed reading, in the order in which `readingAt` finds them; concat_ws leaves out `changed_at` where it is null. */
export const LISTED_COLUMNS = 'reading_type, sent_timestamp, reading_id, measured_at, received_at, changed_at'

/** SQL: a reading as such a text. */
export const READING_AS_TEXT = `concat_ws(${charOf(FIELD_END)}, ${LISTED_COLUMNS}, details)`

const asJson = (column: string) => `coalesce(to_json(${column})::text, 'null')`
const asInstant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL: the fields of a withdrawal as JSON, without the braces: when, by whom, why that was allowed, and why. */
const WITHDRAWN_AS_JSON = `concat(
  '"at":"', ${asInstant('withdrawn_at')}, '","by":', to_json(withdrawn_by),
  ',"allowedAs":', ${asJson('withdrawn_as')}, ',"reason":', ${asJson('withdrawn_reason')}
)`

const MAX_CORRECTIONS_SHOWN = 10

/** SQL: the last corrections of a reading as JSON, the oldest of them first. */
const CORRECTIONS_AS_JSON = `(
  select concat('[', string_agg(correction, ',' order by at), ']')
  from (
    select at, concat(
      '{"action":"', action, '","at":"', ${asInstant('at')}, '","by":', to_json(corrected_by),
      ',"allowedAs":"', allowed_as, '","reason":', ${asJson('reason')}, '}'
    ) as correction
    from casesheet.corrections
    where corrections.patient_uid = readings.patient_uid
      and corrections.measured_at = readings.measured_at
      and corrections.reading_id = readings.reading_id
    order by at desc
    limit ${MAX_CORRECTIONS_SHOWN}
  ) as last
)`

// A reading stored by an earlier release may have a field of this name itself. It gives way while the reading is withdrawn: two
// of one name would leave each reader of the JSON to choose. Few readings take this way, since it parses; json, unlike jsonb, keeps
// the text of every value and the order of the fields.
const DETAILS_TO_EXTEND = `case
  when strpos(details::text, '"withdrawn"') = 0 then details::text
  else (
    select concat('{', string_agg(concat(to_json(field.key), ':', field.value), ',' order by field.nth), '}')
    from json_each(details) with ordinality as field (key, value, nth)
    where field.key <> 'withdrawn'
  )
end`

/** SQL: the details of a reading with one field more where it was withdrawn. */
export const DETAILS_WITH_WITHDRAWN = detailsWith(`concat('{', ${WITHDRAWN_AS_JSON}, '}')`)

/** The same, and in that field the corrections that led to it. */
export const DETAILS_WITH_CORRECTIONS = detailsWith(
  `concat('{', ${WITHDRAWN_AS_JSON}, ',"corrections":', ${CORRECTIONS_AS_JSON}, '}')`,
)

function detailsWith(withdrawn: string): string {
  return `case
  when withdrawn_at is null then details::text
  else (
    select concat(left(own, -1), case when own <> '{}' then ',' end, '"withdrawn":', ${withdrawn}, '}')
    from (select ${DETAILS_TO_EXTEND} as own offset 0) as to_extend
  )
end`
}

export function charOf(character: string): string {
  return `chr(${character.charCodeAt(0)})`
}

/** A reading with each field as the database printed it. */
export type ListedReading = ReturnType<typeof readingAt>

/** The first `count` of the listed readings. */
export function readingsIn(listed: string, count: number): ListedReading[] {
  const readings: ListedReading[] = []
  let start = 0
  while (readings.length < count) {
    const nextReading = listed.indexOf(READING_END, start)
    const end = nextReading === -1 ? listed.length : nextReading
    readings.push(readingAt(listed, start, end))
    start = end + 1
  }
  return readings
}

/** The last of the first `count` listed readings. */
export function lastReadingIn(listed: string, count: number): ListedReading {
  let start = 0
  for (let passed = 1; passed < count; passed++) start = listed.indexOf(READING_END, start) + 1
  const end = listed.indexOf(READING_END, start)
  return readingAt(listed, start, end === -1 ? undefined : end)
}

/** The listed reading from `start` on. */
export function readingAt(listed: string, start: number, end = listed.length) {
  const typeEnd = listed.indexOf(FIELD_END, start)
  const timestampEnd = listed.indexOf(FIELD_END, typeEnd + 1)
  const idEnd = timestampEnd + 1 + UUID_LENGTH
  const measuredEnd = listed.indexOf(FIELD_END, idEnd + 1)
  const receivedEnd = listed.indexOf(FIELD_END, measuredEnd + 1)
  const receivedAt = listed.slice(measuredEnd + 1, receivedEnd)
  const isChanged = listed[receivedEnd + 1] !== '{'
  const updatedEnd = isChanged ? listed.indexOf(FIELD_END, receivedEnd + 1) : receivedEnd
  return {
    readingType: listed.slice(start, typeEnd),
    timestamp: listed.slice(typeEnd + 1, timestampEnd),
    readingId: listed.slice(timestampEnd + 1, idEnd),
    measuredAt: listed.slice(idEnd + 1, measuredEnd),
    receivedAt,
    /** When it was last withdrawn or restored, or else received. */
    updatedAt: isChanged ? listed.slice(receivedEnd + 1, updatedEnd) : receivedAt,
    /** The JSON object of its other fields, without the opening brace. */
    rest: listed.slice(updatedEnd + 2, end),
  }
}

/** As JSON; `patient` is the id of the patient as JSON. */
export function printReading(
  { readingType, timestamp, readingId, measuredAt, receivedAt, rest }: ListedReading,
  patient: string,
): string {
  return (
    `{"patientUid":${patient},"readingType":"${readingType}","timestamp":${timestamp},"readingId":"${readingId}",` +
    `"measuredAt":"${instantFrom(measuredAt, 6)}","receivedAt":"${instantFrom(receivedAt, 3)}"${rest === '}' ? '' : ','}${rest}`
  )
}

/** JSON may hold line ends between its values; ours does not, but another program may have stored it. */
export function inOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]/g, ' ') : json
}
