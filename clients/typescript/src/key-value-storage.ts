// A queue's readings in a store of texts: React Native's AsyncStorage fits as it is. The readings lie in blocks, because
// AsyncStorage on Android cannot read an item beyond 2 MB. An item that names the first and the next block is written last, so a
// program that is killed in between leaves a block that was not acknowledged and is overwritten.
import { isObject, kindOf } from './check-arguments.ts'
import type { Reading } from './contract.ts'
import { firstOf, type QueueStorage } from './queue-storage.ts'

/** The three functions that are needed of AsyncStorage. One program may use the items of a name at a time. */
export type KeyValueStore = {
  getItem: (key: string) => Promise<string | null>
  setItem: (key: string, value: string) => Promise<unknown>
  removeItem: (key: string) => Promise<unknown>
}

const BLOCK_READINGS = 100
// Each character takes up to three bytes.
const BLOCK_CHARACTERS = 300_000

/** Items are named `NAME` and `NAME/0`, `NAME/1` …; a name of its own for each person who signs in keeps their readings apart. */
export async function keyValueStorage(store: KeyValueStore, name = 'rounds-readings'): Promise<QueueStorage> {
  mustBeStore(store)
  const bounds = JSON.parse((await store.getItem(name)) ?? '[0,0]') as [number, number]
  let [first, next] = bounds
  const readings = new Map<number, Reading>()
  for (let block = first; block < next; block++) {
    const items = JSON.parse((await store.getItem(itemOf(block))) ?? '[]') as (Reading | null)[]
    for (const [index, reading] of items.entries()) {
      if (reading !== null) readings.set(block * BLOCK_READINGS + index, reading)
    }
  }
  function itemOf(block: number) {
    return `${name}/${block}`
  }
  const writeBounds = () => store.setItem(name, JSON.stringify([first, next]))

  return {
    count: async () => readings.size,
    async append(added) {
      const blocks = inBlocks(added)
      for (const [index, block] of blocks.entries()) {
        await store.setItem(itemOf(next + index), `[${block.map(({ text }) => text).join(',')}]`)
      }
      const start = next
      next += blocks.length
      try {
        await writeBounds()
      } catch (error) {
        next = start
        throw error
      }
      for (const [block, entries] of blocks.entries()) {
        for (const [index, { reading }] of entries.entries()) {
          readings.set((start + block) * BLOCK_READINGS + index, reading)
        }
      }
    },
    oldest: async (limit) => firstOf(readings, limit),
    async remove(keys) {
      for (const key of keys) readings.delete(key)
      const touched = new Set(keys.map((key) => Math.floor(key / BLOCK_READINGS)))
      for (const block of touched) {
        const left = Array.from(
          { length: BLOCK_READINGS },
          (_, index) => readings.get(block * BLOCK_READINGS + index) ?? null,
        )
        if (left.every((reading) => reading === null)) await store.removeItem(itemOf(block))
        else await store.setItem(itemOf(block), JSON.stringify(left))
      }
      const [oldest] = readings.keys()
      const start = oldest === undefined ? next : Math.floor(oldest / BLOCK_READINGS)
      if (start === first) return
      first = start
      await writeBounds()
    },
  }
}

type Entry = { reading: Reading; text: string }

/** A block holds at least one reading, however large. */
function inBlocks(readings: Reading[]): Entry[][] {
  const blocks: Entry[][] = []
  let characters = Infinity
  for (const reading of readings) {
    const text = JSON.stringify(reading)
    const block = blocks.at(-1)
    characters += text.length + 1
    if (block && block.length < BLOCK_READINGS && characters <= BLOCK_CHARACTERS)
      block.push({ reading, text })
    else {
      blocks.push([{ reading, text }])
      characters = text.length + 1
    }
  }
  return blocks
}

function mustBeStore(store: unknown) {
  const names = ['getItem', 'setItem', 'removeItem']
  if (isObject(store) && names.every((name) => typeof store[name] === 'function')) return
  throw new TypeError(`keyValueStorage needs a store with ${names.join(', ')}, not ${kindOf(store)}.`)
}
