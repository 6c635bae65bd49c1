// The last changes that this process has seen, in order, so that a stream that was interrupted can go on behind its last event.
import { LOWEST_ID } from '../../casesheet/reading-id.ts'

/** 17 MB, or 100 s at 500 changes a second. */
const MAX_HISTORY = 50_000

/** Which sequence it is, since transaction ids mean nothing in another cluster, and which timeline of it. */
export type History = { generation: string; timeline: number }

/** Where a change stands in the sequence: its transaction, and the reading or the erasure. */
export type Place = { xid: string; id: string }

/** A change of a reading, whose instant finds it by its key. */
export type ReadingKey = Place & {
  patientUid: string
  measuredAt: string
  readingType: string
  erasedAt?: undefined
}
export type Key = ReadingKey | (Place & { patientUid: string; measuredAt?: undefined; erasedAt: string })

export const START: Place = { xid: '0', id: LOWEST_ID }

export class ChangeHistory {
  readonly #history: History
  readonly #last: Place
  /** Behind this place, all changes are in `#keys`. */
  readonly #knownFrom: Place
  readonly #keys: Key[]

  /** `last` is the last change of all, also of those that are not kept here. */
  constructor(history: History, keys: Key[], knownFrom: Place, last: Place) {
    this.#history = history
    this.#keys = keys
    this.#knownFrom = knownFrom
    this.#last = last
  }

  /** Where the sequence stands now. */
  get place(): History & Place {
    const { xid, id } = this.#last
    return { ...this.#history, xid, id }
  }

  with(keys: Key[], last: Place = this.#last): ChangeHistory {
    const all = [...this.#keys, ...keys]
    const surplus = Math.max(0, all.length - MAX_HISTORY)
    const knownFrom = all[surplus - 1] ?? this.#knownFrom
    return new ChangeHistory(this.#history, surplus > 0 ? all.slice(surplus) : all, knownFrom, last)
  }

  /** The changes of a patient behind a place, or none if that lies too far back to know them all. */
  since(place: History & Place, patientUid: string): Key[] | undefined {
    const { generation, timeline } = this.#history
    const isOther = place.timeline !== timeline || !generation.startsWith(place.generation)
    if (isOther || isBehind(this.#knownFrom, place)) return undefined
    return this.#keys.slice(this.#firstBehind(place)).filter((key) => key.patientUid === patientUid)
  }

  #firstBehind(place: Place): number {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const key = this.#keys[middle]
      if (key && isBehind(key, place)) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Whether a change stands behind a place. */
function isBehind(change: Place, place: Place): boolean {
  const [a, b] = [BigInt(change.xid), BigInt(place.xid)]
  return a === b ? change.id > place.id : a > b
}
