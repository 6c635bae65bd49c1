// The offline queue: a device adds readings whenever it takes them and flushes whenever it has a network. A reading leaves
// the queue only after `Ok`, or after it was handed to `onRefused`. Nothing is dropped to make room.
import { createBatchSize, tookTooLong } from './batch-size.ts'
import { fitting } from './body-bytes.ts'
import type { CallOptions } from './call.ts'
import type { Reading, ReadingsToAdd } from './contract.ts'
import { memoryStorage, type QueuedReading, type QueueStorage } from './queue-storage.ts'
import { waitBefore } from './retry.ts'
import { RoundsError } from './rounds-error.ts'
import { type Adder, createSendBatch } from './send-batch.ts'
import { pause } from './within.ts'

// As many readings as one request may carry.
const MAX_BATCH = 1_000

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
   * Sends everything, also what is added meanwhile, in smaller batches where large ones take too long. When the service cannot
   * be reached it rejects, and what was not sent stays. Calls during a flush join it; the options are those of the call that began it.
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
  const batchSize = createBatchSize(MAX_BATCH)
  let flushing: Promise<Flushed> | undefined

  async function flushAll(options: CallOptions = {}): Promise<Flushed> {
    const flushed = { sent: 0, refused: 0 }
    let wasTooLarge = false
    const send = createSendBatch(client, {
      async onStored(batch) {
        await remove(batch)
        flushed.sent += batch.length
      },
      async onRefused(queued, error) {
        await onRefused(queued.reading, error)
        await remove([queued])
        flushed.refused++
      },
      onTooLarge: () => void (wasTooLarge = true),
    })
    try {
      for (;;) {
        const batch = fitting(await alone(() => storage.oldest(batchSize.current())))
        if (batch.length === 0) return flushed
        await sendOrShrink(batch)
      }
    } finally {
      // Not a moment later: nobody may add a reading and then join a flush that has had its last look.
      flushing = undefined
    }

    /** Sends a batch; where it took too long it stays in the queue, and the next one is smaller. */
    async function sendOrShrink(batch: QueuedReading[]) {
      const startedAt = performance.now()
      let wasTooLong = false
      wasTooLarge = false
      let failedAfterMs: number | undefined
      // The same large batch would fail again. A single reading cannot be divided, so that is for the client to repeat.
      const mayRepeat = (error: RoundsError, attemptMs: number) => {
        wasTooLong = tookTooLong(error, attemptMs)
        failedAfterMs = attemptMs
        return (batch.length === 1 || !wasTooLong) && (options.mayRepeat?.(error, attemptMs) ?? true)
      }
      try {
        await send(batch, { ...options, mayRepeat })
        if (wasTooLarge) batchSize.wasTooLarge(batch.length)
        else batchSize.succeeded(batch.length, performance.now() - startedAt)
      } catch (error) {
        if (!(error instanceof RoundsError)) throw error
        // The time of the whole call may be over before that of an attempt is.
        wasTooLong ||= error.code === 'TimedOut'
        if (wasTooLong || error.code === 'ConnectionFailed') {
          batchSize.failed(batch.length, failedAfterMs ?? performance.now() - startedAt)
        }
        if (!wasTooLong || batch.length === 1) throw error
        await pause(waitBefore(0, error.retryAfterMs, Math.random()), options.signal)
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
