// Changes of the patient as they are committed: one stream for the whole console, which screens listen to.
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Change, RoundsClient } from '../../../typescript/src/client.ts'

type Listener = {
  /** A reading that was added, withdrawn or restored, or the erasure of the patient. */
  onChange: (change: Change) => void
  /** Changes may have been missed: read again what is shown. */
  onReset: () => void
}

/** `late`: the stream is open, and the database holds changes back. */
type LiveState = 'connecting' | 'live' | 'late' | 'lost' | 'ended'
export type Live = {
  state: LiveState
  /** For how long changes have been held back; 0 unless they are late. */
  lateSeconds: number
  listeners: Set<Listener>
  /**
   * To be awaited before a screen reads what it then follows. What was read before the stream is open may miss a change and has to
   * be read twice, so reading waits for it, for a while.
   */
  opened: Promise<void>
}

/** A stream that is refused, or a network that hangs, does not keep the readings from the screen. */
const OPENS_WITHIN_MS = 2_000

const NONE: Live = { state: 'connecting', lateSeconds: 0, listeners: new Set(), opened: Promise.resolve() }
export const LiveContext = createContext(NONE)

/** Watches the patient as long as the component is there. */
export function useWatch(rounds: RoundsClient, patientUid: string | undefined): Live {
  const [connection, setConnection] = useState<Exclude<LiveState, 'late'>>('connecting')
  const [heldBackSeconds, setHeldBackSeconds] = useState(0)
  const { listeners, opening } = useMemo(
    () => ({ listeners: new Set<Listener>(), opening: createOpening() }),
    [patientUid],
  )
  useEffect(() => {
    if (patientUid === undefined) {
      opening.end()
      return undefined
    }
    setConnection('connecting')
    setHeldBackSeconds(0)
    const timer = setTimeout(() => opening.end(), navigator.onLine ? OPENS_WITHIN_MS : 0)
    const stop = rounds.watch({
      patientUid,
      onChange: (change) => {
        for (const { onChange } of listeners) onChange(change)
      },
      onReset: () => {
        // Nothing was read before it.
        if (opening.end()) return
        for (const { onReset } of listeners) onReset()
      },
      onDelay: (seconds) => {
        setHeldBackSeconds(seconds)
        // What is committed can be read, though it is not announced yet.
        if (seconds > 0) for (const { onReset } of listeners) onReset()
      },
      onConnection: (isOpen) => setConnection(isOpen ? 'live' : 'lost'),
      onEnd: () => {
        opening.end()
        setConnection('ended')
      },
    })
    return () => {
      clearTimeout(timer)
      opening.end()
      stop()
    }
  }, [rounds, patientUid])
  const lateSeconds = connection === 'live' ? heldBackSeconds : 0
  const state = lateSeconds > 0 ? 'late' : connection
  return useMemo(
    () => ({ state, lateSeconds, listeners, opened: opening.ended }),
    [state, lateSeconds, listeners],
  )
}

/** Whether the stream may still open before anything is read. */
function createOpening() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isOpening = true
  return {
    ended: promise,
    /** Returns whether this call ended it. */
    end(): boolean {
      const isFirst = isOpening
      isOpening = false
      resolve()
      return isFirst
    },
  }
}

export const useOpened = () => useContext(LiveContext).opened

/** Calls as long as the component is there. */
export function useChanges(listener: Listener) {
  const { listeners } = useContext(LiveContext)
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const stable: Listener = {
      onChange: (change) => latest.current.onChange(change),
      onReset: () => latest.current.onReset(),
    }
    listeners.add(stable)
    return () => {
      listeners.delete(stable)
    }
  }, [listeners])
}
