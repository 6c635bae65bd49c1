// A consumer of readings/changes that builds a copy from the sequence alone, through every fault, and now and then begins again
// at the cursor that it stored. At the end the copy must be what readings/get gives, withdrawn readings included, but for the
// history of their corrections, which readings/changes does not show.
import { isDeepStrictEqual } from 'node:util'
import { type Change, createRoundsClient, type StoredReading } from '../../clients/typescript/src/client.ts'

/** How long a change may be late: any transaction that stays open delays the sequence. */
const MAX_DELAY_MS = 30_000
/** After so many pages it begins again at its cursor. */
const PAGES_BETWEEN_RESTARTS = 20
/** How far the clocks of this machine and of the database may be apart. */
const MAX_SKEW_MS = 86_400_000

type Deps = {
  url: string
  /** A token with the scope readings:changes. */
  requestToken: () => Promise<string>
  /** Which patients it keeps. */
  isOurs: (patientUid: string) => boolean
  onChange: (change: Change) => void
  stopping: AbortSignal
}

export class Copy {
  readonly #deps: Deps
  readonly #copies = new Map<string, Map<string, StoredReading>>()
  /** When patients were erased who are no longer named, and for whom the copy was begun again. */
  readonly #begunAgainFor = new Set<string>()
  readonly #beganAt = Date.now()
  readonly #leaving = new AbortController()
  readonly #signal: AbortSignal
  readonly #following: Promise<void>
  #token: string | undefined
  #failure: Error | undefined

  /** Begins to follow the sequence. */
  constructor(deps: Deps) {
    this.#deps = deps
    this.#signal = AbortSignal.any([deps.stopping, this.#leaving.signal])
    this.#following = this.#follow().catch((error: unknown) => {
      if (!this.#signal.aborted) this.#failure = error instanceof Error ? error : new Error(String(error))
    })
  }

  /** Differences between a patient's copy and what is stored, once it had time to catch up. */
  async compare(patientUid: string, stored: StoredReading[]): Promise<StoredReading[]> {
    for (const giveUpAt = Date.now() + MAX_DELAY_MS; ; ) {
      const wrong = differencesBetween(this.#copyOf(patientUid), stored)
      if (wrong.length === 0 || this.#deps.stopping.aborted || Date.now() > giveUpAt) return wrong
      if (this.#failure !== undefined) throw this.#failure
      await new Promise((done) => setTimeout(done, 50))
    }
  }

  async stop() {
    this.#leaving.abort()
    await this.#following
  }

  async #follow() {
    const signal = this.#signal
    const client = createRoundsClient({
      url: this.#deps.url,
      token: async (refused) => {
        if (this.#token === undefined || this.#token === refused)
          this.#token = await this.#deps.requestToken()
        return this.#token
      },
    })
    for (let cursor: string | undefined; ; ) {
      let pages = 0
      const from = cursor === undefined ? {} : { cursor }
      for await (const { changes, nextCursor } of client.changes({ limit: 1_000, ...from }, { signal })) {
        if (this.#mustBeginAgainFor(changes)) {
          this.#copies.clear()
          cursor = undefined
          break
        }
        for (const change of changes) this.#put(change)
        cursor = nextCursor
        if (++pages === PAGES_BETWEEN_RESTARTS) break
      }
    }
  }

  /** The copy may hold a patient who was erased after it was begun and is no longer named. Once for each. */
  #mustBeginAgainFor(changes: Change[]): boolean {
    const unknown = changes.filter(
      (change) =>
        change.state === 'erased' &&
        change.patientUid === null &&
        Date.parse(change.erasedAt) > this.#beganAt - MAX_SKEW_MS &&
        !this.#begunAgainFor.has(change.erasedAt),
    )
    for (const change of unknown) if (change.state === 'erased') this.#begunAgainFor.add(change.erasedAt)
    return unknown.length > 0
  }

  #put(change: Change) {
    if (change.state === 'erased') {
      if (change.patientUid !== null) this.#copies.delete(change.patientUid)
      return
    }
    const { patientUid, readingId } = change.reading
    if (!this.#deps.isOurs(patientUid)) return
    this.#copies.set(patientUid, this.#copyOf(patientUid).set(readingId, change.reading))
    this.#deps.onChange(change)
  }

  #copyOf(patientUid: string): Map<string, StoredReading> {
    return this.#copies.get(patientUid) ?? new Map<string, StoredReading>()
  }
}

/** Readings that a copy lacks, has with other content, or has although they are not stored. */
export function differencesBetween(copy: Map<string, StoredReading>, stored: StoredReading[]) {
  const ids = new Set(stored.map(({ readingId }) => readingId))
  return [
    ...stored.filter((reading) => !isDeepStrictEqual(copy.get(reading.readingId), withoutHistory(reading))),
    ...[...copy.values()].filter(({ readingId }) => !ids.has(readingId)),
  ]
}

function withoutHistory(reading: StoredReading): StoredReading {
  if (reading.withdrawn === undefined) return reading
  const { corrections: _, ...withdrawn } = reading.withdrawn as Record<string, unknown>
  return { ...reading, withdrawn }
}
