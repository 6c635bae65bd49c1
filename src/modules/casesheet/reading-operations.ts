// What adds readings and reads them, made once for a process: routes of other shapes use the same, so that all of them share
// statements, counts, checks and what is known of refused patients.
import type { Db } from '../../db/db.ts'
import type { PatientBytes } from '../../http/limits/patient-bytes.ts'
import { createMustManage, createMustManageAsDoctor, createMustRead } from './access.ts'
import { countReads } from './access-log/access-entry.ts'
import { createAddEach } from './add/add-each.ts'
import { countReadings, createAddReadings } from './add/add-readings.ts'
import { createWarn } from './add/reading-warnings.ts'
import { createRefusedPatients } from './add/refused-patients.ts'
import { createReadPage } from './get/read-page.ts'
import { createReadUpdated } from './get/read-updated.ts'
import { createReadingGrants } from './grants/reading-grants.ts'
import { createFindLatest, createLatestReadings } from './latest/latest-readings.ts'
import type { PatientDigests } from './patient-digest.ts'
import { createReadingCheck } from './reading.ts'
import type { ServedHere } from './served-here.ts'
import { createSummaries } from './statistics/summaries.ts'

/** What is needed beside the database: who is served, how much a patient may add in a day, the digests of erased patients, the time. */
type Deps = {
  servedHere: ServedHere
  patientBytes: PatientBytes
  digests: PatientDigests | undefined
  /** How far ahead of now a reading may be; 0 for any time. */
  maxAheadMs: number
  now: () => number
}

export type ReadingOperations = ReturnType<typeof createReadingOperations>

export function createReadingOperations(
  db: Db,
  { servedHere, patientBytes, digests, maxAheadMs, now }: Deps,
) {
  const counts = countReadings(db.metrics)
  const findLatest = createFindLatest(db, servedHere, now)
  const reads = countReads(db.metrics, 'readings/get')
  const refused = createRefusedPatients(digests)
  const grants = createReadingGrants(db, servedHere)
  return {
    patientBytes,
    servedHere,
    refused,
    addReadings: createAddReadings(db, counts, { servedHere, refused }),
    ...createAddEach(db, counts, { servedHere, refused, warn: createWarn(now) }),
    check: createReadingCheck(maxAheadMs, now),
    readPage: createReadPage(db, servedHere, reads),
    readUpdated: createReadUpdated(db, servedHere, reads),
    findLatest,
    latestReadings: createLatestReadings(findLatest),
    summaries: createSummaries(db, servedHere),
    mustRead: createMustRead(grants),
    mustManage: createMustManage(grants),
    mustManageAsDoctor: createMustManageAsDoctor(grants),
  }
}
