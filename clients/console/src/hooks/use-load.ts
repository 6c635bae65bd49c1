// Something that is loaded for a screen, again when what it depends on changes. What was there stays until the new has come, so
// nothing jumps; an answer that comes too late is dropped. What may succeed later is tried again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useRetry } from './use-retry.ts'

export type Loaded<T> = {
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

type State<T> = { data: T | undefined; error: unknown; isLoading: boolean }

export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, dependencies: unknown[]): Loaded<T> {
  const [state, setState] = useState<State<T>>({ data: undefined, error: undefined, isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const leaving = new AbortController()
    const run = async () => {
      setState((before) => ({ ...before, isLoading: true }))
      try {
        const data = await latest.current(leaving.signal)
        if (!leaving.signal.aborted) setState({ data, error: undefined, isLoading: false })
      } catch (error) {
        if (!leaving.signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }))
      }
    }
    void run()
    return () => leaving.abort()
  }, [...dependencies, round])
  const again = useCallback(() => setRound((number) => number + 1), [])
  useRetry(state.error, again)
  const reload = useCallback(() => {
    // Someone who presses "Try again" sees that it is tried.
    setState(({ data }) => ({ data, error: undefined, isLoading: true }))
    again()
  }, [])
  return { ...state, reload }
}
