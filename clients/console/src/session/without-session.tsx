// What is shown where there is no session: after sign-out, and where the console cannot start.
import { RoundsError } from '../../../typescript/src/client.ts'
import { useRetry } from '../hooks/use-retry.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { words } from '../words/words.ts'
import type { SignedOutState } from './session.ts'

export function SignedOut({ state, onSignIn }: { state: SignedOutState; onSignIn: () => void }) {
  const { unsent, isEndedAtIssuer } = state
  return (
    <main class="alone">
      <h1>{words.start.signedOut}</h1>
      <p class="muted">{words.start.nobodySees}</p>
      {!isEndedAtIssuer && <p class="notice">{words.start.issuerNotReached}</p>}
      {unsent > 0 && <p class="notice">{words.start.unsent(unsent)}</p>}
      <button type="button" class="button primary" onClick={onSignIn}>
        {words.start.signIn}
      </button>
    </main>
  )
}

export function CannotStart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const shown = asConnectionFailure(error)
  useRetry(shown, onRetry)
  return (
    <main class="alone">
      <h1>{words.start.cannotStart}</h1>
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
