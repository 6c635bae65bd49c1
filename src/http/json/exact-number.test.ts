// Which numbers a double keeps as they were written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExact } from './exact-number.ts'

const printed = (number: number, digits: number) => number.toPrecision(digits)
const zeros = (count: number) => '0'.repeat(count)

test('a number is exact where the nearest double, printed, has the same digits', () => {
  const exact = [
    '0',
    '-0',
    '0.000',
    '0e400',
    '-0.0E-999',
    '1',
    '-1',
    '1.0',
    '10',
    '100.00',
    '0.1',
    '-0.10',
    '.5',
    '5.',
    '1e22',
    '1E+22',
    '1.50e-7',
    '-12.50e+10',
    '9007199254740992',
    '9007199254740994e0',
    '36.600000000000001',
    // Halfway between .2 and .3: its shortest form ends in 2, and rounded to as many digits it ends in 3.
    '1125899906842624.20',
    '1125899906842624.30',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '-5e-324',
    '100000000000000000000000',
    `1${zeros(308)}`,
    printed(0.1, 18),
    printed(0.1, 99),
    printed(0.1, 100),
    String(2n ** 400n),
    `-${2n ** 1_000n}.000`,
  ]
  for (const number of exact) assert.equal(isExact(number), true, number)
})

test('a number is not exact where digits would be lost, or the number', () => {
  const lossy = [
    '9007199254740993',
    '-9007199254740993',
    '90071992547409930',
    '0.12345678901234567890',
    '36.60000000000000001',
    '1.00000000000000001',
    '10000000000000000.1',
    '1e309',
    '-1e400',
    '1e-400',
    '0.30000000000000003',
    `${printed(0.1, 100).slice(0, -1)}4`,
    `${printed(0.1, 100)}1`,
    String(2n ** 400n + 1n),
    `${2n ** 400n}.5`,
    `1${zeros(307)}1`,
  ]
  for (const number of lossy) assert.equal(isExact(number), false, number)
})

test('text that is no number is left to the parser', () => {
  for (const text of ['', '-', '1e', '1.2.3', '--1', '1e+', '12345678901234567890-']) {
    assert.equal(isExact(text), true, text)
  }
})
