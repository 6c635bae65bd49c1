// The last attempts of an endpoint, in a box that does not grow: what stands below it stays where it is.
import { useState } from 'preact/hooks'
import type { Attempt, RoundsClient } from '../../../../typescript/src/client.ts'
import { ErrorNotice, Loading } from '../../design/notice.tsx'
import { bytesText, countText, numberText } from '../../format/numbers.ts'
import { fullText, momentText } from '../../format/times.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { messageText, outcomeText, tookText } from './endpoint-text.ts'
import { useRefreshed } from './use-refreshed.ts'

const FIRST = 20
/** The largest page. */
const MOST = 100

type Props = { rounds: RoundsClient; endpointId: string; name: string; now: number; zone: string }

export function Attempts({ rounds, endpointId, name, now, zone }: Props) {
  const [limit, setLimit] = useState(FIRST)
  const { data, error, reload } = useRefreshed(
    [endpointId],
    (signal) => rounds.webhooks.attempts({ endpointId, limit }, { signal }),
    limit,
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard too.
    <div class="webhook-attempts" role="region" aria-label={`Last attempts of ${name}`} tabIndex={0}>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading lines={4} height={30} />}
      {data?.data.length === 0 && (
        <p class="muted">Nothing was sent to it yet, or not in the last 30 days.</p>
      )}
      {data && data.data.length > 0 && <Table attempts={data.data} now={now} zone={zone} />}
      {data?.nextCursor && limit === FIRST && (
        <p class="more">
          <button type="button" class="button" onClick={() => setLimit(MOST)}>
            Show older
          </button>
        </p>
      )}
    </div>
  )
}

type TableProps = { attempts: readonly Attempt[]; now: number; zone: string }

function Table({ attempts, now, zone }: TableProps) {
  const isNarrow = useNarrow()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Minute</th>
          <th scope="col">What became of it</th>
          {!isNarrow && (
            <>
              <th scope="col" class="number">
                Attempts
              </th>
              <th scope="col" class="number">
                Changes
              </th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col" class="number">
                Longest
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <Row key={keyOf(attempt)} attempt={attempt} isNarrow={isNarrow} now={now} zone={zone} />
        ))}
      </tbody>
    </table>
  )
}

const keyOf = ({ at, event, status, error }: Attempt) => `${at} ${event} ${status} ${error}`

type RowProps = { attempt: Attempt; isNarrow: boolean; now: number; zone: string }

function Row({ attempt, isNarrow, now, zone }: RowProps) {
  const { at, outcome, event, attempts, changes, bytes, longestMs } = attempt
  return (
    <tr>
      <th scope="row">
        <time dateTime={at} title={fullText(at, zone)}>
          {momentText(at, now, zone)}
        </time>
      </th>
      <td>
        <span class={outcome === 'delivered' ? 'delivered' : 'failed'}>{outcomeText(attempt)}</span>
        <span class="muted"> · {messageText(event)}</span>
        {isNarrow && (
          <span class="facts">
            {countText(attempts, 'attempt')} · {countText(changes, 'change')} · {bytesText(bytes)} · longest{' '}
            {tookText(longestMs)}
          </span>
        )}
      </td>
      {!isNarrow && (
        <>
          <td class="number">{numberText(attempts)}</td>
          <td class="number">{numberText(changes)}</td>
          <td class="number">{bytesText(bytes)}</td>
          <td class="number">{tookText(longestMs)}</td>
        </>
      )}
    </tr>
  )
}
