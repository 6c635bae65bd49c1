import type { Reading } from '../../../../typescript/src/client.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { type Catalogue, readingText } from '../../words/reading-text.ts'
import { momentText } from '../../words/times.ts'
import { nameOf } from '../../words/type-names.ts'
import { useNow } from '../use-now.ts'
import type { SentReadings } from './use-sent.ts'

type Props = { sent: SentReadings; catalogue: Catalogue; zone: string }

export function Sent({ sent, catalogue, zone }: Props) {
  const { readings, refused, failure, dismiss } = sent
  const now = useNow()
  const isWaiting = readings.some(({ state }) => state === 'waiting')
  return (
    <section aria-labelledby="sent-heading">
      <h2 id="sent-heading">Added here</h2>
      <div aria-live="polite" class="stack">
        {isWaiting && failure !== undefined && navigator.onLine && <ErrorNotice error={failure} />}
        {refused.map((one) => (
          <div key={one.key} class="notice bad">
            <strong>
              <Said reading={one.reading} catalogue={catalogue} zone={zone} /> was not accepted.
            </strong>
            <span dir="auto">{one.reason}</span>
            {one.requestId !== undefined && (
              <span class="small muted">
                Request id: <code>{one.requestId}</code>
              </span>
            )}
            <button type="button" class="button" onClick={() => dismiss(one)}>
              Remove from this list
            </button>
          </div>
        ))}
        {readings.length === 0 && refused.length === 0 && (
          <p class="muted">
            Nothing yet. What you add is kept on this device until the service has stored it.
          </p>
        )}
        {readings.length > 0 && (
          <ul class="panel sent">
            {readings.map(({ reading, state }) => (
              <li key={JSON.stringify(reading)}>
                <span class="said">
                  <span class="muted small">
                    {nameOf(reading.readingType)}, {momentText(instantMs(reading.timestamp), now, zone)}
                  </span>
                  <Said reading={reading} catalogue={catalogue} zone={zone} />
                </span>
                <span class={`flag ${state === 'stored' ? 'ok' : ''}`}>{state}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function Said({ reading, catalogue, zone }: { reading: Reading; catalogue: Catalogue; zone: string }) {
  const { value, unit } = readingText(reading, catalogue.get(reading.readingType), zone)
  return (
    <bdi class="said-value">
      {value} {unit}
    </bdi>
  )
}

const instantMs = (timestamp: number) => (timestamp < 100_000_000_000 ? timestamp * 1_000 : timestamp)
