// The changes of a service whose patients are divided between cells. Each cell has a sequence of its own, with its own cursor. A patient
// who moves is shown again by the new cell, and no longer by the old one; so the last state that was shown is always the true one, if
// a page is used before the next one is asked for, of whatever cell. That is why this asks one cell at a time, and waits for none: a
// page that was asked for earlier could be older than one that came before it.
import type { CallOptions } from './call.ts'
import type { ChangesQuery } from './contract.ts'
import type { ChangesPage } from './follow-changes.ts'
import { RoundsError } from './rounds-error.ts'
import { pause } from './within.ts'

const LIMIT = 500
const PAUSE_MS = 500
const EXPIRED = 'CursorExpired'
/** How long a cell that failed is left out: twice as long each time. */
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000

type Followed = {
  changes: (query?: ChangesQuery, options?: CallOptions) => AsyncGenerator<ChangesPage, void, undefined>
}

export type FollowCellsQuery = {
  /** Where to go on, by the name of the cell; from its first change where there is none. */
  cursors?: Record<string, string> | undefined
  limit?: number | undefined
  /** Only readings of these types, and every erasure. */
  readingType?: string[] | undefined
  /** How long to pause when no cell has changes. Default 500. */
  pauseMs?: number | undefined
  /**
   * Called when the cursor of a cell has expired, before the cell is followed from its first change again: delete what it showed last, and
   * its cursor. Without it `CursorExpired` is thrown.
   */
  onExpired?: ((cell: string) => void | Promise<void>) | undefined
}

/** `nextCursor` is that of the cell, and is to be stored together with what was made of the changes. */
export type CellChangesPage = ChangesPage & { cell: string }

/**
 * Follows the clients of all cells, by name. Adding a cell is adding its name, without a cursor. Cells take turns, a page each, so that
 * a backlog in one delays no other. One that fails is left out for a second, then longer, up to a minute. One that does not answer
 * delays the others by `attemptTimeoutMs` of its client each time it is asked.
 */
export async function* followCells(
  cells: Readonly<Record<string, Followed>>,
  { cursors = {}, limit = LIMIT, readingType, pauseMs = PAUSE_MS, onExpired }: FollowCellsQuery = {},
  options: CallOptions = {},
): AsyncGenerator<CellChangesPage, void, undefined> {
  const places = new Map(Object.entries(cursors))
  const backoffs = new Map<string, { ms: number; endsAt: number }>()
  for (;;) {
    let hasMore = false
    for (const [cell, client] of Object.entries(cells)) {
      const backoff = backoffs.get(cell)
      if (backoff && Date.now() < backoff.endsAt) continue
      const cursor = places.get(cell)
      const query = { limit, readingType, wait: 0, ...(cursor === undefined ? {} : { cursor }) }
      const page = await firstPage(client, query, options).catch((error: unknown) => {
        if (!(error instanceof RoundsError) || options.signal?.aborted) throw error
        if (!error.retryable && !(onExpired && cursor !== undefined && error.code === EXPIRED)) throw error
        return error
      })
      if (page instanceof RoundsError && page.code === EXPIRED) {
        await onExpired?.(cell)
        places.delete(cell)
        hasMore = true
        continue
      }
      if (page instanceof RoundsError) {
        const ms = Math.min(backoff ? backoff.ms * 2 : MIN_BACKOFF_MS, MAX_BACKOFF_MS)
        backoffs.set(cell, { ms, endsAt: Date.now() + ms })
        continue
      }
      backoffs.delete(cell)
      if (!page) continue
      places.set(cell, page.nextCursor)
      hasMore ||= page.changes.length > 0
      yield { ...page, cell }
    }
    if (!hasMore) await pause(pauseMs, options.signal)
  }
}

/** Nothing where there is no change. */
async function firstPage(
  client: Followed,
  query: ChangesQuery,
  options: CallOptions,
): Promise<ChangesPage | undefined> {
  for await (const page of client.changes(query, { ...options, mayRepeat: () => false })) return page
  return undefined
}
