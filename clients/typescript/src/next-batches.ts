// What the queue sends next. With one token for all, that is one batch of the oldest readings. Where each patient has a token
// of their own, a request may hold readings of one patient only, so it is a batch for each patient among the oldest readings. A
// patient whose batch failed for a reason of their own (no token, a rate limit) is held back until the next flush, so that
// the others are sent.
import { fitting } from './body-bytes.ts'
import type { QueuedReading } from './queue-storage.ts'
import type { RoundsError } from './rounds-error.ts'
import { byPatient } from './split-refused.ts'

type Oldest = (limit: number) => Promise<QueuedReading[]>

export type Batches = {
  /** The batches to send next, in this order; none when there is nothing more to send in this flush. */
  next: (maxReadings: number) => Promise<QueuedReading[][]>
  /** Holds the patient of this batch back, if the error is theirs, and says who it is. */
  holdBack: (batch: QueuedReading[], error: RoundsError) => string | undefined
}

export function allTogether(oldest: Oldest): Batches {
  return {
    async next(maxReadings) {
      const batch = fitting(await oldest(maxReadings))
      return batch.length === 0 ? [] : [batch]
    },
    holdBack: () => undefined,
  }
}

export function patientByPatient(oldest: Oldest, window: number): Batches {
  const held = new Set<string>()
  // Grows past the readings of patients that are held back: these stay the oldest.
  let limit = window
  return {
    async next(maxReadings) {
      for (;;) {
        const found = await oldest(limit)
        const ready = found.filter(({ reading }) => !held.has(reading.patientUid))
        if (ready.length > 0)
          return byPatient(ready).map((readings) => fitting(readings.slice(0, maxReadings)))
        if (found.length < limit) return []
        limit += window
      }
    },
    holdBack([first], { code, status }) {
      if (code !== 'TokenUnavailable' && status !== 401 && status !== 429) return undefined
      if (first) held.add(first.reading.patientUid)
      return first?.reading.patientUid
    },
  }
}
