// The offline queue: a device adds readings whenever it takes them and flushes whenever it has a network. A reading leaves
// the queue only after `Ok`, or after it was handed to `onRefused`. Nothing is dropped to make room.
import { createBatchSize, tookTooLong } from './batch-size.ts'
import type { CallOptions } from './call.ts'
import {
  isObject,
  mustBeCallOptions,
  mustBeCount,
  mustBeFunction,
  mustBeOptions,
  mustBeReadings,
} from './check-arguments.ts'
import type { Reading, ReadingsToAdd } from './contract.ts'
import { allTogether, patientByPatient } from './next-batches.ts'
import { memoryStorage, mustBeStorage, type QueuedReading, type QueueStorage } from './queue-storage.ts'
import { waitBefore } from './retry.ts'
import { RoundsError } from './rounds-error.ts'
import { type Adder, createSendBatch } from './send-batch.ts'
import { pause } from './within.ts'

// Maximum number of readings in one request.
const MAX_BATCH = 1_000

export type ReadingQueueOptions = {
  client: Adder
  /**
   * Takes a reading that the service will never accept, with the reason. It leaves the queue when this returns; when this
   * throws, it stays and the flush fails.
   */
  onRefused: (reading: Reading, error: RoundsError) => void | Promise<void>
  /** Where the readings are stored until they are sent. Default: in memory. */
  storage?: QueueStorage | undefined
  /** Maximum number of readings in the queue; an add beyond that fails with `QueueFull`. Default 10,000. */
  maxReadings?: number | undefined
  /**
   * With a token for each patient: takes a patient whose readings could not be sent for a reason of their own (no token, a rate
   * limit), with the reason. The readings stay, those of others are sent, and the flush rejects at its end.
   */
  onHeldBack?: ((patientUid: string, error: RoundsError) => void) | undefined
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

export function createReadingQueue(queueOptions: ReadingQueueOptions): ReadingQueue {
  mustBeQueueOptions(queueOptions)
  const { client, onRefused, storage = memoryStorage(), maxReadings = 10_000, onHeldBack } = queueOptions
  const alone = oneAtATime()
  const batchSize = createBatchSize(MAX_BATCH)
  const oldest = (limit: number) => alone(() => storage.oldest(limit))
  let flushing: Promise<Flushed> | undefined

  function startFlush(options: CallOptions = {}): Promise<Flushed> {
    const work = () => flushAll(options)
    if (!storage.exclusively) return work()
    const started = storage.exclusively(work, options.signal).finally(() => {
      // Where it was aborted before it began.
      if (flushing === started) flushing = undefined
    })
    return started
  }
  async function flushAll(options: CallOptions): Promise<Flushed> {
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
    const batches = client.byPatient ? patientByPatient(oldest, MAX_BATCH) : allTogether(oldest)
    let firstHeldBack: RoundsError | undefined
    try {
      for (;;) {
        const next = await batches.next(batchSize.current())
        for (const batch of next) await sendOrHoldBack(batch)
        if (next.length > 0) continue
        if (firstHeldBack !== undefined) throw firstHeldBack
        return flushed
      }
    } finally {
      // Not a moment later: no reading may be added and then join a flush that has had its last look.
      flushing = undefined
    }

    async function sendOrHoldBack(batch: QueuedReading[]) {
      try {
        await sendOrShrink(batch)
      } catch (error) {
        const patientUid = error instanceof RoundsError ? batches.holdBack(batch, error) : undefined
        if (!(error instanceof RoundsError) || patientUid === undefined) throw error
        firstHeldBack ??= error
        onHeldBack?.(patientUid, error)
      }
    }

    /** Sends a batch; where it took too long it stays in the queue, and the next one is smaller. */
    async function sendOrShrink(batch: QueuedReading[]) {
      const startedAt = performance.now()
      let wasTooLong = false
      wasTooLarge = false
      let failedAfterMs: number | undefined
      // The same large batch would fail again. A single reading cannot be divided, so that is for the client to repeat. One
      // patient's rate limit must not make the other patients wait.
      const mayRepeat = (error: RoundsError, attemptMs: number) => {
        wasTooLong = tookTooLong(error, attemptMs)
        failedAfterMs = attemptMs
        if (client.byPatient && error.status === 429) return false
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
      mustBeReadings(readings)
      // A copy: the caller may go on to change the objects.
      const copies = JSON.parse(JSON.stringify([readings].flat())) as Reading[]
      await alone(async () => {
        if ((await storage.count()) + copies.length > maxReadings) throw queueFull(maxReadings)
        await storage.append(copies)
      })
    },
    async flush(options) {
      mustBeCallOptions(options)
      flushing ??= startFlush(options)
      return flushing
    },
    count: () => alone(() => storage.count()),
  }
}

function mustBeQueueOptions(options: unknown) {
  const known = ['client', 'onRefused', 'storage', 'maxReadings', 'onHeldBack']
  mustBeOptions(options, 'createReadingQueue', known)
  const { client, onRefused, storage, maxReadings, onHeldBack } = options
  if (!isObject(client) || typeof client['addReadings'] !== 'function') {
    throw new TypeError('createReadingQueue needs client, as createRoundsClient makes one.')
  }
  mustBeFunction(onRefused, 'onRefused')
  if (storage !== undefined) mustBeStorage(storage)
  mustBeCount(maxReadings, 'maxReadings')
  if (onHeldBack !== undefined) mustBeFunction(onHeldBack, 'onHeldBack')
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
