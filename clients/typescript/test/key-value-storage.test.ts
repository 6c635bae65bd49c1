// The queue on a store of texts, with the semantics of React Native's AsyncStorage: asynchronous, null for what is not there,
// no item beyond 2 MB, and a failure when it is full.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createReadingQueue, type Reading } from '../src/client.ts'
import { type KeyValueStore, keyValueStorage } from '../src/key-value-storage.ts'
import { clientOfNewPatient, firstNumbers } from './client-of.ts'

const rounds = await startRounds()
const noRefusal = (_reading: Reading, error: Error) => Promise.reject(error)
const MAX_ITEM_BYTES = 2_000_000

function asyncStorage(items = new Map<string, string>()) {
  let writesLeft = Infinity
  const later = <T>(work: () => T) => new Promise<void>((done) => setImmediate(done)).then(work)
  const write = (work: () => void) =>
    later(() => {
      if (writesLeft-- <= 0) throw new Error('database or disk is full (code 13 SQLITE_FULL)')
      work()
    })
  const store: KeyValueStore = {
    getItem: (key) =>
      later(() => {
        const value = items.get(key) ?? null
        if (Buffer.byteLength(value ?? '') > MAX_ITEM_BYTES)
          throw new Error('Row too big to fit into CursorWindow')
        return value
      }),
    setItem: (key, value) => write(() => void items.set(key, value)),
    removeItem: (key) => write(() => void items.delete(key)),
  }
  return { store, items, failAfter: (writes: number) => void (writesLeft = writes) }
}

test('readings survive a restart, in order, and are sent once', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const { store, items } = asyncStorage()
  const first = createReadingQueue({ client, storage: await keyValueStorage(store), onRefused: noRefusal })
  await first.add(steps(1_250))
  await first.add(steps(1_251).slice(1_250))
  const second = createReadingQueue({ client, storage: await keyValueStorage(store), onRefused: noRefusal })
  assert.equal(await second.count(), 1_251)
  assert.deepEqual(await second.flush(), { sent: 1_251, refused: 0 })
  assert.deepEqual(await storedSequences(), firstNumbers(1_251))
  assert.deepEqual([...items.keys()], ['rounds-readings'])
  assert.equal(await (await keyValueStorage(store)).count(), 0)
})

test('what was removed in part stays removed after a restart', async () => {
  const { steps } = await clientOfNewPatient(rounds)
  const { store } = asyncStorage()
  const storage = await keyValueStorage(store, 'mine')
  await storage.append(steps(250))
  const keys = (await storage.oldest(250)).map(({ key }) => key)
  await storage.remove([...keys.slice(0, 120), ...keys.slice(130, 140)])
  const again = await keyValueStorage(store, 'mine')
  const left = firstNumbers(250).filter((number) => number >= 120 && !(number >= 130 && number < 140))
  assert.deepEqual(
    (await again.oldest(1_000)).map(({ reading }) => reading['sequence']),
    left,
  )
  assert.equal(await (await keyValueStorage(store, 'another')).count(), 0)
})

test('the largest readings fit: no item is beyond what Android can read', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const { store } = asyncStorage()
  const storage = await keyValueStorage(store)
  // Three bytes a character, close to the 64 KiB of one reading.
  await storage.append(steps(150, { note: '語'.repeat(21_000) }))
  const queue = createReadingQueue({ client, storage: await keyValueStorage(store), onRefused: noRefusal })
  assert.deepEqual(await queue.flush(), { sent: 150, refused: 0 })
  assert.deepEqual(await storedSequences(), firstNumbers(150))
})

test('a program that is killed, or a store that is full, at any write loses nothing that was acknowledged', async () => {
  const { steps } = await clientOfNewPatient(rounds)
  const sequencesIn = async (items: Map<string, string>) => {
    const { store } = asyncStorage(items)
    return (await (await keyValueStorage(store)).oldest(1_000)).map(({ reading }) => reading['sequence'])
  }
  for (let writes = 0; writes < 6; writes++) {
    const { store, items, failAfter } = asyncStorage()
    const storage = await keyValueStorage(store)
    await storage.append(steps(50))
    failAfter(writes)
    const isAdded = await storage.append(steps(350).slice(50)).then(
      () => true,
      () => false,
    )
    assert.equal(isAdded, writes >= 4, 'three blocks and the bounds')
    assert.deepEqual(await sequencesIn(items), firstNumbers(isAdded ? 350 : 50))
    // With room again it goes on, on the same storage.
    failAfter(Infinity)
    await storage.append(steps(351).slice(350))
    assert.deepEqual(await sequencesIn(items), [...firstNumbers(isAdded ? 350 : 50), 350])
  }
  for (let writes = 0; writes < 4; writes++) {
    const { store, items, failAfter } = asyncStorage()
    const storage = await keyValueStorage(store)
    await storage.append(steps(250))
    failAfter(writes)
    const keys = (await storage.oldest(220)).map(({ key }) => key)
    await storage.remove(keys).catch(() => undefined)
    const left = await sequencesIn(items)
    // A removal that was cut short leaves some to be sent again; the others stay.
    assert.deepEqual(left.slice(-30), firstNumbers(250).slice(220), `after ${writes} writes`)
  }
})
