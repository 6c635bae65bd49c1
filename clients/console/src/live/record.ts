// Whether anything is stored for the patient whom staff have chosen: to the service, an id that is mistyped is a patient without
// readings. A screen that reads the newest readings reports what it found. Where none was found, and on screens that read no
// readings, one reading is asked for, also of those withdrawn.
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../typescript/src/client.ts'
import { useRetry } from '../hooks/use-retry.ts'
import type { Live } from './live.ts'

type Found = {
  state: 'unknown' | 'stored' | 'nothing'
  /** Why it is unknown, where the request failed. */
  error?: unknown
}
export type PatientRecord = Found & { retry: () => void; report: (hasReadings: boolean) => void }

const STORED: PatientRecord = { state: 'stored', retry: () => {}, report: () => {} }
export const RecordContext = createContext(STORED)

type Options = {
  /** Nothing while nobody is chosen, and of patients whom the token names: they have a record, empty or not. */
  patientUid: string | undefined
  /** Whether the screen reports what it found. */
  isReported: boolean
  live: Live
}

export function useRecord(rounds: RoundsClient, { patientUid, isReported, live }: Options): PatientRecord {
  const [known, setKnown] = useState<Found & { patientUid: string | undefined }>()
  const [emptyUid, setEmptyUid] = useState<string>()
  const [round, setRound] = useState(0)
  const { state, error }: Found = known && known.patientUid === patientUid ? known : { state: 'unknown' }
  const isAsked = state === 'unknown' && (!isReported || emptyUid === patientUid)
  useEffect(() => {
    if (patientUid === undefined || !isAsked) return undefined
    const leaving = new AbortController()
    rounds.getReadings({ patientUid, limit: 1, withdrawn: 'include' }, { signal: leaving.signal }).then(
      ({ data }) => setKnown({ patientUid, state: data.length > 0 ? 'stored' : 'nothing' }),
      (failure: unknown) => {
        if (!leaving.signal.aborted) setKnown({ patientUid, state: 'unknown', error: failure })
      },
    )
    return () => leaving.abort()
  }, [rounds, patientUid, isAsked, round])
  const again = () => setRound((number) => number + 1)
  useRetry(error, again)
  useEffect(() => {
    const listener = {
      onChange: ({ state: change }: { state: string }) =>
        setKnown({ patientUid, state: change === 'erased' ? 'unknown' : 'stored' }),
      onReset: () => {},
    }
    live.listeners.add(listener)
    return () => {
      live.listeners.delete(listener)
    }
  }, [live.listeners, patientUid])
  return useMemo(
    () => ({
      state: patientUid === undefined ? 'stored' : state,
      error,
      retry() {
        setKnown(undefined)
        again()
      },
      report(hasReadings) {
        setEmptyUid(hasReadings ? undefined : patientUid)
        if (hasReadings) setKnown({ patientUid, state: 'stored' })
      },
    }),
    [patientUid, state, error],
  )
}

/** Reports once it is known whether the newest readings are any. Returns what is known of the record. */
export function useReportedRecord(hasReadings: boolean | undefined): PatientRecord {
  const record = useContext(RecordContext)
  useEffect(() => {
    if (hasReadings !== undefined) record.report(hasReadings)
  }, [hasReadings])
  return record
}
