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
/** One field that is wrong: a JSON Pointer to it, and what it must be. */
export type FieldError = NonNullable<Schemas['Error']['errors']>[number]
export type ErrorAnswer = Schemas['Error']

export type DoctorsQuery = NonNullable<operations['listDoctors']['parameters']['query']>
export type ReadingsQuery = NonNullable<operations['getReadings']['parameters']['query']>
export type LatestQuery = NonNullable<operations['latestReadings']['parameters']['query']>
export type StatisticsQuery = operations['readingStatistics']['parameters']['query']

type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

export type DoctorsAnswer = Answer<'listDoctors'>
export type SpecialitiesAnswer = Answer<'listSpecialities'>
export type AddAnswer = Answer<'addReadings'>
export type ReadingsAnswer = Answer<'getReadings'>
export type LatestAnswer = Answer<'latestReadings'>
export type StatisticsAnswer = Answer<'readingStatistics'>
