// The one error of this package. The service's own errors keep their code; the others are ours, for what it cannot say.
import type { ErrorAnswer, FieldError } from './contract.ts'

export type RoundsErrorCode =
  | ErrorAnswer['code']
  /** No answer came: no network, a connection that was cut, a redirect. */
  | 'ConnectionFailed'
  /** The time given to an attempt, or to the whole call, is over. */
  | 'TimedOut'
  /** Something answered that is not Rounds: a proxy, a hotel's login page. */
  | 'UnexpectedAnswer'
  /** The offline queue holds as many readings as it may. */
  | 'QueueFull'
  /** The device, or the browser, has no more room for the offline queue. */
  | 'StorageFull'
  /** The app's function gave no token for a patient; `cause` says why. */
  | 'TokenUnavailable'

type Details = {
  code: RoundsErrorCode
  message: string
  retryable: boolean
  status?: number
  errors?: FieldError[] | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

export class RoundsError extends Error {
  readonly code: RoundsErrorCode
  /** The HTTP status, 0 when no answer came. */
  readonly status: number
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean
  /** What is wrong with the request, field by field. */
  readonly errors: FieldError[]
  /** To quote when asking for help. */
  readonly requestId: string | undefined
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor({ code, message, retryable, status, errors, requestId, retryAfterMs, cause }: Details) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'RoundsError'
    this.code = code
    this.status = status ?? 0
    this.retryable = retryable
    this.errors = errors ?? []
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}
