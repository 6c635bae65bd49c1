// One type in the stack: its name, its unit, and its plot, or what to do where there is none.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RoundsClient, Target } from '../../../../typescript/src/client.ts'
import type { ReadingTypeEntry } from '../../../../typescript/src/contract.ts'
import type { Address } from '../../address.ts'
import { ReportLink } from '../../care/report-link.tsx'
import type { Reader } from '../../care/target-text.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { Choice } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { signOf } from './chart-text.ts'
import type { Room } from './level-of-detail.ts'
import type { Sorts } from './mark-table.tsx'
import type { Mark } from './marks.ts'
import { NumberPane } from './number-pane.tsx'
import { SymptomPane } from './symptom-pane.tsx'
import type { TimeRange } from './time-range.ts'
import { kindOf, shapeOf, type TypeShape } from './type-shape.ts'
import { useSeries } from './use-series.ts'
import type { View } from './view.ts'

/** What the keys step through in a pane, and how it is spoken. */
export type Steps = { marks: readonly Mark[]; text: (mark: Mark) => string }

export type PaneProps = {
  name: string
  captionId: string
  view: View
  /** The range once the hand rests. */
  settled: TimeRange
  zone: string
  nowMs: number
  showsTable: boolean
  stepped: Map<string, Steps>
  sorts: Sorts
  rounds: RoundsClient
  patientUid: string
  entry: ReadingTypeEntry | undefined
  /** With which readings are compared for the reader. */
  target: Target | undefined
  reader: Reader
  address: Address
  /** Said to those who cannot see the charts. */
  speak: (text: string) => void
  focusCharts: () => void
}

type WholePaneProps = Omit<PaneProps, 'name' | 'captionId'> & {
  readingType: string
  /** Whether the catalogue is known: without it nothing can be said of units. */
  isKnown: boolean
  room: Room
  /** Units chosen, of any type. */
  units: readonly string[]
  chooseUnit: (unit: string, instead: readonly string[]) => void
  mayAdd: boolean
  /** When the newest reading was measured, if that is known. */
  newestMs: number | undefined
  showNewest: (atMs: number) => void
  /** Stands under the plot of the last pane. */
  axis: ComponentChildren
}

export function Pane(props: WholePaneProps) {
  const { rounds, patientUid, readingType, zone, settled, entry, units, room, address } = props
  const field = address.query.get('field') ?? undefined
  const detail = { room, kind: kindOf(readingType) }
  const wanted = { rounds, patientUid, readingType, zone, view: settled, detail }
  const { series, isLoading, error, retry } = useSeries(wanted)
  const shape = useMemo(
    () => shapeOf(readingType, entry, { series, field }),
    [readingType, entry, series, field],
  )
  const unit =
    units.find((chosen) => shape.units.includes(chosen)) ?? shape.units[0] ?? shape.quantities[0]?.unit
  const name = nameOf(readingType)
  const count =
    series?.kind === 'statistics'
      ? series.buckets.reduce(
          (sum, bucket) => sum + inView(bucket.startMs, bucket.endMs, settled) * bucket.count,
          0,
        )
      : (series?.readings.filter(({ atMs }) => atMs >= settled.fromMs && atMs < settled.toMs).length ?? 0)
  const id = `chart-${readingType}`
  return (
    <section
      class={`chart-pane chart-${detail.kind}`}
      aria-labelledby={id}
      aria-describedby={`${id}-caption`}
      aria-busy={isLoading}
    >
      <Head {...props} id={id} name={name} shape={shape} unit={unit} />
      {isLoading && series && <span class="chart-busy">{words.charts.loading}</span>}
      {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
      {series === undefined || !props.isKnown ? (
        error === undefined && <Skeleton isStrip={shape.kind === 'symptoms'} />
      ) : count === 0 ? (
        <Nothing {...props} isStrip={shape.kind === 'symptoms'} />
      ) : shape.kind === 'symptoms' ? (
        <SymptomPane {...props} name={name} captionId={`${id}-caption`} series={series} />
      ) : (
        <NumberPane
          {...props}
          name={name}
          captionId={`${id}-caption`}
          series={series}
          shape={shape}
          unit={unit}
        />
      )}
      {props.axis}
    </section>
  )
}

type HeadProps = Pick<WholePaneProps, 'entry' | 'address' | 'chooseUnit'> & {
  id: string
  name: string
  shape: TypeShape
  unit: string | undefined
}

function Head({ id, name, shape, unit, entry, address, chooseUnit }: HeadProps) {
  return (
    <header class="chart-head">
      <h2 id={id}>{name}</h2>
      {shape.units.length > 1 ? (
        <Choice
          aria-label={words.charts.unitOf(name)}
          value={unit}
          set={(one) => chooseUnit(one, shape.units)}
          options={shape.units.map((one) => [one, unitSign(one)] as const)}
        />
      ) : (
        <span class="chart-unit">{signOf(unit)}</span>
      )}
      <ReportLink class="small" readingType={shape.readingType} address={address} />
      {entry === undefined && shape.kind === 'line' && shape.quantities.length > 1 && (
        <label class="chart-field">
          <span>{words.charts.field}</span>
          <select
            value={shape.quantities[0]?.field}
            onChange={({ currentTarget }) =>
              address.go({ query: { field: currentTarget.value } }, { replace: true })
            }
          >
            {shape.quantities
              .map((quantity) => quantity.field)
              .toSorted()
              .map((one) => (
                <option key={one}>{one}</option>
              ))}
          </select>
        </label>
      )}
    </header>
  )
}

function inView(startMs: number, endMs: number, { fromMs, toMs }: TimeRange): number {
  return endMs > fromMs && startMs < toMs ? 1 : 0
}

/** Of a pane whose type is not known yet. */
export function LoadingPane({ axis }: Pick<WholePaneProps, 'axis'>) {
  return (
    <div class="chart-pane" aria-busy="true">
      <div class="chart-head" />
      <Skeleton isStrip={false} />
      {axis}
    </div>
  )
}

/** As large as what comes. */
function Skeleton({ isStrip }: { isStrip: boolean }) {
  return (
    <>
      <p class="chart-reading">
        <span>{words.charts.loading}</span>
      </p>
      <div class={isStrip ? 'chart-plot chart-strip skeleton' : 'chart-plot skeleton'} />
    </>
  )
}

function Nothing(props: WholePaneProps & { isStrip: boolean }) {
  const { readingType, newestMs, settled, showNewest, address, mayAdd, isStrip } = props
  const isElsewhere = newestMs !== undefined && (newestMs < settled.fromMs || newestMs >= settled.toMs)
  return (
    <>
      <p class="chart-reading">
        <span>{words.charts.nothing}</span>
      </p>
      <div class={isStrip ? 'chart-plot chart-strip chart-nothing' : 'chart-plot chart-nothing'}>
        <p>{words.charts.nothingOf(nameWithin(readingType))}</p>
        {isElsewhere ? (
          <button type="button" class="button" onClick={() => showNewest(newestMs)}>
            {words.charts.showNewest}
          </button>
        ) : (
          mayAdd && (
            <Link class="button" address={address} to={{ path: 'add', query: { type: readingType } }}>
              {words.charts.add}
            </Link>
          )
        )}
      </div>
    </>
  )
}
