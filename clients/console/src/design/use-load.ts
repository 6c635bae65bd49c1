// Something that is loaded for a screen, again when what it depends on changes. What was there stays until the new has come, so
// nothing jumps; an answer that comes too late is dropped.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export type Loaded<T> = {
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, dependencies: unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; isLoading: boolean }>({ isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const leaving = new AbortController()
    const run = async () => {
      setState((before) => ({ ...before, isLoading: true }))
      try {
        const data = await latest.current(leaving.signal)
        if (!leaving.signal.aborted) setState({ data, isLoading: false })
      } catch (error) {
        if (!leaving.signal.aborted)
          setState(({ data }) => ({ ...(data === undefined ? {} : { data }), error, isLoading: false }))
      }
    }
    void run()
    return () => leaving.abort()
  }, [...dependencies, round])
  const reload = useCallback(() => setRound((number) => number + 1), [])
  return { data: state.data, error: state.error, isLoading: state.isLoading, reload }
}
