// The newest readings with the time until which they are known to be the newest, and those that were kept where the newest cannot
// be read. While the stream is open, that time moves on; when it is lost or late, it is that of the last read and is shown.
import { useContext, useEffect, useMemo } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { catalogueOf } from '../../format/reading-text.ts'
import { useLasting } from '../../hooks/use-lasting.ts'
import type { Loaded } from '../../hooks/use-load.ts'
import { useOnline } from '../../hooks/use-online.ts'
import { LiveContext } from '../../live/live.ts'
import type { Latest } from './use-latest.ts'

/** A stream that is opened again at once is not worth a word. */
const LOST_MS = 2_000
/** After so long without an answer, what is kept is better than the outline of what comes, and then a word is. */
const [KEPT_AFTER_MS, SLOW_MS] = [1_500, 5_000]

type Shown = {
  data: Latest | undefined
  /** Nothing where they are the newest. */
  asOfMs: number | undefined
  /** Neither an answer nor an error has come for a while. */
  isSlow: boolean
}

export function useKeptLatest(patientUid: string, { data, error }: Loaded<Latest>, now: number): Shown {
  const { kept } = useApp()
  const { state } = useContext(LiveContext)
  const isOnline = useOnline()
  const isCurrent = data !== undefined && error === undefined && isOnline && state === 'live'
  const isLost = useLasting(data !== undefined && !isCurrent, isOnline ? LOST_MS : 0)
  const isWaiting = data === undefined && error === undefined
  const isSlow = useLasting(isWaiting, SLOW_MS)
  const isLate = useLasting(isWaiting, KEPT_AFTER_MS)
  const ids = data?.newest.map(({ readingId }) => readingId).join()
  useEffect(() => {
    if (!data || error !== undefined) return
    const { newest, future, readAtMs } = data
    const atMs = isCurrent ? Date.now() : Math.max(readAtMs, kept.latest(patientUid)?.atMs ?? 0)
    kept.keepLatest(patientUid, { atMs, newest, future })
  }, [patientUid, data?.readAtMs, ids, isCurrent, now])
  const mayShowKept = data === undefined && (error !== undefined || !isOnline || isLate)
  const before = useMemo(() => {
    const [latest, entries] = mayShowKept ? [kept.latest(patientUid), kept.catalogue()] : []
    return latest && entries && { ...latest, catalogue: catalogueOf(entries), readAtMs: latest.atMs }
  }, [patientUid, mayShowKept])
  if (before) return { data: before, asOfMs: before.atMs, isSlow }
  return { data, asOfMs: isLost ? (kept.latest(patientUid)?.atMs ?? data?.readAtMs) : undefined, isSlow }
}
