// The list as long as the screen is there: asked again about every two seconds while the window is seen.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { followPatients, type Listed } from './follow-patients.ts'

const EVERY_MS = 2_000

export type ListRules = { silentAfter: number | null; worseBy: number | null }

export type PatientList = {
  listed: Listed | undefined
  /** Why the last attempt failed; what is shown is as of the one before. */
  error: unknown
  /** Asks at once. */
  refresh: () => void
}

type Options = { rounds: RoundsClient; zone: string; rules: ListRules }

export function usePatientList({ rounds, zone, rules }: Options): PatientList {
  const { sharingPatients } = useApp()
  const [listed, setListed] = useState<Listed>()
  const [error, setError] = useState<unknown>()
  const waker = useMemo(createWaker, [])
  const { silentAfter, worseBy } = rules
  useEffect(() => {
    const leaving = new AbortController()
    const query = { timeZone: zone, silentAfter: silentAfter ?? undefined, worseBy: worseBy ?? undefined }
    void followPatients({
      list: rounds.myPatients.list,
      query,
      pause: () => waker.pause(),
      onListed(next) {
        setListed(next)
        setError(undefined)
        sharingPatients.keep([...next.patients.values()])
      },
      onFailed: setError,
      signal: leaving.signal,
    })
    return () => {
      leaving.abort()
      waker.wake()
    }
  }, [rounds, zone, silentAfter, worseBy])
  useEffect(() => {
    document.addEventListener('visibilitychange', waker.wake)
    addEventListener('online', waker.wake)
    return () => {
      document.removeEventListener('visibilitychange', waker.wake)
      removeEventListener('online', waker.wake)
    }
  }, [])
  return { listed, error, refresh: waker.wake }
}

/** A pause that ends early when something asks for it, and not while nobody sees the window. */
function createWaker() {
  let wakeNow = () => {}
  return {
    wake: () => wakeNow(),
    async pause() {
      const woken = new Promise<void>((resolve) => (wakeNow = resolve))
      let timer: ReturnType<typeof setTimeout> | undefined
      const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, EVERY_MS)))
      await (document.visibilityState === 'visible' ? Promise.race([woken, elapsed]) : woken)
      clearTimeout(timer)
    },
  }
}
