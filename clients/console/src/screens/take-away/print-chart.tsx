// A chart that prints well: the mean of each day, week or month with its minimum and maximum. Gaps are gaps.
import { meanText, roundedText } from '../../words/numbers.ts'
import { dateText } from '../../words/times.ts'
import { nameOf } from '../../words/type-names.ts'
import { unitSign } from '../../words/units.ts'
import type { NumberPage } from './print-pages.ts'

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
  const x = (index: number) => LEFT + ((WIDTH - LEFT - 12) * (index + 0.5)) / buckets.length
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
        buckets.map((bucket, index) => {
          const summary = bucket.fields[field]
          if (!summary) return null
          const before = buckets[index - 1]?.fields[field]
          return (
            <g key={`${field} ${bucket.startMs}`}>
              <line class="band" x1={x(index)} x2={x(index)} y1={y(summary.min)} y2={y(summary.max)} />
              {before && (
                <line class="mean" x1={x(index - 1)} y1={y(before.mean)} x2={x(index)} y2={y(summary.mean)} />
              )}
              <circle cx={x(index)} cy={y(summary.mean)} r="2.2" />
            </g>
          )
        }),
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

function mainFields({ fields, units }: NumberPage): string[] {
  if (fields.includes('systolic'))
    return fields.filter((field) => field === 'systolic' || field === 'diastolic')
  if (fields.includes('value')) return ['value']
  const [first] = fields
  return fields.filter((field) => units[field] === units[first ?? ''])
}
