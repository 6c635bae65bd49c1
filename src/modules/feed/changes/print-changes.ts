// Changes as the database lists them → JSON.
import { instantFrom } from '../../casesheet/epoch-time.ts'
import {
  charOf,
  DETAILS_WITH_WITHDRAWN,
  FIELD_END,
  inOneLine,
  LISTED_COLUMNS,
  type ListedReading,
  printReading,
  READING_END,
  readingAt,
} from '../../casesheet/get/print-readings.ts'

// Fields of a change: its kind, its transaction, its patient, then those of a reading or of an erasure. Texts of callers are JSON,
// in which the separators are escaped.
export const READING_CHANGE = `concat_ws(
  ${charOf(FIELD_END)}, case when withdrawn_at is null then 'present' else 'withdrawn' end, changed_xid, to_json(patient_uid),
  ${LISTED_COLUMNS}, ${DETAILS_WITH_WITHDRAWN}
)`
export const ERASURE_CHANGE = `concat_ws(
  ${charOf(FIELD_END)}, 'erased', changed_xid, coalesce(to_json(patient_uid)::text, 'null'), erasure_id, at
)`

export type PrintedChange = {
  state: 'present' | 'withdrawn' | 'erased'
  xid: string
  id: string
  /** As JSON. */
  patientUid: string
  json: string
}

export function printChanges(listed: string | null, printReadingChange = printWhole): PrintedChange[] {
  if (listed === null || listed === '') return []
  // An event must be one line.
  return inOneLine(listed)
    .split(READING_END)
    .map((item) => printChange(item, printReadingChange))
}

function printChange(listed: string, printReadingChange: typeof printWhole): PrintedChange {
  const [kind = '', xid = '', patientUid = '', id = '', at = ''] = listed.split(FIELD_END, 5)
  const state = kind as PrintedChange['state']
  if (state === 'erased') {
    const json = `{"state":"erased","patientUid":${patientUid},"erasedAt":"${instantFrom(at, 3)}"}`
    return { state, xid, id, patientUid, json }
  }
  const reading = readingAt(listed, kind.length + xid.length + patientUid.length + 3)
  const json = printReadingChange(state, patientUid, reading)
  return { state, xid, id: reading.readingId, patientUid, json }
}

function printWhole(state: string, patientUid: string, reading: ListedReading): string {
  return `{"state":"${state}","reading":${printReading(reading, patientUid)}}`
}

/** Which reading changed, without what was measured. */
export function printThin(state: string, patientUid: string, reading: ListedReading): string {
  const { readingId, readingType, timestamp } = reading
  return `{"state":"${state}","patientUid":${patientUid},"readingType":"${readingType}","timestamp":${timestamp},"readingId":"${readingId}"}`
}
