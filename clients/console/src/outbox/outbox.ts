// Readings that wait to be sent: the client's offline queue in IndexedDB, so they survive a reload, a dead battery and a server that is
// away. A reading leaves it after Ok. One that the service refuses is put aside with the reason, until its person has seen it.
// Each signed-in person has a queue of their own, so nobody sends or sees what another typed on the same device.
import { useEffect, useState } from 'preact/hooks'
import {
  createReadingQueue,
  flushWhenOnline,
  type Reading,
  type RoundsClient,
  type RoundsError,
} from '../../../typescript/src/client.ts'
import { indexedDbStorage } from '../../../typescript/src/indexeddb-storage.ts'

const MAX_SHOWN = 200
const RETRY_MS = 10_000

type Waiting = { key: number; reading: Reading }
export type Refused = Waiting & { reason: string; requestId: string | undefined }

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
  dismiss: (refused: Refused) => Promise<void>
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
    async onRefused(reading, { message, requestId }: RoundsError) {
      // The whole record is ours: it is never sent.
      await aside.append([{ ...reading, refusal: { reason: message, requestId } }])
    },
  })
  async function refresh(change: Partial<Pick<OutboxState, 'failure'>> = {}) {
    const [waiting, refused] = await Promise.all([storage.oldest(MAX_SHOWN), aside.oldest(MAX_SHOWN)])
    state = { ...state, ...change, waiting, refused: refused.map(refusedFrom) }
    for (const listener of listeners) listener()
  }
  const refreshed = (change?: Partial<Pick<OutboxState, 'failure'>>) =>
    void refresh(change).catch(() => undefined)
  flushWhenOnline(queue, {
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
    async dismiss({ key }) {
      await aside.remove([key])
      await refresh()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function refusedFrom({ key, reading }: Waiting): Refused {
  const { refusal, ...sent } = reading as Reading & { refusal?: { reason?: string; requestId?: string } }
  return { key, reading: sent, reason: refusal?.reason ?? '', requestId: refusal?.requestId }
}

export function useOutbox(outbox: Outbox): OutboxState {
  const [state, setState] = useState(outbox.state)
  useEffect(() => {
    setState(outbox.state())
    return outbox.subscribe(() => setState(outbox.state()))
  }, [outbox])
  return state
}
