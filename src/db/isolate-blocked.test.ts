// Requests that meet locks, and later ones that may need the same rows: the rules at the top of isolate.ts, each alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BAD_DATA,
  LOCKED,
  LOST,
  settle,
  startIsolation,
  TOO_SLOW,
  withCode,
} from '../../test/support/isolation.ts'
import { STATEMENT_TIMEOUT_MS } from './connections.ts'

test('blocked requests are sent one at a time until one succeeds, and again when one meets a lock', async (t) => {
  const { time, out, next, block, pending } = startIsolation(t)
  for (let id = 0; id < 8; id++) await block({ keys: [String(id)] })
  assert.deepEqual([pending.count('blocked'), pending.count('retried')], [8, 0])
  for (let timers = 0; timers < 8; timers++) await time.step()
  assert.equal(out.length, 1)
  await next().fail(LOCKED)
  assert.equal(out.length, 1)
  await next().answer()
  assert.equal(out.length, 2)
  await next().answer()
  assert.equal(out.length, 2)
  await next().fail(LOCKED)
  await next().answer()
  assert.equal(out.length, 2)
  await next().fail(LOCKED)
  assert.equal(out.length, 1)
  await next().fail(LOCKED)
  assert.equal(out.length, 1)
  assert.equal(pending.count('blocked'), 5)
})

test('blocked requests go behind all others', async (t) => {
  const { time, next, block, isolated, requests, out } = startIsolation(t)
  await block()
  const parts = requests(4)
  isolated.takeOver(parts, withCode(BAD_DATA))
  await time.step()
  assert.deepEqual(
    out.map(({ ids }) => ids),
    [[1], [2]],
  )
  const order: number[] = []
  while (out.length > 0) {
    const { ids, answer } = next()
    order.push(...ids)
    await answer()
  }
  assert.deepEqual(order, [1, 2, 3, 4, 0])
})

test('later requests with a key of a blocked one are suspect until none with that key is blocked', async (t) => {
  const { block, request, time, next, outcomes, pending } = startIsolation(t)
  const isSuspect = (...keys: string[]) => pending.isSuspect(request({ keys }).item)
  assert.equal(isSuspect('a'), false)
  await block({ keys: ['a', 'b'] })
  await block({ keys: ['a'] })
  assert.deepEqual([isSuspect('a'), isSuspect('b'), isSuspect('c'), isSuspect()], [true, true, false, false])
  assert.equal(isSuspect('c', 'b'), true)
  await time.step()
  await next().answer()
  const first = outcomes[0] === 'answered' ? ['a'] : ['a', 'b']
  assert.deepEqual(
    ['a', 'b'].filter((key) => isSuspect(key)),
    first,
  )
  await time.step()
  await next().answer()
  assert.deepEqual([isSuspect('a'), isSuspect('b'), pending.count('blocked')], [false, false, 0])
})

test('blocked and suspect requests are as many as permitted, and answers that have begun go on', async (t) => {
  const { isolated, block, request, outcomes, next, out, pending } = startIsolation(t, { maxBlocked: 3 })
  await block({ keys: ['a'] })
  await block({ keys: ['b'] })
  assert.equal(isolated.isFull(), false)
  isolated.takeSuspect(request({ keys: ['a'] }, 'queued'))
  assert.equal(isolated.isFull(), true)
  isolated.takeSuspect(request({ keys: ['a'] }, 'queued'))
  isolated.takeSuspect(request({ keys: ['a'], hasBegun: true }, 'queued'))
  await block({ keys: ['c'] })
  await block({ keys: ['d'], hasBegun: true })
  await settle()
  assert.deepEqual(outcomes, { 3: 'Overloaded', 5: 'Overloaded' })
  assert.deepEqual([pending.count('blocked'), pending.count('retried')], [3, 0])
  // One that is blocked already is not refused when it meets its lock again, and a suspect that meets one changes its kind.
  assert.deepEqual(
    out.map(({ ids }) => ids),
    [[2], [4]],
  )
  await next().answer()
  await next().fail(LOCKED)
  assert.deepEqual([pending.count('blocked'), isolated.isFull()], [4, true])
  assert.deepEqual(outcomes, { 2: 'answered', 3: 'Overloaded', 5: 'Overloaded' })
})

test('a suspect that meets a lock takes no second place', async (t) => {
  const { isolated, block, request, next, outcomes, pending } = startIsolation(t, { maxBlocked: 2 })
  await block({ keys: ['a'] })
  isolated.takeSuspect(request({ keys: ['a'] }, 'queued'))
  await next().fail(LOCKED)
  assert.deepEqual([pending.count('blocked'), isolated.isFull(), outcomes], [2, true, {}])
})

test('a request alone that is repeated or blocked after such a statement has no such time', async (t) => {
  const { isolated, requests, next, time, outcomes } = startIsolation(t)
  isolated.takeOver(requests(2), withCode(TOO_SLOW))
  await next().fail(LOST)
  await next().fail(LOCKED)
  setTimeout(() => {}, STATEMENT_TIMEOUT_MS + 1_000)
  for (let timers = 0; timers < 3; timers++) await time.step()
  await next().answer()
  await next().answer()
  assert.deepEqual(outcomes, { 0: 'answered', 1: 'answered' })
})

test('blocked requests are sent in the order in which their pauses end', async (t) => {
  const { time, next, block, out } = startIsolation(t)
  for (let id = 0; id < 3; id++) {
    await block()
    await time.step()
  }
  await next().answer()
  assert.deepEqual(
    out.map(({ ids }) => ids),
    [[1], [2]],
  )
})

test('only what was blocked shows that locks are released, and only a lock that they are not', async (t) => {
  const { time, next, block, isolated, requests, out } = startIsolation(t)
  for (let id = 0; id < 5; id++) await block()
  for (let timers = 0; timers < 5; timers++) await time.step()
  const first = next()
  isolated.takeOver(requests(2), withCode(BAD_DATA))
  await next().answer()
  await next().answer()
  assert.equal(out.length, 0)
  await first.answer()
  assert.equal(out.length, 2)
  await next().fail(BAD_DATA)
  assert.equal(out.length, 2)
})

test('a request that meets its first lock pauses shortly, and one that shared a slow statement goes before suspects', async (t) => {
  const { time, next, block, isolated, request, requests } = startIsolation(t)
  await block({ keys: ['a'] })
  isolated.takeOver(requests(2), withCode(BAD_DATA))
  isolated.takeSuspect(request({ keys: ['a'] }, 'queued'))
  isolated.takeOver(requests(2), withCode(TOO_SLOW))
  const order: number[] = []
  for (let statements = 0; statements < 4; statements++) {
    const { ids, answer } = next()
    order.push(...ids)
    await answer()
  }
  assert.deepEqual(order, [1, 2, 4, 5])
  const began = time.now()
  await next().fail(LOCKED)
  await time.step()
  await time.step()
  assert.ok(time.now() - began <= 100, `${time.now() - began} ms`)
})

test('a statement of which all are late by then is dropped', (t) => {
  const { isolated, request, out, pending } = startIsolation(t)
  const late = request()
  pending.refuse(late, withCode(LOST))
  isolated.takeOver([late], withCode(LOCKED))
  assert.deepEqual([out.length, pending.count('blocked'), pending.count('retried')], [0, 0, 0])
})

test('a request that meets its lock again is blocked once, after a pause that grows', async (t) => {
  const { time, next, block, request, pending } = startIsolation(t)
  await block({ keys: ['a'] })
  const pauses: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const began = time.now()
    await time.step()
    pauses.push(time.now() - began)
    const { fail, answer } = next()
    await (attempt < 2 ? fail(LOCKED) : answer())
  }
  for (const [attempt, pause] of pauses.entries()) {
    const longest = 100 * 2 ** attempt
    assert.ok(pause >= longest / 2 && pause <= longest, `${pauses.join()} ms`)
  }
  assert.equal(pending.isSuspect(request({ keys: ['a'] }).item), false)
})

test('a suspect that has its answer makes room for another', async (t) => {
  const { next, block, isolated, request } = startIsolation(t, { maxBlocked: 2 })
  await block({ keys: ['a'] })
  isolated.takeSuspect(request({ keys: ['a'] }, 'queued'))
  assert.equal(isolated.isFull(), true)
  await next().answer()
  assert.equal(isolated.isFull(), false)
})
