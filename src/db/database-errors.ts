// What the errors and warnings of PostgreSQL, its driver and the network mean to Rounds. They are classified by code.
import type { ClientBase } from 'pg'
import { codeOf } from '../error-code.ts'

const UNABLE_TO_CONNECT = '08001'

/** Any failure to connect (disk full, too many clients, starting up) is treated as transient. */
export function failToConnect(cause: unknown): never {
  if (isTransient(cause)) throw cause
  const code = cause instanceof Error ? codeOf(cause) : ''
  throw Object.assign(new Error(`No connection could be made (${code}).`, { cause }), {
    code: UNABLE_TO_CONNECT,
  })
}

const TRANSIENT =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|25006|40001|40P01|53100|53300|55P03|57014|57P0)/

/** Whether another attempt may succeed: the connection or the primary was lost, too slow, or out of room. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  // The driver's own time-outs and "Connection terminated" carry no code, only a text.
  return code === '' ? /timeout|terminated|not queryable/i.test(error.message) : TRANSIENT.test(code)
}

/** Whether the statement was rolled back in a session that may be used again. */
export function isSessionGood(error: unknown): boolean {
  return error instanceof Error && /^(40001|40P01|53100|55P03|57014)$/.test(codeOf(error))
}

/** Whether another transaction held a lock for longer than the session waits for one. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '55P03'
}

/** Whether the server cancelled the statement because it took too long. Repeating it would only keep the server busy. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014'
}

/**
 * Whether the same statement may be sent again. That includes the driver's own time-out, which has no code: the server did
 * not answer at all, so it is frozen or cut off, and another connection may lead to the next primary.
 */
export function mayRepeat(error: unknown): boolean {
  return isTransient(error) && !isStatementTimeout(error)
}

// Raised by a statement that was made from what is no longer true, such as the slots of a cell. The caller has to decide again.
const OUTDATED = '55E01'

export function isOutdated(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === OUTDATED
}

/** The same error, for what is known to be outdated before it is sent. */
export function outdated(): Error {
  return Object.assign(new Error('What the statement was to be made from has changed.'), { code: OUTDATED })
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
