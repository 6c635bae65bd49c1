// Where a value ends, what it costs and what is wrong with it, to the byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, refusalOf } from '../../../test/support/parse-json.ts'
import { MAX_DEPTH, MAX_KEY_BYTES, newScan, scanValue } from './scan-json.ts'

function scanOf(text: string, { start = 0, depth = 0, maxCost = 30_000 } = {}) {
  const scan = newScan()
  scanValue(Buffer.from(text), { start, depth, maxCost }, scan)
  return scan
}

test('a value ends where the next one could begin, and what is no value ends where it starts or before its stray colon', () => {
  const ends: [text: string, end: number][] = [
    ['true', 4],
    ['true,false', 4],
    ['null]', 4],
    ['az{', 2],
    ['a`', 1],
    ['N', 1],
    ['"abc",', 5],
    ['"abc', 4],
    ['"a\\', 3],
    ['"a\\"b"1', 6],
    ['-1.5e+3,', 7],
    ['0.9E-1 ', 6],
    ['1/', 1],
    ['9:', 1],
    ['{"a":1,"b":[2,3]}x', 17],
    ['{}}', 2],
    ['[]]', 2],
    ['[ \n\t\r1 , 2 ]3', 12],
    ['["a" : 1]', 9],
    ['[[1]', 4],
    ['[1,    ', 7],
    ['', 0],
    [' 1', 0],
    [',1', 0],
    [']', 0],
    ['}', 0],
    [':', 0],
    ['[:1]', 1],
    ['{"a"::1}', 5],
    ['["a":1:2]', 6],
  ]
  for (const [text, end] of ends) assert.equal(scanOf(text).end, end, text)
  const { end, keys, cost, fault } = scanOf('[1, {"a":[true,null]} ,2]', { start: 4, depth: 1 })
  assert.deepEqual([end, keys, cost, fault], [21, 1, 4, ''])
})

test('a key and its value cost one, all else one each, and a number of more than 25 characters one for each ten', () => {
  const long = (chars: number) => `1.${'0'.repeat(chars - 2)}`
  const costs: [text: string, keys: number, cost: number][] = [
    ['1', 0, 1],
    ['{"a":1,"b":[2,3]}', 2, 5],
    ['["a","b",true,{}]', 0, 5],
    ['[[1]', 0, 3],
    ['{"a":', 1, 1],
    [long(25), 0, 1],
    [long(26), 0, 3],
    [long(30), 0, 3],
    [long(31), 0, 4],
    [`[${long(100)},${long(400)},7]`, 0, 52],
  ]
  for (const [text, keys, cost] of costs) {
    const scan = scanOf(text)
    assert.deepEqual([scan.keys, scan.cost, scan.end, scan.fault], [keys, cost, text.length, ''], text)
  }
})

test('nothing is scanned beyond the permitted cost', () => {
  assert.equal(scanOf('[1,2,3]', { maxCost: 4 }).end, 7)
  const beyond = scanOf(`[1,2,3${',4'.repeat(1_000)}]`, { maxCost: 3 })
  assert.deepEqual([beyond.cost, beyond.end], [4, 6])
  const numbers = scanOf(`[${`${'1'.padEnd(100, '0')},`.repeat(9)}1]`, { maxCost: 15 })
  assert.deepEqual([numbers.cost, numbers.end], [21, 202])
})

test('depth counts from where the value lies', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  assert.equal(scanOf(nested(MAX_DEPTH)).fault, '')
  assert.equal(scanOf(nested(MAX_DEPTH - 1), { depth: 1 }).fault, '')
  for (const open of ['[', '{']) {
    const deep = scanOf(open.repeat(20), { depth: 1 })
    assert.deepEqual(
      [deep.fault, deep.faultAt, deep.faultEnd, deep.end],
      ['must not nest deeper than 16', 15, 16, 20],
    )
  }
})

test('only a name is held to the length of a name, the last before its colon', () => {
  const key = 'k'.repeat(MAX_KEY_BYTES)
  for (const text of [`{"a":"${key}k"}`, `{"a":"${key}k","b":1}`, `{"${key}":1}`, `["${key}k",{"a":1}]`]) {
    assert.deepEqual([scanOf(text).fault, scanOf(text).end], ['', text.length])
  }
  const { fault, faultAt, faultEnd, end } = scanOf(`{"${key}k":1}`)
  assert.equal(fault, 'must not be a field name of more than 1024 bytes')
  assert.deepEqual([faultAt, faultEnd, end], [1, MAX_KEY_BYTES + 5, MAX_KEY_BYTES + 7])
})

test('a value with a fault is scanned to its end, and the first fault is named', () => {
  const faults: [value: string, fault: RegExp][] = [
    ['9007199254740993', /double/],
    ['1'.repeat(401), /400 characters/],
    ['"\\u0000"', /NUL/],
    [`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`, /nest deeper/],
  ]
  for (const [value, fault] of faults) {
    const text = `{"a":${value},"b":[1e400,"\\ud800"]}`
    const scan = scanOf(`${text},7`)
    assert.match(scan.fault, fault)
    assert.equal(scan.end, text.length)
    assert.equal(scan.keys, 2)
  }
})

test('a text ends at its quote, wherever escapes stand in it and however long it is', () => {
  const lengths = [0, 1, 2, 509, 510, 511, 512, 513, 514, 1_022, 1_023, 1_024, 1_025, 1_026, 2_000]
  for (const escape of ['', '\\"', '\\\\', '\\n', '\\u0041', '\\ud83d\\ude00', '\\\\\\"']) {
    for (const before of lengths) {
      for (const behind of lengths) {
        const string = `"${'x'.repeat(before)}${escape}${'y'.repeat(behind)}"`
        const { end, fault } = scanOf(`${string},"z"`)
        assert.deepEqual([end, fault], [string.length, ''], `${before} ${escape} ${behind}`)
      }
    }
  }
  // Two quotes far apart, each behind escapes.
  const far = `"${'x'.repeat(600)}\\"${'y'.repeat(600)}\\n${'\\"'.repeat(9)}${'z'.repeat(600)}"`
  assert.equal(scanOf(`[${far},"a"]`).end, far.length + 6)
  assert.equal(parse(far), JSON.parse(far))
})

test('what cannot be stored is found behind any number of bytes', () => {
  for (const before of [0, 1, 511, 512, 513, 1_100]) {
    for (const bad of ['\\u0000', '\\ud800', '\\udfff\\ud800']) {
      const text = `["${'x'.repeat(before)}${bad}${'y'.repeat(600)}",1]`
      assert.deepEqual(refusalOf(text).errors, [
        { pointer: '/0', message: 'must not hold a NUL character or half of a surrogate pair' },
      ])
    }
  }
})

test('of \\u escapes only NUL and halves of pairs are refused', () => {
  const accepted = [
    '0001',
    '001f',
    '0030',
    '0fff',
    '1000',
    '000a',
    'd7ff',
    'D7FF',
    'e000',
    'ffff',
    'abcd',
    'ABCD',
  ]
  for (const code of accepted) assert.equal(parse(`"\\u${code}"`), String.fromCharCode(parseInt(code, 16)))
  const pairs = ['d800\\udc00', 'd800\\udfff', 'dbff\\udc00', 'dbff\\udfff', 'D83D\\uDE00', 'dABc\\uDfEa']
  for (const pair of pairs) assert.equal(parse(`"\\u${pair}!"`), JSON.parse(`"\\u${pair}!"`))
  const refused = [
    '0000',
    'd800',
    'dbff',
    'dc00',
    'dfff',
    'DFFF',
    'd800\\udbff',
    'd800\\ue000',
    'd800\\u0041',
    'd800x',
    'd83d\\\\dc00',
    'd83du\\udc00',
    'd83dxudc00',
    'd83d\\ndc00',
    'dc00\\ud800',
  ]
  for (const code of refused) assert.equal(refusalOf(`"\\u${code}"`).code, 'ValidationFailed', code)
  // Next to the digits and letters, which would be read as half of a pair.
  const malformed = ['udc:0', 'udd/0', 'udc@0', 'udbG0', 'udc`0', 'udbg0', 'u000', 'u0', 'u', 'x']
  for (const escape of malformed) {
    assert.equal(refusalOf(`"\\${escape}"`).code, 'MalformedJson', escape)
  }
})
