// Readings that wait to be sent: the client's offline queue in IndexedDB, so they survive a reload, a dead battery and a server that is
// away. A reading leaves it after Ok. One that the service refuses is put aside with the reason, until its person corrects or
// removes it. Each person who signs in has a queue of their own: what waits when they sign out is sent when they sign in again, and
// another person who signs in on the same device neither sees nor sends it.
import { useEffect, useState } from 'preact/hooks'
import {
  createReadingQueue,
  flushWhenOnline,
  type Reading,
  type RoundsClient,
  RoundsError,
} from '../../../typescript/src/client.ts'
import { indexedDbStorage } from '../../../typescript/src/indexeddb-storage.ts'

const MAX_SHOWN = 200
const RETRY_MS = 10_000

type Waiting = { key: number; reading: Reading }
export type Refused = Waiting & { error: RoundsError }

export type OutboxState = {
  waiting: Waiting[]
  refused: Refused[]
  /** Why the last attempt to send failed; undefined once one succeeded. */
  failure: unknown
}

export type Outbox = {
  state: () => OutboxState
  /** Resolves when the device has stored it; sends it then. */
  add: (reading: Reading) => Promise<void>
  /** Sends what waits: the server is known to be there. */
  flush: () => void
  /** Forgets a reading that was refused. */
  remove: (refused: Refused) => Promise<void>
  /** Sends no more; what waits stays on the device. */
  stop: () => void
  subscribe: (listener: () => void) => () => void
}

export function createOutbox(client: RoundsClient, subject: string): Outbox {
  const storage = indexedDbStorage({ name: `rounds console ${subject}` })
  const aside = indexedDbStorage({ name: `rounds console refused ${subject}` })
  const listeners = new Set<() => void>()
  let state: OutboxState = { waiting: [], refused: [], failure: undefined }

  const queue = createReadingQueue({
    client,
    storage,
    async onRefused(reading, { code, message, status, requestId, errors }: RoundsError) {
      // The whole record is ours: it is never sent.
      const refusal: Refusal = { code, message, status, requestId, errors }
      await aside.append([{ ...reading, refusal }])
    },
  })
  async function refresh(change: Partial<Pick<OutboxState, 'failure'>> = {}) {
    const [waiting, refused] = await Promise.all([storage.oldest(MAX_SHOWN), aside.oldest(MAX_SHOWN)])
    state = { ...state, ...change, waiting, refused: refused.map(refusedFrom) }
    for (const listener of listeners) listener()
  }
  const refreshed = (change?: Partial<Pick<OutboxState, 'failure'>>) =>
    void refresh(change).catch(() => undefined)
  const stop = flushWhenOnline(queue, {
    intervalMs: RETRY_MS,
    onFlushed: () => refreshed({ failure: undefined }),
    onError: (failure) => refreshed({ failure }),
  })
  async function flush() {
    if (!navigator.onLine) return
    try {
      await queue.flush()
      await refresh({ failure: undefined })
    } catch (failure) {
      await refresh({ failure })
    }
  }
  refreshed()

  return {
    state: () => state,
    async add(reading) {
      await queue.add(reading)
      await refresh()
      void flush()
    },
    flush: () => void flush(),
    async remove({ key }) {
      await aside.remove([key])
      await refresh()
    },
    stop,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Refusal = Pick<RoundsError, 'code' | 'message' | 'status' | 'requestId' | 'errors'>

function refusedFrom({ key, reading }: Waiting): Refused {
  const { refusal, ...sent } = reading as Reading & { refusal: Refusal }
  return { key, reading: sent, error: new RoundsError({ ...refusal, retryable: false }) }
}

export function useOutbox(outbox: Outbox): OutboxState {
  const [state, setState] = useState(outbox.state)
  useEffect(() => {
    setState(outbox.state())
    return outbox.subscribe(() => setState(outbox.state()))
  }, [outbox])
  return state
}
