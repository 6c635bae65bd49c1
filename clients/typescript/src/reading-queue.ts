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
  const settings = { ...queueOptions }
  const { storage = memoryStorage(), maxReadings = 10_000 } = settings
  const alone = oneAtATime()
  const batchSize = createBatchSize(MAX_BATCH)
  let flushing: Promise<Flushed> | undefined

  function startFlush(options: CallOptions = {}): Promise<Flushed> {
    const flush = new Flush(settings, options, {
      batchSize,
      oldest: (limit) => alone(() => storage.oldest(limit)),
      remove: (batch) => alone(() => storage.remove(batch.map(({ key }) => key))),
      // Not a moment later: no reading may be added and then join a flush that has had its last look.
      onEnd: () => void (flushing = undefined),
    })
    if (!storage.exclusively) return flush.run()
    const started = storage
      .exclusively(() => flush.run(), options.signal)
      .finally(() => {
        // Where it was aborted before it began.
        if (flushing === started) flushing = undefined
      })
    return started
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

type Queue = {
  batchSize: ReturnType<typeof createBatchSize>
  oldest: (limit: number) => Promise<QueuedReading[]>
  remove: (batch: QueuedReading[]) => Promise<void>
  onEnd: () => void
}

/**
 * One flush. A reading in it is in one state:
 *
 *   from    to         when
 *   queued  sent       a batch takes it
 *   sent    stored     the service has it: it is removed
 *   sent    refused    the service will never take it, and `onRefused` has it: it is removed
 *   sent    queued     its batch took too long: the next batch is smaller
 *   sent    held back  its patient cannot be sent now: it stays, and this flush passes over it
 */
class Flush {
  readonly #settings: ReadingQueueOptions
  readonly #options: CallOptions
  readonly #queue: Queue
  readonly #flushed = { sent: 0, refused: 0 }
  readonly #batches: ReturnType<typeof allTogether>
  readonly #send: ReturnType<typeof createSendBatch>
  #wasTooLarge = false
  #firstHeldBack: RoundsError | undefined

  constructor(settings: ReadingQueueOptions, options: CallOptions, queue: Queue) {
    const { client, onRefused } = settings
    this.#settings = settings
    this.#options = options
    this.#queue = queue
    this.#batches = client.byPatient ? patientByPatient(queue.oldest, MAX_BATCH) : allTogether(queue.oldest)
    this.#send = createSendBatch(client, {
      onStored: async (batch) => {
        await queue.remove(batch)
        this.#flushed.sent += batch.length
      },
      onRefused: async (queued, error) => {
        await onRefused(queued.reading, error)
        await queue.remove([queued])
        this.#flushed.refused++
      },
      onTooLarge: () => void (this.#wasTooLarge = true),
    })
  }

  async run(): Promise<Flushed> {
    try {
      for (;;) {
        const next = await this.#batches.next(this.#queue.batchSize.current())
        for (const batch of next) await this.#sendOrHoldBack(batch)
        if (next.length > 0) continue
        if (this.#firstHeldBack !== undefined) throw this.#firstHeldBack
        return this.#flushed
      }
    } finally {
      this.#queue.onEnd()
    }
  }

  async #sendOrHoldBack(batch: QueuedReading[]) {
    try {
      await this.#sendOrShrink(batch)
    } catch (error) {
      const patientUid = error instanceof RoundsError ? this.#batches.holdBack(batch, error) : undefined
      if (!(error instanceof RoundsError) || patientUid === undefined) throw error
      this.#firstHeldBack ??= error
      this.#settings.onHeldBack?.(patientUid, error)
    }
  }

  /** Sends a batch; where it took too long it stays in the queue, and the next one is smaller. */
  async #sendOrShrink(batch: QueuedReading[]) {
    const { batchSize } = this.#queue
    const startedAt = performance.now()
    const attempt = this.#watchAttempts(batch)
    this.#wasTooLarge = false
    try {
      await this.#send(batch, { ...this.#options, mayRepeat: attempt.mayRepeat })
      if (this.#wasTooLarge) batchSize.wasTooLarge(batch.length)
      else batchSize.succeeded(batch.length, performance.now() - startedAt)
    } catch (error) {
      if (!(error instanceof RoundsError)) throw error
      // The time of the whole call may be over before that of an attempt is.
      const wasTooLong = attempt.last.wasTooLong || error.code === 'TimedOut'
      if (wasTooLong || error.code === 'ConnectionFailed') {
        batchSize.failed(batch.length, attempt.last.ms ?? performance.now() - startedAt)
      }
      if (!wasTooLong || batch.length === 1) throw error
      await pause(waitBefore(0, error.retryAfterMs, Math.random()), this.#options.signal)
    }
  }

  /**
   * The same large batch would fail again. A single reading cannot be divided, so that is for the client to repeat. One patient's
   * rate limit must not make the other patients wait.
   */
  #watchAttempts(batch: QueuedReading[]) {
    const last: { wasTooLong: boolean; ms: number | undefined } = { wasTooLong: false, ms: undefined }
    const mayRepeat = (error: RoundsError, ms: number) => {
      Object.assign(last, { wasTooLong: tookTooLong(error, ms), ms })
      if (this.#settings.client.byPatient && error.status === 429) return false
      return (batch.length === 1 || !last.wasTooLong) && (this.#options.mayRepeat?.(error, ms) ?? true)
    }
    return { last, mayRepeat }
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
