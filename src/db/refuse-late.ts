// Why a request is refused at its deadline: because of the database, or of those before it.
import { databaseUnavailable, Refusal } from '../refusal.ts'
import { isSessionGood, isTransient } from './database-errors.ts'

/** Longer than an attempt takes that gets no answer: waiting for a connection, then for the rows. */
const ANSWERS_WITHIN_MS = 10_000

/**
 * The refusal of a request that was asked at this time. The database is to blame unless it has answered other requests since, and
 * lately. Both times are those of `performance.now()`.
 */
export function refuseLate(askedAt: number, answeredAt: number): Refusal {
  const isAnswering = answeredAt > Math.max(askedAt, performance.now() - ANSWERS_WITHIN_MS)
  if (!isAnswering) return databaseUnavailable()
  return new Refusal('Overloaded', 'The request waited too long behind others. Try again shortly.')
}

/** Whether an error shows that the database is there: the server refused or cancelled the statement. */
export function isAnAnswer(error: unknown): boolean {
  return !isTransient(error) || isSessionGood(error)
}
