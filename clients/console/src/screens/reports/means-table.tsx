// Means of blood pressure by time of day, for the last 7 and 30 days and the whole range, each with the number of its readings.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import { words } from '../../words/words.ts'
import { shareText } from './report-text.ts'

type Period = BloodPressureReport['periods'][number]
type Means = Period['all']

const ROWS = ['morning', 'evening', 'all', 'withoutFirstDay'] as const

export function MeansTable({ figures: { periods }, days }: { figures: BloodPressureReport; days: number }) {
  // A range of 30 days is the period of 30 days.
  const shown = periods.filter((period) => period.days !== null || !periods.some((one) => one.days === days))
  const isJudged = shown.some(({ inTarget }) => inTarget !== null)
  return (
    <div class="report-table" role="region" tabIndex={0} aria-label={words.reports.means}>
      <table class="means">
        <thead>
          <tr>
            <th scope="col">{words.reports.mean}</th>
            {shown.map((period) => (
              <th key={period.days} scope="col">
                {words.reports.last(period.days ?? days)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((key) => (
            <tr key={key}>
              <th scope="row">{words.reports.rows[key]}</th>
              {shown.map((period) => (
                <td key={period.days}>
                  <MeanText means={period[key]} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{words.reports.pulse}</th>
            {shown.map(({ days: last, all: { pulse } }) => (
              <td key={last}>
                {pulse === null ? <span class="muted">{words.reports.noReadings}</span> : Math.round(pulse)}
              </td>
            ))}
          </tr>
          {isJudged && (
            <tr class="is-target">
              <th scope="row">{words.reports.inTarget}</th>
              {shown.map((period) => (
                <td key={period.days}>
                  <InTarget inTarget={period.inTarget} />
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function MeanText({ means: { count, systolic, diastolic } }: { means: Means }) {
  if (systolic === null || diastolic === null) return <span class="muted">{words.reports.noReadings}</span>
  return (
    <>
      <strong>
        {Math.round(systolic)} / {Math.round(diastolic)}
      </strong>{' '}
      <span class="muted">{words.kit.readings(count)}</span>
    </>
  )
}

function InTarget({ inTarget }: Pick<Period, 'inTarget'>) {
  if (inTarget === null || inTarget.judged === 0) return <span class="muted">{words.reports.noReadings}</span>
  return (
    <>
      <strong>{shareText(inTarget.in / inTarget.judged)}</strong>{' '}
      <span class="muted">{words.reports.ofReadings(inTarget.in, inTarget.judged)}</span>
    </>
  )
}
