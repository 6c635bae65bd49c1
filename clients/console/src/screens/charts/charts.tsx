// The charts: any types over any range, on one time axis. What is shown is in the address.
import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { useLoad } from '../../design/use-load.ts'
import { Link } from '../../frame/link.tsx'
import { useChanges } from '../../live/live.ts'
import type { ScreenProps } from '../../screen.ts'
import { type Catalogue, readingText } from '../../words/reading-text.ts'
import { nameOf } from '../../words/type-names.ts'
import { useNow } from '../use-now.ts'
import './charts.css'
import { DAY_MS } from '../../words/zone-calendar.ts'
import { type Room, roomOf } from './level-of-detail.ts'
import { Pane, type Steps } from './pane.tsx'
import { RangeBar } from './range-bar.tsx'
import { timedReading } from './series.ts'
import { stepFrom } from './step.ts'
import { TimeAxis } from './time-axis.tsx'
import {
  addressOfRange,
  type ChosenRange,
  moved,
  rangeInAddress,
  rangeOf,
  type TimeRange,
  withinBounds,
  zoomed,
} from './time-range.ts'
import { MAX_TYPES, TypePicker } from './type-picker.tsx'
import { createView, sameRange } from './view.ts'

// After so long without a movement, the hand rests.
const SETTLED_MS = 60
const ANNOUNCED_EVERY_MS = 10_000

type Known = { catalogue: Catalogue; newest: Map<string, number> }

export function Charts({ rounds, patientUid, zone, address }: ScreenProps) {
  const { query } = address
  const nowMs = useNow()
  const rangeText = ['range', 'from', 'to'].map((name) => query.get(name)).join(' ')
  const chosen = useMemo(() => rangeInAddress(query), [rangeText])
  const wanted = useMemo(() => rangeOf(chosen, nowMs, zone), [chosen, nowMs, zone])
  const view = useMemo(() => createView(wanted), [])
  const [settled, setSettled] = useState(wanted)
  const { data: known, error, reload } = useKnownTypes(rounds, patientUid)
  const mayAdd = useApp().session.person.patientUids.includes(patientUid)
  const [showsTable, setShowsTable] = useState(false)
  const [spoken, setSpoken] = useState('')
  const panes = useRef<HTMLDivElement>(null)
  const room = useRoom(panes)
  const announcedAt = useRef(Number.NEGATIVE_INFINITY)
  const stepped = useRef(new Map<string, Steps>())

  // The address leads; a hand on the charts writes it, and then both agree. A hand that pauses and goes on is ahead of what it
  // wrote: that must not take it back.
  const written = useRef<TimeRange>(undefined)
  useEffect(() => {
    const isOwn = written.current !== undefined && sameSeconds(wanted, written.current)
    written.current = undefined
    if (isOwn || sameSeconds(wanted, view.range.get())) return
    view.range.set(wanted)
    setSettled(wanted)
  }, [wanted.fromMs, wanted.toMs])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = view.range.subscribe((range) => {
      clearTimeout(timer)
      timer = setTimeout(() => setSettled(range), SETTLED_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [view])
  useEffect(() => {
    if (sameSeconds(settled, wanted)) return
    written.current = settled
    address.go({ query: addressOfRange(settled) }, { replace: true })
  }, [settled])

  const types = typesOf(query, known)
  const chooseRange = (next: ChosenRange) => address.go({ query: addressOfRange(next) })
  const chooseTypes = (next: string[]) => address.go({ query: { type: next } }, { replace: true })
  const units = query.getAll('unit')
  const chooseUnit = useCallback(
    (unit: string, instead: readonly string[]) =>
      address.go(
        { query: { unit: [...units.filter((one) => !instead.includes(one)), unit] } },
        { replace: true },
      ),
    [units.join()],
  )

  useChanges({
    onReset() {},
    onChange(change) {
      if (change.state !== 'present' || !types?.includes(change.reading.readingType)) return
      // A sensor that sends all the time would not let anything else be heard.
      if (performance.now() - announcedAt.current < ANNOUNCED_EVERY_MS) return
      announcedAt.current = performance.now()
      const { readingType } = change.reading
      const { value, unit } = readingText(change.reading, known?.catalogue.get(readingType), zone)
      setSpoken(`New reading. ${nameOf(readingType)}: ${value} ${unit}`.trim())
    },
  })

  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const range = view.range.get()
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step !== undefined && event.shiftKey) {
      const next = stepFrom([...stepped.current.entries()], view, step)
      if (next) setSpoken(next)
    } else if (step !== undefined) view.range.set(moved(range, step * 0.2))
    else if (event.key === '+' || event.key === '=') view.range.set(zoomed(range, 0.5))
    else if (event.key === '-' || event.key === '_') view.range.set(zoomed(range, 2))
    else if (event.key === 'Escape') view.pointer.set(undefined)
    else return
    event.preventDefault()
  }

  return (
    <div class="charts">
      <div class="charts-bar">
        <TypePicker
          chosen={types ?? []}
          own={[...(known?.newest.keys() ?? [])]}
          catalogue={[...(known?.catalogue.keys() ?? [])]}
          choose={chooseTypes}
        />
        <RangeBar chosen={chosen} settled={settled} view={view} zone={zone} choose={chooseRange} />
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div
        ref={panes}
        class={`charts-panes charts-of-${Math.min(types?.length ?? 1, 3)}`}
        role="group"
        aria-label="Charts. Arrow keys move, plus and minus zoom, Shift with arrow keys goes from reading to reading."
        tabIndex={0}
        onKeyDown={onKey}
      >
        {known !== undefined && types?.length === 0 && (
          <div class="chart-pane">
            <div class="chart-plot chart-nothing">
              <p>There are no readings yet.</p>
              {mayAdd && (
                <Link class="button" address={address} to={{ path: 'add' }}>
                  Add the first one
                </Link>
              )}
            </div>
          </div>
        )}
        {types === undefined && error === undefined && (
          <div class="chart-pane" aria-busy="true">
            <div class="chart-head" />
            <p class="chart-reading">Loading…</p>
            <div class="chart-plot skeleton" />
          </div>
        )}
        {room !== undefined &&
          types?.map((readingType, index) => (
            <Pane
              key={readingType}
              rounds={rounds}
              patientUid={patientUid}
              readingType={readingType}
              entry={known?.catalogue.get(readingType)}
              isKnown={known !== undefined}
              room={room}
              view={view}
              settled={settled}
              zone={zone}
              nowMs={nowMs}
              showsTable={showsTable}
              stepped={stepped.current}
              units={units}
              chooseUnit={chooseUnit}
              field={query.get('field') ?? undefined}
              chooseField={(field) => address.go({ query: { field } }, { replace: true })}
              address={address}
              mayAdd={mayAdd}
              axis={index === types.length - 1 && <TimeAxis view={view} zone={zone} />}
              newestMs={known?.newest.get(readingType)}
              showNewest={(atMs) =>
                chooseRange(withinBounds({ fromMs: atMs - 15 * DAY_MS, toMs: atMs + 15 * DAY_MS }))
              }
            />
          ))}
      </div>
      <div class="charts-foot">
        <p class="chart-note">
          Drag to move, pinch to zoom.{' '}
          <span class="chart-keys">
            <kbd>Ctrl</kbd> + wheel zooms, <kbd>Shift</kbd> + drag zooms to a part. Keys on the chart:{' '}
            <kbd>←</kbd> <kbd>→</kbd> move, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>Shift</kbd> + <kbd>←</kbd>{' '}
            <kbd>→</kbd> step through readings.
          </span>
        </p>
        <button
          type="button"
          class="button"
          aria-pressed={showsTable}
          onClick={() => setShowsTable(!showsTable)}
        >
          {showsTable ? 'Hide the table' : 'Show as table'}
        </button>
      </div>
      <p class="unseen" role="status">
        {spoken}
      </p>
    </div>
  )
}

/** The address is to the second. */
function sameSeconds(one: TimeRange, other: TimeRange): boolean {
  const seconds = ({ fromMs, toMs }: TimeRange) => ({
    fromMs: Math.round(fromMs / 1_000),
    toMs: Math.round(toMs / 1_000),
  })
  return sameRange(seconds(one), seconds(other))
}

/** Those of the address, else the one with the newest reading. Nothing while that is not known. */
function typesOf(query: URLSearchParams, known: Known | undefined): string[] | undefined {
  const named = [...new Set(query.getAll('type'))].filter((type) => /^[\w.-]{1,64}$/.test(type))
  if (named.length > 0) return named.slice(0, MAX_TYPES)
  if (known === undefined) return undefined
  return [...known.newest.keys()].slice(0, 1)
}

/** How many points an element has room for; nothing before it is there. */
function useRoom(element: RefObject<HTMLElement | null>): Room | undefined {
  const [room, setRoom] = useState<Room>()
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const measure = () => setRoom(roomOf(current.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return room
}

/** The catalogue, and the types of the patient's readings, the newest first. */
function useKnownTypes(rounds: ScreenProps['rounds'], patientUid: string) {
  const { catalogue } = useApp()
  return useLoad(
    async (signal): Promise<Known> => {
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
    },
    [patientUid],
  )
}
