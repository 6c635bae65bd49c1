// That what is shown may not be what is. An old list is never shown as a current one.
import { sinceText } from '../../format/times.ts'
import type { Listed } from './follow-alerts.ts'
import type { Staleness } from './use-alerts.ts'

type Props = { staleness: Staleness; listed: Listed; now: number; zone: string; onRetry: () => void }

export function OldList({ staleness, listed, now, zone, onRetry }: Props) {
  const asOf = sinceText(listed.atMs, now, zone)
  const behind = listed.behindSince === null ? '' : sinceText(listed.behindSince, now, zone)
  const WORDS: Record<Staleness, [title: string, more: string]> = {
    offline: [`This list is old: as of ${asOf}.`, 'You are offline. Alerts since then are not shown.'],
    failed: [
      `This list is old: as of ${asOf}.`,
      'The server did not answer. Alerts since then are not shown.',
    ],
    late: [
      `This list is old: as of ${asOf}.`,
      'The server has not answered since. Alerts since then are not shown.',
    ],
    behind: [
      `Alerts are behind: what changed since ${behind} is not evaluated yet.`,
      'Open alerts may be missing, and some that are shown may be over.',
    ],
  }
  const [title, more] = WORDS[staleness]
  return (
    <div class="notice bad alert-old" role="status">
      <strong>{title}</strong>
      <span>{more}</span>
      {(staleness === 'failed' || staleness === 'late') && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
