// The range on screen and the instant under the pointer, shared by all panes. They change with every movement of a hand, so
// plots follow them directly, and what costs more (requests, tables, the address) follows once the hand rests.
import type { TimeRange } from './time-range.ts'

type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  /** Returns how to stop. */
  subscribe: (listener: (value: Value) => void) => () => void
}

function createStore<Value>(initial: Value): Store<Value> {
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

export type View = {
  range: Store<TimeRange>
  /** Milliseconds; nothing while there is no pointer over a pane. */
  pointer: Store<number | undefined>
}

export function createView(range: TimeRange): View {
  return { range: createStore(range), pointer: createStore<number | undefined>(undefined) }
}

export function sameRange(one: TimeRange, other: TimeRange): boolean {
  return one.fromMs === other.fromMs && one.toMs === other.toMs
}
