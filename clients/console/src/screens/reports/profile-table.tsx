// The profile as numbers, for those who cannot see it or want to read a value off.
import type { GlucoseReport } from '../../../../typescript/src/client.ts'
import { unitSign } from '../../format/units.ts'
import { words } from '../../words/words.ts'
import { computedText } from '../charts/chart-text.ts'
import { minuteText } from './clock-text.ts'

const COLUMNS = [
  ['p5', '5 %'],
  ['p25', '25 %'],
  ['p50', undefined],
  ['p75', '75 %'],
  ['p95', '95 %'],
] as const

export function ProfileTable({ figures: { profile, unit } }: { figures: GlucoseReport }) {
  return (
    <details class="report-details">
      <summary>{words.reports.asTable}</summary>
      <div class="report-table" role="region" tabIndex={0} aria-label={words.reports.asTableLabel}>
        <table>
          <caption class="unseen">{words.reports.tableCaption(unitSign(unit))}</caption>
          <thead>
            <tr>
              <th scope="col">{words.reports.fromTime}</th>
              {COLUMNS.map(([key, name]) => (
                <th key={key} scope="col">
                  {name ?? words.reports.medianColumn}, {unitSign(unit)}
                </th>
              ))}
              <th scope="col">{words.reports.readings}</th>
            </tr>
          </thead>
          <tbody>
            {profile.map((one) => (
              <tr key={one.minute}>
                <th scope="row">{minuteText(one.minute)}</th>
                {COLUMNS.map(([key]) => {
                  const value = one[key]
                  return <td key={key}>{value === null ? '–' : computedText(value, unit)}</td>
                })}
                <td>{one.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
