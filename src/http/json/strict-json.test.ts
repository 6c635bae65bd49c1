import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse, refusalOf } from '../../../test/support/parse-json.ts'
import { Refusal } from '../../refusal.ts'

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 5_000)

test('whatever JavaScript prints is read as JSON.parse reads it', () => {
  const property = fc.property(
    fc.json({ maxDepth: 6, noUnicodeString: false }),
    fc.constantFrom(0, 2),
    (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent)
      fc.pre(!/\\u0000|\\ud[89a-f]|__proto__|prototype/i.test(text))
      assert.deepEqual(parse(text), JSON.parse(text))
    },
  )
  fc.assert(property, { numRuns: RUNS })
})

test('every double is read as it was printed, whatever its form', () => {
  const property = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
    const forms = [
      JSON.stringify(number),
      number.toExponential(),
      number.toPrecision(17),
      number.toPrecision(21),
    ]
    for (const form of forms) assert.equal(parse(form), JSON.parse(form), form)
  })
  fc.assert(property, { numRuns: RUNS })
})

test('numbers that a double cannot hold are refused', () => {
  const lossy = [
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1e999',
    '1e-400',
    '0.12345678901234567890',
    '36.60000000000000001',
  ]
  for (const number of lossy) {
    const { code, errors } = refusalOf(`{"a":[true,{"b":${number}}]}`)
    assert.deepEqual([code, errors?.[0]?.pointer], ['ValidationFailed', '/a/1/b'], number)
  }
  for (const number of [
    '0',
    '-0',
    '0.0',
    '0e10',
    '36.600000000000001',
    '1.10',
    '9007199254740992',
    '1e22',
    '100000000000000000000000',
  ]) {
    assert.equal(parse(number), Number(number))
  }
})

test('a key given twice is refused, in whatever spelling and at whatever depth', () => {
  const doubled: Record<string, string> = {
    '{"a":1,"a":1}': '/a',
    '{"a":1,"\\u0061":2}': '/a',
    '[{"x":{"a":{},"b":[],"a":1}}]': '/0/x/a',
    '{"a/b~":{"":1,"":2}}': '/a~1b~0/',
  }
  for (const [text, pointer] of Object.entries(doubled))
    assert.equal(refusalOf(text).errors?.[0]?.pointer, pointer, text)
  assert.deepEqual(parse('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":"\\"a\\":"}]}'), {
    a: { a: { a: 1 } },
    b: [{ a: 1 }, { a: '"a":' }],
  })
})

test('keys that reach for prototypes are refused', () => {
  for (const text of [
    '{"__proto__":{}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"constructor":{"prototype":{}}}',
  ]) {
    assert.equal(refusalOf(text).code, 'ValidationFailed')
  }
  assert.deepEqual(parse('{"constructor":"Acme","prototype":true}'), { constructor: 'Acme', prototype: true })
})

test('text that no database can store is refused, in keys too', () => {
  for (const text of ['"a\\u0000"', '"\\ud800"', '["\\udc00\\ud800"]', '{"\\u0000":1}', '{"\\ud83d":1}']) {
    assert.equal(refusalOf(text).code, 'ValidationFailed', text)
  }
  assert.equal(parse('"\\ud83d\\ude00 \\\\u0000"'), '😀 \\u0000')
})

test('nesting is bounded at 16, however deep the attempt', () => {
  assert.doesNotThrow(() => parse('['.repeat(16) + ']'.repeat(16)))
  for (const depth of [17, 20_000, 2_000_000]) {
    assert.equal(refusalOf('['.repeat(depth) + ']'.repeat(depth)).code, 'ValidationFailed')
  }
})

test('what is not JSON in UTF-8 is malformed', () => {
  const malformed = [
    '',
    ' ',
    '{',
    '{"a":',
    '{"a":1}}',
    'NaN',
    'Infinity',
    '01',
    "{'a':1}",
    '[1,]',
    '\ufeff{}',
  ]
  for (const text of malformed) assert.equal(refusalOf(text).code, 'MalformedJson', text)
  const notUtf8 = [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]
  for (const bytes of notUtf8) assert.equal(refusalOf(Buffer.from(bytes)).code, 'MalformedJson')
})

test('a text is accepted only if JSON.parse accepts it, and then it is read as the same value', () => {
  const json = fc.json({ maxDepth: 4, noUnicodeString: false })
  const pieces = fc.constantFrom(
    ...'{}[],:"\\ \n-+.eE0123456789u'.split(''),
    'true',
    'null',
    '1e5',
    '"a"',
    '\\u0041',
  )
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const changes = fc.array(fc.tuple(pieces, place, place), { maxLength: 4 })
  const changed = fc.tuple(json, changes).map(([text, all]) =>
    all.reduce((before, [piece, at, cut]) => {
      const start = Math.floor(at * before.length)
      return before.slice(0, start) + piece + before.slice(start + Math.floor(cut * 3))
    }, text),
  )
  const texts = fc.oneof(
    changed,
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
  )
  const property = fc.property(texts, (any) => {
    const text = any.toWellFormed()
    const expected = outcomeOf(() => JSON.parse(text) as unknown)
    const actual = outcomeOf(() => refuseFaultyItems(parse(text)))
    if ('error' in expected) assert.ok('error' in actual, text)
    else if ('error' in actual) assert.notEqual((actual.error as Refusal).code, 'MalformedJson', text)
    else assert.deepEqual(actual, expected)
  })
  fc.assert(property, { numRuns: 4 * RUNS })
})

/** In a list that was read, an item that no double can hold stands as its refusal. */
function refuseFaultyItems(value: unknown): unknown {
  const refused = Array.isArray(value) && value.find((item) => item instanceof Refusal)
  if (refused) throw refused
  return value
}

function outcomeOf(act: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
}
