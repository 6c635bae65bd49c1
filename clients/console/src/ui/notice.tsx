// What a screen shows in place of data: an error that says what to do, that there is nothing yet, and the size of what comes.
import type { ComponentChildren } from 'preact'
import { errorText } from '../format/error-text.ts'
import type { Loaded } from '../hooks/use-load.ts'
import { words } from '../words/words.ts'

type ErrorProps = {
  error: unknown
  onRetry?: (() => void) | undefined
  /** Whether the page asks again by itself, as for what it shows. */
  isRepeated?: boolean
}

export function ErrorNotice({ error, onRetry, isRepeated = onRetry !== undefined }: ErrorProps) {
  const { title, advice, requestId, mayRetry } = errorText(error, { isRepeated })
  return (
    <div class="notice bad" role="alert">
      <strong>{title}</strong>
      <span dir="auto">{advice}</span>
      {requestId !== undefined && (
        <span class="small muted">
          {words.errors.requestId}
          <code>{requestId}</code>
        </span>
      )}
      {mayRetry && onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          {words.kit.tryAgain}
        </button>
      )}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  )
}

type AwaitedProps = { lines: number; height?: number } & Pick<Loaded<unknown>, 'error' | 'reload'>

/** What there is in place of data that is not here: it is loading, or it failed. */
export const Awaited = ({ error, reload, ...size }: AwaitedProps) =>
  error === undefined ? <Loading {...size} /> : <ErrorNotice error={error} onRetry={reload} />

/** Lines of the height of what is loading. */
export function Loading({ lines, height = 44 }: { lines: number; height?: number }) {
  return (
    <div class="stack" aria-busy="true">
      <span class="unseen" role="status">
        {words.kit.loading}
      </span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="skeleton" style={{ height: `${height}px` }} />
      ))}
    </div>
  )
}
