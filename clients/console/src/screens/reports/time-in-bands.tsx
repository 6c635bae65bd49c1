// Time in the five bands, from very high to very low: a stacked bar, and beside it the words, the shares and the time of a day. Each band
// has a pattern of its own, so that it can be told without colour.
import type { ComponentChildren } from 'preact'
import type { GlucoseReport } from '../../../../typescript/src/client.ts'
import { words } from '../../words/words.ts'
import { bandText, perDayText, shareText } from './report-text.ts'

type Band = GlucoseReport['bands'][number]

const [WIDTH, HEIGHT] = [44, 206]
/** What there is of a band is seen, however little. */
const LEAST = 3

type Props = { figures: GlucoseReport; children: ComponentChildren }

export function TimeInBands({ figures, children }: Props) {
  const { unit } = figures
  // The highest on top, as in the chart.
  const bands = figures.bands.toReversed()
  return (
    <section class="report-bands" aria-label={words.reports.timeInTarget}>
      <h3>{words.reports.timeInTarget}</h3>
      <div class="bands">
        <StackedBar bands={bands} />
        <table>
          <thead class="unseen">
            <tr>
              <th scope="col">{words.reports.band}</th>
              <th scope="col">{words.reports.share}</th>
            </tr>
          </thead>
          <tbody>
            {bands.map((band) => (
              <tr key={band.name} class={band.name === 'target' ? 'is-target' : undefined}>
                <th scope="row">
                  <svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">
                    <BandRectangle name={band.name} width={14} height={14} />
                  </svg>
                  <span>
                    {words.reports.bands[band.name]} <span class="muted">{bandText(band, unit)}</span>
                  </span>
                </th>
                <td>
                  <strong>{shareText(band.share ?? 0)}</strong>
                  <span class="muted">{words.reports.aDay(perDayText(band.share ?? 0))}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {children}
    </section>
  )
}

function StackedBar({ bands }: { bands: Band[] }) {
  const seen = bands.filter(({ share }) => (share ?? 0) > 0)
  const rest = HEIGHT - LEAST * seen.length
  let top = 0
  return (
    <svg class="stacked" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <Patterns />
      {seen.map(({ name, share }) => {
        const height = LEAST + rest * (share ?? 0)
        const y = top
        top += height
        return <BandRectangle key={name} name={name} width={WIDTH} height={height} y={y} />
      })}
    </svg>
  )
}

type RectangleProps = { name: Band['name']; width: number; height: number; y?: number }

function BandRectangle({ name, width, height, y = 0 }: RectangleProps) {
  return (
    <>
      <rect class={`band ${name}`} width={width} height={height} y={y} />
      {name !== 'target' && <rect width={width} height={height} y={y} fill={`url(#pattern-${name})`} />}
    </>
  )
}

/** Lines for high, dots for low, closer for the very high and the very low. */
function Patterns() {
  const lines = (step: number) => <path d={`M0 ${step}L${step} 0`} class="pattern-line" />
  const dots = (step: number) => <circle cx={step / 2} cy={step / 2} r={step / 4} class="pattern-dot" />
  const patterns = [
    ['veryHigh', 4, lines(4)],
    ['high', 9, lines(9)],
    ['low', 7, dots(5)],
    ['veryLow', 4, dots(4)],
  ] as const
  return (
    <defs>
      {patterns.map(([name, step, mark]) => (
        <pattern key={name} id={`pattern-${name}`} width={step} height={step} patternUnits="userSpaceOnUse">
          {mark}
        </pattern>
      ))}
    </defs>
  )
}
