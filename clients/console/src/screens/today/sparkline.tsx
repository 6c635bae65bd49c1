// The last 30 days as a small line: the mean of each day. A day without readings is a gap. It is asked for when it comes into view,
// a few at a time, so that a patient with a hundred types loads as fast as one with five.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RoundsClient, StatisticsAnswer } from '../../../../typescript/src/client.ts'
import { countText, roundedText } from '../../words/numbers.ts'
import { unitSign } from '../../words/units.ts'
import { DAY_MS } from '../../words/zone-calendar.ts'
import { linesOf, type SparkLine } from './spark-lines.ts'

const [WIDTH, HEIGHT] = [300, 40]
const MAX_AT_ONCE = 4
/** The mean of a day moves slowly, and every time that it is asked for stands in the access log. */
const EVERY_MS = 60_000

type Props = {
  /** A newer one makes the line old. */
  newestId: string
  rounds: RoundsClient
  patientUid: string
  readingType: string
  fields: string[]
  unit: string | undefined
  zone: string
}

export function Sparkline({ newestId, rounds, patientUid, readingType, fields, unit, zone }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [answer, setAnswer] = useState<StatisticsAnswer>()
  const isSeen = useSeen(place)
  const wanted = [patientUid, readingType, unit, zone].join(' ')
  const asked = useRef({ wanted: '', atMs: Number.NEGATIVE_INFINITY })
  const leaving = useMemo(() => new AbortController(), [])
  useEffect(() => () => leaving.abort(), [])
  useEffect(() => {
    if (!isSeen) return undefined
    const load = async () => {
      asked.current = { wanted, atMs: performance.now() }
      const now = Date.now()
      const query = { patientUid, readingType, from: now - 29 * DAY_MS, to: now, timeZone: zone, unit }
      const ask = () => rounds.readingStatistics(query, { signal: leaving.signal })
      // What is only decoration fails silently: the number above it is there.
      const found = await fewAtOnce(ask).catch(() => undefined)
      if (found && asked.current.wanted === wanted) setAnswer(found)
    }
    const dueMs = asked.current.wanted === wanted ? asked.current.atMs + EVERY_MS - performance.now() : 0
    const timer = setTimeout(() => void load(), Math.max(0, dueMs))
    return () => clearTimeout(timer)
  }, [isSeen, wanted, newestId])
  return (
    <div class="spark" ref={place}>
      {answer && (fields.length > 0 ? <Lines answer={answer} fields={fields} /> : <Bars answer={answer} />)}
    </div>
  )
}

function Lines({ answer, fields }: { answer: StatisticsAnswer; fields: string[] }) {
  const { lines, min, max, count } = linesOf(answer, fields)
  if (count === 0) return <p class="none">None in the last 30 days</p>
  const unit = unitSign(answer.units[fields[0] ?? ''] ?? '')
  const label = `Last 30 days: ${roundedText(min)} to ${roundedText(max)} ${unit}, ${countText(count, 'reading')}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {lines.map(({ field, points }, index) => (
        <g key={field} class={index === 0 ? '' : 'second'}>
          <path d={pathOf({ field, points })} />
          <path class="dot" d={dotOf({ field, points })} />
        </g>
      ))}
    </svg>
  )
}

const x = (at: number) => (4 + at * (WIDTH - 8)).toFixed(1)
const y = (height: number) => (HEIGHT - 4 - height * (HEIGHT - 8)).toFixed(1)

/** Breaks at gaps. */
function pathOf({ points }: SparkLine): string {
  return points
    .map((point, index) => point && `${points[index - 1] ? 'L' : 'M'}${x(point.at)} ${y(point.height)}`)
    .join('')
}

/** The newest day, and days alone: lines of no length with round ends, which stay round however wide the drawing is. */
function dotOf({ points }: SparkLine): string {
  const newest = points.findLastIndex((point) => point !== undefined)
  return points
    .map((point, index) => {
      const isAlone = !points[index - 1] && !points[index + 1]
      return point && (isAlone || index === newest) ? `M${x(point.at)} ${y(point.height)}h0.01` : ''
    })
    .join('')
}

/** Of what has no number, such as symptoms: how many readings there were each day. */
function Bars({ answer }: { answer: StatisticsAnswer }) {
  const most = Math.max(1, ...answer.data.map(({ count }) => count))
  const total = answer.data.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return <p class="none">None in the last 30 days</p>
  const step = WIDTH / answer.data.length
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Last 30 days: ${countText(total, 'reading')}`}
    >
      {answer.data.map(({ start, count }, index) => {
        const height = count === 0 ? 0 : 6 + (count / most) * (HEIGHT - 10)
        return (
          <rect
            key={start}
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
