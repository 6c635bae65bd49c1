// The last 30 days as a small chart, and the lowest and highest of them in words. It is asked for when it comes into view, a few at a
// time, so that a patient with a hundred types loads as fast as one with five.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { countText, roundedText } from '../../format/numbers.ts'
import { useRetry } from '../../hooks/use-retry.ts'
import { words } from '../../words/words.ts'
import { Extremes } from './extremes.tsx'
import { loadMonth, type Month } from './month.ts'
import { type Band, type BandOf, type Stroke, shapeOf } from './spark-shape.ts'
import { type Week, weekOf } from './week.ts'

const [WIDTH, HEIGHT] = [300, 44]
const MAX_AT_ONCE = 4
/** Every time that it is asked for stands in the access log. */
const EVERY_MS = 60_000

type Props = {
  /** A newer one makes the chart old. */
  newestId: string
  /** So does a change of any other, such as one that arrives late. */
  revision: string
  rounds: RoundsClient
  patientUid: string
  readingType: string
  fields: string[]
  /** Those of the type. */
  units: readonly string[]
  /** In which values are shown, if there is a choice. */
  unit: string | undefined
  unitName: string
  /** In the unit in which values are shown. */
  targets: readonly BandOf[]
  targetText: string
  zone: string
  now: number
}

export function Sparkline(props: Props) {
  const { newestId, revision, rounds, patientUid, readingType, fields, units, unit, zone } = props
  const place = useRef<HTMLDivElement>(null)
  const [loaded, setLoaded] = useState<{ wanted: string; month: Month }>()
  const [error, setError] = useState<unknown>()
  const [round, setRound] = useState(0)
  const isSeen = useSeen(place)
  const wanted = [patientUid, readingType, unit, zone, ...fields].join(' ')
  const asked = useRef({ wanted: '', atMs: Number.NEGATIVE_INFINITY })
  const known = useRef<{ wanted: string; month: Month }>(undefined)
  // What was loaded in another unit is never shown with the name of this one.
  const month = loaded?.wanted === wanted ? loaded.month : undefined
  const leaving = useMemo(() => new AbortController(), [])
  useEffect(() => () => leaving.abort(), [])
  useEffect(() => {
    if (!isSeen) return undefined
    const load = async () => {
      const attempt = { wanted, atMs: performance.now() }
      asked.current = attempt
      const request = { patientUid, readingType, fields, units, unit, zone, nowMs: Date.now() }
      const before = known.current?.wanted === wanted ? known.current.month : undefined
      try {
        const found = await fewAtOnce(() => loadMonth(rounds, request, { before, signal: leaving.signal }))
        if (asked.current !== attempt) return
        known.current = { wanted, month: found }
        setLoaded(known.current)
        setError(undefined)
      } catch (failure) {
        if (asked.current !== attempt || leaving.signal.aborted) return
        setError(failure)
      }
    }
    const isAgain = asked.current.wanted === wanted && known.current?.wanted === wanted
    const dueMs = isAgain ? asked.current.atMs + EVERY_MS - performance.now() : 0
    const timer = setTimeout(() => void load(), Math.max(0, dueMs))
    return () => clearTimeout(timer)
  }, [isSeen, wanted, newestId, revision, round])
  useRetry(error, () => setRound((number) => number + 1))
  return (
    <>
      <p class="period">Last 30 days</p>
      <div class="spark" ref={place}>
        {month === undefined ? (
          error !== undefined && <p class="none">They cannot be shown now</p>
        ) : month.count === 0 ? (
          <p class="none">No readings</p>
        ) : fields.length > 0 ? (
          <Strokes month={month} {...props} />
        ) : (
          <Bars month={month} />
        )}
      </div>
      {fields.length > 0 && (
        <Extremes month={month} fields={fields} unitName={props.unitName} zone={zone} now={props.now} />
      )}
      {props.targets.length > 0 && (
        <p class="week">
          {month && weekText(weekOf(month, { targets: props.targets, now: props.now, zone }))}
        </p>
      )}
    </>
  )
}

const weekText = (week: Week | undefined) =>
  week && week.count > 0 ? words.today.thisWeek(week.inTarget, week.count) : ''

type StrokesProps = Pick<Props, 'fields' | 'unitName' | 'targets' | 'targetText'> & { month: Month }

function Strokes({ month, fields, unitName, targets, targetText }: StrokesProps) {
  const { isByDay, strokes, pairs, extremes, bands } = shapeOf(month, fields, targets)
  const values = month.extremes.map(({ value }) => value)
  const range = `${roundedText(Math.min(...values))} to ${roundedText(Math.max(...values))} ${unitName}`
  const target = targets.length === 0 ? '' : `, target ${targetText}`
  const label = `Last 30 days: ${range}, ${countText(month.count, 'reading')}${target}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {bands.map((band, index) => (
        <BandOfField key={targets[index]?.field} band={band} />
      ))}
      <path class="pair" d={pathOf(pairs)} />
      {strokes.map((ofField, index) => (
        <path key={fields[index]} class={isByDay ? 'day' : 'reading'} d={pathOf(ofField)} />
      ))}
      <path class="extreme" d={pathOf(extremes)} />
    </svg>
  )
}

/** To the edge where it has no bound there. */
function BandOfField({ band: { from, to, lines } }: { band: Band }) {
  const top = to === 1 ? 0 : Number(y(to))
  const bottom = from === 0 ? HEIGHT : Number(y(from))
  return (
    <>
      <rect class="band" x={0} width={WIDTH} y={top} height={Math.max(0, bottom - top)} />
      <path class="bound" d={lines.map((line) => `M0 ${y(line)}H${WIDTH}`).join('')} />
    </>
  )
}

const x = (at: number) => (5 + at * (WIDTH - 10)).toFixed(1)
const y = (height: number) => (HEIGHT - 5 - height * (HEIGHT - 10)).toFixed(1)

/** Upright lines. One of no length has round ends, and so is a dot however wide the drawing is. */
function pathOf(strokes: readonly Stroke[]): string {
  return strokes
    .map(({ at, from, to }) => `M${x(at)} ${y(from)}${from === to ? 'h0.01' : `V${y(to)}`}`)
    .join('')
}

/** Of what has no number, such as symptoms: how many readings there were each day. */
function Bars({ month: { days, count: total } }: { month: Month }) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const step = WIDTH / days.length
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Last 30 days: ${countText(total, 'reading')}`}
    >
      {days.map(({ startMs, count }, index) => {
        const height = count === 0 ? 0 : 6 + (count / most) * (HEIGHT - 10)
        return (
          <rect
            key={startMs}
            x={index * step + 1}
            width={Math.max(step - 2, 1)}
            y={HEIGHT - 2 - height}
            height={height}
          />
        )
      })}
    </svg>
  )
}

function useSeen(place: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        setSeen(true)
      },
      { rootMargin: '200px' },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return isSeen
}

let running = 0
const queued: (() => void)[] = []
async function fewAtOnce<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((start) => queued.push(start))
  running++
  try {
    return await work()
  } finally {
    running--
    queued.shift()?.()
  }
}
