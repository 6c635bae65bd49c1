// What was added here: waiting, stored, undone, or not accepted.
import type { Reading } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { momentText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useNow } from '../../hooks/use-now.ts'
import { RefusedReadings } from '../../outbox/refused-readings.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { UndoButton } from './undo-button.tsx'
import type { SentReading, SentReadings } from './use-sent.ts'

type Props = {
  sent: SentReadings
  /** Such as " for child-1", where one may add for several. */
  named: string
  catalogue: Catalogue
  zone: string
  address: Address
}

export function Sent({ sent, named, catalogue, zone, address }: Props) {
  const { readings, failure } = sent
  const isWaiting = readings.some(({ state }) => state === 'waiting' || state === 'undoing')
  return (
    <section aria-labelledby="sent-heading">
      <h2 id="sent-heading" class="clamp" dir="auto" tabIndex={-1}>
        Added here{named}
      </h2>
      <div aria-live="polite" class="stack">
        {isWaiting && failure !== undefined && navigator.onLine && <ErrorNotice error={failure} isRepeated />}
        <RefusedReadings address={address} zone={zone} />
        {readings.length === 0 && (
          <p class="muted">
            Nothing yet. What you add is kept on this device until the service has stored it.
          </p>
        )}
        {readings.length > 0 && (
          <ul class="panel sent">
            {readings.map((one) => (
              <SentRow key={one.key} one={one} named={named} catalogue={catalogue} zone={zone} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

/** What became of it, where that takes more than a word. */
const OUTCOMES: Record<SentReading['state'], string> = {
  waiting: '',
  stored: '',
  undoing: 'It is no longer sent. If it was stored before, it is withdrawn as soon as the service answers.',
  unsent: 'It was not stored: it was undone before it was sent.',
  withdrawn: 'It stays in the record, and no longer counts.',
  before: 'The service had it already, perhaps from somebody else: it was not withdrawn.',
  kept: 'It could not be undone: it stays in the record, and counts.',
}

const FLAGS: Record<SentReading['state'], string> = {
  waiting: 'waiting',
  stored: 'stored',
  undoing: 'undoing',
  unsent: 'undone',
  withdrawn: 'withdrawn',
  before: 'stored',
  kept: 'stored',
}

type RowProps = { one: SentReading; named: string; catalogue: Catalogue; zone: string }

function SentRow({ one: { reading, state, addedAt }, named, catalogue, zone }: RowProps) {
  const { outbox } = useApp()
  const now = useNow()
  const text = textOf(reading, catalogue, zone)
  const name = nameOf(reading.readingType)
  const isCounted = FLAGS[state] === 'waiting' || FLAGS[state] === 'stored'
  return (
    <li>
      <span class="said">
        <span class="muted small">
          {name}, {momentText(reading.timestamp, now, zone)}
        </span>
        {isCounted ? <bdi class="said-value">{text}</bdi> : <s class="said-value">{text}</s>}
      </span>
      <span class="sent-end">
        <span class="flag" dir="auto">
          {FLAGS[state]}
          {named}
        </span>
        {(state === 'waiting' || state === 'stored') && (
          <UndoButton
            label={`Undo ${name} ${text}`}
            // What still waits can be taken back for as long as it does.
            since={state === 'waiting' ? Infinity : (addedAt ?? 0)}
            onUndo={() => outbox.undo(reading)}
          />
        )}
      </span>
      {OUTCOMES[state] !== '' && <span class="small outcome">{OUTCOMES[state]}</span>}
    </li>
  )
}

function textOf(reading: Reading, catalogue: Catalogue, zone: string): string {
  const { value, unit } = readingText(reading, catalogue.get(reading.readingType), zone)
  return `${value} ${unit}`.trim()
}
