// The newest readings of several patients, as long as a screen shows them and the window is seen.
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { EVERY_MS, type PatientNewest } from './newest-of-patients.ts'

export function useNewestOfPatients(): PatientNewest[] {
  const { newestOfPatients: store } = useApp()
  const [list, setList] = useState(store.list)
  useEffect(() => store.subscribe(() => setList(store.list())), [store])
  useEffect(() => {
    const read = () => {
      if (document.visibilityState === 'visible') void store.readDue()
    }
    read()
    const timer = setInterval(read, EVERY_MS)
    document.addEventListener('visibilitychange', read)
    addEventListener('online', read)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', read)
      removeEventListener('online', read)
    }
  }, [store])
  return list
}
