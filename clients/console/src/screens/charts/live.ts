// The changes of the patient's readings, shared by all panes.
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { ChangeListener, ChangeSource } from './use-series.ts'

export function useChanges(rounds: RoundsClient, patientUid: string): ChangeSource {
  const listeners = useRef(new Set<ChangeListener>())
  useEffect(() => {
    const tell: ChangeListener = (change) => {
      for (const listener of listeners.current) listener(change)
    }
    let isFirst = true
    return rounds.watch({
      patientUid,
      onChange: (change) => tell(change),
      // Panes load when they appear; what they loaded before the stream was open may lack a change.
      onReset: () => {
        if (!isFirst) tell(undefined)
        isFirst = false
      },
      // Without a stream, charts show what they loaded.
      onEnd: () => {},
    })
  }, [rounds, patientUid])
  return useMemo(
    () => (listener) => {
      listeners.current.add(listener)
      return () => listeners.current.delete(listener)
    },
    [],
  )
}
