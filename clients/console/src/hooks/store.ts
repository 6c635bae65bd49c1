// A value that lives outside the components, and that they follow.
import { useEffect, useState } from 'preact/hooks'

export type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  /** Returns how to stop. */
  subscribe: (listener: (value: Value) => void) => () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial
  const listeners = new Set<(value: Value) => void>()
  return {
    get: () => current,
    set(value) {
      if (value === current) return
      current = value
      for (const listener of listeners) listener(value)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStored<Value>(store: Pick<Store<Value>, 'get' | 'subscribe'>): Value {
  const [value, setValue] = useState(store.get)
  useEffect(() => {
    setValue(() => store.get())
    return store.subscribe((next) => setValue(() => next))
  }, [store])
  return value
}
