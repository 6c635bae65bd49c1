// Which statements are sent after one has failed, in which order, and what becomes of each request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BAD_DATA,
  LOCKED,
  LOST,
  sentFor,
  startIsolation,
  TOO_SLOW,
  withCode,
} from '../../test/support/isolation.ts'
import { STATEMENT_TIMEOUT_MS } from './connections.ts'

test('a statement that failed is divided into eight, larger parts go first, two are out, and one request has the error', async (t) => {
  const world = startIsolation(t)
  world.isolated.takeOver(world.requests(64), withCode(BAD_DATA))
  assert.deepEqual(
    world.out.map(({ ids }) => ids.length),
    [8, 8],
  )
  const sent = await sentFor(world, [3])
  assert.deepEqual(
    sent.map((ids) => ids.length),
    [...Array.from({ length: 8 }, () => 8), ...Array.from({ length: 8 }, () => 1)],
  )
  const { 3: bad, ...others } = world.outcomes
  assert.equal(bad, BAD_DATA)
  assert.deepEqual(new Set(Object.values(others)), new Set(['answered']))
  assert.equal(Object.keys(others).length, 63)
})

test('parts are as equal as can be', async (t) => {
  const ten = startIsolation(t)
  ten.isolated.takeOver(ten.requests(10), withCode(BAD_DATA))
  assert.deepEqual(await sentFor(ten, []), [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [8, 9],
  ])
})

test('of two requests each is sent alone', async (t) => {
  const two = startIsolation(t)
  two.isolated.takeOver(two.requests(2), withCode(LOCKED))
  assert.deepEqual(await sentFor(two, []), [[0], [1]])
})

test('requests with one key stay together while others are there too, and go last', async (t) => {
  const world = startIsolation(t)
  const all = [['a'], ['b'], ['a'], ['c'], ['d'], ['a'], ['d'], ['a'], ['e'], ['a']].map((keys) =>
    world.request({ keys }),
  )
  world.isolated.takeOver(all, withCode(BAD_DATA))
  assert.deepEqual(await sentFor(world, []), [[1, 3], [8], [0, 2, 5, 7, 9], [4, 6]])
})

test('requests that all have one key are divided like others', async (t) => {
  const alike = startIsolation(t)
  alike.isolated.takeOver(alike.requests(9, ['a']), withCode(BAD_DATA))
  assert.deepEqual(await sentFor(alike, []), [[0, 1], [2, 3], [4, 5], [6, 7], [8]])
})

test('a part that failed is divided before the requests that came later with a blocked key are sent', async (t) => {
  const { isolated, request, requests, next, block, out } = startIsolation(t)
  await block({ keys: ['a'] })
  isolated.takeOver(requests(20), withCode(BAD_DATA))
  isolated.takeSuspect(request({ keys: ['a'] }, 'queued'))
  const sent: number[][] = []
  for (let first = next(); ; first = next()) {
    sent.push(first.ids)
    await (first.ids.includes(1) && first.ids.length > 1 ? first.fail(BAD_DATA) : first.answer())
    if (out.length === 0) break
  }
  assert.deepEqual(sent.at(-1), [21])
  assert.equal(sent.length, 7 + 3 + 1)
})

test('late requests and those whose caller has disconnected are not sent', async (t) => {
  const { isolated, requests, out, next, outcomes, pending } = startIsolation(t)
  const all = requests(20)
  const change = (id: number, to: object) => Object.assign(all[id] ?? assert.fail(), to)
  const beLate = (id: number) => pending.refuse(all[id] ?? assert.fail(), withCode(LOST))
  beLate(0)
  isolated.takeOver(all, withCode(BAD_DATA))
  assert.equal(pending.count('retried'), 19)
  const [first, second] = [next(), next()]
  assert.deepEqual(
    [first.ids, second.ids],
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  )
  // Late while they are out: the request that is left is the one to blame.
  for (const id of [2, 3]) beLate(id)
  await first.fail(BAD_DATA)
  assert.equal(outcomes[1], BAD_DATA)
  await second.fail(BAD_DATA)
  beLate(4)
  change(5, { isGone: () => true })
  const sent: number[] = []
  while (out.length > 0) {
    const { ids, answer } = next()
    sent.push(...ids)
    await answer()
  }
  assert.deepEqual(
    sent.toSorted((a, b) => a - b),
    [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
  )
  assert.equal(outcomes[5], 'RequestTimeout')
})

test('when the connection is lost the part is repeated as it is, after a pause that grows', async (t) => {
  const { isolated, requests, next, time, out, counts, outcomes } = startIsolation(t)
  const all = requests(2)
  isolated.takeOver(all, withCode(LOST))
  const pauses: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.equal(out.length, 0)
    const began = time.now()
    assert.equal(await time.step(), true)
    pauses.push(time.now() - began)
    const { ids, fail, answer } = next()
    assert.deepEqual(ids, [0, 1])
    assert.equal(Object(all[0]?.reason).code, LOST)
    await (attempt < 2 ? fail(LOST) : answer())
  }
  for (const [attempt, pause] of pauses.entries()) {
    const longest = 100 * 2 ** attempt
    assert.ok(pause >= longest / 2 && pause <= longest, `${pause} ms`)
  }
  assert.deepEqual([counts.repeats, Object.values(outcomes)], [3, ['answered', 'answered']])
  assert.equal(await time.step(), false)
})

test('an error about the data is no reason why others wait', async (t) => {
  const { isolated, requests } = startIsolation(t)
  const all = requests(2)
  isolated.takeOver(all, withCode(BAD_DATA))
  assert.deepEqual(
    all.map(({ reason }) => reason),
    [undefined, undefined],
  )
})

test('after a statement that took too long each request is sent alone, within the time that a statement may take', async (t) => {
  const { isolated, requests, next, time, outcomes, out } = startIsolation(t)
  isolated.takeOver(requests(5), withCode(TOO_SLOW))
  assert.deepEqual(
    out.map(({ ids }) => ids),
    [[0], [1]],
  )
  setTimeout(() => {}, STATEMENT_TIMEOUT_MS)
  await time.step()
  await next().fail(TOO_SLOW)
  assert.equal(outcomes[0], TOO_SLOW)
  await next().answer()
  // Not too late yet, to the millisecond.
  assert.deepEqual(
    out.map(({ ids }) => ids),
    [[2], [3]],
  )
  setTimeout(() => {}, 1)
  await time.step()
  await next().answer()
  await next().answer()
  assert.deepEqual(outcomes, { 0: TOO_SLOW, 1: 'answered', 2: 'answered', 3: 'answered', 4: TOO_SLOW })
  assert.equal(out.length, 0)
})
