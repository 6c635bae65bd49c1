// The offline queue: a device adds readings whenever it takes them and flushes whenever it has a network. A reading leaves
// the queue only after `Ok`, or after it was handed to `onRefused`. Nothing is dropped to make room.
import type { CallOptions } from './call.ts'
import type { AddAnswer, Reading, ReadingsToAdd } from './contract.ts'
import { memoryStorage, type QueuedReading, type QueueStorage } from './queue-storage.ts'
import { RoundsError } from './rounds-error.ts'
import { isRefusal, splitRefused } from './split-refused.ts'

// As many readings as one request may carry.
const BATCH = 1_000

type Adder = {
  addReadings: (readings: Reading | readonly Reading[], options?: CallOptions) => Promise<AddAnswer>
}

export type ReadingQueueOptions = {
  client: Adder
  /**
   * Takes a reading that the service will never accept, with the reason. It leaves the queue when this returns; when this
   * throws, it stays and the flush fails.
   */
  onRefused: (reading: Reading, error: RoundsError) => void | Promise<void>
  storage?: QueueStorage
  /** As many readings as the queue may hold; an add beyond that fails with `QueueFull`. */
  maxReadings?: number
}

export type Flushed = { sent: number; refused: number }

export type ReadingQueue = {
  /** Resolves when the storage has the readings. */
  add: <Type extends string>(readings: ReadingsToAdd<Type>) => Promise<void>
  /**
   * Sends everything, also what is added meanwhile. When the service cannot be reached it rejects, and what was not sent
   * stays. Calls during a flush join it; the options are those of the call that began it.
   */
  flush: (options?: CallOptions) => Promise<Flushed>
  count: () => Promise<number>
}

export function createReadingQueue({
  client,
  onRefused,
  storage = memoryStorage(),
  maxReadings = 10_000,
}: ReadingQueueOptions): ReadingQueue {
  const alone = oneAtATime()
  let flushing: Promise<Flushed> | undefined

  async function flushAll(options: CallOptions | undefined): Promise<Flushed> {
    const flushed = { sent: 0, refused: 0 }
    try {
      for (;;) {
        const batch = await alone(() => storage.oldest(BATCH))
        if (batch.length === 0) return flushed
        await send(batch)
      }
    } finally {
      // Not a moment later: nobody may add a reading and then join a flush that has had its last look.
      flushing = undefined
    }

    async function send(batch: QueuedReading[]): Promise<void> {
      const [first, ...others] = batch.map(({ reading }) => reading)
      if (first === undefined) return
      try {
        // Alone it goes as an object, so that pointers in its error are into the reading.
        await client.addReadings(others.length === 0 ? first : [first, ...others], options)
      } catch (error) {
        if (!isRefusal(error)) throw error
        const parts = splitRefused(batch, error)
        if (parts.length === 1) return refuse(batch, error)
        for (const part of parts) await send(part)
        return
      }
      await remove(batch)
      flushed.sent += batch.length
    }
    async function refuse(batch: QueuedReading[], error: RoundsError) {
      for (const queued of batch) {
        await onRefused(queued.reading, error)
        await remove([queued])
        flushed.refused++
      }
    }
  }
  function remove(batch: QueuedReading[]) {
    return alone(() => storage.remove(batch.map(({ key }) => key)))
  }

  return {
    async add(readings) {
      // A copy: whatever the caller does with the objects afterwards, this is what was added.
      const copies = JSON.parse(JSON.stringify([readings].flat())) as Reading[]
      await alone(async () => {
        if ((await storage.count()) + copies.length > maxReadings) throw queueFull(maxReadings)
        await storage.append(copies)
      })
    },
    flush(options) {
      flushing ??= flushAll(options)
      return flushing
    },
    count: () => alone(() => storage.count()),
  }
}

function queueFull(maxReadings: number): RoundsError {
  return new RoundsError({
    code: 'QueueFull',
    message: `The queue holds at most ${maxReadings} readings. Flush it and try again.`,
    retryable: true,
  })
}

/** Runs each work after the one before it has ended, well or badly. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
