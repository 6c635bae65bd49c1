// Above the list: the search, whether what is shown is of now, and that the order has changed.
import { useId } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { countText } from '../../format/numbers.ts'
import { sinceText } from '../../format/times.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { useOnline } from '../../hooks/use-online.ts'
import type { Listed } from './follow-patients.ts'
import type { Sort } from './list-view.ts'
import type { Rows } from './use-rows.ts'

const MAX_TEXT = 100

const SORTS: readonly [Sort, string][] = [
  ['attention', 'Attention'],
  ['name', 'Name'],
  ['share', 'Share in target'],
  ['daysWithData', 'Days with data'],
  ['lastReading', 'Last reading'],
  ['lastReview', 'Last look'],
]

type Props = {
  rows: Rows
  listed: Listed | undefined
  error: unknown
  zone: string
  now: number
  address: Address
}

export function ListBar({ rows, listed, error, zone, now }: Props) {
  const id = useId()
  const isPhone = useNarrow()
  const isOnline = useOnline()
  const isConnected = isOnline && error === undefined
  return (
    <div class="list-bar">
      <label class="unseen" for={id}>
        Find by name or id
      </label>
      <input
        id={id}
        ref={rows.find}
        class="input list-find"
        type="search"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        maxLength={MAX_TEXT}
        placeholder="Find by name or id"
        value={rows.view.find}
        onInput={({ currentTarget }) => rows.search(currentTarget.value)}
      />
      {isPhone && (
        <>
          <label class="unseen" for={`${id}-sort`}>
            Sort by
          </label>
          <select
            id={`${id}-sort`}
            class="input list-sort"
            value={rows.view.sort}
            onChange={({ currentTarget }) => rows.sortBy(currentTarget.value as Sort)}
          >
            {SORTS.map(([sort, word]) => (
              <option key={sort} value={sort}>
                {word}
              </option>
            ))}
          </select>
        </>
      )}
      <span class="list-changed" role="status">
        {(rows.changed > 0 || rows.urgent > 0) && (
          <button
            type="button"
            class={rows.urgent > 0 ? 'button severe' : 'button'}
            onClick={() => rows.sortAgain()}
          >
            {rows.urgent > 0
              ? `${countText(rows.urgent, 'more needs', 'more need')} attention: show`
              : `${rows.changed} changed: sort again`}
          </button>
        )}
      </span>
      <span
        class={`live ${isConnected && listed?.behindSince === null ? 'is-live' : 'is-lost'}`}
        role="status"
      >
        <i aria-hidden="true" />
        <span>{listed === undefined ? 'Loading' : stateText(listed, { rows, isConnected, zone, now })}</span>
      </span>
    </div>
  )
}

type Said = { rows: Rows; isConnected: boolean; zone: string; now: number }

function stateText(listed: Listed, { rows: { view, order }, isConnected, zone, now }: Said): string {
  const { patients, counts, isComplete, behindSince, atMs } = listed
  if (!isConnected) return `as of ${sinceText(atMs, now, zone)}, not connected`
  if (!isComplete) return `${patients.size} of ${countText(counts.all, 'patient')} loaded`
  if (behindSince !== null) return `up to ${sinceText(behindSince, now, zone)}, newer readings are missing`
  // The list has an end; nobody is left out silently.
  const beyond = counts.beyond === 0 ? '' : `, ${counts.beyond} more share and are not listed`
  const shown = view.queue === 'all' && view.find === '' ? '' : `${order.length} of `
  return `${shown}${countText(counts.all, 'patient')}${beyond} · live`
}
