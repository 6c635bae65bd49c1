// Seven days of one patient in a row of a list: from the lowest to the highest value of each day. Nothing is judged by it.
import type { ListedPatient } from '../../../typescript/src/client.ts'
import { roundedText } from '../format/numbers.ts'
import { DAY_MS } from '../format/zone-calendar.ts'
import { words } from '../words/words.ts'

const [WIDTH, HEIGHT, DAYS, AIR] = [80, 24, 7, 4]

export function Trend({ trend, now }: { trend: ListedPatient['trend']; now: number }) {
  if (trend.length === 0) return null
  const least = Math.min(...trend.map(({ low }) => low))
  const most = Math.max(...trend.map(({ high }) => high))
  // A week in which little changed is no mountain range.
  const span = Math.max(most - least, 0.2 * Math.abs(most), Number.MIN_VALUE)
  const middle = (least + most) / 2
  const y = (value: number) => AIR + (HEIGHT - 2 * AIR) * (0.5 - (value - middle) / span)
  const today = Math.floor(now / DAY_MS)
  const x = (day: string) => (DAYS - 0.5 - (today - Date.parse(day) / DAY_MS)) * (WIDTH / DAYS)
  return (
    <svg
      class="trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={words.patients.trend(roundedText(least), roundedText(most))}
    >
      {trend.map(({ day, low, high }) => (
        <path key={day} d={`M${x(day)} ${y(low)}V${y(high) - 0.01}`} />
      ))}
    </svg>
  )
}
