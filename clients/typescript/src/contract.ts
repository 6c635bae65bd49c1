// The words of the API, by the names that people use, taken from the generated types.
import type { components, operations } from './api.ts'

type Schemas = components['schemas']

export type Doctor = Schemas['Doctor']
export type Speciality = Schemas['Speciality']
/** A reading as it is sent. Fields beyond those named are kept and returned as they were sent. */
export type Reading = Schemas['Reading']
export type SymptomReading = Schemas['SymptomReading']
/** A reading as it comes back: as it was sent, with `readingId`, `measuredAt` and `receivedAt`. */
export type StoredReading = Schemas['StoredReading']
/** What became of one reading of an add: stored, duplicate or rejected, and why. */
export type AddVerdict = Schemas['AddVerdict']
/** One read of a patient's readings, by anyone. */
export type Access = Schemas['Access']
/** One field that is wrong: a JSON Pointer to it, and what it must be. */
export type FieldError = NonNullable<Schemas['Error']['errors']>[number]
export type ErrorAnswer = Schemas['Error']

export type DoctorsQuery = NonNullable<operations['listDoctors']['parameters']['query']>
export type ReadingsQuery = NonNullable<operations['getReadings']['parameters']['query']>

export type AccessLogQuery = NonNullable<operations['readAccessLog']['parameters']['query']>

type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export type DoctorsAnswer = Answer<'listDoctors'>
export type SpecialitiesAnswer = Answer<'listSpecialities'>
export type AddAnswer = Schemas['AddAnswer']
export type AddVerdicts = Schemas['AddVerdicts']
export type ReadingsAnswer = Answer<'getReadings'>
export type AccessLogAnswer = Answer<'readAccessLog'>
