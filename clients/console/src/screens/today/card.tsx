// The newest reading of one type: value, unit, age, the last 30 days, and the range of the catalogue.
import type { ReadingTypeEntry, StoredReading } from '../../../../typescript/src/client.ts'
import { Link } from '../../frame/link.tsx'
import type { ScreenProps } from '../../screen.ts'
import { numberText } from '../../words/numbers.ts'
import { type Measured, type ReadingText, readingText } from '../../words/reading-text.ts'
import { ageOf, fullText } from '../../words/times.ts'
import { nameOf } from '../../words/type-names.ts'
import { Sparkline } from './sparkline.tsx'

type Props = ScreenProps & {
  reading: StoredReading
  entry: ReadingTypeEntry | undefined
  now: number
  isNew: boolean
}

export function Card({ reading, entry, now, isNew, rounds, patientUid, zone, address }: Props) {
  const { readingType, measuredAt } = reading
  const text = readingText(reading, entry, zone)
  const age = ageOf(measuredAt, now, zone)
  const [first] = text.measured
  const isWords = first === undefined
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
        <Marks text={text} mark={age.mark} />
      </div>
      {hasLine && age.mark !== 'future' && (
        <Sparkline
          newestId={reading.readingId}
          rounds={rounds}
          patientUid={patientUid}
          readingType={readingType}
          fields={text.measured.map(({ field }) => field)}
          unit={unitToAskFor(reading, entry)}
          zone={zone}
        />
      )}
      {first?.usual && <UsualRange measured={text.measured} />}
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

function Marks({ text, mark }: { text: ReadingText; mark: 'old' | 'future' | undefined }) {
  return (
    <span class="marks">
      {text.flag && <span class={`flag ${text.flag === 'above usual' ? 'high' : 'low'}`}>{text.flag}</span>}
      {mark && <span class={`flag ${mark}`}>{mark === 'old' ? 'old' : 'in the future'}</span>}
    </span>
  )
}

/** Where the value lies between what is possible, and what is usual. The bar repeats the words under it. */
function UsualRange({ measured }: { measured: Measured[] }) {
  const [first] = measured
  if (!first?.usual || !first.possible) return null
  const { least, most } = first.possible
  const percent = (value: number) => Math.min(100, Math.max(0, ((value - least) / (most - least)) * 100))
  const [from, to] = [percent(first.usual.least), percent(first.usual.most)]
  const words = measured
    .flatMap(({ usual }) => (usual ? `${numberText(usual.least)}–${numberText(usual.most)}` : []))
    .join(' / ')
  return (
    <div class="usual">
      <div class="bar" aria-hidden="true">
        <b style={{ insetInlineStart: `${from}%`, width: `${to - from}%` }} />
        <i style={{ insetInlineStart: `${percent(first.value)}%` }} />
      </div>
      <span>
        usual {words} {first.unit}
      </span>
    </div>
  )
}

/** So that the line has the unit of the number above it. */
function unitToAskFor(reading: StoredReading, entry: ReadingTypeEntry | undefined): string | undefined {
  if (!entry || entry.units.length < 2) return undefined
  const unit: unknown = reading['unit']
  return typeof unit === 'string' && entry.units.includes(unit) ? unit : entry.units[0]
}
