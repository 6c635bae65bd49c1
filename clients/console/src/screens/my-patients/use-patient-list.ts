// The list as long as the screen is there: asked again about every two seconds while the window is seen.
import { useEffect, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useWaker } from '../../hooks/waker.ts'
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
  const waker = useWaker(EVERY_MS)
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
  return { listed, error, refresh: waker.wake }
}
