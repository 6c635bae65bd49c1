// The diary: each day with its readings of the morning, the evening and between. In words, so that nothing depends on the chart.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import { dateFormat, LOCALE } from '../../words/language.ts'
import { dayOf, type PartOfDay, type Pressure, partOf, sideOfPressure, targetRanges } from './pressures.ts'

/** As many as fit on a page under the chart. */
const MAX_DAYS = 30
/** As many as fit beside each other. */
const MAX_IN_CELL = 4

const PARTS = [
  ['morning', 'Morning'],
  ['between', 'Between'],
  ['evening', 'Evening'],
] as const

type Props = { figures: BloodPressureReport; pressures: Pressure[] }

export function PressureDiary({ figures, pressures }: Props) {
  const days = Map.groupBy(pressures, (pressure) => dayOf(pressure, figures))
  const newest = [...days].toSorted(([one], [other]) => other - one)
  const shown = newest.slice(0, MAX_DAYS)
  const date = dateFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const isJudged = targetRanges(figures).length > 0
  return (
    <section class="report-diary" aria-label="Day by day">
      <h3>
        Day by day{' '}
        <span class="muted">systolic / diastolic, mmHg{isJudged && '; ▲ above target, ▼ below target'}</span>
      </h3>
      <div class="report-table" role="region" tabIndex={0} aria-label="Readings day by day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {PARTS.map(([part, name]) => (
                <th key={part} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([day, ofDay]) => (
              <tr key={day}>
                <th scope="row">{date.format(day)}</th>
                {PARTS.map(([part]) => (
                  <Cell key={part} part={part} ofDay={ofDay} figures={figures} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {newest.length > shown.length && (
        <p class="report-note">
          The newest {MAX_DAYS} of {newest.length} days with readings.
        </p>
      )}
    </section>
  )
}

type CellProps = { part: PartOfDay; ofDay: Pressure[]; figures: BloodPressureReport }

function Cell({ part, ofDay, figures }: CellProps) {
  const found = ofDay.filter((pressure) => partOf(pressure, figures) === part).toReversed()
  const more = found.length - MAX_IN_CELL
  const ranges = targetRanges(figures)
  return (
    <td>
      {found.slice(0, MAX_IN_CELL).map((pressure, index) => {
        const side = sideOfPressure(pressure, ranges)
        return (
          <span key={pressure.id}>
            {index > 0 && ', '}
            {side === undefined ? (
              valueText(pressure)
            ) : (
              <span class={`is-${side}`}>
                <span aria-hidden="true">{side === 'above' ? '▲ ' : '▼ '}</span>
                <span class="unseen">{side} target </span>
                {valueText(pressure)}
              </span>
            )}
          </span>
        )
      })}
      {more > 0 && <span class="muted"> and {more} more</span>}
    </td>
  )
}

const valueText = ({ systolic, diastolic }: Pressure) => `${systolic} / ${diastolic}`
