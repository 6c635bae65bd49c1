// A chart that prints well: a dot for each reading where they are few, else the mean of each day, week or month with its minimum and
// maximum. Gaps are gaps.
import { meanText, roundedText } from '../../format/numbers.ts'
import { dateText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { mainFields, type NumberPage } from './print-pages.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 190, 44, 24, 8]

export function PrintChart({ page, zone }: { page: NumberPage; zone: string }) {
  const { buckets } = page
  const fields = mainFields(page)
  const summaries = buckets.flatMap((bucket) => fields.flatMap((field) => bucket.fields[field] ?? []))
  const [low, high] = [
    Math.min(...summaries.map(({ min }) => min)),
    Math.max(...summaries.map(({ max }) => max)),
  ]
  const spread = high === low ? 1 : high - low
  const x = (place: number) => LEFT + (WIDTH - LEFT - 12) * place
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / spread)
  const [first, last] = [buckets[0], buckets.at(-1)]
  const unit = unitSign(page.units[fields[0] ?? ''] ?? '')
  return (
    <svg
      class="print-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${nameOf(page.readingType)} from ${roundedText(low)} to ${roundedText(high)} ${unit}; the table below has the numbers`}
    >
      {[low, low + spread / 2, low + spread].map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH - 12} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
            {meanText(value)}
          </text>
        </g>
      ))}
      {fields.map((field) =>
        page.singles ? (
          <Dots key={field} page={page} field={field} x={x} y={y} />
        ) : (
          <Means key={field} page={page} field={field} x={x} y={y} />
        ),
      )}
      {first && (
        <text x={LEFT} y={HEIGHT - 6}>
          {dateText(first.startMs, zone)}
        </text>
      )}
      {last && (
        <text x={WIDTH - 12} y={HEIGHT - 6} text-anchor="end">
          {dateText(last.startMs, zone)}
        </text>
      )}
    </svg>
  )
}

type Drawn = { page: NumberPage; field: string; x: (place: number) => number; y: (value: number) => number }

function Dots({ page: { singles = [], buckets }, field, x, y }: Drawn) {
  const [from, to] = [buckets[0]?.startMs ?? 0, buckets.at(-1)?.endMs ?? 1]
  return (
    <>
      {singles.map(({ id, atMs, values }) => {
        const value = values[field]
        return (
          value !== undefined && <circle key={id} cx={x((atMs - from) / (to - from))} cy={y(value)} r="3" />
        )
      })}
    </>
  )
}

function Means({ page: { buckets }, field, x, y }: Drawn) {
  const at = (index: number) => x((index + 0.5) / buckets.length)
  return (
    <>
      {buckets.map((bucket, index) => {
        const summary = bucket.fields[field]
        if (!summary) return null
        const before = buckets[index - 1]?.fields[field]
        return (
          <g key={bucket.startMs}>
            <line class="band" x1={at(index)} x2={at(index)} y1={y(summary.min)} y2={y(summary.max)} />
            {before && (
              <line class="mean" x1={at(index - 1)} y1={y(before.mean)} x2={at(index)} y2={y(summary.mean)} />
            )}
            <circle cx={at(index)} cy={y(summary.mean)} r="2.2" />
          </g>
        )
      })}
    </>
  )
}
