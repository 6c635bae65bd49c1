// What adds readings and reads them, made once for a process: routes of other shapes use the same, so that all of them share
// statements, counts, checks and what is known of refused patients and of the cell.
import type { Db } from '../../db/db.ts'
import type { PatientBytes } from '../../http/limits/patient-bytes.ts'
import { createAddEach } from './add/add-each.ts'
import { countReadings, createAddReadings } from './add/add-readings.ts'
import { createReadingCheck } from './add/reading-ahead.ts'
import { createRefusedPatients } from './add/refused-patients.ts'
import { createCell } from './cell/cell.ts'
import { createReadPage } from './get/read-page.ts'
import { createPatientDigests } from './patient-digest.ts'

/** What is needed beside the database: how much a patient may add in a day, the key of erased patients' digests, the time. */
type Surroundings = {
  patientBytes: PatientBytes
  erasureKey: Buffer | undefined
  /** How far ahead of now a reading may be; 0 for any time. */
  maxAheadMs: number
  now: () => number
}

export type ReadingOperations = ReturnType<typeof createReadingOperations>

export function createReadingOperations(db: Db, { patientBytes, erasureKey, maxAheadMs, now }: Surroundings) {
  const counts = countReadings(db.metrics)
  const refused = createRefusedPatients(erasureKey && createPatientDigests(erasureKey))
  const cell = createCell(db)
  return {
    patientBytes,
    cell,
    addReadings: createAddReadings(db, counts, { cell, refused }),
    addEach: createAddEach(db, counts, { cell, refused }),
    check: createReadingCheck(maxAheadMs, now),
    readPage: createReadPage(db, cell),
  }
}
