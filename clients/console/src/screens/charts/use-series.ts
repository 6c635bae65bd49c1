// The series of one type for the range on screen, loaded as the range and the readings change. What was loaded stays until
// something better has come, and a request for a range that was left is aborted.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { useChanges } from '../../live/live.ts'
import { type Detail, isEnough, loadSeries } from './load-series.ts'
import { type Series, timedReading, withChange } from './series.ts'
import type { TimeRange } from './time-range.ts'

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

// Changes that come together are read together.
const REREAD_MS = 400

export function useSeries({ rounds, patientUid, readingType, zone, view, detail }: Wanted): SeriesState {
  const [series, setSeries] = useState<Series>()
  const [error, setError] = useState<unknown>()
  const [isLoading, setIsLoading] = useState(true)
  // What is on screen is out of date once this has moved on from where it was loaded.
  const [version, setVersion] = useState(0)
  const loaded = useRef<{ series: Series; version: number; key: string }>(undefined)
  const key = JSON.stringify([patientUid, readingType, zone])

  useEffect(() => {
    const known = loaded.current?.key === key ? loaded.current : undefined
    const isCurrent = known?.version === version
    if (isCurrent && isEnough(known?.series, view, detail)) {
      setIsLoading(false)
      return undefined
    }
    if (known === undefined) setSeries(undefined)
    const leaving = new AbortController()
    setIsLoading(true)
    const request = {
      patientUid,
      readingType,
      zone,
      view,
      detail,
      known: isCurrent ? known?.series : undefined,
    }
    const load = async () => {
      try {
        const found = await loadSeries(rounds, request, leaving.signal)
        if (leaving.signal.aborted) return
        loaded.current = { series: found, version, key }
        setSeries(found)
        setError(undefined)
      } catch (failure) {
        if (leaving.signal.aborted) return
        setError(failure)
      }
      setIsLoading(false)
    }
    void load()
    return () => leaving.abort()
  }, [rounds, key, view.fromMs, view.toMs, detail.room, detail.kind, version])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAgain = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setVersion((now) => now + 1), REREAD_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges({
    onReset: readAgain,
    onChange(change) {
      const known = loaded.current
      if (known === undefined || change.state === 'erased') return readAgain()
      const { reading, state } = change
      const { atMs } = timedReading(reading)
      const { covers } = known.series
      if (reading.readingType !== readingType || atMs < covers.fromMs || atMs >= covers.toMs) return undefined
      if (known.series.kind === 'statistics') return readAgain()
      const readings = withChange(known.series.readings, reading, state === 'present')
      loaded.current = { ...known, series: { ...known.series, readings } }
      return setSeries(loaded.current.series)
    },
  })

  const retry = () => {
    setError(undefined)
    setVersion((now) => now + 1)
  }
  return { series: loaded.current?.key === key ? series : undefined, isLoading, error, retry }
}
