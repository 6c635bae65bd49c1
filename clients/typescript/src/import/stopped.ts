// Why an import ended before the end of its file, in a sentence that says how to go on.
import { RoundsError } from '../rounds-error.ts'
import type { ImportResult } from './import-contract.ts'

const AGAIN = 'Import the same file again to go on: what is stored already is not stored twice.'

export function stoppedBy(cause: unknown, stored: number): NonNullable<ImportResult['stopped']> {
  const error = cause instanceof RoundsError ? cause : undefined
  const message = `${error?.message ?? 'The service takes no more readings.'} Until then ${stored} readings were stored. ${whatToDo(error)}`
  const { retryAfterMs } = error ?? {}
  return { message, cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

function whatToDo(error: RoundsError | undefined): string {
  if (error?.code === 'RateLimited')
    return `${AGAIN} Do it tomorrow, or ask your operator for a higher limit.`
  if (error?.status === 401) return `Sign in again. ${AGAIN}`
  if (error?.status === 403) return 'Use an account that may add readings of this patient.'
  return AGAIN
}
