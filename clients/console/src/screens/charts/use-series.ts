// The series of one type for the range on screen, loaded as the range and the readings change. What was loaded stays until
// something better has come, and a request for a range that was left is aborted.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { useRetry } from '../../design/use-retry.ts'
import { useChanges } from '../../live/live.ts'
import { type Detail, isEnough, loadSeries } from './load-series.ts'
import { type Series, timedReading, withChange } from './series.ts'
import { contains, type TimeRange } from './time-range.ts'

export type SeriesState = {
  series: Series | undefined
  isLoading: boolean
  error: unknown
  retry: () => void
}

type Wanted = {
  rounds: RoundsClient
  patientUid: string
  readingType: string
  zone: string
  view: TimeRange
  detail: Detail
}

// Changes that come together are read together, and a sensor that sends all the time does not keep the service busy.
const REREAD_MS = 400
const REREAD_EVERY_MS = 5_000

/** What was loaded, the newest first: going back to a range that was on screen asks for nothing. */
type Loaded = { of: string; list: readonly Series[] }

const MAX_LOADED = 12

export function useSeries({ rounds, patientUid, readingType, zone, view, detail }: Wanted): SeriesState {
  const [series, setSeries] = useState<Series>()
  const [error, setError] = useState<unknown>()
  // The request that was answered last, with readings or an error.
  const [answered, setAnswered] = useState('')
  // Moves on when what was loaded is out of date.
  const [version, setVersion] = useState(0)
  const loaded = useRef<Loaded>({ of: '', list: [] })
  const subject = JSON.stringify([patientUid, readingType, zone])
  const of = `${subject} ${version}`
  const request = [of, view.fromMs, view.toMs, detail.room, detail.kind].join(' ')
  // As it is now, also where several changes come before the next rendering.
  const current = useRef<{ series: Series; subject: string }>(undefined)

  function show(found: Series) {
    current.current = { series: found, subject }
    setSeries(found)
    setError(undefined)
    setAnswered(request)
  }

  const isBusy = useRef(false)
  // Changes came while a request was under way: it goes on, and what it brings is read again afterwards.
  const isOld = useRef(false)
  const rereadAt = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAgain = () => {
    isOld.current = isBusy.current
    if (isBusy.current || timer.current !== undefined) return
    const waitMs = Math.max(REREAD_MS, rereadAt.current + REREAD_EVERY_MS - performance.now())
    timer.current = setTimeout(() => {
      timer.current = undefined
      // What was asked for meanwhile goes on.
      isOld.current = isBusy.current
      if (isBusy.current) return
      rereadAt.current = performance.now()
      setVersion((now) => now + 1)
    }, waitMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useEffect(() => {
    const list = loaded.current.of === of && !isOld.current ? loaded.current.list : []
    isOld.current = false
    const enough = list.find((known) => isEnough(known, view, detail))
    if (enough) {
      show(enough)
      return undefined
    }
    const leaving = new AbortController()
    const load = async () => {
      isBusy.current = true
      try {
        const known = list.find((one) => contains(one.covers, view)) ?? list[0]
        const wanted = { patientUid, readingType, zone, view, detail, known }
        const found = await loadSeries(rounds, wanted, leaving.signal)
        if (leaving.signal.aborted) return
        loaded.current = { of, list: [found, ...list].slice(0, MAX_LOADED) }
        show(found)
      } catch (failure) {
        if (leaving.signal.aborted) return
        setError(failure)
        setAnswered(request)
      }
      isBusy.current = false
      if (isOld.current) readAgain()
    }
    void load()
    return () => {
      isBusy.current = false
      leaving.abort()
    }
  }, [rounds, request])

  useChanges({
    onReset: readAgain,
    onChange(change) {
      const shown = current.current?.series
      if (change.state === 'erased' || shown === undefined) return readAgain()
      const { reading, state } = change
      if (reading.readingType !== readingType) return undefined
      // Whatever else was loaded, or is on its way, may lack this reading.
      loaded.current = { of, list: [] }
      if (isBusy.current) isOld.current = true
      const { atMs } = timedReading(reading)
      if (atMs < shown.covers.fromMs || atMs >= shown.covers.toMs) return undefined
      if (shown.kind === 'statistics') return readAgain()
      const changed = { ...shown, readings: withChange(shown.readings, reading, state === 'present') }
      loaded.current = { of, list: [changed] }
      current.current = { series: changed, subject }
      return setSeries(changed)
    },
  })

  const again = () => setVersion((now) => now + 1)
  useRetry(error, again)
  const retry = () => {
    setError(undefined)
    again()
  }
  const isOfThis = current.current?.subject === subject
  return { series: isOfThis ? series : undefined, isLoading: answered !== request, error, retry }
}
