import type { FindDoctors } from '../appointments/find-doctors.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import type { ServedType } from './answers/served.ts'
import type { Gets } from './gets.ts'
import type { ObservationIds } from './observation/observation-id.ts'

export type FhirDeps = {
  /** Needed where Observations are served. */
  operations: ReadingOperations | undefined
  findDoctors: FindDoctors
  types: readonly ServedType[]
  ids: ObservationIds
  basePath: string
  now: () => number
}

/** What the routes of a patient's resources need. */
export type PatientDeps = Pick<FhirDeps, 'ids' | 'basePath' | 'now'> & {
  gets: Gets
  reading: ReadingOperations
}
