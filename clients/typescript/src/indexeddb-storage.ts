// A queue's readings in a browser, in IndexedDB: they survive a reload and a crash. Nothing is cached here, so tabs of one
// origin may share a queue; Web Locks let one of them flush at a time. The few types of IndexedDB that are needed stand below,
// because the compiler's `dom` library would lend its globals to all sources.
import type { Reading } from './contract.ts'
import type { QueueStorage } from './queue-storage.ts'
import { RoundsError } from './rounds-error.ts'

type Listening<Name extends string> = { addEventListener: (event: Name, listener: () => void) => void }
type DbRequest<T> = Listening<'success' | 'error' | 'upgradeneeded'> & {
  result: T
  error: Error | null
}
type Store = {
  add: (value: unknown) => unknown
  delete: (key: number) => unknown
  count: () => DbRequest<number>
  getAll: (query: null, limit: number) => DbRequest<Reading[]>
  getAllKeys: (query: null, limit: number) => DbRequest<number[]>
}
type Transaction = Listening<'complete' | 'abort'> & {
  error: Error | null
  objectStore: (name: string) => Store
  abort: () => void
}
type Database = Listening<'close' | 'versionchange'> & {
  createObjectStore: (name: string, options: { autoIncrement: boolean }) => unknown
  transaction: (name: string, mode: Mode, options: { durability: 'strict' }) => Transaction
  close: () => void
}
type Mode = 'readonly' | 'readwrite'
type Browser = {
  indexedDB?: { open: (name: string, version: number) => DbRequest<Database> }
  navigator?: { locks?: Locks }
}
type Locks = { request: (name: string, work: () => Promise<void>) => Promise<void> }

const STORE = 'readings'

export type IndexedDbStorageOptions = {
  /** The name of the database; one of its own for each person who signs in keeps their readings apart. */
  name?: string | undefined
}

export function indexedDbStorage({ name = 'rounds-readings' }: IndexedDbStorageOptions = {}): QueueStorage {
  const { indexedDB, navigator } = globalThis as Browser
  if (indexedDB === undefined)
    throw new TypeError('There is no IndexedDB here: this storage is for browsers.')
  const databases = indexedDB
  const locks = navigator?.locks
  let opening: Promise<Database> | undefined

  function open(): Promise<Database> {
    opening ??= new Promise<Database>((resolve, reject) => {
      const request = databases.open(name, 1)
      request.addEventListener('upgradeneeded', () => {
        request.result.createObjectStore(STORE, { autoIncrement: true })
      })
      request.addEventListener('error', () => reject(failure(request.error)))
      request.addEventListener('success', () => {
        const database = request.result
        // The user cleared the site's data, or another tab deletes the database: the next call opens it anew.
        database.addEventListener('close', reopen)
        database.addEventListener('versionchange', () => {
          database.close()
          reopen()
        })
        resolve(database)
      })
    }).catch((error: unknown) => {
      reopen()
      throw error
    })
    return opening
  }
  function reopen() {
    opening = undefined
  }
  /** Resolves when the browser has committed it; `strict` asks for more than the memory of the operating system. */
  async function within<T>(mode: Mode, work: (store: Store) => () => T): Promise<T> {
    const database = await open()
    return new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      transaction.addEventListener('abort', () => reject(failure(transaction.error)))
      try {
        const result = work(transaction.objectStore(STORE))
        transaction.addEventListener('complete', () => resolve(result()))
      } catch (error) {
        transaction.abort()
        reject(failure(error))
      }
    })
  }

  return {
    count: () =>
      within('readonly', (store) => {
        const counted = store.count()
        return () => counted.result
      }),
    append: (readings) =>
      within('readwrite', (store) => {
        for (const reading of readings) store.add(reading)
        return () => undefined
      }),
    oldest: (limit) =>
      within('readonly', (store) => {
        const [keys, readings] = [store.getAllKeys(null, limit), store.getAll(null, limit)]
        return () =>
          keys.result.flatMap((key, index) => {
            const reading = readings.result[index]
            return reading === undefined ? [] : [{ key, reading }]
          })
      }),
    remove: (keys) =>
      within('readwrite', (store) => {
        for (const key of keys) store.delete(key)
        return () => undefined
      }),
    // Without locks (old browsers, pages on http) two tabs may send the same reading; the service stores it once.
    exclusively: (flush, signal) =>
      locks ? withLock(locks, { name: `${name} flush`, signal }, flush) : flush(),
  }
}

/** Not by the lock's own `signal`: aborted early, some browsers never settle the request. */
function withLock<T>(
  locks: Locks,
  { name, signal }: { name: string; signal: AbortSignal | undefined },
  flush: () => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    const work = async () => {
      if (!signal?.aborted) await flush().then(resolve, reject)
    }
    locks
      .request(name, work)
      .catch(reject)
      .finally(() => signal?.removeEventListener('abort', onAbort))
    if (signal?.aborted) onAbort()
  })
}

function failure(cause: unknown): unknown {
  if (Object(cause).name !== 'QuotaExceededError') {
    return cause ?? new Error('The browser gave up a transaction of IndexedDB.')
  }
  const message = 'The browser has no more room for readings. Flush the queue, or free space on the device.'
  return new RoundsError({ code: 'StorageFull', message, retryable: true, cause })
}
