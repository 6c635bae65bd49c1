// The parser of server-sent events: whatever the network cuts, the events are the same, and its memory is bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventParser } from '../src/server-sent-events.ts'

const STREAM =
  ': still here\n\nretry: 3000\nid: 1.2.a\nevent: open\ndata: {}\n\n' +
  'id: 1.3.b\r\nevent: change\r\ndata: {"a":\r\ndata:1}\r\n\r\n' +
  'event: reset\rid:1.4.c\rdata: {}\r\r' +
  'unknown: x\nid\nretry: soon\n\ndata\n\nevent: unfinished\ndata: {}\n'

const EVENTS = [
  { event: 'open', data: '{}', id: '1.2.a', retryMs: 3_000 },
  { event: 'change', data: '{"a":\n1}', id: '1.3.b', retryMs: undefined },
  { event: 'reset', data: '{}', id: '1.4.c', retryMs: undefined },
  { event: 'message', data: '', id: undefined, retryMs: undefined },
  { event: 'message', data: '', id: undefined, retryMs: undefined },
]

test('the events are the same wherever the text is cut', () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const parse = createEventParser()
    const events = []
    for (let at = 0; at < STREAM.length; at += size) events.push(...parse(STREAM.slice(at, at + size)))
    assert.deepEqual(events, EVENTS, `in pieces of ${size}`)
  }
})

test('a line, or the data of an event, that is too long is an error: one more character than it may have', () => {
  const tooLong = { code: 'UnexpectedAnswer', retryable: false }
  const MiB = 1_048_576
  const data = 'x'.repeat(MiB - 'data: '.length)
  assert.equal(createEventParser()(`data: ${data}\n\n`)[0]?.data, data)
  assert.throws(() => createEventParser()(`data: ${data}x\n\n`), tooLong)
  assert.throws(() => createEventParser()(`data: ${data}x`), tooLong, 'before it ends')
  const trickle = createEventParser(100)
  for (let chars = 0; chars < 100; chars++) trickle('x')
  assert.throws(() => trickle('x'), tooLong, 'in pieces')
  const lines = createEventParser(100)
  assert.throws(() => {
    for (let line = 0; line < 60; line++) lines('data: x\n')
  }, tooLong)
})

test('an id that fits no header is left out', () => {
  for (const id of ['', 'é', 'a b', 'x'.repeat(257)]) {
    assert.equal(createEventParser()(`id: ${id}\ndata: 1\n\n`)[0]?.id, undefined)
  }
})
