// Something that is loaded for a screen. Its key names what it is: whose, of which type, of which page. Data of another key is never
// shown, so a form cannot hold what another doctor was given. With another version the same is read again, and what was there stays
// until the new has come, so nothing jumps. An answer that comes too late is dropped. What may succeed later is tried again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useRetry } from './use-retry.ts'

export type Loaded<T> = {
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

type Part = string | number | boolean | null | undefined
export type Key = string | readonly Part[]

/** `of`: the key, as text. */
type State<T> = { of: string; data: T | undefined; error: unknown; isLoading: boolean }

export function useLoad<T>(
  key: Key,
  load: (signal: AbortSignal) => Promise<T>,
  version: readonly unknown[] = [],
): Loaded<T> {
  const of = JSON.stringify(key)
  const begun: State<T> = { of, data: undefined, error: undefined, isLoading: true }
  const [stored, setStored] = useState(begun)
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const ofKey = (state: State<T>) => (state.of === of ? state : begun)
  useEffect(() => {
    const leaving = new AbortController()
    const run = async () => {
      setStored((before) => ({ ...ofKey(before), isLoading: true }))
      try {
        const data = await latest.current(leaving.signal)
        if (!leaving.signal.aborted) setStored({ of, data, error: undefined, isLoading: false })
      } catch (error) {
        if (!leaving.signal.aborted) setStored((before) => ({ ...ofKey(before), error, isLoading: false }))
      }
    }
    void run()
    return () => leaving.abort()
  }, [of, ...version, round])
  const { data, error, isLoading } = ofKey(stored)
  const again = useCallback(() => setRound((number) => number + 1), [])
  useRetry(error, again)
  const reload = useCallback(() => {
    // Someone who presses "Try again" sees that it is tried.
    setStored((before) => ({ ...before, error: undefined, isLoading: true }))
    again()
  }, [])
  return { data, error, isLoading, reload }
}
