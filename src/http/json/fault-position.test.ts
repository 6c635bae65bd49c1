// Where malformed JSON is at fault, against the engine's own parser. What an answer says of it: test/http/fault-position.test.ts.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { refusalOf } from '../../../test/support/parse-json.ts'
import { endOfSyntax, endOfUtf8, positionAt } from './fault-position.ts'

test('the place is where the parser of the engine gives up, or where the token begins in which it does', () => {
  const pieces = fc.constantFrom(...'{}[],:"\\ \n-+.eE012u'.split(''), 'true', 'nul', '1e5', '"a"', '\\u0041')
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const changed = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.array(fc.tuple(pieces, place), { minLength: 1, maxLength: 3 }))
    .map(([json, all]) =>
      all.reduce((text, [piece, at]) => {
        const start = Math.floor(at * text.length)
        return text.slice(0, start) + piece + text.slice(start)
      }, json),
    )
    // Positions of the engine count UTF-16 units.
    .map((text) => text.replace(/[^\x20-\x7e\n]/g, 'x'))
  let compared = 0
  fc.assert(
    fc.property(changed, (text) => {
      const { at: end } = endOfSyntax(text)
      let given: string | undefined
      try {
        JSON.parse(text)
        assert.equal(text.slice(end).trim(), '', text)
        return
      } catch (error) {
        given = / at position (\d+)/.exec(String(error))?.[1]
      }
      assert.ok(end <= text.length, text)
      if (given === undefined) return
      compared++
      const between = text.slice(end, Number(given)).trim()
      assert.ok(Number(given) >= end && between.length <= 6, `${text}: ${end}, and ${given} by the engine`)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(compared > 500, String(compared))
})

test('the first byte that is no UTF-8 is found, and none in what is', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.array(fc.constantFrom(0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5), {
      maxLength: 8,
    }),
    fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
  )
  const property = fc.property(bytes, (any) => {
    const body = Buffer.from(any)
    const end = endOfUtf8(body)
    assert.ok(isUtf8(body.subarray(0, end)))
    assert.equal(end === body.length, isUtf8(body))
    // No more of it makes a character.
    for (let length = 1; length <= 4 && end + length <= body.length; length++) {
      assert.equal(isUtf8(body.subarray(end, end + length)), false)
    }
  })
  fc.assert(property, { numRuns: 5_000 })
})

test('a character may lie across the parts that are looked at natively', () => {
  for (const parts of [1, 2, 3]) {
    for (const before of [0, 1, 2, 3, 4, 5]) {
      const good = Buffer.from(`${'a'.repeat(parts * 16_384 - before)}😀é€`)
      assert.equal(endOfUtf8(good), good.length)
      for (const tail of [[0xff], [0x80, 0x80, 0x80, 0x80], [0xf0, 0x9f]]) {
        assert.equal(endOfUtf8(Buffer.concat([good, Buffer.from(tail)])), good.length)
      }
    }
  }
})

test('columns are characters and lines end with a line feed', () => {
  const body = Buffer.from('é\r\n😀x\n\n')
  const places = [0, 2, 3, 4, 8, 9, 10, 11].map((byte) => positionAt(body, byte))
  assert.deepEqual(
    places.map(({ line, column }) => [line, column]),
    [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
      [2, 2],
      [2, 3],
      [3, 1],
      [4, 1],
    ],
  )
})

test('four mebibytes before the fault cost little more than reading them', () => {
  const LARGE = 4 * 1_024 * 1_024 - 100
  const fill = (part: string) => part.repeat(Math.floor(LARGE / Buffer.byteLength(part)))
  const bodies: [string, string | Buffer][] = [
    ['line ends', `[${fill('\n')}`],
    ['line ends before a comma', `[1${fill('\n')}x`],
    ['escapes before a colon too many', `["${fill('\\n')}"::]`],
    ['unicode escapes before a colon too many', `["${fill('\\u0041')}"::]`],
    [
      'a byte that is no UTF-8 at the end',
      Buffer.concat([Buffer.from(`["${fill('é')}`), Buffer.from([0xff])]),
    ],
    ['brackets that never close', '['.repeat(29_000)],
    ['a text that never ends', `["${fill('x')}`],
  ]
  for (const [what, body] of bodies) {
    refusalOf(body)
    const before = process.cpuUsage()
    refusalOf(body)
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 200_000, `${what}: ${(user + system) / 1_000} ms`)
  }
})
