// The newest reading of one type: value, unit, age, what it is against its target, and the last 30 days.
import type { ReadingTypeEntry, StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { boundsIn } from '../../care/in-target.ts'
import { PlaceMark } from '../../care/place-mark.tsx'
import { ReportLink } from '../../care/report-link.tsx'
import { rangesTextIn } from '../../care/target-text.ts'
import { type ReadingText, readingText, symptomsOf, unitOf } from '../../format/reading-text.ts'
import { ageOf, fullText, sinceText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { MINUTE_MS } from '../../format/zone-calendar.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'
import { type Attention, isSilent } from './attention.ts'
import { Sparkline } from './sparkline.tsx'

type Props = ScreenProps & {
  reading: StoredReading
  entry: ReadingTypeEntry | undefined
  now: number
  isNew: boolean
  revision: string
  /** Nothing of a reading that is dated in the future. */
  attention?: Attention | undefined
  /** "set by Dr Willow Sample on 3 Oct". */
  author?: string
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
  const fields = text.measured.map(({ field }) => field)
  const unitName = inUnit?.unit ?? ''
  const { ranges = [] } = props.attention ?? {}
  const targetText = rangesTextIn(ranges, shownUnitOf(reading, entry))
  return (
    <article class={`card${isNew ? ' new' : ''}`}>
      <div class="head">
        <h2 class="name">
          <Link address={address} to={{ path: 'charts', query: { type: readingType } }}>
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <time class="age" dateTime={measuredAt} title={fullText(measuredAt, zone)}>
          {isSilent(reading, now) ? silentText(measuredAt, now, zone) : age.text}
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
      {ranges.length > 0 && <AgainstTarget {...props} targetText={targetText} />}
      {hasLine && age.mark !== 'future' && (
        <Sparkline
          newestId={reading.readingId}
          revision={revision}
          rounds={rounds}
          patientUid={patientUid}
          readingType={readingType}
          fields={fields}
          units={entry?.units ?? []}
          unit={entry !== undefined && entry.units.length > 1 ? unit : undefined}
          unitName={unitName}
          targets={ranges
            .filter(({ field }) => fields.includes(field))
            .map((range) => (unit === undefined ? range : boundsIn(range, unit)))}
          targetText={targetText}
          zone={zone}
          now={now}
        />
      )}
      <Foot {...props} others={text.others} />
    </article>
  )
}

type FootProps = Pick<ReadingText, 'others'> & Pick<Props, 'address' | 'reading' | 'entry' | 'patientUid'>

function Foot({ reading, entry, patientUid, others, address }: FootProps) {
  const { readingType, measuredAt } = reading
  const { patientUids } = useApp().session.person
  // What somebody typed in, somebody mistyped.
  const isTyped = Object(reading['source']).kind === 'manual' && entry !== undefined
  const mayChange = isTyped && patientUids.includes(patientUid) && symptomsOf(reading).length < 2
  return (
    <p class="foot">
      {others.length > 0 && (
        <span class="extra clamp one" dir="auto">
          {others
            .slice(0, 3)
            .map((other) => `${other.name}: ${other.text}`)
            .join(' · ')}
        </span>
      )}
      {mayChange && (
        <Link
          class="to-report"
          address={address}
          to={{ path: 'add', query: { type: readingType, change: String(Date.parse(measuredAt)) } }}
          label={words.add.changeIt(nameOf(readingType))}
        >
          {words.add.change}
        </Link>
      )}
      <ReportLink class="to-report" readingType={readingType} address={address} />
    </p>
  )
}

/** Words beside the colour, the target, and who set it. */
function AgainstTarget({
  attention,
  author,
  targetText,
}: Pick<Props, 'attention' | 'author'> & { targetText: string }) {
  const { judged } = attention ?? {}
  return (
    <p class="goal">
      {judged && <PlaceMark judged={judged} />}
      <span class="goal-range">
        <span class="unseen">Target: </span>
        {targetText}
      </span>
      <span class="goal-author" dir="auto">
        {author}
      </span>
    </p>
  )
}

/** The unit of the number in large, where the type has several. */
function shownUnitOf(reading: StoredReading, entry: ReadingTypeEntry | undefined): string | undefined {
  if (!entry || entry.units.length < 2) return undefined
  const unit = unitOf(reading, entry)
  return entry.units.includes(unit) ? unit : undefined
}

/** That of the number above it, or the first of the type where the type does not have that one. */
function unitOfLine(reading: StoredReading, entry: ReadingTypeEntry | undefined): string | undefined {
  if (!entry) return undefined
  const unit = unitOf(reading, entry)
  return entry.units.includes(unit) ? unit : entry.units[0]
}

function silentText(measuredAt: string, now: number, zone: string): string {
  const minutes = Math.floor((now - Date.parse(measuredAt)) / MINUTE_MS)
  if (minutes < 60) return words.parent.noValueFor(minutes)
  return words.parent.noValueSince(sinceText(measuredAt, now, zone))
}
