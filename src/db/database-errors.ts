// What the errors and warnings of PostgreSQL, its driver and the network mean to us. They are known by their codes.
import type { ClientBase } from 'pg'

const UNABLE_TO_CONNECT = '08001'

/** Whatever keeps a server from taking us, such as a disk that is full, is its trouble and may pass. */
export function failToConnect(cause: unknown): never {
  if (isGoneAway(cause)) throw cause
  const code = cause instanceof Error ? codeOf(cause) : ''
  throw Object.assign(new Error(`No connection could be made (${code}).`, { cause }), {
    code: UNABLE_TO_CONNECT,
  })
}

const GONE_AWAY =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|25006|40001|40P01|53100|53300|55P03|57014|57P0)/

/** Whether the connection or the primary went away, was too slow or had no room, so that another attempt may succeed. */
export function isGoneAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  // The driver's own time-outs and "Connection terminated" carry no code, only a text.
  return code === '' ? /timeout|terminated|not queryable/i.test(error.message) : GONE_AWAY.test(code)
}

/** Whether the statement was rolled back in a session that may be used again. */
export function isSessionGood(error: unknown): boolean {
  return error instanceof Error && /^(40001|40P01|53100|55P03|57014)$/.test(codeOf(error))
}

/** Whether another transaction held a lock for longer than the session waits for one. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '55P03'
}

/** Whether the server stopped the statement because it took too long. Repeating it would only keep the server busy. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014'
}

/**
 * Whether the same statement may be sent again. That includes the driver's own time-out, which has no code: the server did
 * not answer at all, so it is frozen or cut off, and another connection may lead to the next primary.
 */
export function mayRepeat(error: unknown): boolean {
  return isGoneAway(error) && !isStatementTimeout(error)
}

/** The SQLSTATE or system code of an error, or ''. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// None of our statements warns, but for one thing: somebody cancelled a commit that waited for its standby, and PostgreSQL
// answers success although it is on the primary only. Such a connection is marked until its statement is taken for failed.
const WARNING = '01000'
const TRANSACTION_RESOLUTION_UNKNOWN = '08007'
const warned = new WeakSet<ClientBase>()

/** Hears what the server says beside its answers. */
export function noteWarning(client: ClientBase, { code }: { code?: string | undefined }) {
  if (code === WARNING) warned.add(client)
}

export function mustBeReplicated(client: ClientBase) {
  if (!warned.has(client)) return
  throw Object.assign(new Error('The commit may be on the primary only.'), {
    code: TRANSACTION_RESOLUTION_UNKNOWN,
  })
}
