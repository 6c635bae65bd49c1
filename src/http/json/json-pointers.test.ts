// Refusals point to the place, and a list is read item by item.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, refusalOf } from '../../../test/support/parse-json.ts'
import type { Refusal } from '../../refusal.ts'

/** 2^53 + 1, which no double holds. */
const LOSSY = '9007199254740993'

const errorsOf = (text: string) => refusalOf(text).errors?.map(({ pointer, message }) => [pointer, message])

test('a fault is pointed to through lists and objects, past whatever stands before it', () => {
  const pointers: Record<string, string> = {
    [LOSSY]: '',
    [`{"a":${LOSSY}}`]: '/a',
    [`[1,${LOSSY}]`]: '/1',
    [`[1,{"a":{"b":[1,2]},"c":[[],{},[0,${LOSSY}]]}]`]: '/1/c/2/1',
    [`{"a":{"b":1},"c":${LOSSY}}`]: '/c',
    [`{"a":[1,2,3],"c":[${LOSSY}]}`]: '/c/0',
    [`{"a":"{[,\\"]}","c":${LOSSY}}`]: '/c',
    [`{"a":"\\\\","c":${LOSSY}}`]: '/c',
    [`{"a":["x","y",${LOSSY}]}`]: '/a/2',
    [`{"\\u00e9\\n":${LOSSY}}`]: '/é\n',
    [`{"a/b~c":${LOSSY}}`]: '/a~1b~0c',
    '{"a":{"b\\u0000":1}}': '/a/b\0',
    '{"a":["b","\\ud800"]}': '/a/1',
  }
  for (const [text, pointer] of Object.entries(pointers)) {
    assert.deepEqual(
      errorsOf(text)?.map(([found]) => found),
      [pointer],
      text,
    )
  }
})

test('a value that is no JSON is pointed to, and NaN and Infinity are called by their name', () => {
  const numbers = ['NaN', 'nan', '-NaN', 'Infinity', '-Infinity', '+Infinity', 'inf']
  const noNumber = 'must be a number: NaN and Infinity are not JSON'
  for (const number of numbers) {
    const places: Record<string, string> = {
      [number]: '',
      [`{"a":${number}}`]: '/a',
      [`[1,{"a":[0,{"b/c":${number}}]}]`]: '/1/a/1/b~1c',
      [`[${number}]`]: '/0',
      [`{"a":${'1'.repeat(600)},"é":${number},"c":1}`]: '/é',
    }
    for (const [text, pointer] of Object.entries(places)) {
      assert.deepEqual(errorsOf(text), [[pointer, noNumber]], text)
      assert.equal(refusalOf(text).position?.byte, Buffer.from(text).indexOf(number), text)
    }
  }
  assert.deepEqual(errorsOf('{"a":[nul]}'), [['/a/0', 'must be a value of JSON']])
  assert.deepEqual(errorsOf('[1,]'), [['/1', 'must be a value of JSON']])
  // Where no value is expected, the place is all that can be told.
  for (const text of ['{"a":1,NaN:2}', '{"a" NaN}', '[1 NaN]', '{"a":"\\x"}', '{"a":01}'])
    assert.equal(errorsOf(text), undefined, text)
})

test('a key that is given twice or reaches for a prototype is pointed to, with its reason', () => {
  const [twice, prototype] = ['must not be given twice', 'is not a field name that can be stored']
  const bad: Record<string, [string, string]> = {
    '{"a":1,"b":2,"a":3}': ['/a', twice],
    '[{"a":1},{"a":1,"a":1}]': ['/1/a', twice],
    '{"x":[{"a":1},{"b":{"a":1,"a":2}}]}': ['/x/1/b/a', twice],
    '{"a":"a","b":["b","b"],"c":{"a":1},"b":1}': ['/b', twice],
    '{"a":{"b":1,"b":2},"a":3}': ['/a/b', twice],
    '{"a\\"":1,"a\\u0022":2}': ['/a"', twice],
    '{"__proto__":1}': ['/__proto__', prototype],
    '[[{"a":{"__proto__":{}}}]]': ['/0/0/a/__proto__', prototype],
    '[1,[{"__proto__":null}]]': ['/1/0/__proto__', prototype],
    '{"constructor":{"a":1,"prototype":{}}}': ['/constructor/prototype', prototype],
    '{"a":[{"constructor":{"prototype":1}}]}': ['/a/0/constructor/prototype', prototype],
  }
  for (const [text, error] of Object.entries(bad)) assert.deepEqual(errorsOf(text), [error], text)
})

test('names that only resemble those are accepted, as is one name in many objects', () => {
  const good = [
    '{"prototype":{"constructor":1}}',
    '{"constructor":{"a":{"prototype":1}}}',
    '{"constructor":null,"b":{"prototype":1}}',
    '{"constructor":[{"prototype":1}]}',
    '{"a":{"prototype":{}},"proto":1,"_proto_":2}',
    '[{"a":1},{"a":1},[{"a":[{"a":{"a":null}}]}]]',
    '{"a":{"a":1,"b":{"a":"a"}},"b":["a","a",{"a":true}]}',
    '{"a":"__proto__","b":["__proto__"]}',
  ]
  for (const text of good) assert.deepEqual(parse(text), JSON.parse(text), text)
})

test('white space may stand around every value, and nothing else may', () => {
  for (const text of ['[]', ' [ ] ', '\n[\t1\r, 2 ]\n', ' {} ', '\t"a"\n', '[[],[ ]]', ' [1]', '[1 ,2]']) {
    assert.deepEqual(parse(text), JSON.parse(text), text)
  }
  const malformed = [
    '[',
    '[ ',
    '[1',
    '[1 ',
    '[1,',
    '[1, ',
    '[1,]',
    '[,1]',
    '[,]',
    '[1,,2]',
    '[1 2]',
    '[1;2]',
    '[1}',
    '[1]]',
    '[1] x',
    '[1],',
    '{} {}',
    '{}]',
    '1 2',
    '1,',
    '1,2',
    ']',
    '}',
    ',',
    ':',
    '{:1}',
    '{"a"::1}',
    '\v1',
    '[1\f]',
    '!',
    '[\u00a01]',
  ]
  for (const text of malformed) assert.equal(refusalOf(text).code, 'MalformedJson', JSON.stringify(text))
})

test('of many faults in a list only the first has a position, which takes a pass over all before it', () => {
  const filler = 'x'.repeat(4_000)
  const items = parse(`[${`{"text":"${filler}","v":1e999},`.repeat(999)}{"v":1,"v":1}]`) as Refusal[]
  assert.equal(items.length, 1_000)
  assert.deepEqual(
    items.map(({ position }) => position?.byte),
    [4_016, ...Array.from({ length: 999 }, () => undefined)],
  )
  assert.ok(items.every(({ errors }) => errors?.[0]?.pointer === '/v'))
})

test('a fault within a value that is too large is refused for its size, and no pointer is made', () => {
  const filled = (bytes: number) => `{"a":"${'x'.repeat(bytes)}","b":${LOSSY}}`
  assert.deepEqual(
    errorsOf(`[${filled(65_000)}]`)?.map(([pointer]) => pointer),
    ['/0/b'],
  )
  const { code, message } = refusalOf(`[${filled(65_536)}]`)
  assert.deepEqual([code, message], ['BodyTooLarge', 'One reading may take 64 KiB, also in a list.'])
})

test('each limit has its own sentence', () => {
  const messages = [
    `"${'x'.repeat(65_536)}"`,
    `[${'[1,2,3,4,5,6,7,8,9,0],'.repeat(3_000)}1]`,
    '[1',
    Buffer.from([0x22, 0xff, 0x22]),
    `[${'1,'.repeat(1_000)}1]`,
  ].map((body) => refusalOf(body).message)
  assert.deepEqual(messages, [
    'One reading may take 64 KiB, an array of readings 4 MiB.',
    'The request must be a reading, or a list of 1 to 1000 readings.',
    'The body is not well-formed JSON: line 1, column 3, byte 2.',
    'The body must be JSON in UTF-8: line 1, column 2, byte 1.',
    'The request must be a reading, or a list of 1 to 1000 readings.',
  ])
  assert.match(refusalOf(`[${`[${'1,'.repeat(99)}1],`.repeat(400)}1]`).message, /may hold 30000 values/)
})
