// What was added here: waiting, stored, or not accepted.
import type { Reading } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { RefusedReadings } from '../../outbox/refused-readings.tsx'
import { type Catalogue, readingText } from '../../words/reading-text.ts'
import { momentText } from '../../words/times.ts'
import { nameOf } from '../../words/type-names.ts'
import { useNow } from '../use-now.ts'
import type { SentReadings } from './use-sent.ts'

type Props = { sent: SentReadings; catalogue: Catalogue; zone: string; address: Address }

export function Sent({ sent, catalogue, zone, address }: Props) {
  const { readings, failure } = sent
  const now = useNow()
  const isWaiting = readings.some(({ state }) => state === 'waiting')
  return (
    <section aria-labelledby="sent-heading">
      <h2 id="sent-heading">Added here</h2>
      <div aria-live="polite" class="stack">
        {isWaiting && failure !== undefined && navigator.onLine && <ErrorNotice error={failure} />}
        <RefusedReadings address={address} zone={zone} />
        {readings.length === 0 && (
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
                    {nameOf(reading.readingType)}, {momentText(reading.timestamp, now, zone)}
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
