// Readings as the database lists them → the JSON of the answer. The stored text of a reading's fields is spliced in,
// neither parsed nor printed again.
import { instantFrom } from '../epoch-time.ts'
import type { Position } from './range.ts'

// No stored text holds these: in JSON they would be escaped.
export const FIELD_END = '\x1f'
export const READING_END = '\x1e'

const UUID_LENGTH = 36

/** SQL: a reading as such a text. */
export const READING_AS_TEXT = `concat_ws(
  ${charOf(FIELD_END)}, reading_type, sent_timestamp, reading_id, measured_at, received_at, details
)`

/** SQL: when a reading was withdrawn, by whom and why, as JSON. */
const WITHDRAWN_AS_JSON = `concat(
  '{"at":"', to_char(withdrawn_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  '","by":', to_json(withdrawn_by), ',"reason":', coalesce(to_json(withdrawn_reason)::text, 'null'), '}'
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
export const DETAILS_WITH_WITHDRAWN = `case
  when withdrawn_at is null then details::text
  else (
    select concat(left(own, -1), case when own <> '{}' then ',' end, '"withdrawn":', ${WITHDRAWN_AS_JSON}, '}')
    from (select ${DETAILS_TO_EXTEND} as own offset 0) as to_extend
  )
end`

export function charOf(character: string): string {
  return `chr(${character.charCodeAt(0)})`
}

/** The first `count` of the listed readings as text of one format, and the position of the last of them. */
export type PrintReadings = (
  listed: string,
  count: number,
  patientUid: string,
) => { text: string; last: Position }

/** A JSON list without its brackets. */
export const printList: PrintReadings = (listed, count, patientUid) =>
  printJson(listed, count, { patientUid, separator: ',' })

/** A line of JSON for each reading. */
export const printLines: PrintReadings = (listed, count, patientUid) => {
  // JSON may hold line ends between its values; ours does not, but a line must be one reading even if another program stored it.
  const oneLine = listed.includes('\n') || listed.includes('\r') ? listed.replace(/[\r\n]/g, ' ') : listed
  return printJson(oneLine, count, { patientUid, separator: '\n' })
}

function printJson(
  listed: string,
  count: number,
  { patientUid, separator }: { patientUid: string; separator: string },
): { text: string; last: Position } {
  const head = `{"patientUid":${JSON.stringify(patientUid)},"readingType":"`
  let text = ''
  let last = { timestamp: 0, readingId: '' }
  let start = 0
  for (let printed = 0; printed < count; printed++) {
    const typeEnd = listed.indexOf(FIELD_END, start)
    const timestampEnd = listed.indexOf(FIELD_END, typeEnd + 1)
    const idEnd = timestampEnd + 1 + UUID_LENGTH
    const measuredEnd = listed.indexOf(FIELD_END, idEnd + 1)
    const receivedEnd = listed.indexOf(FIELD_END, measuredEnd + 1)
    const nextReading = listed.indexOf(READING_END, receivedEnd)
    const end = nextReading === -1 ? listed.length : nextReading
    const type = listed.slice(start, typeEnd)
    const timestamp = listed.slice(typeEnd + 1, timestampEnd)
    const readingId = listed.slice(timestampEnd + 1, idEnd)
    const measuredAt = instantFrom(listed.slice(idEnd + 1, measuredEnd), 6)
    const receivedAt = instantFrom(listed.slice(measuredEnd + 1, receivedEnd), 3)
    // What the reading brought beside these: "{}", or fields that go on after a comma.
    const fields = end - receivedEnd === 3 ? '}' : `,${listed.slice(receivedEnd + 2, end)}`
    text +=
      `${printed === 0 ? '' : separator}${head}${type}","timestamp":${timestamp},"readingId":"${readingId}",` +
      `"measuredAt":"${measuredAt}","receivedAt":"${receivedAt}"${fields}`
    if (printed === count - 1) last = { timestamp: Number(timestamp), readingId }
    start = end + 1
  }
  return { text, last }
}
