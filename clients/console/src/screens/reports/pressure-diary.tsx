// The diary: each day with its readings of the morning, the evening and between. In words, so that nothing depends on the chart.
import type { BloodPressureReport } from '../../../../typescript/src/client.ts'
import { dateFormat, LOCALE } from '../../words/language.ts'
import { words } from '../../words/words.ts'
import { dayOf, type PartOfDay, type Pressure, partOf, sideOfPressure, targetRanges } from './pressures.ts'

/** As many as fit on a page under the chart. */
const MAX_DAYS = 30
/** As many as fit beside each other. */
const MAX_IN_CELL = 4

const PARTS = ['morning', 'between', 'evening'] as const

type Props = { figures: BloodPressureReport; pressures: Pressure[] }

export function PressureDiary({ figures, pressures }: Props) {
  const days = Map.groupBy(pressures, (pressure) => dayOf(pressure, figures))
  const newest = [...days].toSorted(([one], [other]) => other - one)
  const shown = newest.slice(0, MAX_DAYS)
  const date = dateFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const isJudged = targetRanges(figures).length > 0
  return (
    <section class="report-diary" aria-label={words.reports.dayByDay}>
      <h3>
        {words.reports.dayByDay} <span class="muted">{words.reports.pressures(isJudged)}</span>
      </h3>
      <div class="report-table" role="region" tabIndex={0} aria-label={words.reports.readingsDayByDay}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.reports.day}</th>
              {PARTS.map((part) => (
                <th key={part} scope="col">
                  {part === 'between' ? words.reports.between : words.reports.rows[part]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([day, ofDay]) => (
              <tr key={day}>
                <th scope="row">{date.format(day)}</th>
                {PARTS.map((part) => (
                  <Cell key={part} part={part} ofDay={ofDay} figures={figures} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {newest.length > shown.length && (
        <p class="report-note">{words.reports.newestDays(MAX_DAYS, newest.length)}</p>
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
                <span class="unseen">
                  {side === 'above' ? words.reports.aboveTarget : words.reports.belowTarget}{' '}
                </span>
                {valueText(pressure)}
              </span>
            )}
          </span>
        )
      })}
      {more > 0 && <span class="muted">{words.reports.andMore(more)}</span>}
    </td>
  )
}

const valueText = ({ systolic, diastolic }: Pressure) => `${systolic} / ${diastolic}`
