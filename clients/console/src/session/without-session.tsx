// What is shown where there is no session: after sign-out, and where the console cannot start.
import { RoundsError } from '../../../typescript/src/client.ts'
import { ErrorNotice } from '../design/notice.tsx'

export function SignedOut({ onSignIn }: { onSignIn: () => void }) {
  return (
    <main class="alone">
      <h1>You have signed out</h1>
      <p class="muted">Nobody can see readings here now. Close the tab, or sign in again.</p>
      <button type="button" class="button primary" onClick={onSignIn}>
        Sign in
      </button>
    </main>
  )
}

export function CannotStart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isNetwork = error instanceof TypeError
  const shown = isNetwork
    ? new RoundsError({ code: 'ConnectionFailed', message: '', retryable: true, cause: error })
    : error
  return (
    <main class="alone">
      <h1>Rounds cannot start</h1>
      <ErrorNotice error={shown} onRetry={onRetry} />
      {!isNetwork && <p class="small muted">{error instanceof Error ? error.message : ''}</p>}
    </main>
  )
}
