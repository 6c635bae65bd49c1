// A consumer of readings/changes that builds a copy from the sequence alone, through every fault, and now and then begins again
// at the cursor that it stored. At the end the copy must be what readings/get gives, withdrawn readings included.
import { isDeepStrictEqual } from 'node:util'
import {
  type Change,
  createRoundsClient,
  followCells,
  type StoredReading,
} from '../../clients/typescript/src/client.ts'

/** How long a change may be late: any transaction that stays open delays the sequence. */
const MAX_DELAY_MS = 30_000
/** After so many pages it begins again at its cursor. */
const PAGES_BETWEEN_RESTARTS = 20

type Surroundings = {
  url: string
  /** Each of them is followed below `url`; none where the service is one cell. */
  cells?: string[]
  /** A token with the scope readings:changes. */
  requestToken: () => Promise<string>
  /** Which patients it keeps. */
  isOurs: (patientUid: string) => boolean
  onChange: (change: Change) => void
  stopping: AbortSignal
}

export function startCopying({ url, cells = [], requestToken, isOurs, onChange, stopping }: Surroundings) {
  const copies = new Map<string, Map<string, StoredReading>>()
  /** The cell that showed each reading last. */
  const cellOf = new Map<string, string>()
  const leaving = new AbortController()
  const signal = AbortSignal.any([stopping, leaving.signal])
  let held: string | undefined
  let failure: Error | undefined
  const clientAt = (address: string) =>
    createRoundsClient({
      url: address,
      async token(refused) {
        if (held === undefined || held === refused) held = await requestToken()
        return held
      },
    })
  const client = clientAt(url)
  const clients = Object.fromEntries(cells.map((name) => [name, clientAt(`${url}/cells/${name}`)]))

  async function follow() {
    for (let cursor: string | undefined; ; ) {
      let pages = 0
      const from = cursor === undefined ? {} : { cursor }
      for await (const { changes, nextCursor } of client.changes({ limit: 1_000, ...from }, { signal })) {
        changes.forEach(put)
        cursor = nextCursor
        if (++pages === PAGES_BETWEEN_RESTARTS) break
      }
    }
  }

  async function followEach() {
    const cursors: Record<string, string> = {}
    for (;;) {
      let pages = 0
      const query = {
        cursors,
        onExpired(cell: string) {
          forget(cell)
          delete cursors[cell]
        },
      }
      for await (const { cell, changes, nextCursor } of followCells(clients, query, { signal })) {
        for (const change of changes) {
          put(change)
          if (change.state !== 'erased') cellOf.set(change.reading.readingId, cell)
        }
        cursors[cell] = nextCursor
        if (++pages === PAGES_BETWEEN_RESTARTS) break
      }
    }
  }

  function put(change: Change) {
    if (change.state === 'erased') {
      copies.delete(change.patientUid ?? '')
      return
    }
    const { patientUid, readingId } = change.reading
    if (!isOurs(patientUid)) return
    const copy = copies.get(patientUid) ?? new Map<string, StoredReading>()
    copies.set(patientUid, copy.set(readingId, change.reading))
    onChange(change)
  }
  /** A cell whose cursor has expired shows all that it holds again. */
  function forget(cell: string) {
    for (const copy of copies.values())
      for (const readingId of copy.keys()) if (cellOf.get(readingId) === cell) copy.delete(readingId)
  }
  const following = (cells.length > 0 ? followEach() : follow()).catch((error: unknown) => {
    if (!signal.aborted) failure = error instanceof Error ? error : new Error(String(error))
  })

  function differencesFrom(patientUid: string, stored: StoredReading[]) {
    const copy = copies.get(patientUid) ?? new Map<string, StoredReading>()
    const ids = new Set(stored.map(({ readingId }) => readingId))
    return [
      ...stored.filter((reading) => !isDeepStrictEqual(copy.get(reading.readingId), reading)),
      ...[...copy.values()].filter(({ readingId }) => !ids.has(readingId)),
    ]
  }

  return {
    /** Readings of a patient that the copy lacks, has with other content, or has although they are not stored, once it had time to catch up. */
    async compare(patientUid: string, stored: StoredReading[]): Promise<StoredReading[]> {
      for (const giveUpAt = Date.now() + MAX_DELAY_MS; ; ) {
        const wrong = differencesFrom(patientUid, stored)
        if (wrong.length === 0 || stopping.aborted || Date.now() > giveUpAt) return wrong
        if (failure !== undefined) throw failure
        await new Promise((done) => setTimeout(done, 50))
      }
    },
    async stop() {
      leaving.abort()
      await following
    },
  }
}
