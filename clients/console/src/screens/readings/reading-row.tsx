import { useState } from 'preact/hooks'
import type { ReadingTypeEntry, StoredReading } from '../../../../typescript/src/client.ts'
import { type ReadingText, readingText } from '../../format/reading-text.ts'
import { ageOf, fullText, momentText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'

/** Beyond this a text is cut, and shown on demand. */
const LONG = 160

type Props = {
  reading: StoredReading
  entry: ReadingTypeEntry | undefined
  showType: boolean
  zone: string
  now: number
  subject: string
  /** Staff restores every reading; others only what was not withdrawn by staff. */
  mayRestoreAll: boolean
  onAct?: (what: 'withdraw' | 'restore') => void
}

export function ReadingRow({ reading, entry, showType, zone, now, subject, mayRestoreAll, onAct }: Props) {
  const text = readingText(reading, entry, zone)
  const withdrawn = withdrawnOf(reading)
  const mayAct = withdrawn === undefined || mayRestoreAll || withdrawn.allowedAs === 'patient'
  const isFuture = ageOf(reading.measuredAt, now, zone).mark === 'future'
  const when = momentText(reading.measuredAt, now, zone)
  return (
    <li class={withdrawn ? 'reading withdrawn' : 'reading'}>
      <span class="when">
        <time dateTime={reading.measuredAt} title={fullText(reading.measuredAt, zone)}>
          {when}
        </time>
        {isFuture && <span class="flag future">in the future</span>}
      </span>
      <span class="what">
        {showType && <span class="muted small">{nameOf(reading.readingType)}</span>}
        <ReadingValue text={text} isWithdrawn={withdrawn !== undefined} />
        {withdrawn && (
          <span class="small withdrawn-why" dir="auto">
            Withdrawn by {withdrawn.by === subject ? 'you' : <bdi>{withdrawn.by}</bdi>}
            {withdrawn.allowedAs === 'staff' && withdrawn.by !== subject ? ', staff' : ''},{' '}
            {momentText(withdrawn.at, now, zone)}
            {withdrawn.reason === undefined ? '' : `: ${withdrawn.reason}`}
          </span>
        )}
      </span>
      {onAct && mayAct && (
        <button
          type="button"
          class="link act"
          aria-label={`${withdrawn ? 'Restore' : 'Withdraw'} ${text.value.slice(0, 80)} ${text.unit}, ${when}`}
          onClick={() => onAct(withdrawn ? 'restore' : 'withdraw')}
        >
          {withdrawn ? 'Restore' : 'Withdraw'}
        </button>
      )}
    </li>
  )
}

function ReadingValue({ text, isWithdrawn = false }: { text: ReadingText; isWithdrawn?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const others = text.others.map(({ name, text: said }) => `${name}: ${said}`).join(' · ')
  const isLong = text.value.length > LONG || others.length > LONG
  const shown = (words: string) =>
    isWhole || words.length <= LONG ? words : `${words.slice(0, LONG).trimEnd()}…`
  const value = (
    <>
      <bdi>{shown(text.value)}</bdi>
      {text.unit !== '' && (
        <small>
          {' '}
          <bdi>{text.unit}</bdi>
        </small>
      )}
    </>
  )
  return (
    <span class="reading-value">
      {isWithdrawn ? <s class="number">{value}</s> : <span class="number">{value}</span>}
      {others !== '' && (
        <span class="small muted others" dir="auto">
          {shown(others)}
        </span>
      )}
      {isLong && (
        <button type="button" class="link small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </span>
  )
}

type Withdrawn = { at: string; by: string; allowedAs: unknown; reason?: string }

function withdrawnOf(reading: StoredReading): Withdrawn | undefined {
  const { at, by, allowedAs, reason }: { [name in keyof Withdrawn]?: unknown } = Object(reading['withdrawn'])
  if (typeof at !== 'string' || typeof by !== 'string') return undefined
  return { at, by, allowedAs, ...(typeof reason === 'string' ? { reason } : {}) }
}
