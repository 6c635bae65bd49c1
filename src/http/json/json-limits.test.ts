// The limits of a body, each at its last permitted size and one beyond.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, refusalOf } from '../../../test/support/parse-json.ts'
import { Refusal } from '../../refusal.ts'
import { MAX_KEY_BYTES, MAX_NUMBER_CHARS } from './scan-json.ts'
import { MAX_FIELDS, MAX_LIST_ITEMS, MAX_VALUE_BYTES, parseInPieces } from './strict-json.ts'

const printed = (number: number, digits: number) => number.toPrecision(digits)

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

test('a value may have 1,000 fields, counted at every depth, and take 64 KiB', () => {
  const holding = (fields: number) => `{"a":[${'{"b":0},'.repeat(fields - 1)}1]}`
  const filling = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
  assert.doesNotThrow(() => parse(holding(MAX_FIELDS)))
  assert.doesNotThrow(() => parse(filling(MAX_VALUE_BYTES)))
  const many = refusalOf(holding(MAX_FIELDS + 1))
  assert.deepEqual(many.errors, [
    { pointer: '', message: 'must not have more than 1000 fields, counted at every depth' },
  ])
  assert.equal(refusalOf(filling(MAX_VALUE_BYTES + 1)).code, 'BodyTooLarge')
  // In a list each stands for itself.
  const list = parse(
    `[1, ${holding(MAX_FIELDS + 1)} ,${filling(MAX_VALUE_BYTES + 1)},${holding(MAX_FIELDS)},\n${filling(MAX_VALUE_BYTES)}]`,
  ) as unknown[]
  assert.deepEqual(
    list.map((item) => (item instanceof Refusal ? item.code : typeof item)),
    ['number', 'ValidationFailed', 'BodyTooLarge', 'object', 'object'],
  )
})

test('one value may be a long series of samples', () => {
  const samples = Array.from({ length: 15_000 }, (_, index) => index % 100)
  assert.deepEqual(parse(JSON.stringify({ samples })), { samples })
  const short = `{"samples":[${'1,'.repeat(29_997)}1]}`
  assert.doesNotThrow(() => parse(short))
  assert.equal(refusalOf(short.replace('1,', '1,1,1,')).code, 'BodyTooLarge')
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
