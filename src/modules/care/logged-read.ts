// What the access log says of a read of a patient's targets, rules or alerts, or the timeline. They are no readings, so none are counted.
import { OF_ALL_TIME, type Read } from '../casesheet/access-log/log-reads.ts'
import type { Reader } from '../casesheet/reader.ts'

type Operation = 'targets/list' | 'timeline' | 'rules/list' | 'alerts/list'

export function readOf(operation: Operation, patientUid: string, reader: Reader): Read {
  return { patientUid, operation, readingTypes: reader.limitedTo, ...OF_ALL_TIME, reader, count: 0 }
}
