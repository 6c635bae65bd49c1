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

type LiveState = 'connecting' | 'live' | 'lost' | 'ended'
export type Live = { state: LiveState; listeners: Set<Listener> }

export const LiveContext = createContext<Live>({ state: 'connecting', listeners: new Set() })

/** Watches the patient as long as the component is there. */
export function useWatch(rounds: RoundsClient, patientUid: string | undefined): Live {
  const [state, setState] = useState<LiveState>('connecting')
  const listeners = useMemo(() => new Set<Listener>(), [patientUid])
  useEffect(() => {
    if (patientUid === undefined) return undefined
    setState('connecting')
    return rounds.watch({
      patientUid,
      onChange: (change) => {
        for (const { onChange } of listeners) onChange(change)
      },
      onReset: () => {
        for (const { onReset } of listeners) onReset()
      },
      onConnection: (isOpen) => setState(isOpen ? 'live' : 'lost'),
      onEnd: () => setState('ended'),
    })
  }, [rounds, patientUid])
  return useMemo(() => ({ state, listeners }), [state, listeners])
}

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
