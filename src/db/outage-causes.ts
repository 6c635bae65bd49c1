// What an error says about why the database is unavailable: a code for metrics and alerts, and a text for the log. Only the
// message of an error is taken, because its other fields may quote a row. An error about the data of a request is no cause.
import { codeOf } from '../error-code.ts'
import { databaseCodeOf } from './database-errors.ts'

export type Cause = {
  /** The SQLSTATE, the code of Node, or one of the names below. */
  readonly code: string
  readonly reason: string
}

/** Where an attempt failed. Any failure to connect is a cause; of those of statements, only some are. */
export type Stage = 'connect' | 'statement'

/** The server answers the statement with: I cannot, whatever the data are. */
const OF_STATEMENT = /^(25006|3F000|42501|42703|42883|42P01|53|58)/

/** The statement needs a table, a column or a function that a migration creates. */
const NOT_MIGRATED = /^(3F000|42703|42883|42P01|NotMigrated)$/

const MAX_REASON_CHARS = 300

export function causeOf(error: unknown, stage: Stage): Cause | undefined {
  if (!(error instanceof Error)) return undefined
  const code = databaseCodeOf(error) || 'Unknown'
  // A wait for a free connection of the pool says nothing of the database.
  if (code === 'PoolTimeout') return undefined
  // A connection that is lost under a statement is made again at once: only if that fails is the database unavailable.
  if (stage === 'statement' && code !== 'QueryTimeout' && !OF_STATEMENT.test(code)) return undefined
  return { code, reason: reasonOf(error, code) }
}

/** Whether the statement could not be served by a database of this state: without our rights, out of room, or not migrated. */
export function cannotServe(error: unknown): boolean {
  return OF_STATEMENT.test(codeOf(error))
}

export function isNotMigrated(error: unknown): boolean {
  return NOT_MIGRATED.test(codeOf(error))
}

export function notMigrated(missing: string[]): Cause {
  const names = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ` and ${missing.length - 3} more` : '')
  return {
    code: 'NotMigrated',
    reason: `migrations are missing: ${names}; run "rounds migrate" with the MODULES of this server`,
  }
}

export const READ_ONLY: Cause = {
  code: '25006',
  reason: 'transactions are read-only: this is a standby, or default_transaction_read_only is on',
}

function reasonOf(error: Error, code: string): string {
  // An address with several IPs fails with one error for each, and with no message of its own.
  const each: unknown[] = error instanceof AggregateError ? error.errors : []
  const text = error.message || each.map((one) => (one instanceof Error ? one.message : '')).join('; ')
  const printable = text.replace(/\p{C}/gu, ' ').slice(0, MAX_REASON_CHARS)
  return NOT_MIGRATED.test(code) ? `${printable}; run "rounds migrate"` : printable
}

/** The values of the label `code`: a fixed list, so that the number of time series is bounded. */
export const CAUSE_LABELS: readonly string[] = [
  '08001 08004 08006 25006 28000 28P01 3D000 3F000 42501 42703 42883 42P01 53100 53200 53300 53400 57P01 57P02 57P03 58030 58P01',
  'EACCES EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOENT ENOTFOUND EPIPE ETIMEDOUT',
  'CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ConnectTimeout ConnectionTerminated NotMigrated QueryTimeout other',
].flatMap((codes) => codes.split(' '))

export function labelOf({ code }: Cause): string {
  return CAUSE_LABELS.includes(code) ? code : 'other'
}
