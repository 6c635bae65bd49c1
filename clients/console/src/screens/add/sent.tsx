// What was added here: waiting, stored, undone, or not accepted.
import type { Reading } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { type Catalogue, readingText, symptomsOf } from '../../format/reading-text.ts'
import { momentText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useNow } from '../../hooks/use-now.ts'
import { RefusedReadings } from '../../outbox/refused-readings.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { UndoButton } from './undo-button.tsx'
import type { SentReading, SentReadings } from './use-sent.ts'

type Props = {
  sent: SentReadings
  /** Where one may add for several. */
  named: string | undefined
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
        {words.add.addedHere(named)}
      </h2>
      <div aria-live="polite" class="stack">
        {isWaiting && failure !== undefined && navigator.onLine && <ErrorNotice error={failure} isRepeated />}
        <RefusedReadings address={address} zone={zone} />
        {readings.length === 0 && <p class="muted">{words.add.nothingYet}</p>}
        {readings.length > 0 && (
          <ul class="panel sent">
            {readings.map((one) => (
              <SentRow key={one.key} {...{ one, named, catalogue, zone, address }} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

const wordOf = (state: SentReading['state']) =>
  ({
    waiting: words.add.isWaiting,
    stored: words.add.isStored,
    undoing: words.add.isUndoing,
    unsent: words.add.isUndone,
    withdrawn: words.add.isWithdrawn,
    before: words.add.isStored,
    kept: words.add.isStored,
  })[state]

const COUNTED = new Set<SentReading['state']>(['waiting', 'stored', 'before', 'kept'])

type RowProps = Omit<Props, 'sent'> & { one: SentReading }

function SentRow({ one, named, catalogue, zone, address }: RowProps) {
  const { reading, state, addedAt, instead } = one
  const { outbox } = useApp()
  const now = useNow()
  const text = textOf(reading, catalogue, zone)
  const name = nameOf(reading.readingType)
  const isCounted = COUNTED.has(state)
  const mayChange = state === 'waiting' || state === 'stored'
  const outcome = words.add.outcomes[state]
  return (
    <li>
      <span class="said">
        <span class="muted small">
          {name}, {momentText(reading.timestamp, now, zone)}
        </span>
        {isCounted ? <bdi class="said-value">{text}</bdi> : <s class="said-value">{text}</s>}
        {instead && <s class="small muted">{textOf(instead, catalogue, zone)}</s>}
      </span>
      <span class="sent-end">
        <span class="flag" dir="auto">
          {words.add.stateFor(wordOf(state), named)}
        </span>
        {mayChange && symptomsOf(reading).length < 2 && (
          <Link
            class="link undo"
            address={address}
            to={{
              query: { type: reading.readingType, change: String(reading.timestamp), correct: undefined },
            }}
            label={words.add.changeIt(`${name} ${text}`)}
          >
            {words.add.change}
          </Link>
        )}
        {mayChange && (
          <UndoButton
            label={words.add.undoIt(`${name} ${text}`)}
            // What still waits can be taken back for as long as it does.
            since={state === 'waiting' ? Infinity : (addedAt ?? 0)}
            onUndo={() => outbox.undo(reading)}
          />
        )}
      </span>
      {outcome !== '' && <span class="small outcome">{outcome}</span>}
    </li>
  )
}

function textOf(reading: Reading, catalogue: Catalogue, zone: string): string {
  const { value, unit } = readingText(reading, catalogue.get(reading.readingType), zone)
  return `${value} ${unit}`.trim()
}
