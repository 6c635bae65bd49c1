// Means of blood pressure by time of day, for the last 7 and 30 days and the whole range, each with the number of its readings.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import { countText } from '../../format/numbers.ts'
import { shareText } from './report-text.ts'

type Period = BloodPressureReport['periods'][number]
type Means = Period['all']

const ROWS = [
  ['morning', 'Morning'],
  ['evening', 'Evening'],
  ['all', 'All'],
  ['withoutFirstDay', 'All without the first day'],
] as const

export function MeansTable({ figures: { periods }, days }: { figures: BloodPressureReport; days: number }) {
  // A range of 30 days is the period of 30 days.
  const shown = periods.filter((period) => period.days !== null || !periods.some((one) => one.days === days))
  const isJudged = shown.some(({ inTarget }) => inTarget !== null)
  return (
    <div class="report-table" role="region" tabIndex={0} aria-label="Means">
      <table class="means">
        <thead>
          <tr>
            <th scope="col">Mean, mmHg</th>
            {shown.map((period) => (
              <th key={period.days} scope="col">
                Last {countText(period.days ?? days, 'day')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([key, name]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {shown.map((period) => (
                <td key={period.days}>
                  <MeanText means={period[key]} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">Pulse, /min</th>
            {shown.map(({ days: last, all: { pulse } }) => (
              <td key={last}>
                {pulse === null ? <span class="muted">no readings</span> : Math.round(pulse)}
              </td>
            ))}
          </tr>
          {isJudged && (
            <tr class="is-target">
              <th scope="row">In target</th>
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
  if (systolic === null || diastolic === null) return <span class="muted">no readings</span>
  return (
    <>
      <strong>
        {Math.round(systolic)} / {Math.round(diastolic)}
      </strong>{' '}
      <span class="muted">{countText(count, 'reading')}</span>
    </>
  )
}

function InTarget({ inTarget }: Pick<Period, 'inTarget'>) {
  if (inTarget === null || inTarget.judged === 0) return <span class="muted">no readings</span>
  return (
    <>
      <strong>{shareText(inTarget.in / inTarget.judged)}</strong>{' '}
      <span class="muted">
        {inTarget.in} of {countText(inTarget.judged, 'reading')}
      </span>
    </>
  )
}
