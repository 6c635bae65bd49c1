import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import type { ServedType } from './answers/served.ts'
import type { ObservationIds } from './observation/observation-id.ts'

export type FhirDeps = {
  /** Needed where Observations are served. */
  operations: ReadingOperations | undefined
  types: readonly ServedType[]
  ids: ObservationIds
  basePath: string
  now: () => number
}
