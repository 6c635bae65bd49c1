// A Refusal is the caller's fault, or a state that the caller should know of, in domain words. Any other error is internal and
// answers 500. One table maps each code to its HTTP status. A CommandError is the same for a person who runs a command.

export const STATUS_OF = {
  ValidationFailed: 400,
  MalformedJson: 400,
  InvalidRange: 400,
  InvalidCursor: 400,
  TokenMissing: 401,
  TokenInvalid: 401,
  TokenExpired: 401,
  PatientMismatch: 403,
  PatientNotInToken: 403,
  ScopeMissing: 403,
  ReasonRequired: 403,
  PatientErased: 403,
  NotShared: 403,
  NotADoctor: 403,
  ManageRequired: 403,
  NotFound: 404,
  ReadingNotFound: 404,
  EndpointNotFound: 404,
  TargetUnknown: 404,
  RuleUnknown: 404,
  AlertUnknown: 404,
  ReviewUnknown: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  EndpointExists: 409,
  ReviewExists: 409,
  TooLate: 409,
  RuleExists: 409,
  TooManyRules: 409,
  AlertsAreOff: 409,
  CursorExpired: 410,
  BodyTooLarge: 413,
  UnsupportedMediaType: 415,
  MisdirectedRequest: 421,
  UnknownDoctor: 422,
  TooManyGrants: 422,
  TooManyEndpoints: 422,
  RateLimited: 429,
  HeadersTooLarge: 431,
  InternalError: 500,
  Overloaded: 503,
  DatabaseUnavailable: 503,
  IssuerUnavailable: 503,
} as const

/** Codes that only the proxy of deploy/haproxy answers with, in the same shape. */
export const PROXY_CODES = ['TlsRequired', 'ServerUnavailable'] as const

export type RefusalCode = keyof typeof STATUS_OF

/** Whether the same request may succeed later, unchanged. */
export function isRetryable(code: RefusalCode): boolean {
  return (
    STATUS_OF[code] === 503 ||
    code === 'RateLimited' ||
    code === 'RequestTimeout' ||
    code === 'MisdirectedRequest'
  )
}

/** Maximum number of wrong fields that an answer names. */
export const MAX_ERRORS = 20

/** One field that is wrong: a JSON Pointer to it, and what it must be. Never its value. */
export type FieldError = { pointer: string; message: string }

/** The same error, of a value that stands at `pointer` in a larger one. */
export const below = (pointer: string, error: FieldError): FieldError => ({
  ...error,
  pointer: `${pointer}${error.pointer}`,
})

/**
 * Where a body is at fault. Lines and columns count from 1, a column being a character; `byte` is the number of bytes before the
 * fault.
 */
export type Position = { line: number; column: number; byte: number }

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly errors: FieldError[] | undefined
  readonly position: Position | undefined
  readonly headers: Record<string, string>
  /** For the log, which the caller does not see: one of a few fixed texts, never a value that was sent. */
  readonly reason: string | undefined

  constructor(
    code: RefusalCode,
    message: string,
    extra: {
      errors?: FieldError[] | undefined
      position?: Position | undefined
      headers?: Record<string, string>
      reason?: string
    } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.errors = extra.errors
    this.position = extra.position
    this.headers = extra.headers ?? {}
    this.reason = extra.reason
  }

  /** The same refusal, which also says where. */
  at(position: Position): Refusal {
    const { line, column, byte } = position
    const message = `${this.message.replace(/\.$/, '')}: line ${line}, column ${column}, byte ${byte}.`
    return new Refusal(this.code, message, { errors: this.errors, position, headers: this.headers })
  }
}

export function overloaded(): Refusal {
  return new Refusal('Overloaded', 'Too many requests are waiting already. Try again shortly.')
}

/** `reason` is the code of what went wrong, for the log. */
export function databaseUnavailable(reason = ''): Refusal {
  return new Refusal(
    'DatabaseUnavailable',
    'The database cannot be reached. Try again shortly.',
    withReason(reason),
  )
}

export function misdirected(): Refusal {
  return new Refusal(
    'MisdirectedRequest',
    'Another database cluster serves this patient: the request was routed to the wrong one.',
  )
}

/** It tells the caller what to ask the operator for. Repeating is right, because servers may start before the migration. */
export function databaseNotMigrated(reason: string): Refusal {
  const message = 'The database is not ready for this release: its operator has to run "rounds migrate".'
  return new Refusal('DatabaseUnavailable', message, withReason(reason))
}

const withReason = (reason: string) => (reason === '' ? {} : { reason })

/** Nobody is left to read it: for the work that it ends. */
export function clientDisconnected(): Refusal {
  return new Refusal('RequestTimeout', 'The client disconnected.')
}

/** An error that the person who runs a command can fix: its message is shown without a stack. */
export class CommandError extends Error {
  readonly exitCode: number = 1
}

/** A refusal that names each wrong field; its sentence is about the first, and does not say the position. */
export function refuseFields(found: FieldError[], position?: Position): Refusal {
  const errors = withinLimits(found)
  const [first] = errors
  const field =
    first?.pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? 'The request'
  const others = errors.length > 1 ? ` (${errors.length - 1} more in errors)` : ''
  return new Refusal('ValidationFailed', `${field} ${first?.message ?? 'is not valid'}${others}.`, {
    errors,
    position,
  })
}

const MAX_POINTER_CHARS = 256
const MAX_ERRORS_BYTES = 12 * 1_024

/**
 * The errors that an answer names: the first twenty, each pointer cut to 256 characters, and no more than stay within 12 KiB.
 * Names of fields come from the caller, and may be long.
 */
function withinLimits(found: FieldError[]): FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const { pointer, message } of found.slice(0, MAX_ERRORS)) {
    const error = { pointer: cut(pointer), message }
    bytes += Buffer.byteLength(JSON.stringify(error))
    if (errors.length > 0 && bytes > MAX_ERRORS_BYTES) break
    errors.push(error)
  }
  return errors
}

function cut(pointer: string): string {
  if (pointer.length <= MAX_POINTER_CHARS) return pointer
  // Half a surrogate pair may be left at the end.
  return `${pointer.slice(0, MAX_POINTER_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A field's name as a part of a JSON Pointer. */
export function pointerPart(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
