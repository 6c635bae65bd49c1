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
import { createSummaries } from './statistics/summaries.ts'

/** What is needed beside the database: how much a patient may add in a day, the digests of erased patients, the time. */
type Deps = {
  patientBytes: PatientBytes
  digests: PatientDigests | undefined
  /** How far ahead of now a reading may be; 0 for any time. */
  maxAheadMs: number
  now: () => number
}

export type ReadingOperations = ReturnType<typeof createReadingOperations>

export function createReadingOperations(db: Db, { patientBytes, digests, maxAheadMs, now }: Deps) {
  const counts = countReadings(db.metrics)
  const findLatest = createFindLatest(db, now)
  const reads = countReads(db.metrics, 'readings/get')
  const refused = createRefusedPatients(digests)
  const grants = createReadingGrants(db)
  return {
    patientBytes,
    refused,
    addReadings: createAddReadings(db, counts, refused),
    ...createAddEach(db, counts, { refused, warn: createWarn(now) }),
    check: createReadingCheck(maxAheadMs, now),
    readPage: createReadPage(db, reads),
    readUpdated: createReadUpdated(db, reads),
    findLatest,
    latestReadings: createLatestReadings(findLatest),
    summaries: createSummaries(db),
    mustRead: createMustRead(grants),
    mustManage: createMustManage(grants),
    mustManageAsDoctor: createMustManageAsDoctor(grants),
    mustReadAsDoctor: createMustManageAsDoctor(grants, 'view'),
  }
}
