// Where malformed JSON is at fault: line, column and byte, through HTTP and against the engine's own parser.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../test/harness.ts'
import { refusalOf } from '../../../test/parse-json.ts'
import { newPatient } from '../../../test/patient.ts'
import { endOfSyntax, endOfUtf8, positionAt } from './fault-position.ts'

const rounds = await startRounds()
const { patientUid, token } = await newPatient(rounds)
const send = (raw: string | Buffer) => rounds.call('/casesheet/readings/add', { token, raw })
const HEAD = `{"patientUid":"${patientUid}","readingType":"acme.any","timestamp":1`
const N = HEAD.length

type Fault = [what: string, body: string | Buffer, code: string, line: number, column: number, byte: number]

const FAULTS: Fault[] = [
  ['no body', '', 'MalformedJson', 1, 1, 0],
  ['a body that is cut off', HEAD, 'MalformedJson', 1, N + 1, N],
  ['a comma too many', `${HEAD},}`, 'MalformedJson', 1, N + 2, N + 1],
  ['a comma that is missing', `${HEAD}\n  "a":1}`, 'MalformedJson', 2, 3, N + 3],
  ['a name without quotes', `${HEAD},\r\n\r\n\ta:1}`, 'MalformedJson', 3, 2, N + 6],
  ['a word that is none', `${HEAD},"é😀":nul}`, 'MalformedJson', 1, N + 7, N + 10],
  ['a control character in a text', `${HEAD},"a":"\n"}`, 'MalformedJson', 1, N + 7, N + 6],
  ['an escape that is none', `${HEAD},"a":"\\x"}`, 'MalformedJson', 1, N + 7, N + 6],
  ['a number with a leading zero', `${HEAD},"a":01}`, 'MalformedJson', 1, N + 7, N + 6],
  ['a bracket that fits no other', `${HEAD}]`, 'MalformedJson', 1, N + 1, N],
  ['something behind the reading', `${HEAD}}\nx`, 'MalformedJson', 2, 1, N + 2],
  ['a byte order mark', `\ufeff${HEAD}}`, 'MalformedJson', 1, 1, 0],
  ['two readings without a list', `${HEAD}}${HEAD}}`, 'MalformedJson', 1, N + 2, N + 1],
  ['a colon too many', `${HEAD},"a"::1}`, 'MalformedJson', 1, N + 6, N + 5],
  ['a list that is cut off', `[${HEAD}}`, 'MalformedJson', 1, N + 3, N + 2],
  ['a list with a comma too many', `[${HEAD}},\n]`, 'MalformedJson', 2, 1, N + 4],
  ['a fault in the second of a list', `[${HEAD}},\n${HEAD},"a":}]`, 'MalformedJson', 2, N + 6, 2 * N + 9],
  ['something behind a list', `[${HEAD}}]]`, 'MalformedJson', 1, N + 4, N + 3],
  [
    'a byte that is no UTF-8',
    Buffer.concat([Buffer.from(`${HEAD},\n"é":"`), Buffer.from([0xff]), Buffer.from('"}')]),
    'MalformedJson',
    2,
    6,
    N + 8,
  ],
  ['a name given twice', `${HEAD},\n "é":1, "a":{"b":1,"b":2}}`, 'ValidationFailed', 2, 20, N + 22],
  ['a name given twice in a list', `[1,\n{"a":1,"a":2}]`, 'ValidationFailed', 2, 8, 11],
  ['a number that no double holds', `${HEAD},"a":9007199254740993}`, 'ValidationFailed', 1, N + 6, N + 5],
  ['a number that is too long', `${HEAD},"a":${'1'.repeat(401)}}`, 'ValidationFailed', 1, N + 6, N + 5],
  ['a name that is too long', `${HEAD},"${'k'.repeat(1_025)}" :1}`, 'ValidationFailed', 1, N + 2, N + 1],
  ['half of a surrogate pair', `${HEAD},"a":"\\ud800"}`, 'ValidationFailed', 1, N + 6, N + 5],
  [
    'nesting that is too deep',
    `${HEAD},"a":${'['.repeat(16)}${']'.repeat(16)}}`,
    'ValidationFailed',
    1,
    N + 21,
    N + 20,
  ],
]

test('the answer says line, column and byte, in words and as numbers, and repeats nothing of the body', async () => {
  for (const [what, body, code, line, column, byte] of FAULTS) {
    const { status, json, text } = await send(body)
    assert.deepEqual([status, json.code], [400, code], what)
    assert.deepEqual(Object(json).position, { line, column, byte }, what)
    assert.ok(
      json.message.endsWith(`: line ${line}, column ${column}, byte ${byte}.`),
      `${what}: ${json.message}`,
    )
    assert.ok(!text.includes(patientUid), what)
  }
})

test('what is refused for another reason has no position', async () => {
  for (const body of ['{}', '[]', `{"a":"${'x'.repeat(70_000)}"}`]) {
    assert.equal('position' in (await send(body)).json, false)
  }
})

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
      const body = Buffer.from(text)
      const end = endOfSyntax(body, text.length - text.trimStart().length)
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
