// Whose place in the whole answers ends when: clients that are too slow are cut, and those that wait for the database are not.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { boundWholeAnswers } from './whole-answers.ts'

const [MINUTE_TICKS, KIB] = [60, 1_024]

/** A response whose socket has so many bytes waiting, and has sent so many. */
function respond() {
  const socket = {
    destroyed: false,
    writableLength: 0,
    bytesWritten: 0,
    destroy() {
      socket.destroyed = true
      response.emit('close')
    },
  }
  const response = Object.assign(new EventEmitter(), { socket, req: { socket } })
  return { socket, response: response as unknown as ServerResponse }
}

test('a client that takes a few bytes every 30 s is cut after a minute, and its place is free', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const answers = boundWholeAnswers()
  const { socket, response } = respond()
  Object.assign(socket, { writableLength: 500 * KIB, bytesWritten: 3_000 * KIB })
  answers.enter('slow', response)
  for (let asked = 1; asked < 20; asked++) answers.enter('slow', respond().response)
  const isFull = { code: 'RateLimited', headers: { 'retry-after': '1' } }
  assert.throws(() => answers.mustHaveRoom('slow'), isFull)
  assert.throws(() => answers.enter('slow', respond().response), isFull)
  for (let second = 1; second < MINUTE_TICKS; second++) {
    if (second % 30 === 0) socket.writableLength -= 5 * KIB
    t.mock.timers.tick(1_000)
    assert.equal(socket.destroyed, false, `cut after ${second} s`)
  }
  t.mock.timers.tick(1_000)
  assert.equal(socket.destroyed, true)
  answers.enter('slow', respond().response)
  assert.throws(() => answers.enter('slow', respond().response), isFull)
})

test('a client that takes two kibibytes a second is not cut, nor one that waits for the database', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const answers = boundWholeAnswers()
  const [steady, waiting] = [respond(), respond()]
  for (const { response } of [steady, waiting]) answers.enter('someone', response)
  for (let second = 0; second < 10 * MINUTE_TICKS; second++) {
    steady.socket.writableLength = 16 * KIB
    steady.socket.bytesWritten += 2 * KIB
    t.mock.timers.tick(1_000)
  }
  assert.deepEqual([steady.socket.destroyed, waiting.socket.destroyed], [false, false])
})

test('a client that left before its first page was read gives its place back', () => {
  const answers = boundWholeAnswers()
  for (let asked = 0; asked < 50; asked++) {
    const { socket, response } = respond()
    socket.destroyed = true
    answers.enter('gone', response)
  }
})

test('there are so many in all, and the next one is refused whoever asks', () => {
  const answers = boundWholeAnswers()
  const held = Array.from({ length: 200 }, () => respond())
  for (const [asked, { response }] of held.entries()) answers.enter(`subject-${asked}`, response)
  assert.throws(() => answers.enter('next', respond().response), { code: 'Overloaded' })
  assert.ok(held.every(({ socket }) => !socket.destroyed))
})

test('ten subjects with twenty slow answers each keep no other out: the slowest of those with most is cut', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const answers = boundWholeAnswers()
  const held = Array.from({ length: 200 }, (_, n) => ({ ...respond(), n }))
  for (const { response, n } of held) answers.enter(`subject-${n % 10}`, response)
  for (let second = 0; second < 5 * MINUTE_TICKS; second++) {
    // Each takes a little more than it must; number 123 takes least. Nothing ever waits for number 7: the database is slow.
    for (const { socket, n } of held) {
      if (n !== 7) socket.writableLength = 16 * KIB
      if (n !== 7) socket.bytesWritten += n === 123 ? 1.5 * KIB : (2 + (n % 7)) * KIB
    }
    t.mock.timers.tick(1_000)
  }
  const cut = () => held.filter(({ socket }) => socket.destroyed).map(({ n }) => n)
  assert.deepEqual(cut(), [])
  answers.enter('next', respond().response)
  assert.deepEqual(cut(), [123])
  // It gets as many as the ten are left with, and no more.
  for (let entered = 1; entered < 18; entered++) answers.enter('next', respond().response)
  assert.throws(() => answers.enter('next', respond().response), { code: 'Overloaded' })
  const left = held.filter(({ socket }) => !socket.destroyed)
  const ofEach = Map.groupBy(left, ({ n }) => n % 10)
  const counts = Array.from(ofEach.values(), ({ length }) => length)
  assert.deepEqual(
    counts.toSorted((a, b) => a - b),
    [18, 18, 18, 18, 18, 18, 18, 18, 19, 19],
  )
  assert.equal(held[7]?.socket.destroyed, false)
})
