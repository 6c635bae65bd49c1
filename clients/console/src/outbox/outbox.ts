// Readings that wait to be sent: the client's offline queue in IndexedDB, so they survive a reload, a dead battery and a server that is
// away. Each person who signs in has a queue of their own: what waits when they sign out is sent when they sign in again, and
// another person who signs in on the same device neither sees nor sends it.
//
//   (added)  → waiting   the device has stored it
//   waiting  → (gone)    the service answered Ok
//   waiting  → refused   the service refused it: it is put aside with the reason
//   refused  → (gone)    its person removed it, also to add it corrected
//   any      → undone    its person takes it back; undo.ts has the states of that
//   undone   → waiting   the same reading is added again
import {
  type CallOptions,
  createReadingQueue,
  flushWhenOnline,
  type QueueStorage,
  type Reading,
  type RoundsClient,
  RoundsError,
} from '../../../typescript/src/client.ts'
import { indexedDbStorage } from '../../../typescript/src/indexeddb-storage.ts'
import { createStore, type Store, useStored } from '../hooks/store.ts'
import { createUndoing, type Undone } from './undo.ts'
import { createVerdicts, keyOf } from './verdicts.ts'

const MAX_ADDED = 200
const RETRY_MS = 10_000

type Waiting = { key: number; reading: Reading }
export type Refused = Waiting & { error: RoundsError }

type OutboxState = {
  /** What was added since sign-in, and when. */
  added: { reading: Reading; at: number; instead?: Reading | undefined }[]
  waiting: Waiting[]
  refused: Refused[]
  undone: Undone[]
  /** Why the last attempt to send failed; undefined once one succeeded. */
  failure: unknown
}

/** A reading that another takes the place of. */
export type Earlier = {
  reading: Reading
  /** Where the service has it, and it was not added here. */
  readingId?: string | undefined
}

export type Outbox = {
  state: Pick<Store<OutboxState>, 'get' | 'subscribe'>
  /** Resolves when the device has stored it; sends it then. */
  add: (reading: Reading) => Promise<void>
  /** Sends what waits: the server is known to be there. */
  flush: () => void
  /** Takes a reading out of the queue, and withdraws it where that stored it. Resolves when the device knows that it shall be. */
  undo: (reading: Reading) => Promise<void>
  /** Adds a reading, and then takes back the earlier one, as `undo` does. Nothing where both are the same. */
  change: (earlier: Earlier, reading: Reading) => Promise<void>
  /** Forgets a reading that was refused. */
  remove: (refused: Refused) => Promise<void>
  /** Sends no more; what waits stays on the device. */
  stop: () => void
}

export function createOutbox(client: RoundsClient, subject: string): Outbox {
  const storage = indexedDbStorage({ name: `rounds console ${subject}` })
  const aside = indexedDbStorage({ name: `rounds console refused ${subject}` })
  const verdicts = createVerdicts(client)
  const undoing = createUndoing({ client, subject, verdictOf: verdicts.of })
  // Readings that no request has carried, for sure: there was no network since they were added.
  const unsent = new Set<string>()
  let added: OutboxState['added'] = []
  const state = createStore<OutboxState>({ added, waiting: [], refused: [], undone: [], failure: undefined })
  /** What the screens show changes once all that is stored has been read again. */
  async function refresh(change: Partial<Pick<OutboxState, 'failure'>> = {}) {
    const [waiting, refused, undone] = await Promise.all([allOf(storage), allOf(aside), undoing.list()])
    state.set({ ...state.get(), ...change, added, waiting, refused: refused.map(refusedFrom), undone })
  }
  const refreshed = (failure: unknown) => void refresh({ failure }).catch(() => undefined)

  const queue = createReadingQueue({
    client: verdicts.adder,
    storage,
    onRefused: (reading, error) => aside.append([{ ...reading, refusal: refusalOf(error) }]),
  })
  const send = sender({ queue, undoing, storage, unsent })
  const count = async () => (await queue.count()) + (await undoing.count())
  const stop = flushWhenOnline(
    { flush: send, count },
    { intervalMs: RETRY_MS, onFlushed: () => refreshed(undefined), onError: refreshed },
  )
  async function flush() {
    if (!navigator.onLine) return
    try {
      await send()
      await refresh({ failure: undefined })
    } catch (failure) {
      await refresh({ failure })
    }
  }
  void undoing
    .forgetOld()
    .then(() => refresh())
    .catch(() => undefined)

  async function add(reading: Reading, instead?: Reading) {
    await undoing.takeBack(reading)
    await queue.add(reading)
    if (!navigator.onLine) unsent.add(keyOf(reading))
    added = [...withoutSame(added, reading), { reading, at: Date.now(), instead }].slice(-MAX_ADDED)
    await refresh()
    void flush()
  }
  async function undo({ reading, readingId }: Earlier) {
    const isUnsent = () => unsent.has(keyOf(reading)) && !navigator.onLine
    const wasUnsent = isUnsent()
    const addedAt = added.find(isSame(reading))?.at
    // First what must not be lost: one that may have been sent is to be withdrawn.
    if (!wasUnsent) await undoing.begin({ reading, state: 'undoing', addedAt, readingId })
    await removeFrom(storage, reading)
    if (wasUnsent) await undoing.begin({ reading, state: isUnsent() ? 'unsent' : 'undoing', addedAt })
    await refresh()
    void flush()
  }

  return {
    state,
    add: (reading) => add(reading),
    undo: (reading) => undo({ reading }),
    async change(earlier, reading) {
      if (keyOf(earlier.reading) === keyOf(reading)) return
      await add(reading, earlier.reading)
      await undo(earlier)
    },
    flush: () => void flush(),
    async remove({ key }) {
      await aside.remove([key])
      await refresh()
    },
    stop,
  }
}

type Sending = {
  queue: ReturnType<typeof createReadingQueue>
  undoing: ReturnType<typeof createUndoing>
  storage: QueueStorage
  unsent: Set<string>
}

/** Sends what waits; then, while no tab sends, undoes what shall be undone. */
const sender =
  ({ queue, undoing, storage, unsent }: Sending) =>
  async (options?: CallOptions) => {
    unsent.clear()
    const flushed = await queue.flush(options)
    if ((await undoing.count()) > 0)
      await (storage.exclusively?.(() => undoing.settle(), options?.signal) ?? undoing.settle())
    return flushed
  }

const isSame = (reading: Reading) => (one: { reading: Reading }) => keyOf(one.reading) === keyOf(reading)

/** What counts again has no other in its place. */
function withoutSame(added: OutboxState['added'], reading: Reading) {
  const is = isSame(reading)
  return added
    .filter((one) => !is(one))
    .map((one) => (one.instead && is({ reading: one.instead }) ? { ...one, instead: undefined } : one))
}

/** Not only those that are shown: what is not in the queue counts as stored. */
const allOf = async (storage: QueueStorage) => storage.oldest(await storage.count())

type Refusal = Pick<RoundsError, 'code' | 'message' | 'status' | 'requestId' | 'errors'>

/** The whole record is ours: it is never sent. */
function refusalOf({ code, message, status, requestId, errors }: RoundsError): Refusal {
  return { code, message, status, requestId, errors }
}

async function removeFrom(storage: QueueStorage, reading: Reading) {
  const same = (await allOf(storage)).filter(isSame(reading))
  await storage.remove(same.map(({ key }) => key))
}

function refusedFrom({ key, reading }: Waiting): Refused {
  const { refusal, ...sent } = reading as Reading & { refusal: Refusal }
  return { key, reading: sent, error: new RoundsError({ ...refusal, retryable: false }) }
}

export const useOutbox = (outbox: Outbox) => useStored(outbox.state)
