// The charts: any types over any range, on one time axis. What is shown is in the address.
import type { ComponentChildren } from 'preact'
import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useTargets } from '../../care/targets.ts'
import { useReader } from '../../care/use-reader.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useChanges } from '../../live/live.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import './charts.css'
import { words } from '../../words/words.ts'
import { followKey } from './keys.ts'
import type { Sorts } from './mark-table.tsx'
import { LoadingPane, Pane, type Steps } from './pane.tsx'
import { RangeButtons, RangePicker } from './range-bar.tsx'
import { timedReading } from './series.ts'
import { TimeAxis } from './time-axis.tsx'
import { addressOfRange, type ChosenRange, monthAround } from './time-range.ts'
import { MAX_TYPES, TypePicker } from './type-picker.tsx'
import { useRange } from './use-range.ts'
import { useRoom } from './use-room.ts'

const ANNOUNCED_EVERY_MS = 10_000

type Known = { catalogue: Catalogue; newest: Map<string, number> }

export function Charts(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const nowMs = useNow()
  const { chosen, view, settled } = useRange(address, nowMs, zone)
  const { data: known, error, reload } = useKnownTypes(rounds, patientUid)
  const { choices, session } = useApp()
  const mayAdd = session.person.patientUids.includes(patientUid)
  const [showsTable, setShowsTable] = useState(false)
  const panes = useRef<HTMLDivElement>(null)
  const room = useRoom(panes)
  // Where there is little room, the plot comes first and the buttons after it; the focus goes in the same order.
  const isNarrow = useNarrow()
  // While the screen is open.
  const kept = useMemo(() => ({ stepped: new Map<string, Steps>(), sorts: new Map() satisfies Sorts }), [])

  const types = typesOf(address.query, known, choices.get().types)
  const panesCount = types?.length ?? expectedPanes(choices.get().types)
  const chooseRange = (next: ChosenRange) =>
    address.go({ query: { ...addressOfRange(next), mark: undefined } })
  const units = useUnits(address)
  const targets = useTargets(patientUid)
  const reader = useReader(targets.data ?? [])
  const [spoken, setSpoken] = useAnnounced(types, known?.catalogue, zone)
  const axis = <TimeAxis view={view} zone={zone} />
  const buttons = <RangeButtons chosen={chosen} view={view} choose={chooseRange} />
  return (
    <div class="charts">
      <div class="charts-bar">
        <Types types={types} known={known} address={address} />
        {!isNarrow && buttons}
        <RangePicker chosen={chosen} settled={settled} zone={zone} nowMs={nowMs} choose={chooseRange} />
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div
        ref={panes}
        class={`charts-panes charts-of-${Math.min(panesCount, 3)}`}
        role="group"
        aria-label={words.charts.label}
        tabIndex={0}
        onKeyDown={(event) => followKey(event, view, kept.stepped, setSpoken)}
      >
        {known && types?.length === 0 && <NoReadings mayAdd={mayAdd} address={address} />}
        {types === undefined && error === undefined && <LoadingPanes count={panesCount} axis={axis} />}
        {room !== undefined &&
          types?.map((readingType, index) => (
            <Pane
              {...props}
              {...units}
              key={readingType}
              readingType={readingType}
              entry={known?.catalogue.get(readingType)}
              isKnown={known !== undefined}
              room={room}
              view={view}
              settled={settled}
              nowMs={nowMs}
              showsTable={showsTable}
              {...kept}
              target={targets.of(readingType)}
              reader={reader}
              speak={setSpoken}
              focusCharts={() => panes.current?.focus()}
              mayAdd={mayAdd}
              axis={index === types.length - 1 && axis}
              newestMs={known?.newest.get(readingType)}
              showNewest={(atMs) => chooseRange(monthAround(atMs))}
            />
          ))}
      </div>
      {isNarrow && <div class="charts-bar">{buttons}</div>}
      <Foot showsTable={showsTable} setShowsTable={setShowsTable} />
      <p class="unseen" role="status">
        {spoken}
      </p>
    </div>
  )
}

function Types(props: { types: string[] | undefined; known: Known | undefined; address: Address }) {
  const { types = [], known, address } = props
  const { choices } = useApp()
  const choose = (next: string[]) => {
    choices.set({ types: next })
    address.go({ query: { type: next } }, { replace: true })
  }
  return (
    <TypePicker
      chosen={types}
      own={[...(known?.newest.keys() ?? [])]}
      catalogue={[...(known?.catalogue.keys() ?? [])]}
      choose={choose}
    />
  )
}

/** What is read aloud to those who cannot see the charts: new readings, and what is set. */
function useAnnounced(types: string[] | undefined, catalogue: Catalogue | undefined, zone: string) {
  const [spoken, setSpoken] = useState('')
  const announcedAt = useRef(Number.NEGATIVE_INFINITY)
  useChanges({
    onReset() {},
    onChange(change) {
      if (change.state !== 'present' || !types?.includes(change.reading.readingType)) return
      // A sensor that sends all the time would not let anything else be heard.
      if (performance.now() - announcedAt.current < ANNOUNCED_EVERY_MS) return
      announcedAt.current = performance.now()
      const { readingType } = change.reading
      const { value, unit } = readingText(change.reading, catalogue?.get(readingType), zone)
      setSpoken(words.charts.newReading(nameOf(readingType), `${value} ${unit}`.trim()))
    },
  })
  return [spoken, setSpoken] as const
}

function NoReadings({ mayAdd, address }: { mayAdd: boolean; address: Address }) {
  return (
    <div class="chart-pane">
      <div class="chart-plot chart-nothing">
        <p>{words.charts.noReadingsYet}</p>
        {mayAdd && (
          <Link class="button" address={address} to={{ path: 'add' }}>
            Add the first one
          </Link>
        )}
      </div>
    </div>
  )
}

/** Before it is known which of the types chosen before have readings, there is room for all of them. */
function expectedPanes(remembered: readonly string[]): number {
  return Math.max(1, Math.min(remembered.length, MAX_TYPES))
}

function LoadingPanes({ count, axis }: { count: number; axis: ComponentChildren }) {
  return Array.from({ length: count }, (_, index) => (
    <LoadingPane key={index} axis={index === count - 1 && axis} />
  ))
}

function Foot(props: { showsTable: boolean; setShowsTable: (shows: boolean) => void }) {
  const { showsTable, setShowsTable } = props
  return (
    <div class="charts-foot">
      <p class="chart-note">
        {words.charts.drag}{' '}
        <span class="chart-keys">
          {words.charts.keys((name) => (
            <kbd>{name}</kbd>
          ))}
        </span>
      </p>
      <button
        type="button"
        class="button"
        aria-pressed={showsTable}
        onClick={() => setShowsTable(!showsTable)}
      >
        {showsTable ? words.charts.hideTable : words.charts.showTable}
      </button>
    </div>
  )
}

function useUnits(address: Address) {
  const { choices } = useApp()
  const units = [...new Set([...address.query.getAll('unit'), ...choices.get().units])]
  const chooseUnit = useCallback(
    (unit: string, instead: readonly string[]) => {
      const next = [...units.filter((one) => !instead.includes(one)), unit]
      choices.set({ units: next })
      address.go({ query: { unit: next } }, { replace: true })
    },
    [units.join()],
  )
  return { units, chooseUnit }
}

/** Those of the address, else those chosen before, else the one with the newest reading. Nothing while that is not known. */
function typesOf(
  query: URLSearchParams,
  known: Known | undefined,
  remembered: readonly string[],
): string[] | undefined {
  const named = [...new Set(query.getAll('type'))].filter((type) => /^[\w.-]{1,64}$/.test(type))
  if (named.length > 0) return named.slice(0, MAX_TYPES)
  if (known === undefined) return undefined
  const own = remembered.filter((type) => known.newest.has(type)).slice(0, MAX_TYPES)
  return own.length > 0 ? own : [...known.newest.keys()].slice(0, 1)
}

/** The catalogue, and the types of the patient's readings, the newest first. */
function useKnownTypes(rounds: ScreenProps['rounds'], patientUid: string) {
  const { catalogue } = useApp()
  return useLoad([patientUid], async (signal): Promise<Known> => {
    const [types, latest] = await Promise.all([
      catalogue(),
      // A patient with readings of more than 200 types has to name them; the address does.
      rounds.latestReadings({ patientUid }, { signal }).catch((failure: unknown) => {
        if (Object(failure).code === 'ValidationFailed') return { data: [] }
        throw failure
      }),
    ])
    const newest = latest.data.map((reading) => [reading.readingType, timedReading(reading).atMs] as const)
    return { catalogue: types, newest: new Map(newest.toSorted((a, b) => b[1] - a[1])) }
  })
}
