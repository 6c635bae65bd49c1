// No answer came. What that may mean depends on where this runs: a browser hides the reason from the page, Node names it.
import { RoundsError } from './rounds-error.ts'

const IN_BROWSER = [
  'no network',
  'a certificate that the browser does not trust',
  'a page on https that calls an address on http',
  "or that the service does not allow this page's origin (its operator names it in CORS_ORIGINS)",
].join(', ')

type Runtime = {
  /** Missing outside of pages. */
  document?: object
  /** Only in workers. */
  WorkerGlobalScope?: unknown
  navigator?: { onLine?: boolean }
}

export function connectionFailed(cause: unknown, runtime = globalThis as Runtime): RoundsError {
  const message = `The service could not be reached, or the connection was lost${explanation(cause, runtime)}`
  return new RoundsError({ code: 'ConnectionFailed', message, retryable: true, cause })
}

function explanation(cause: unknown, { document, WorkerGlobalScope, navigator }: Runtime): string {
  if (navigator?.onLine === false) return ': this device is offline.'
  if (document !== undefined || WorkerGlobalScope !== undefined) {
    return `. In a browser this may mean: ${IN_BROWSER}. The browser's console says which.`
  }
  const code = codeOf(cause)
  return code === undefined ? '.' : ` (${code}).`
}

/** Node's fetch hides the system's code, such as ECONNREFUSED, in the cause of its error. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? undefined : codeOf(cause)
}
