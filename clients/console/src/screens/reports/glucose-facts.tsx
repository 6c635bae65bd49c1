// The figures of the glucose profile. The lowest and the highest reading stand beside the mean, which hides them.
import type { GlucoseReport } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { unitSign } from '../../format/units.ts'
import { words } from '../../words/words.ts'
import { computedText } from '../charts/chart-text.ts'
import { ValueInChart } from './report-sheet.tsx'
import { daysText, oneDigitText, shareText, tenthText } from './report-text.ts'

type Props = { figures: GlucoseReport; days: number; zone: string; address: Address }

/** As the consensus has it. */
const [ENOUGH_DAYS, ENOUGH_SHARE] = [14, 0.7]

export function GlucoseFacts({ figures, days, zone, address }: Props) {
  const { mean, gmi, coefficientOfVariation: variation, standardDeviation: deviation, active } = figures
  const unit = unitSign(figures.unit)
  const amount = (value: number) => `${computedText(value, figures.unit)} ${unit}`
  return (
    <dl class="report-facts">
      {mean !== null && (
        <Fact name={words.reports.meanGlucose} value={computedText(mean, figures.unit)} unit={unit}>
          {words.kit.readings(figures.readings)}
        </Fact>
      )}
      {gmi === null ? (
        <Fact name={words.reports.gmi} value={words.reports.tooLittle}>
          {tooLittleText(figures, days)}
        </Fact>
      ) : (
        <Fact name={words.reports.gmi} value={oneDigitText(gmi)} unit="%">
          {words.reports.gmiInFull}
        </Fact>
      )}
      {variation !== null && (
        <Fact name={words.reports.variation} value={tenthText(variation * 100)} unit="%">
          {deviation !== null && words.reports.deviation(amount(deviation))}
        </Fact>
      )}
      {active.share !== null && (
        <Fact name={words.reports.sensorActive} value={shareText(active.share)}>
          {words.reports.ofDays(daysText(active.seconds), passedText(active.seconds, active.share, days))}
        </Fact>
      )}
      {(['lowest', 'highest'] as const).map((kind) => {
        const extreme = figures[kind]
        return (
          extreme && (
            <Fact
              key={kind}
              name={words.reports[kind]}
              value={computedText(extreme.value, figures.unit)}
              unit={unit}
            >
              <ValueInChart
                address={address}
                readingType="interstitialGlucose"
                at={extreme.measuredAt}
                zone={zone}
                value={amount(extreme.value)}
              />
            </Fact>
          )
        )
      })}
    </dl>
  )
}

/** "4.2 of 14 days; 70 % are needed" */
function tooLittleText({ active }: GlucoseReport, days: number): string {
  const needed = shareText(ENOUGH_SHARE)
  if (days < ENOUGH_DAYS) return words.reports.daysNeeded(ENOUGH_DAYS, needed)
  return words.reports.shareNeeded(daysText(active.seconds), days, needed)
}

/** How much of the range has passed: today is not over. */
const passedText = (seconds: number, share: number, days: number) =>
  share > 0 ? daysText(seconds / share) : String(days)

type FactProps = { name: string; value: string; unit?: string; children?: preact.ComponentChildren }

function Fact({ name, value, unit, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong class={unit === undefined && value.length > 8 ? 'words' : undefined}>{value}</strong>
        {unit !== undefined && <small> {unit}</small>}
        <span class="report-note">{children}</span>
      </dd>
    </div>
  )
}
