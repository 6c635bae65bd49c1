// The range on screen and the instant under the pointer, shared by all panes. They change with every movement of a hand, so
// plots follow them directly, and what costs more (requests, tables, the address) follows once the hand rests.
import { createStore, type Store } from '../../hooks/store.ts'
import type { TimeRange } from './time-range.ts'

export type View = {
  range: Store<TimeRange>
  /** Milliseconds; nothing while there is no pointer over a pane. */
  pointer: Store<number | undefined>
  /** How many movements have begun: a drag, a pinch, a turn of the wheel, a key. Each is one step in the history. */
  movements: Store<number>
}

export function createView(range: TimeRange): View {
  return {
    range: createStore(range),
    pointer: createStore<number | undefined>(undefined),
    movements: createStore(0),
  }
}

export const beginMovement = ({ movements }: View) => movements.set(movements.get() + 1)

export function sameRange(one: TimeRange, other: TimeRange): boolean {
  return one.fromMs === other.fromMs && one.toMs === other.toMs
}
