// The queue in a browser, on IndexedDB, in Chromium: it survives a reload, two tabs share it, and a full disk is reported.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { startRounds } from '../../../test/support/harness.ts'
import { needs, programOf } from '../../../test/support/needs.ts'
import { newPatient } from '../../../test/support/patient.ts'
import { buildPackage } from './built-package.ts'
import { firstNumbers } from './client-of.ts'

const { origin } = await buildPackage()
const rounds = await startRounds({ CORS_ORIGINS: origin })
const CHROMIUM = needs('chromium')
let opened: Browser | undefined
after(() => opened?.close())

/** A profile of its own for each test, in one browser. */
async function newProfile() {
  opened ??= await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] })
  return opened.newContext()
}

type Patient = { patientUid: string; token: string }

/** Opens the app: it has `queue`, `steps(from, to)` and `refused`. */
async function openApp(page: Page, { patientUid, token }: Patient) {
  await page.goto(origin)
  await page.evaluate(`(async () => {
    const { createRoundsClient, createReadingQueue } = await import('/client.js')
    const { indexedDbStorage } = await import('/indexeddb-storage.js')
    globalThis.refused = []
    globalThis.requests = 0
    const client = createRoundsClient({
      url: '${rounds.url}',
      token: '${token}',
      fetch: (url, init) => { requests++; return fetch(url, init) },
    })
    globalThis.queue = createReadingQueue({
      client,
      storage: indexedDbStorage({ name: '${patientUid}' }),
      onRefused: (reading) => { refused.push(reading.sequence) },
    })
    globalThis.steps = (from, to) => Array.from({ length: to - from }, (_, index) => ({
      patientUid: '${patientUid}', readingType: 'acme.step', timestamp: 1763000000000 + from + index, sequence: from + index,
    }))
  })()`)
}

async function sequencesOf(stored: () => Promise<Record<string, unknown>[]>) {
  return (await stored()).map(({ sequence }) => sequence)
}

test('readings survive a reload, in order, and are sent once', CHROMIUM, async () => {
  const { stored, ...patient } = await newPatient(rounds)
  const page = await (await newProfile()).newPage()
  await openApp(page, patient)
  await page.evaluate(`queue.add(steps(0, 1500))`)
  await page.reload()
  await openApp(page, patient)
  assert.equal(await page.evaluate(`queue.count()`), 1_500)
  await page.evaluate(`queue.add(steps(1500, 1510))`)
  assert.deepEqual(await page.evaluate(`queue.flush()`), { sent: 1_510, refused: 0 })
  assert.equal(await page.evaluate(`requests`), 2)
  assert.deepEqual(await sequencesOf(stored), firstNumbers(1_510))
  await page.reload()
  await openApp(page, patient)
  assert.equal(await page.evaluate(`queue.count()`), 0)
  await page.context().close()
})

test('a tab that is killed while it flushes loses nothing', CHROMIUM, async () => {
  const { stored, ...patient } = await newPatient(rounds)
  const context = await newProfile()
  const killed = await context.newPage()
  await openApp(killed, patient)
  await killed.evaluate(`queue.add(steps(0, 2500))`)
  // Not awaited: the tab closes while requests are in flight, and its lock ends with it.
  await killed.evaluate(`void queue.flush().catch(() => undefined)`)
  await killed.close()
  const next = await context.newPage()
  await openApp(next, patient)
  await next.evaluate(`queue.flush()`)
  assert.equal(await next.evaluate(`queue.count()`), 0)
  assert.deepEqual(await sequencesOf(stored), firstNumbers(2_500))
  await context.close()
})

test(
  'two tabs that add and flush at the same time lose nothing, send nothing twice, and hand a refusal over once',
  CHROMIUM,
  async () => {
    const { stored, ...patient } = await newPatient(rounds)
    const context = await newProfile()
    const tabs = await Promise.all([context.newPage(), context.newPage()])
    for (const tab of tabs) await openApp(tab, patient)
    const flushed = await Promise.all(
      tabs.map((tab, index) =>
        tab.evaluate(`(async () => {
        let total = { sent: 0, refused: 0 }
        for (let from = ${index * 1_000}; from < ${index * 1_000} + 1000; from += 100) {
          await queue.add(steps(from, from + 100))
          if (from % 300 === 0) await queue.add({ ...steps(from, from + 1)[0], timestamp: -1 })
          const { sent, refused } = await queue.flush()
          total = { sent: total.sent + sent, refused: total.refused + refused }
        }
        return { ...total, handedOver: refused.length }
      })()`),
      ),
    )
    const totals = (flushed as Record<string, number>[]).reduce(
      (sum, { sent = 0, refused = 0, handedOver = 0 }) => ({
        sent: (sum['sent'] ?? 0) + sent,
        refused: (sum['refused'] ?? 0) + refused,
        handedOver: (sum['handedOver'] ?? 0) + handedOver,
      }),
    )
    assert.deepEqual(totals, { sent: 2_000, refused: 7, handedOver: 7 })
    assert.deepEqual(await sequencesOf(stored), firstNumbers(2_000))
    assert.equal(await tabs[0]?.evaluate(`queue.count()`), 0)
    await context.close()
  },
)

test('a flush that waits for another tab can be aborted, and the next one works', CHROMIUM, async () => {
  const { stored, ...patient } = await newPatient(rounds)
  const page = await (await newProfile()).newPage()
  await openApp(page, patient)
  const reason = await page.evaluate(`(async () => {
    await queue.add(steps(0, 3))
    let release
    await new Promise((granted) => {
      void navigator.locks.request('${patient.patientUid} flush', () => new Promise((done) => {
        release = done
        granted()
      }))
    })
    const leaving = new AbortController()
    const flush = queue.flush({ signal: leaving.signal })
    leaving.abort(new Error('left'))
    const reason = await flush.catch((error) => error.message)
    release()
    await queue.flush()
    return reason
  })()`)
  assert.equal(reason, 'left')
  assert.deepEqual(await sequencesOf(stored), [0, 1, 2])
  await page.context().close()
})

test(
  'where the browser has no room, the add fails with StorageFull, and what was there stays',
  CHROMIUM,
  async () => {
    const { stored, ...patient } = await newPatient(rounds)
    const page = await (await newProfile()).newPage()
    await openApp(page, patient)
    await page.evaluate(`queue.add(steps(0, 5))`)
    const failed = await page.evaluate(`(async () => {
    // As a browser does it, in the middle of a list.
    const { add } = IDBObjectStore.prototype
    let adds = 0
    IDBObjectStore.prototype.add = function (reading) {
      if (++adds === 3) throw new DOMException('Quota exceeded.', 'QuotaExceededError')
      return add.call(this, reading)
    }
    const { name, code, retryable, message } = await queue.add(steps(5, 15)).catch((error) => error)
    IDBObjectStore.prototype.add = add
    return { name, code, retryable, message }
  })()`)
    assert.deepEqual(failed, {
      name: 'RoundsError',
      code: 'StorageFull',
      retryable: true,
      message: 'The browser has no more room for readings. Flush the queue, or free space on the device.',
    })
    assert.equal(await page.evaluate(`queue.count()`), 5)
    await page.evaluate(`queue.flush()`)
    assert.deepEqual(await sequencesOf(stored), firstNumbers(5))
    await page.context().close()
  },
)

test('a database that is deleted under the app is opened anew', CHROMIUM, async () => {
  const { stored, ...patient } = await newPatient(rounds)
  const page = await (await newProfile()).newPage()
  await openApp(page, patient)
  await page.evaluate(`(async () => {
    await queue.add(steps(0, 5))
    await new Promise((done) => { indexedDB.deleteDatabase('${patient.patientUid}').onsuccess = done })
    await queue.add(steps(5, 6))
    await queue.flush()
  })()`)
  assert.deepEqual(await sequencesOf(stored), [5])
  await page.context().close()
})

test(
  'the message of an unreachable service names what a browser hides: no network, certificates, origins',
  CHROMIUM,
  async () => {
    const page = await (await newProfile()).newPage()
    await page.goto(origin)
    const unreachable = (url: string) =>
      page.evaluate(`(async () => {
      const { createRoundsClient } = await import('/client.js')
      const client = createRoundsClient({ url: '${url}', token: 'x', attempts: 1 })
      return (await client.listSpecialities().catch((error) => error)).message
    })()`)
    const elsewhere = await startRounds()
    assert.match(
      String(await unreachable(elsewhere.url)),
      /does not allow this page's origin \(.+CORS_ORIGINS\)/,
    )
    await page.context().setOffline(true)
    assert.match(
      String(await unreachable(rounds.url).catch(String)),
      /this device is offline|Failed to fetch/,
    )
    await page.context().close()
  },
)
