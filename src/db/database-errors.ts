// What the errors and warnings of PostgreSQL, its driver and the network mean to Rounds. They are classified by code.
import { type ClientBase, DatabaseError } from 'pg'
import { codeOf } from '../error-code.ts'

const UNABLE_TO_CONNECT = '08001'

/** Any failure to connect (disk full, too many clients, starting up) is treated as transient. */
export function failToConnect(cause: unknown): never {
  if (isTransient(cause)) throw cause
  throw Object.assign(new Error('No connection could be made.', { cause }), { code: UNABLE_TO_CONNECT })
}

/** The code of what went wrong, also for a failure to connect. */
export function originalCodeOf(error: Error): string {
  return codeOf(error.cause instanceof Error && codeOf(error) === UNABLE_TO_CONNECT ? error.cause : error)
}

// The driver's own errors have no code, only a text. They get one here, and nowhere else.
const OF_DRIVER: readonly (readonly [RegExp, string])[] = [
  [/^timeout exceeded when trying to connect/, 'PoolTimeout'],
  [/connection timeout|timeout expired/, 'ConnectTimeout'],
  [/^Query read timeout/, 'QueryTimeout'],
  [/terminated|not queryable/i, 'ConnectionTerminated'],
]

/** The SQLSTATE, the code of Node, or the name of an error of the driver; '' where it is none of these. */
export function databaseCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return codeOf(error) || (OF_DRIVER.find(([text]) => text.test(error.message))?.[1] ?? '')
}

const TRANSIENT =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|25006|40001|40P01|53100|53300|55P03|57014|57P0|Pool|Connect|Query)/

/** Whether another attempt may succeed: the connection or the primary was lost, too slow, or out of room. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(databaseCodeOf(error))
}

/** Whether the statement was rolled back in a session that may be used again. */
export function isSessionGood(error: unknown): boolean {
  return /^(40001|40P01|53100|55P03|57014)$/.test(codeOf(error))
}

/** Whether another transaction held a lock for longer than the session waits for one. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/**
 * Whether the server cancelled the statement: because it took too long, when repeating it would only keep the server busy, or
 * because another session asked for it.
 */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/**
 * Whether the same statement may be sent again. That includes the driver's own time-out: the server did not answer at all, so it
 * is frozen or cut off, and another connection may lead to the next primary.
 */
export function mayRepeat(error: unknown): boolean {
  return isTransient(error) && !isCancelled(error)
}

/**
 * Whether the partition of the row is attached in another cluster. PostgreSQL reports it as a check violation, and names no constraint,
 * as it does for every other one.
 */
export function isOfMissingPartition(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23514' && error.constraint === undefined
}

// None of our statements warns, with one exception: when another session cancels a commit that waits for its standby,
// PostgreSQL reports success although the commit is on the primary only. The connection is marked, and its statement fails.
const WARNING = '01000'
const TRANSACTION_RESOLUTION_UNKNOWN = '08007'
const warned = new WeakSet<ClientBase>()

/** Called for each notice and warning of the server. */
export function noteWarning(client: ClientBase, { code }: { code?: string | undefined }) {
  if (code === WARNING) warned.add(client)
}

export function mustBeReplicated(client: ClientBase) {
  if (!warned.has(client)) return
  throw Object.assign(new Error('The commit may be on the primary only.'), {
    code: TRANSACTION_RESOLUTION_UNKNOWN,
  })
}
