// How many alerts of a doctor's patients are open, for the navigation. Asked for from time to time; while the inbox is shown, it says so.
import { useEffect } from 'preact/hooks'
import type { AlertsAnswer } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { type Store, useStored } from '../hooks/store.ts'
import { useWaker } from '../hooks/waker.ts'

const EVERY_MS = 30_000

/** Undefined where it is not known now: an old number is not shown. */
export type OpenAlerts = NonNullable<AlertsAnswer['counts']>['open'] | undefined
export type OpenAlertsStore = Store<OpenAlerts>

export function useOpenAlerts({ isAsked }: { isAsked: boolean }): OpenAlerts {
  const { rounds, openAlerts } = useApp()
  const waker = useWaker(EVERY_MS)
  useEffect(() => {
    if (!isAsked) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const follow = async () => {
      while (!signal.aborted) {
        try {
          // Only the counts are wanted, which no state changes. Those that are pending are few, so that hardly a patient is shown.
          const query = { state: 'pending', limit: 1 } as const
          const { counts } = await rounds.alerts.list(query, { signal, mayRepeat: () => false })
          if (!signal.aborted) openAlerts.set(counts?.open)
        } catch {
          // It is asked again; the inbox says why it failed.
          if (!signal.aborted) openAlerts.set(undefined)
        }
        if (!signal.aborted) await waker.pause()
      }
    }
    void follow()
    return () => {
      leaving.abort()
      waker.wake()
    }
  }, [isAsked, rounds])
  return useStored(openAlerts)
}
