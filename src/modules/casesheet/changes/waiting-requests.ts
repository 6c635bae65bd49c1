// Requests of readings/changes that wait for a change: how many there may be, and how they go on once something has changed.
//
// All of them are woken by the same change, and each reads a page of its own. A few read at a time, or a thousand of them would
// fill the queue of the database, and other requests would be refused.
import { overloaded, Refusal } from '../../../refusal.ts'

const MAX_WAITING = 1_000
const MAX_OF_SUBJECT = 20
const READING_AT_A_TIME = 2

export function createWaitingRequests() {
  const countOf = new Map<string, number>()
  let waiting = 0
  let reading = 0
  const queue: (() => void)[] = []

  return {
    count: () => waiting,
    /** Takes a place for a request of a subject; returns how to leave it. */
    enter(readBy: string): () => void {
      if (waiting >= MAX_WAITING) throw overloaded()
      const count = countOf.get(readBy) ?? 0
      if (count >= MAX_OF_SUBJECT)
        throw new Refusal(
          'RateLimited',
          `At most ${MAX_OF_SUBJECT} requests of one subject may wait for changes. Let others end first.`,
          { headers: { 'retry-after': '10' } },
        )
      waiting++
      countOf.set(readBy, count + 1)
      return () => {
        waiting--
        const left = (countOf.get(readBy) ?? 1) - 1
        if (left === 0) countOf.delete(readBy)
        else countOf.set(readBy, left)
      }
    },
    async readInTurn<T>(read: () => Promise<T>): Promise<T> {
      if (reading >= READING_AT_A_TIME) await new Promise<void>((begin) => queue.push(begin))
      else reading++
      try {
        return await read()
      } finally {
        const next = queue.shift()
        if (next) next()
        else reading--
      }
    },
  }
}
