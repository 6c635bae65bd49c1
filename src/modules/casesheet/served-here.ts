// The one question that operations ask before they touch a patient's data: is this patient served here? Whoever knows where
// patients live answers it (src/modules/cells); operations and their SQL do not know how.
//
// Answers are cached. So each statement on a patient's data carries the version of the answer on which it relies, and fails where
// the database has another one (`isStillServed`): then nothing is read or stored, and the request is decided again. A refusal,
// which has no statement, is given only after the database was asked for it.
import type { Refusal } from '../../refusal.ts'

export type OfPatient = { patientUid: string }

export type ServedHere = {
  /** Does the work, whose statements carry the version, once all these patients are known to be served here; else refuses. */
  serve: <T>(all: readonly OfPatient[], work: () => Promise<T>) => Promise<T>
  /** Does the work again, from the start, whenever who is served has changed meanwhile. */
  decide: <T>(work: () => Promise<T>) => Promise<T>
  /** Whether all of these are served here, as far as this process knows. */
  areServed: (all: readonly OfPatient[]) => boolean
  /** Why a patient is not served here; undefined where it is. */
  refusalOf: (of: OfPatient) => Refusal | undefined
  /** Whether the patient is known to be served elsewhere now, and not only to be on the way. */
  isElsewhere: (of: OfPatient) => boolean
  /** Asks the database anew. */
  refresh: () => Promise<unknown>
  /** For the statement that is about to be sent. None is sent before the database was asked. */
  version: () => string | null
  /** For a statement over all patients: the version, and what `isOurs` takes. Refused while patients are on their way out. */
  ofAll: () => Promise<ServedOfAll>
}

/** How an operation refuses patients who are not served here. */
export const NOT_SERVED = ['WrongCell', 'PatientMoving'] as const

export type ServedOfAll = {
  version: string
  /** For `isOurs`: what others serve. Patients on their way here are not in it, because the feed waits for them. */
  elsewhere: string | null
  /** For `isOurs`: whoever is not served here, also patients on their way here, of whom this database has a copy. */
  notServed: string | null
  /** The slots that are served here, such as `0-2047,3072`; null where all are. */
  slots: string | null
}

/** SQL: the version as the database has it. */
export const SERVED_VERSION = '(select version from casesheet.cell)'

/** SQL: true, or an error where the version is another one. Also where the row is missing, which no server may take for open. */
export function isStillServed(parameter: string): string {
  return `case
        when ${SERVED_VERSION} = ${parameter}::uuid then true
        else casesheet.refuse_cell_version()
      end`
}

/** SQL: whether the patient of a row is served here, given `elsewhere` or `notServed`. A row without a patient is. */
export function isOurs(parameter: string): string {
  return `(${parameter}::int4multirange is null or not ${parameter} @> coalesce(casesheet.slot_of(patient_uid), -1))`
}
