// Three facts about a fortnight: how much is in target, now and before; the mean, with what it hides; on how many days there are data.
import type { ComponentChildren } from 'preact'
import { countText } from '../../format/numbers.ts'
import { occasionText } from '../../format/times.ts'
import { unitSign } from '../../format/units.ts'
import { computedText } from '../charts/chart-text.ts'
import { oneDigitText } from '../reports/report-text.ts'
import type { ListedPatient, ListedType } from './listed-patient.ts'
import { mainFields, partText, valuesText } from './listed-text.ts'
import type { Fortnight } from './load-record.ts'

type Props = {
  patient: ListedPatient
  type: ListedType
  /** Nothing while it is loading. */
  fortnight: Fortnight | undefined
  zone: string
  now: number
}

export function PanelFacts({ patient, type, fortnight, zone, now }: Props) {
  const { daysWithData } = patient
  return (
    <>
      <dl class="panel-facts">
        <ShareFact type={type} />
        <MiddleFact type={type} fortnight={fortnight} />
        <Fact name="Days with data" value={`${daysWithData.withData} of ${daysWithData.days}`}>
          {daysWithData.fromDevices} of them from devices, any type
        </Fact>
      </dl>
      <Farthest type={type} zone={zone} now={now} />
    </>
  )
}

function Fact({ name, value, children }: { name: string; value: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span>{children}</span>
      </dd>
    </div>
  )
}

function ShareFact({ type: { share, targets } }: { type: ListedType }) {
  if (!share || targets.length === 0)
    return (
      <Fact name="In target" value="–">
        no target, so nothing is called high or low
      </Fact>
    )
  const { before } = share
  return (
    <Fact name="In target, 14 days" value={share.judged === 0 ? '–' : partText(share)}>
      {share.judged === 0 ? 'no readings' : `of ${countText(share.judged, 'reading')}`},{' '}
      {before.judged === 0 ? 'none in the 14 days before' : `${partText(before)} in the 14 days before`}
    </Fact>
  )
}

function MiddleFact({ type, fortnight }: Pick<Props, 'type' | 'fortnight'>) {
  const { unit } = type
  if (fortnight?.kind === 'glucose') {
    const { mean, gmi } = fortnight.figures
    if (mean === null) return <NoFigures />
    return (
      <Fact
        name={`Mean, ${unitSign(fortnight.figures.unit)}`}
        value={computedText(mean, fortnight.figures.unit)}
      >
        {gmi === null ? 'GMI: too little data' : `GMI ${oneDigitText(gmi)} %`}
      </Fact>
    )
  }
  if (fortnight?.kind === 'bloodPressure') {
    const { systolic, diastolic, count } = wholeRange(fortnight.figures).all
    if (systolic === null || diastolic === null) return <NoFigures />
    return (
      <Fact name="Mean, mmHg" value={`${Math.round(systolic)} / ${Math.round(diastolic)}`}>
        of {countText(count, 'reading')} in 14 days
      </Fact>
    )
  }
  const isReported = type.readingType === 'interstitialGlucose' || type.readingType === 'bloodPressure'
  const spread = spreadOf(type)
  // The report brings it.
  if (isReported || !spread) return <NoFigures isComing={isReported} />
  return (
    <Fact name={`Lowest–highest${unit === null ? '' : `, ${unitSign(unit)}`}`} value={spread}>
      in 14 days
    </Fact>
  )
}

const NoFigures = ({ isComing = false }: { isComing?: boolean }) => (
  <Fact name="Mean" value={isComing ? '…' : '–'}>
    {isComing ? '' : 'no readings in 14 days'}
  </Fact>
)

export const wholeRange = ({ periods }: Extract<Fortnight, { kind: 'bloodPressure' }>['figures']) => {
  const found = periods.find(({ days }) => days === null)
  if (!found) throw new Error('The report has no figures of its whole range.')
  return found
}

/** "80.2–84.6", from the days of the list. */
function spreadOf({ days, unit }: ListedType): string | undefined {
  const [field] = mainFields(days[0]?.highest ?? {})
  if (field === undefined) return undefined
  const lows = days.flatMap(({ lowest }) => lowest[field] ?? [])
  const highs = days.flatMap(({ highest }) => highest[field] ?? [])
  if (lows.length === 0 || highs.length === 0) return undefined
  const [low, high] = [Math.min(...lows), Math.max(...highs)].map((value) =>
    computedText(value, unit ?? undefined),
  )
  return low === high ? low : `${low}–${high}`
}

/** The one value that a mean would hide. */
function Farthest({ type, zone, now }: Pick<Props, 'type' | 'zone' | 'now'>) {
  const { farthest } = type
  if (!farthest) return null
  return (
    <p class="panel-words">
      Farthest outside in 14 days: <strong>{valuesText(farthest.values, type)}</strong>,{' '}
      {occasionText(farthest.at, now, { zone })}{' '}
      <span class={`place ${farthest.side}`}>{farthest.side === 'above' ? '▲ above' : '▼ below'}</span>.
    </p>
  )
}
