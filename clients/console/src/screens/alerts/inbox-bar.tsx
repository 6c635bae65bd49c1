// Above the list: what is shown, what is new, and when it was last checked.
import type { Address } from '../../address.ts'
import { countText } from '../../format/numbers.ts'
import { sinceText } from '../../format/times.ts'
import type { Shown } from './alert-groups.ts'
import { nameOfPatient } from './alert-text.ts'
import type { Inbox } from './use-alerts.ts'
import type { useInboxRows } from './use-inbox-rows.ts'

const SHOWN: readonly [Shown, string][] = [
  ['active', 'Active'],
  ['resolved', 'Resolved'],
  ['retracted', 'Retracted'],
]

type Props = {
  inbox: Inbox
  rows: ReturnType<typeof useInboxRows>
  shown: Shown
  /** What became of the last command. */
  said: string
  zone: string
  address: Address
}

export function InboxBar({ inbox, rows, shown, said, zone, address }: Props) {
  const { listed, staleness, now } = inbox
  const newcomer = rows.newcomers[0]
  return (
    <div class="list-bar">
      <div class="seg" role="group" aria-label="Which alerts">
        {SHOWN.map(([one, word]) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === shown}
            onClick={() =>
              address.go({ query: { show: one === 'active' ? undefined : one, selected: undefined } })
            }
          >
            {word}
          </button>
        ))}
      </div>
      <span class={`live ${listed && staleness === undefined ? 'is-live' : 'is-lost'}`}>
        <i aria-hidden="true" />
        <span>{checkedText(inbox, { now, zone })}</span>
      </span>
      {/* The row shows it too. */}
      <span class="unseen" role="status">
        {said}
      </span>
      {shown === 'active' && (rows.changed > 0 || rows.urgent > 0) && (
        <span class="list-changed">
          <button
            type="button"
            class={`button ${rows.urgent > 0 ? 'is-urgent' : ''}`}
            aria-keyshortcuts="N"
            onClick={() => rows.apply()}
          >
            {rows.urgent === 0 ? (
              `${rows.changed} changed: sort again`
            ) : rows.urgent === 1 && newcomer ? (
              <span class="clamp one">
                New urgent alert: <bdi>{nameOfPatient(newcomer)}</bdi>. Show
              </span>
            ) : (
              `${countText(rows.urgent, 'new urgent alert')}: show`
            )}
          </button>
        </span>
      )}
    </div>
  )
}

function checkedText({ listed, staleness }: Inbox, { now, zone }: { now: number; zone: string }): string {
  if (!listed) return staleness === undefined ? 'Loading' : 'Not connected'
  const checked = sinceText(listed.atMs, now, zone)
  if (staleness !== undefined) return `as of ${checked}, not current`
  const { urgent, warning, notice } = listed.counts.open
  return `${urgent + warning + notice} open · checked ${checked}`
}
