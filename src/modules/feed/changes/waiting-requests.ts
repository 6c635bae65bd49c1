// Requests of readings/changes, with and without `wait`: how many there may be, and in which order they read.
//
// All that wait are woken by the same change, and each reads a page of its own. Of one subject one reads at a time, so that a
// subject with many requests, or whose row of casesheet.feed_deliveries is locked, delays only itself; and of all subjects a
// few, because a thousand would fill the queue of the database, and some would be refused.
import { overloaded, Refusal } from '../../../refusal.ts'

const MAX_REQUESTS = 1_000
const MAX_OF_SUBJECT = 20
/** More than there are connections for: one that waits for a lock pauses between its attempts, and others use the connection. */
const MAX_READING = 8

type Queued = { readBy: string; begin: () => void }

/** `maxQueued` is how many statements the database queues at least. */
export function createWaitingRequests(maxQueued: number) {
  const maxReading = Math.min(MAX_READING, maxQueued)
  const countOf = new Map<string, number>()
  let count = 0
  const reading = new Set<string>()
  let queue: Queued[] = []

  function beginNext() {
    if (reading.size >= maxReading) return
    const next = queue.find(({ readBy }) => !reading.has(readBy))
    if (!next) return
    queue = queue.filter((queued) => queued !== next)
    reading.add(next.readBy)
    next.begin()
  }

  return {
    /** Takes a place for a request of a subject; returns how to leave it. */
    enter(readBy: string): () => void {
      if (count >= MAX_REQUESTS) throw overloaded()
      const ofSubject = countOf.get(readBy) ?? 0
      if (ofSubject >= MAX_OF_SUBJECT)
        throw new Refusal(
          'RateLimited',
          `At most ${MAX_OF_SUBJECT} requests of one subject may ask for changes at a time. Let others end first.`,
          { headers: { 'retry-after': '10' } },
        )
      count++
      countOf.set(readBy, ofSubject + 1)
      return () => {
        count--
        const left = (countOf.get(readBy) ?? 1) - 1
        if (left === 0) countOf.delete(readBy)
        else countOf.set(readBy, left)
      }
    },
    /** Reads when the requests before it have, unless `isOver` is aborted first: then nothing is read, nor logged as read. */
    async readInOrder<T>(readBy: string, isOver: AbortSignal, read: () => Promise<T>): Promise<T> {
      isOver.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const queued = { readBy, begin: resolve }
      const abandon = () => {
        queue = queue.filter((other) => other !== queued)
        reject(isOver.reason)
      }
      isOver.addEventListener('abort', abandon, { once: true })
      queue.push(queued)
      beginNext()
      await promise
      try {
        // It may have been aborted after it was its time to read.
        isOver.throwIfAborted()
        return await read()
      } finally {
        isOver.removeEventListener('abort', abandon)
        reading.delete(readBy)
        beginNext()
      }
    },
  }
}
