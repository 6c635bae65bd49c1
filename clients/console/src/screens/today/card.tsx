// The newest reading of one type: value, unit, age and the last 30 days.
import type { ReadingTypeEntry, StoredReading } from '../../../../typescript/src/client.ts'
import { Link } from '../../design/link.tsx'
import { readingText, unitOf } from '../../format/reading-text.ts'
import { ageOf, fullText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import type { ScreenProps } from '../../screen.ts'
import { Sparkline } from './sparkline.tsx'

type Props = ScreenProps & {
  reading: StoredReading
  entry: ReadingTypeEntry | undefined
  now: number
  isNew: boolean
  revision: string
}

export function Card(props: Props) {
  const { reading, entry, now, isNew, revision, rounds, patientUid, zone, address } = props
  const { readingType, measuredAt } = reading
  const text = readingText(reading, entry, zone)
  const age = ageOf(measuredAt, now, zone)
  const [first] = text.measured
  const isWords = first === undefined
  const unit = unitOfLine(reading, entry)
  const [inUnit] =
    unit === undefined ? text.measured : readingText({ ...reading, unit }, entry, zone).measured
  const hasLine = entry !== undefined || first !== undefined
  const name = nameOf(readingType)
  return (
    <article class={`card${isNew ? ' new' : ''}`}>
      <div class="head">
        <h2 class="name">
          <Link address={address} to={{ path: 'charts', query: { type: readingType } }}>
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <time class="age" dateTime={measuredAt} title={fullText(measuredAt, zone)}>
          {age.text}
        </time>
      </div>
      <div class="main">
        <p class={isWords ? 'value words clamp' : 'value'}>
          <bdi>{text.value}</bdi>
          {text.unit !== '' && (
            <small>
              {' '}
              <bdi>{text.unit}</bdi>
            </small>
          )}
        </p>
        {age.mark && <span class={`flag ${age.mark}`}>{age.mark === 'old' ? 'old' : 'in the future'}</span>}
      </div>
      {hasLine && age.mark !== 'future' && (
        <Sparkline
          newestId={reading.readingId}
          revision={revision}
          rounds={rounds}
          patientUid={patientUid}
          readingType={readingType}
          fields={text.measured.map(({ field }) => field)}
          units={entry?.units ?? []}
          unit={entry !== undefined && entry.units.length > 1 ? unit : undefined}
          unitName={inUnit?.unit ?? ''}
          zone={zone}
          now={now}
        />
      )}
      <p class="foot">
        <span class="extra clamp one" dir="auto">
          {text.others
            .slice(0, 3)
            .map((other) => `${other.name}: ${other.text}`)
            .join(' · ')}
        </span>
        <Link
          class="all"
          address={address}
          to={{ path: 'readings', query: { type: readingType } }}
          label={`All readings of ${name}`}
        >
          All readings
        </Link>
      </p>
    </article>
  )
}

/** That of the number above it, or the first of the type where the type does not have that one. */
function unitOfLine(reading: StoredReading, entry: ReadingTypeEntry | undefined): string | undefined {
  if (!entry) return undefined
  const unit = unitOf(reading, entry)
  return entry.units.includes(unit) ? unit : entry.units[0]
}
