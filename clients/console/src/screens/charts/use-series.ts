// The series of one type for the range on screen, loaded as the range and the readings change. What was loaded stays until
// something better has come, and a request for a range that was left is aborted.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { useRetry } from '../../hooks/use-retry.ts'
import { useChanges, useOpened } from '../../live/live.ts'
import { isEnough, loadSeries, type SeriesRequest } from './load-series.ts'
import { type Series, timedReading, withChange } from './series.ts'
import { contains } from './time-range.ts'

export type SeriesState = {
  series: Series | undefined
  isLoading: boolean
  error: unknown
  retry: () => void
}

type Wanted = Omit<SeriesRequest, 'known'> & { rounds: RoundsClient }

// Changes that come together are read together, and a sensor that sends all the time does not keep the service busy.
const REREAD_MS = 400
const REREAD_EVERY_MS = 5_000

/** What was loaded, the newest first: going back to a range that was on screen asks for nothing. */
type Loaded = { of: string; list: readonly Series[] }

const MAX_LOADED = 12

export function useSeries({ rounds, patientUid, readingType, zone, view, detail }: Wanted): SeriesState {
  const opened = useOpened()
  const [error, setError] = useState<unknown>()
  // The request that was answered last, with readings or an error.
  const [answered, setAnswered] = useState('')
  // Moves on when what was loaded is out of date.
  const [version, setVersion] = useState(0)
  const again = () => setVersion((now) => now + 1)
  const progress = useProgress(again)
  const loaded = useRef<Loaded>({ of: '', list: [] })
  const subject = JSON.stringify([patientUid, readingType, zone])
  const of = `${subject} ${version}`
  const request = [of, view.fromMs, view.toMs, detail.room, detail.kind].join(' ')
  const shown = useShown(subject)

  function show(found: Series) {
    shown.set(found)
    setError(undefined)
    setAnswered(request)
  }
  async function load(list: readonly Series[], signal: AbortSignal) {
    try {
      await opened
      const known = list.find((one) => contains(one.covers, view)) ?? list[0]
      const found = await loadSeries(rounds, { patientUid, readingType, zone, view, detail, known }, signal)
      if (signal.aborted) return
      loaded.current = { of, list: [found, ...list].slice(0, MAX_LOADED) }
      show(found)
    } catch (failure) {
      if (signal.aborted) return
      setError(failure)
      setAnswered(request)
    }
    progress.end()
  }
  useEffect(() => {
    const list = loaded.current.of === of && !progress.isStale() ? loaded.current.list : []
    const enough = list.find((known) => isEnough(known, view, detail))
    if (enough) {
      show(enough)
      return undefined
    }
    const leaving = new AbortController()
    progress.begin()
    void load(list, leaving.signal)
    return () => {
      progress.leave()
      leaving.abort()
    }
  }, [rounds, request])

  useChanges({
    onReset: progress.readAgain,
    onChange(change) {
      const before = shown.now()
      if (change.state === 'erased' || before === undefined) return progress.readAgain()
      const { reading, state } = change
      if (reading.readingType !== readingType) return undefined
      // Whatever else was loaded, or is on its way, may lack this reading.
      loaded.current = { of, list: [] }
      progress.overtake()
      const { atMs } = timedReading(reading)
      if (atMs < before.covers.fromMs || atMs >= before.covers.toMs) return undefined
      if (before.kind === 'statistics') return progress.readAgain()
      const changed = { ...before, readings: withChange(before.readings, reading, state === 'present') }
      loaded.current = { of, list: [changed] }
      return shown.set(changed)
    },
  })

  useRetry(error, again)
  const retry = () => {
    setError(undefined)
    again()
  }
  return { series: shown.series, isLoading: answered !== request, error, retry }
}

/** The series on screen; nothing while it is that of another subject. */
function useShown(subject: string) {
  const [series, setSeries] = useState<Series>()
  // As it is now, also where several changes come before the next rendering.
  const current = useRef<{ series: Series; subject: string }>(undefined)
  return {
    series: current.current?.subject === subject ? series : undefined,
    now: () => current.current?.series,
    set(next: Series) {
      current.current = { series: next, subject }
      setSeries(next)
    },
  }
}

/**
 * What is under way, and whether changes have overtaken it:
 *
 *   idle      → loading     nothing that was loaded is enough for the range
 *   loading   → idle        it was answered, or the range was left
 *   loading   → overtaken   a change came that the answer may lack: the request goes on
 *   overtaken → idle        it was answered: read again
 *   overtaken → stale       the range was left: nothing that was loaded before may be used for the next
 *   stale     → loading
 */
type Progress = 'idle' | 'loading' | 'overtaken' | 'stale'

function useProgress(read: () => void) {
  const state = useRef<Progress>('idle')
  const rereadAt = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  /** Returns whether anything is under way. */
  const overtake = () => {
    if (state.current === 'loading') state.current = 'overtaken'
    return state.current === 'overtaken'
  }
  /** Reads again: soon, or after what is under way. */
  const readAgain = () => {
    if (overtake() || timer.current !== undefined) return
    const waitMs = Math.max(REREAD_MS, rereadAt.current + REREAD_EVERY_MS - performance.now())
    timer.current = setTimeout(() => {
      timer.current = undefined
      // What was asked for meanwhile goes on.
      if (overtake()) return
      rereadAt.current = performance.now()
      read()
    }, waitMs)
  }
  return {
    overtake,
    readAgain,
    isStale: () => state.current === 'stale',
    begin() {
      state.current = 'loading'
    },
    end() {
      const wasOvertaken = state.current === 'overtaken'
      state.current = 'idle'
      if (wasOvertaken) readAgain()
    },
    leave() {
      state.current = state.current === 'overtaken' ? 'stale' : 'idle'
    },
  }
}
