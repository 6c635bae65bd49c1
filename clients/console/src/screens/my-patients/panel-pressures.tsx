// Means of mornings and evenings over 14 days, and the highest and lowest reading, which a mean hides.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import { countText } from '../../format/numbers.ts'
import { occasionText } from '../../format/times.ts'
import { wholeRange } from './panel-facts.tsx'

type Props = { figures: BloodPressureReport; zone: string; now: number }

export function PanelPressures({ figures, zone, now }: Props) {
  const period = wholeRange(figures)
  const rows = [
    ['Mornings', period.morning],
    ['Evenings', period.evening],
  ] as const
  return (
    <div class="panel-figure">
      <h3>Means of 14 days, mmHg</h3>
      <table class="panel-means">
        <tbody>
          {rows.map(([name, { count, systolic, diastolic }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {systolic === null || diastolic === null ? (
                  <span class="muted">no readings</span>
                ) : (
                  <>
                    <strong>
                      {Math.round(systolic)} / {Math.round(diastolic)}
                    </strong>{' '}
                    <span class="muted small">{countText(count, 'reading')}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
          {(['highest', 'lowest'] as const).map((kind) => {
            const extreme = figures[kind]
            return (
              extreme && (
                <tr key={kind}>
                  <th scope="row">{kind === 'highest' ? 'Highest systolic' : 'Lowest systolic'}</th>
                  <td>
                    <strong>
                      {extreme.systolic} / {extreme.diastolic}
                    </strong>{' '}
                    <span class="muted small">{occasionText(extreme.measuredAt, now, { zone })}</span>
                  </td>
                </tr>
              )
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
