// Above the list: what is shown, what is new, and when it was last checked.
import type { Address } from '../../address.ts'
import { countText } from '../../format/numbers.ts'
import { sinceText } from '../../format/times.ts'
import { countIn, type Shown } from './alert-groups.ts'
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
  const newcomer = rows.urgent === 1 && rows.newcomers[0] ? nameOfPatient(rows.newcomers[0]) : undefined
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
      <span class={`live ${lightOf(inbox)}`}>
        <i aria-hidden="true" />
        <Checked inbox={inbox} zone={zone} />
      </span>
      {/* The row shows it too. */}
      <span class="unseen" role="status">
        {said}
      </span>
      {shown === 'active' && (rows.changed > 0 || rows.urgent > 0) && (
        <span class="list-changed">
          <button
            type="button"
            class={rows.urgent > 0 ? 'button severe' : 'button'}
            aria-label={newcomer === undefined ? undefined : `New urgent alert: ${newcomer}. Show`}
            onClick={() => rows.apply()}
          >
            {rows.urgent === 0 ? (
              `${rows.changed} changed: sort again`
            ) : newcomer === undefined ? (
              `${countText(rows.urgent, 'new urgent alert')}: show`
            ) : (
              <>
                New urgent alert
                <span class="newcomer">
                  : <bdi>{newcomer}</bdi>
                </span>
                . Show
              </>
            )}
          </button>
        </span>
      )}
    </div>
  )
}

/** "2 open · checked 07:42". */
function Checked({ inbox: { listed, staleness, now }, zone }: { inbox: Inbox; zone: string }) {
  if (!listed) return <span>{staleness === undefined ? 'Loading' : 'Not connected'}</span>
  const checked = sinceText(listed.atMs, now, zone)
  if (staleness !== undefined) return <span>as of {checked}, not current</span>
  return (
    <span>
      {countIn(listed.counts, 'open')} open
      <span class="alert-checked"> · checked {checked}</span>
    </span>
  )
}

/** Green reads as "all is well", which no list with an alert says. */
function lightOf({ listed, staleness }: Inbox): string {
  if (!listed || staleness !== undefined) return 'is-lost'
  return listed.alerts.length === 0 ? 'is-live' : ''
}
