import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../refusal.ts'
import { MAX_KEY_BYTES, MAX_NUMBER_CHARS } from './scan-json.ts'
import { MAX_LIST_ITEMS, MAX_VALUE_BYTES, MAX_VALUES, parseInPieces, parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))

function refusalOf(body: Buffer | string): Refusal {
  try {
    parseStrictJson(Buffer.from(body))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return assert.fail(`accepted ${body.toString('utf8').slice(0, 80)}`)
}

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
  fc.assert(property, { numRuns: 5_000 })
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
  fc.assert(property, { numRuns: 5_000 })
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
    const actual = outcomeOf(() => parse(text))
    if ('error' in expected) assert.ok('error' in actual, text)
    else if ('error' in actual) assert.notEqual((actual.error as Refusal).code, 'MalformedJson', text)
    else assert.deepEqual(actual, expected)
  })
  fc.assert(property, { numRuns: 20_000 })
})

const printed = (number: number, digits: number) => number.toPrecision(digits)

function outcomeOf(act: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
}

test('a double is accepted with all its zeros or all its digits, and no number is longer than 400 characters', () => {
  const [largest, smallest] = [Number.MAX_VALUE, Number.MIN_VALUE]
  const forms = [
    String(BigInt(largest)),
    `-${BigInt(largest)}.000000`,
    `1${'0'.repeat(308)}`,
    `-0.${'0'.repeat(323)}5`,
    `0.${'0'.repeat(307)}22250738585072014`,
    printed(smallest, 100),
    `1.5${'0'.repeat(MAX_NUMBER_CHARS - 3)}`,
    `${'0'.repeat(0)}0.${'0'.repeat(MAX_NUMBER_CHARS - 2)}`,
    '-1.7976931348623157e+308',
  ]
  for (const form of forms) assert.equal(parse(form), Number(form), form)
  for (const form of [`1.5${'0'.repeat(MAX_NUMBER_CHARS - 2)}`, '1'.repeat(60_000), `1${'0'.repeat(400)}`]) {
    const { errors } = refusalOf(`{"a":[1,${form}]}`)
    assert.deepEqual(errors, [
      { pointer: '/a/1', message: 'must not be a number of more than 400 characters' },
    ])
  }
  for (const form of [`${BigInt(largest) - 1n}`, `1${'0'.repeat(307)}1`]) refusalOf(form)
})

test('a field name may take 1,024 bytes', () => {
  const key = 'k'.repeat(MAX_KEY_BYTES)
  assert.deepEqual(parse(`{"${key}":{"b":1}}`), { [key]: { b: 1 } })
  for (const long of [`${key}k`, `${'é'.repeat(MAX_KEY_BYTES / 2)}k`, 'k'.repeat(60_000)]) {
    const [error] = refusalOf(`{"a":{"${long}":1}}`).errors ?? []
    assert.equal(error?.message, 'must not be a field name of more than 1024 bytes')
    assert.ok(error.pointer.startsWith(`/a/${long.slice(0, 100)}`) && error.pointer.length <= 256)
  }
  // A text of that length is no name.
  assert.deepEqual(parse(`["${key}k"]`), [`${key}k`])
})

test('a value may hold 1,000 values, counted at every depth, and take 64 KiB', () => {
  const holding = (values: number) => `{"a":[${'[],'.repeat(values - 2)}{}]}`
  const filling = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
  assert.doesNotThrow(() => parse(holding(MAX_VALUES)))
  assert.doesNotThrow(() => parse(filling(MAX_VALUE_BYTES)))
  const many = refusalOf(holding(MAX_VALUES + 1))
  assert.deepEqual(many.errors, [{ pointer: '', message: 'must not hold more than 1000 values' }])
  assert.equal(refusalOf(filling(MAX_VALUE_BYTES + 1)).code, 'BodyTooLarge')
  // In a list each stands for itself.
  const list = parse(
    `[1, ${holding(MAX_VALUES + 1)} ,${filling(MAX_VALUE_BYTES + 1)},${holding(MAX_VALUES)},\n${filling(MAX_VALUE_BYTES)}]`,
  ) as unknown[]
  assert.deepEqual(
    list.map((item) => (item instanceof Refusal ? item.code : typeof item)),
    ['number', 'ValidationFailed', 'BodyTooLarge', 'object', 'object'],
  )
})

test('a list may hold 1,000 items and 30,000 values, where a long number counts for several', () => {
  const listOf = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join()}]`
  const lengthOf = (text: string) => (parse(text) as unknown[]).length
  assert.equal(lengthOf(listOf('1', MAX_LIST_ITEMS)), MAX_LIST_ITEMS)
  assert.equal(refusalOf(listOf('1', MAX_LIST_ITEMS + 1)).code, 'ValidationFailed')
  const thirty = `{"a":[${'{"a":0},'.repeat(13)}"a",0]}`
  assert.equal(lengthOf(listOf(thirty, 1_000)), 1_000)
  const oneMore = listOf(thirty, 1_000).replace('{"a":0}', '{"a":0,"b":0}')
  assert.equal(refusalOf(oneMore).code, 'BodyTooLarge')
  const long = printed(1.5, 99) // 100 characters
  const hundred = `[${Array.from({ length: 100 }, () => long).join()}]`
  assert.equal(lengthOf(listOf(hundred, 29)), 29)
  assert.equal(refusalOf(listOf(hundred, 30)).code, 'BodyTooLarge')
})

test('a large list is read in pieces, to the same value', async () => {
  const text = `[${Array.from({ length: 63 }, (_, n) => `{"n":${n},"t":"${'\\n"x'.replace('"', '\\"').repeat(12_000)}"}`).join()}]`
  let pieces = 0
  let isDone = false
  const count = () => {
    pieces++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const value = await parseInPieces(Buffer.from(text))
  isDone = true
  assert.deepEqual(value, JSON.parse(text))
  assert.ok(pieces >= 2, `${pieces} pieces`)
  await assert.rejects(parseInPieces(Buffer.from(`${text.slice(0, -1)},]`)), { code: 'MalformedJson' })
})
