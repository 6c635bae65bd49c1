// The newest value of the type that a row is about, where it lies, and how much of 14 days is in target.
import { useId } from 'preact/hooks'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { ageOf } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { shareText } from '../reports/report-text.ts'
import { mainTypeOf } from './list-view.ts'
import type { ListedPatient, ListedType } from './listed-patient.ts'

type Props = { patient: ListedPatient; types: Catalogue | undefined; zone: string; now: number }

export function AgainstTarget({ patient, types, zone, now }: Props) {
  const type = mainTypeOf(patient)
  if (!type) return <span class="muted">{patient.isPreparing ? '…' : 'No readings'}</span>
  const { newest, bands } = type
  return (
    <>
      {newest ? (
        <NewestValue type={type} newest={newest} types={types} zone={zone} now={now} />
      ) : (
        <span class="muted">No {nameWithin(type.readingType)} yet</span>
      )}
      {bands && <BandBar bands={bands} />}
      <span class="list-sub">{shareWords(type)}</span>
    </>
  )
}

type NewestProps = Omit<Props, 'patient'> & { type: ListedType; newest: NonNullable<ListedType['newest']> }

function NewestValue({ type: { readingType, unit }, newest, types, zone, now }: NewestProps) {
  const { value, unit: sign } = readingText(
    { readingType, unit, ...newest.values },
    types?.get(readingType),
    zone,
  )
  const age = ageOf(newest.at, now, zone)
  const side = Object.values(newest.sides).find((one) => one !== 'in')
  return (
    <span class="list-newest" title={`${nameOf(readingType)}, ${age.text}`}>
      <b>{value}</b> <span class="list-unit">{sign}</span>{' '}
      {age.mark !== undefined ? (
        <span class="list-sub">{age.mark === 'old' ? age.text : 'dated in the future'}</span>
      ) : (
        side !== undefined && (
          <span class={`place ${side}`}>
            <span aria-hidden="true">{side === 'above' ? '▲' : '▼'}</span> {side}
          </span>
        )
      )}
    </span>
  )
}

/** "61 % in target, was 72 %". Never more than there is: 99.7 % are 99 %. */
function shareWords({ share, targets }: Pick<ListedType, 'share' | 'targets'>): string {
  if (targets.length === 0 || !share) return 'no target'
  if (share.judged === 0) return 'none in 14 days'
  const part = ({ judged, inTarget }: { judged: number; inTarget: number }) =>
    `${Math.floor((inTarget / judged) * 100)}\u00a0%`
  const before = share.before.judged > 0 ? `, was\u00a0${part(share.before)}` : ''
  return `${part(share)} in target${before}`
}

const BANDS = ['veryLow', 'low', 'in', 'high', 'veryHigh'] as const
const BAND_WORDS = { veryLow: 'very low', low: 'low', in: 'in target', high: 'high', veryHigh: 'very high' }
const [WIDTH, HEIGHT] = [132, 10]
/** What there is of a band is seen, however little. */
const LEAST = 2

/** From very low to very high. Each band outside has a pattern, so that it can be told without colour. */
function BandBar({ bands }: { bands: NonNullable<ListedType['bands']> }) {
  const id = useId()
  const all = BANDS.reduce((sum, name) => sum + bands[name], 0)
  const seen = BANDS.filter((name) => bands[name] > 0)
  if (all === 0) return null
  const label = seen.map((name) => `${BAND_WORDS[name]} ${shareText(bands[name] / all)}`).join(', ')
  const rest = WIDTH - LEAST * seen.length
  let left = 0
  return (
    <svg
      class="list-bands"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <defs>
        <pattern id={`${id}-high`} width="5" height="5" patternUnits="userSpaceOnUse">
          <path d="M0 5L5 0" />
        </pattern>
        <pattern id={`${id}-low`} width="4" height="4" patternUnits="userSpaceOnUse">
          <circle cx="2" cy="2" r="1" />
        </pattern>
      </defs>
      {seen.map((name) => {
        const width = LEAST + rest * (bands[name] / all)
        const x = left
        left += width
        const pattern = name === 'veryHigh' ? 'high' : name === 'veryLow' ? 'low' : undefined
        return (
          <g key={name}>
            <rect class={name} x={x} width={Math.max(width - 1, 1)} height={HEIGHT} />
            {pattern && <rect x={x} width={width - 1} height={HEIGHT} fill={`url(#${id}-${pattern})`} />}
          </g>
        )
      })}
    </svg>
  )
}
