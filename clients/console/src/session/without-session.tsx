// What is shown where there is no session: after sign-out, and where the console cannot start.
import { RoundsError } from '../../../typescript/src/client.ts'
import { countText } from '../format/numbers.ts'
import { useRetry } from '../hooks/use-retry.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import type { SignedOutState } from './session.ts'

export function SignedOut({ state, onSignIn }: { state: SignedOutState; onSignIn: () => void }) {
  const { unsent, isEndedAtIssuer } = state
  return (
    <main class="alone">
      <h1>You have signed out</h1>
      <p class="muted">Nobody can see readings here now. Close the tab, or sign in again.</p>
      {!isEndedAtIssuer && (
        <p class="notice">
          The place where you sign in was not reached, and may let the next person in as you. On a device that
          others use, close the browser.
        </p>
      )}
      {unsent > 0 && (
        <p class="notice">
          {countText(unsent, 'reading that was', 'readings that were')} not sent yet{' '}
          {unsent === 1 ? 'stays' : 'stay'} on this device, to be sent when you sign in here again. Another
          person who signs in here neither sees nor sends {unsent === 1 ? 'it' : 'them'}.
        </p>
      )}
      <button type="button" class="button primary" onClick={onSignIn}>
        Sign in
      </button>
    </main>
  )
}

export function CannotStart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const shown = asConnectionFailure(error)
  useRetry(shown, onRetry)
  return (
    <main class="alone">
      <h1>Rounds cannot start</h1>
      <ErrorNotice error={shown} onRetry={onRetry} />
      {shown === error && <p class="small muted">{error instanceof Error ? error.message : ''}</p>}
    </main>
  )
}

/** `fetch` tells of a network that failed by a TypeError. One that took too long is told by two names. */
function asConnectionFailure(error: unknown): unknown {
  const isLate = error instanceof Error && /^(TimeoutError|ErrorTimeout)$/.test(error.name)
  if (!(error instanceof TypeError) && !isLate) return error
  return new RoundsError({ code: 'ConnectionFailed', message: '', retryable: true, cause: error })
}
