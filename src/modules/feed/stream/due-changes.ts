// The changes that are due to open streams, in the order of the sequence, read for many streams in one statement. Their number
// is bounded in all and for each stream: a stream with more is reset, and so are its due changes.
//
//   from     to       when
//   idle     reading  something is due
//   reading  idle     nothing is due any more; a batch that met a transient error is read again after a pause
import { setTimeout as pause } from 'node:timers/promises'
import { mayRepeat } from '../../../db/database-errors.ts'
import { Refusal } from '../../../refusal.ts'
import type { Reader } from '../../casesheet/reader.ts'
import type { Key } from '../changes/change-history.ts'
import type { Due } from './read-streamed.ts'
import type { StreamState } from './stream-set.ts'

/** Changes of one statement: at 64 KiB each, 6 MiB at most. */
const MAX_BATCH = 100
const MAX_DUE = 20_000
/** Changes that wait for one stream. More of them are read faster as a range, and must not delay other streams. */
const MAX_DUE_OF_STREAM = 200
const READ_AGAIN_MS = 500

/** What was due to a stream before its last reset is not shown any more: `resets` tells. `waiting` is how many are due. */
type Member = { state: StreamState; reader: Reader; resets: number; waiting: number }

export type DueTo<Stream> = Due & { stream: Stream; resets: number }

type Deps<Stream> = {
  /** Reads these changes and sends them. */
  show: (batch: DueTo<Stream>[]) => Promise<void>
  reset: (stream: Stream) => void
  warn: (error: unknown, message: string) => void
}

/** Whether a change is still to be shown. */
export function isWanted({ stream, resets }: DueTo<Member>): boolean {
  return stream.state === 'open' && stream.resets === resets
}

export class DueChanges<Stream extends Member> {
  readonly #deps: Deps<Stream>
  #due: DueTo<Stream>[] = []
  #state: 'idle' | 'reading' = 'idle'

  constructor(deps: Deps<Stream>) {
    this.#deps = deps
  }

  /** Whether there was room for it. */
  add(stream: Stream, key: Key): boolean {
    if (this.#due.length >= MAX_DUE || stream.waiting >= MAX_DUE_OF_STREAM) return false
    stream.waiting++
    this.#due.push({ stream, reader: stream.reader, key, resets: stream.resets })
    return true
  }

  resetAll(some: Set<Stream>) {
    if (some.size === 0) return
    some.forEach(this.#deps.reset)
    this.#due = this.#due.filter(isWanted)
  }

  read() {
    if (this.#due.length > 0 && this.#state === 'idle') void this.#readAll()
  }

  async #readAll() {
    this.#state = 'reading'
    while (this.#due.length > 0) {
      const batch = this.#due.slice(0, MAX_BATCH).filter(isWanted)
      this.#due = this.#due.slice(MAX_BATCH)
      try {
        await this.#deps.show(batch)
        for (const { stream, resets } of batch) if (stream.resets === resets) stream.waiting--
      } catch (error) {
        this.#deps.warn(error, 'changes could not be read for streams')
        if (error instanceof Refusal || mayRepeat(error)) {
          this.#due = [...batch, ...this.#due]
          await pause(READ_AGAIN_MS)
        } else this.resetAll(new Set(batch.map(({ stream }) => stream)))
      }
    }
    this.#state = 'idle'
  }
}
