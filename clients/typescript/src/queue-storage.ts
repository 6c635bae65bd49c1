// Where the offline queue stores its readings: this interface, backed by memory here, by a file in file-storage.ts, by
// IndexedDB in indexeddb-storage.ts, by React Native's AsyncStorage in key-value-storage.ts, or by what a device has.
import { isObject, kindOf } from './check-arguments.ts'
import type { Reading } from './contract.ts'

export type QueuedReading = { key: number; reading: Reading }

/** One queue calls one function at a time and waits for it; a failure of any of them is handed to the caller of the queue. */
export type QueueStorage = {
  count: () => Promise<number>
  /** Stores the readings, after those that are there. It must not resolve before they would survive a restart. */
  append: (readings: Reading[]) => Promise<void>
  /** The oldest readings, at most so many, each with a key to remove it by. They stay. */
  oldest: (limit: number) => Promise<QueuedReading[]>
  /** Removes these. A removal that a restart undoes is harmless: the reading is sent again and stored once. */
  remove: (keys: number[]) => Promise<void>
  /** Where several programs share the storage, such as tabs of a browser: runs one flush at a time among all of them. */
  exclusively?: <T>(flush: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>
}

export function mustBeStorage(storage: unknown) {
  const names = ['count', 'append', 'oldest', 'remove']
  if (isObject(storage) && names.every((name) => typeof storage[name] === 'function')) return
  const given =
    isObject(storage) && !(storage instanceof Promise) ? 'an object without them' : kindOf(storage)
  throw new TypeError(`storage must have the functions ${names.join(', ')}; it is ${given}.`)
}

/** Lasts as long as the program. */
export function memoryStorage(): QueueStorage {
  const readings = new Map<number, Reading>()
  let lastKey = 0
  return {
    count: async () => readings.size,
    async append(added) {
      for (const reading of added) readings.set(++lastKey, reading)
    },
    oldest: async (limit) => firstOf(readings, limit),
    async remove(keys) {
      for (const key of keys) readings.delete(key)
    },
  }
}

export function firstOf(readings: Map<number, Reading>, limit: number): QueuedReading[] {
  const first: QueuedReading[] = []
  for (const [key, reading] of readings) {
    if (first.length >= limit) break
    first.push({ key, reading })
  }
  return first
}
