// The lowest and the highest of 30 days in words, with the time at which they were measured.
import { roundedText } from '../../format/numbers.ts'
import { durationText, occasionText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import type { Month } from './month.ts'

type Props = {
  /** Nothing while it is loading. */
  month: Month | undefined
  fields: readonly string[]
  unitName: string
  zone: string
  now: number
}

export function Extremes({ month, fields, unitName, zone, now }: Props) {
  const { extremes = [], count = 0 } = month ?? {}
  return (
    <div class="extremes" style={{ '--rows': String(fields.length) }}>
      {count === 1 ? (
        <p class="only">The only one</p>
      ) : (
        extremes.map(({ field, kind, value, atMs, isDayOnly }) => (
          <p key={`${field} ${kind}`}>
            <span>{fields.length > 1 ? `${kind} ${nameWithin(field)}` : kind} </span>
            <b>{amountText(value, unitName)}</b>{' '}
            <time dateTime={new Date(atMs).toISOString()}>
              {occasionText(atMs, now, { zone, isDayOnly })}
            </time>
          </p>
        ))
      )}
    </div>
  )
}

function amountText(value: number, unitName: string): string {
  if (unitName === 'min' && value >= 60) return durationText(value)
  return `${roundedText(value)} ${unitName}`
}
