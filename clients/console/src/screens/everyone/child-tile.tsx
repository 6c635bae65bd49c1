// One child: the sensor's value first, with its arrow and its age, then whatever else was measured.
import { useId } from 'preact/hooks'
import type { StoredReading, Target } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { judgedNow, rangesOf } from '../../care/in-target.ts'
import { PlaceMark } from '../../care/place-mark.tsx'
import { authorOf } from '../../care/target-text.ts'
import { useReader } from '../../care/use-reader.ts'
import { errorText } from '../../format/error-text.ts'
import { numberText } from '../../format/numbers.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { ageOf, fullText, sinceText, timeText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useOnline } from '../../hooks/use-online.ts'
import { EVERY_MS, type PatientNewest } from '../../patients/newest-of-patients.ts'
import { Link } from '../../ui/link.tsx'
import { Loading } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { AskLimit } from './ask-limit.tsx'
import { QuickNotes } from './quick-notes.tsx'
import { ARROWS, isLowNow, SENSOR, type SensorState } from './sensor-state.ts'

/** Beside the sensor, so many fit; the rest is a link away. */
const MAX_TYPES = 4

type Props = {
  patient: PatientNewest
  name: string
  types: Catalogue | undefined
  sensor: SensorState | undefined
  targetOf: (readingType: string) => Target | undefined
  /** What the carer has set for the sensor. */
  own: Target | undefined
  /** Whether the targets are known: who has no limit below is asked for one. */
  mayAsk: boolean
  onLimit: () => void
  now: number
  zone: string
  address: Address
}

export function ChildTile(props: Props) {
  const { patient, name, types, sensor, now, zone, address } = props
  const { patientUid, last, error } = patient
  const entry = types?.get(SENSOR)
  const isOnline = useOnline()
  const id = useId()
  const isOld = last !== undefined && (error !== undefined || !isOnline || now - last.atMs > 3 * EVERY_MS)
  const others = (last?.readings ?? []).filter(({ readingType }) => !sensor || readingType !== SENSOR)
  const more = others.length - MAX_TYPES
  const isLow = isLowNow(sensor)
  return (
    <article class={`panel child${isLow ? ' is-low' : ''}`} aria-labelledby={id}>
      <h2 id={id}>
        <Link address={address} to={{ path: 'today', query: { patient: patientUid } }}>
          <bdi>{name}</bdi>
        </Link>
      </h2>
      {error !== undefined && (
        <p class="wrong" role="alert" dir="auto">
          {errorText(error).title}
        </p>
      )}
      {isOld && <p class="as-of">{words.parent.asOf(sinceText(last.atMs, now, zone))}</p>}
      {sensor && types && <Sensor {...props} sensor={sensor} types={types} />}
      {isLow && <QuickNotes patientUid={patientUid} name={name} />}
      {sensor && entry && props.mayAsk && !sensor.lowTarget && (
        <AskLimit
          {...{ patientUid, name, entry, reading: sensor.reading, own: props.own, onSet: props.onLimit }}
        />
      )}
      {!last || !types ? (
        error === undefined && <Loading lines={3} height={24} />
      ) : last.readings.length === 0 ? (
        <p class="muted">{words.parent.noReadings}</p>
      ) : (
        <ul class="child-others">
          {others.slice(0, MAX_TYPES).map((reading) => (
            <Other key={reading.readingType} {...props} reading={reading} types={types} />
          ))}
        </ul>
      )}
      {more > 0 && <p class="muted small">{words.parent.andMore(more)}</p>}
      <p class="row child-foot">
        <Link class="button" address={address} to={{ path: 'add', query: { patient: patientUid } }}>
          <span class="clamp one" dir="auto">
            {words.add.addFor(name)}
          </span>
        </Link>
      </p>
    </article>
  )
}

function Sensor({ sensor, types, now, zone }: Props & { sensor: SensorState; types: Catalogue }) {
  const { reading, minutes, isStale, place, limit, lowTarget, trend } = sensor
  const reader = useReader(lowTarget ? [lowTarget] : [])
  const { value, unit } = readingText(reading, types.get(SENSOR), zone)
  const age =
    minutes < 60
      ? words.parent.noValueFor(minutes)
      : words.parent.noValueSince(sinceText(reading.measuredAt, now, zone))
  return (
    <div class={isStale ? 'sensor is-stale' : 'sensor'}>
      <p class="sensor-value">
        <b dir="auto">{value}</b> <small>{unit}</small>
        {!isStale && place === 'farLow' && <strong class="low-mark">{words.parent.farLow}</strong>}
        {!isStale && place === 'low' && <strong class="low-mark">{words.parent.low}</strong>}
        {!isStale && place === 'above' && <strong class="above">{words.parent.above}</strong>}
      </p>
      {isStale ? (
        <p>
          <strong class="stale-mark">{age}</strong>{' '}
          <span class="muted small">{words.parent.wasLast(timeText(reading.measuredAt, zone))}</span>
        </p>
      ) : (
        <p>
          {trend && (
            <strong class="trend">
              <span aria-hidden="true">{ARROWS[trend]}</span> {words.parent.trends[trend]}
            </strong>
          )}{' '}
          <time class="muted" dateTime={reading.measuredAt} title={fullText(reading.measuredAt, zone)}>
            {words.parent.minutesAgo(minutes)}
          </time>
        </p>
      )}
      {!isStale && lowTarget && limit !== undefined && (
        <p class="small" dir="auto">
          {words.parent.below(numberText(limit), authorOf(lowTarget, reader))}
        </p>
      )}
    </div>
  )
}

function Other({
  reading,
  types,
  targetOf,
  now,
  zone,
}: Props & { reading: StoredReading; types: Catalogue }) {
  const { readingType, measuredAt } = reading
  const { hasCare } = useApp()
  const entry = types.get(readingType)
  const { value, unit, measured } = readingText(reading, entry, zone)
  const age = ageOf(measuredAt, now, zone)
  const judged = judgedNow(reading, entry, { ranges: rangesOf(targetOf(readingType), entry), now })
  // There is room for the words before the targets are read: nothing moves when they come.
  const mayBeJudged = hasCare && entry !== undefined && measured.length > 0 && !age.mark
  return (
    <li class={mayBeJudged ? 'has-place' : undefined}>
      <span class="muted small clamp">{nameOf(readingType)}</span>
      <span class="said">
        <bdi class="clamp">
          <b>{value}</b> {unit}
        </bdi>
        {judged && <PlaceMark judged={judged} />}
      </span>
      <time class="muted small" dateTime={measuredAt} title={fullText(measuredAt, zone)}>
        {age.text}
        {age.mark === 'old' && <span class="flag old">{words.parent.old}</span>}
      </time>
    </li>
  )
}
