// A stored reading as an Observation with what the service adds: the id, the reading's id as an identifier, when it was
// last updated, and, where it was withdrawn, that it was entered in error, by whom and why.
import type { FhirAnnotation } from '../../casesheet/fhir-elements/fhir-elements.ts'
import type { Observation } from '../resources.ts'
import { URI } from '../systems.ts'
import { isFhirText } from './other-fields.ts'
import { type Reading, readingToObservation } from './reading-to-observation.ts'

export type Stored = {
  reading: Reading
  id: string
  readingId: string
  /** When it was received, or last withdrawn or restored. */
  updatedAt: string
}

type Withdrawal = { at: string; by: unknown; reason: unknown }

export function storedObservation({ reading, id, readingId, updatedAt }: Stored): Observation {
  const { withdrawn, ...others } = reading
  const withdrawal = withdrawalOf(withdrawn)
  const {
    meta,
    resourceType,
    identifier = [],
    ...content
  } = readingToObservation(withdrawal ? others : reading)
  return {
    resourceType,
    id,
    meta: { lastUpdated: withdrawal?.at ?? updatedAt, ...meta },
    identifier: [...identifier, { system: URI, value: `urn:uuid:${readingId}` }],
    ...content,
    ...(withdrawal
      ? { status: 'entered-in-error', note: [...(content.note ?? []), noteOf(withdrawal)] }
      : {}),
  }
}

/** What the database adds to a reading that was withdrawn. */
export function withdrawalOf(withdrawn: unknown): Withdrawal | undefined {
  const { at, by, reason }: Partial<Withdrawal> = Object(withdrawn)
  return typeof at === 'string' && by !== undefined && reason !== undefined ? { at, by, reason } : undefined
}

function noteOf({ at, by, reason }: Withdrawal): FhirAnnotation {
  const text = isFhirText(reason) ? reason : 'Withdrawn'
  return { ...(isFhirText(by) ? { authorString: by } : {}), time: at, text }
}
