// Changes as the database lists them → JSON. The stored text of a reading's fields is spliced in, neither parsed nor printed
// again.
import { instantFrom } from '../epoch-time.ts'
import { charOf, DETAILS_WITH_WITHDRAWN, FIELD_END, READING_END } from '../get/print-readings.ts'

// Fields of a change: its kind, its transaction, its id, then those of a reading or of an erasure. Texts of callers are JSON,
// in which the separators are escaped.
export const READING_CHANGE = `concat_ws(
  ${charOf(FIELD_END)}, case when withdrawn_at is null then 'present' else 'withdrawn' end, changed_xid, reading_id,
  to_json(patient_uid), reading_type, sent_timestamp, measured_at, received_at, ${DETAILS_WITH_WITHDRAWN}
)`
export const ERASURE_CHANGE = `concat_ws(
  ${charOf(FIELD_END)}, 'erased', changed_xid, erasure_id, coalesce(to_json(patient_uid)::text, 'null'), at
)`

export type PrintedChange = {
  state: 'present' | 'withdrawn' | 'erased'
  xid: string
  id: string
  /** As JSON. */
  patientUid: string
  json: string
}

export function printChanges(listed: string | null): PrintedChange[] {
  if (listed === null || listed === '') return []
  // JSON may hold line ends between its values; ours does not, but an event must be one line even if another program stored it.
  const oneLine = /[\r\n]/.test(listed) ? listed.replace(/[\r\n]/g, ' ') : listed
  return oneLine.split(READING_END).map(printChange)
}

function printChange(listed: string): PrintedChange {
  const [kind = '', xid = '', id = '', patientUid = '', ...fields] = listed.split(FIELD_END)
  const state = kind as PrintedChange['state']
  const json =
    state === 'erased'
      ? `{"state":"erased","patientUid":${patientUid},"erasedAt":"${instantFrom(fields[0] ?? '', 3)}"}`
      : `{"state":"${state}","reading":${printReading(patientUid, id, fields)}}`
  return { state, xid, id, patientUid, json }
}

function printReading(patientUid: string, readingId: string, fields: string[]): string {
  const [type, timestamp, measuredAt = '', receivedAt = '', details = ''] = fields
  // The fields of the reading beside these: "{}", or fields that go on after a comma.
  const others = details === '{}' ? '' : `,${details.slice(1, -1)}`
  return (
    `{"patientUid":${patientUid},"readingType":"${type}","timestamp":${timestamp},"readingId":"${readingId}",` +
    `"measuredAt":"${instantFrom(measuredAt, 6)}","receivedAt":"${instantFrom(receivedAt, 3)}"${others}}`
  )
}
