// The newest readings of several patients, as long as a screen shows them and the window is seen.
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { EVERY_MS, type PatientNewest } from './newest-of-patients.ts'

type Options = {
  /** All of them, or those beside the one whose readings are on the screen. */
  besides?: string | undefined
}

export function useNewestOfPatients({ besides }: Options = {}): PatientNewest[] {
  const { newestOfPatients: store } = useApp()
  const [list, setList] = useState(store.list)
  useEffect(() => store.subscribe(() => setList(store.list())), [store])
  useEffect(() => {
    const wanted = store.list().flatMap(({ patientUid }) => (patientUid === besides ? [] : patientUid))
    const read = () => {
      if (document.visibilityState === 'visible') void store.readDue(wanted, besides === undefined)
    }
    // Before the reader leaves them too: else they would still be new for a moment on the screen that comes next.
    if (besides !== undefined) store.forgetSeen(besides)
    read()
    const timer = setInterval(read, EVERY_MS)
    document.addEventListener('visibilitychange', read)
    addEventListener('online', read)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', read)
      removeEventListener('online', read)
      if (besides !== undefined) store.forgetSeen(besides)
    }
  }, [store, besides])
  return list.filter(({ patientUid }) => patientUid !== besides)
}
