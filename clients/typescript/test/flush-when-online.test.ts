// When flushWhenOnline flushes: at once, when the network returns, when the page is looked at again, from time to time; and
// that it stops. Events and time are the test's own; the queue is real where readings are sent.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import { createReadingQueue, flushWhenOnline, type Reading, RoundsError } from '../src/client.ts'
import { clientOfNewPatient, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const noRefusal = (_reading: Reading, error: Error) => Promise.reject(error)

const unexpected = (error: unknown) => assert.fail(String(error))

/** A queue that counts its flushes, each with the outcome that the test gives it. */
function countingQueue(outcome: (flushes: number) => Promise<void> = async () => undefined) {
  let flushes = 0
  return {
    flushes: () => flushes,
    count: async () => 1,
    async flush() {
      await outcome(++flushes)
      return { sent: 1, refused: 0 }
    },
  }
}

/** Lets promises settle while timers are the test's own. */
async function settle() {
  for (let step = 0; step < 20; step++) await Promise.resolve()
}

test('it flushes at once and then from time to time, and never after it was stopped', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const queue = countingQueue()
  const stop = flushWhenOnline(queue, { onError: unexpected, intervalMs: 10_000 })
  await settle()
  assert.equal(queue.flushes(), 1)
  for (const expected of [2, 3]) {
    context.mock.timers.tick(10_000)
    await settle()
    assert.equal(queue.flushes(), expected)
  }
  stop()
  context.mock.timers.tick(1_000_000)
  await settle()
  assert.equal(queue.flushes(), 3)
})

test('after failures it waits longer, at most 15 minutes, and as long as the service asks for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  context.mock.method(Math, 'random', () => 1)
  const errors: unknown[] = []
  const busy = new RoundsError({
    code: 'RateLimited',
    message: 'Wait.',
    retryable: true,
    retryAfterMs: 3_600_000,
  })
  const queue = countingQueue(async (flushes) => {
    throw flushes === 9
      ? busy
      : new RoundsError({ code: 'ConnectionFailed', message: 'No.', retryable: true })
  })
  const stop = flushWhenOnline(queue, { onError: (error) => void errors.push(error), intervalMs: 10_000 })
  await settle()
  const waits = [20, 40, 80, 160, 320, 640, 900, 900, 4_500].map((seconds) => seconds * 1_000)
  for (const [index, waitMs] of waits.entries()) {
    context.mock.timers.tick(waitMs - 1)
    await settle()
    assert.equal(queue.flushes(), index + 1, `before ${waitMs} ms`)
    context.mock.timers.tick(1)
    await settle()
    assert.equal(queue.flushes(), index + 2, `after ${waitMs} ms`)
  }
  assert.equal(errors.length, 10)
  stop()
})

/** A page, as far as flushWhenOnline looks at one. */
function pretendPage(context: { after: (work: () => void) => void }) {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const navigator = { onLine: true }
  const before = Object.getOwnPropertyDescriptors(globalThis)
  const replaced = {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    document,
    navigator,
  }
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  context.after(() => {
    for (const name of Object.keys(replaced)) {
      const original = Object(before)[name]
      if (original) Object.defineProperty(globalThis, name, original)
      else Reflect.deleteProperty(globalThis, name)
    }
  })
  return { window, document, navigator }
}

test('it flushes when the network returns and when the page is visible again, and not while the browser is offline', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { window, document, navigator } = pretendPage(context)
  navigator.onLine = false
  const queue = countingQueue()
  const stop = flushWhenOnline(queue, { onError: unexpected, intervalMs: 10_000 })
  await settle()
  context.mock.timers.tick(10_000)
  await settle()
  assert.equal(queue.flushes(), 0)
  navigator.onLine = true
  window.dispatchEvent(new Event('online'))
  await settle()
  assert.equal(queue.flushes(), 1)
  document.dispatchEvent(new Event('visibilitychange'))
  await settle()
  assert.equal(queue.flushes(), 1, 'it became hidden')
  document.visibilityState = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  await settle()
  assert.equal(queue.flushes(), 2)
  stop()
  window.dispatchEvent(new Event('online'))
  document.dispatchEvent(new Event('visibilitychange'))
  await settle()
  assert.equal(queue.flushes(), 2)
})

test('without a window, as in React Native, the app brings its own events, and they end with it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const netInfo = new Set<() => void>()
  const queue = countingQueue()
  const stop = flushWhenOnline(queue, {
    onError: unexpected,
    listen: (online) => {
      netInfo.add(online)
      return () => void netInfo.delete(online)
    },
  })
  await settle()
  for (const online of netInfo) online()
  await settle()
  assert.equal(queue.flushes(), 2)
  stop()
  assert.equal(netInfo.size, 0)
})

test('when the network returns, a flush that hangs in a dead connection is begun anew', async () => {
  const dead = await startFaultyNetwork(rounds.url)
  const options = { url: dead.url, fetch: (url: string, init: RequestInit) => fetch(redirect(url), init) }
  let isDead = true
  dead.hang()
  const redirect = (url: string) => (isDead ? url : url.replace(dead.url, rounds.url))
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, options)
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(1_500))
  const online: (() => void)[] = []
  const onFlushed = mock.fn()
  const stop = flushWhenOnline(queue, {
    onError: unexpected,
    onFlushed,
    listen: (callback) => {
      online.push(callback)
      return () => undefined
    },
  })
  await until(async () => dead.requests() === 1)
  isDead = false
  for (const callback of online) callback()
  // Well before the attempt that hangs would time out by itself.
  await until(() => onFlushed.mock.callCount() === 1, 20_000)
  stop()
  assert.deepEqual(onFlushed.mock.calls[0]?.arguments, [{ sent: 1_500, refused: 0 }])
  assert.deepEqual(await storedSequences(), firstNumbers(1_500))
})

test('events that come more often than a batch is sent do not keep it from being sent', async () => {
  let [online, flushes, sent] = [() => {}, 0, 0]
  const queue = {
    count: async () => 1 - sent,
    async flush({ signal }: { signal?: AbortSignal | undefined } = {}) {
      flushes++
      online()
      await new Promise((answered) => setImmediate(answered))
      signal?.throwIfAborted()
      return { sent: ++sent, refused: 0 }
    },
  }
  const listen = (callback: () => void) => {
    online = callback
    return () => undefined
  }
  const stop = flushWhenOnline(queue, { onError: unexpected, listen })
  await until(async () => sent === 1 || flushes > 20)
  stop()
  assert.deepEqual([flushes, sent], [2, 1])
})
