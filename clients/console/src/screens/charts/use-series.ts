// The series of one type for the range on screen, loaded as the range and the readings change. What was loaded stays until
// something better has come, and a request for a range that was left is aborted.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Change } from '../../../../typescript/src/contract.ts'
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

export type ChangeSource = (listener: ChangeListener) => () => void
/** `undefined`: changes may have been missed. */
export type ChangeListener = (change: Change | undefined) => void

export function useSeries(
  { rounds, patientUid, readingType, zone, view, detail }: Wanted,
  changes: ChangeSource,
): SeriesState {
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
    loadSeries(rounds, request, leaving.signal).then(
      (found) => {
        if (leaving.signal.aborted) return
        loaded.current = { series: found, version, key }
        setSeries(found)
        setError(undefined)
        setIsLoading(false)
      },
      (failure: unknown) => {
        if (leaving.signal.aborted) return
        setError(failure)
        setIsLoading(false)
      },
    )
    return () => leaving.abort()
  }, [rounds, key, view.fromMs, view.toMs, detail.room, detail.kind, version])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setVersion((now) => now + 1), REREAD_MS)
    }
    const stop = changes((change) => {
      if (change === undefined || change.state === 'erased') return readAgain()
      const { reading, state } = change
      const known = loaded.current
      if (reading.readingType !== readingType || known === undefined) return undefined
      const { atMs } = timedReading(reading)
      const { covers } = known.series
      if (atMs < covers.fromMs || atMs >= covers.toMs) return undefined
      if (known.series.kind === 'statistics') return readAgain()
      const readings = withChange(known.series.readings, reading, state === 'present')
      loaded.current = { ...known, series: { ...known.series, readings } }
      setSeries(loaded.current.series)
      return undefined
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [changes, readingType])

  const retry = () => {
    setError(undefined)
    setVersion((now) => now + 1)
  }
  return { series: loaded.current?.key === key ? series : undefined, isLoading, error, retry }
}
