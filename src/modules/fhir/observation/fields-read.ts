// The fields of a reading as they are found in an Observation, and where each stands: a check of the reading must say where
// in the Observation it found a fault.
import { pointerPart } from '../../../refusal.ts'
import { refuseAt } from '../refuse-at.ts'

/** These have elements of their own. */
const RESERVED = new Set(['patientUid', 'readingType', 'timestamp'])

export type FieldsRead = ReturnType<typeof createFieldsRead>

export function createFieldsRead() {
  const fields = new Map<string, unknown>()
  /** By the JSON Pointer into the reading. */
  const pathOf = new Map([
    ['/patientUid', 'Observation.subject'],
    ['/readingType', 'Observation.code'],
    ['/timestamp', 'Observation.effective'],
  ])
  function set(name: string, value: unknown, path: string) {
    if (RESERVED.has(name) || fields.has(name)) throw refuseAt(path, 'must not give a field again')
    fields.set(name, value)
    pathOf.set(pointerPart(name), path)
  }
  return { fields, pathOf, set }
}
