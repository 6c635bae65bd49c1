// JSON that is as expensive to read as its length allows: long numbers, long names, deep nesting, many small values.
import fc, { type Arbitrary } from 'fast-check'

const HEAVY: Record<string, (size: number) => string> = {
  'a number with zeros within': (size) => `1${'0'.repeat(size)}1`,
  'a fraction with zeros within': (size) => `-0.1${'0'.repeat(size)}1`,
  'a number of nines': (size) => '9'.repeat(size + 1),
  'a small number in full': (size) => `0.${'0'.repeat(size)}5`,
  'a long exponent': (size) => `1e-${'0'.repeat(size)}1`,
  'a number that breaks off': (size) => '1.'.repeat(size),
  'a long name': (size) => `{"${'k'.repeat(size)}":1}`,
  'a long name twice': (size) => `{"${'~'.repeat(size)}":1,"${'~'.repeat(size)}":2}`,
  'a long name of escapes': (size) => `{"${'\\u0001'.repeat(size / 6)}":1e999}`,
  'nested lists': (size) => '['.repeat(Math.min(size, 2_000)) + ']'.repeat(Math.min(size, 2_000)),
  'nested objects': (size) => `${'{"a":'.repeat(Math.min(size, 2_000))}0${'}'.repeat(Math.min(size, 2_000))}`,
  'lists that never end': (size) => '[['.repeat(size / 2),
  'small numbers': (size) => `[${'1e1,'.repeat(size / 4)}0]`,
  'numbers of 17 digits': (size) => `[${'36.600000000000001,'.repeat(size / 19)}0]`,
  'empty objects': (size) => `[${'{},'.repeat(size / 3)}{}]`,
  'many fields': (size) => `{${Array.from({ length: size / 8 }, (_, n) => `"k${n}":1`).join()}}`,
  'quotes in a text': (size) => `"${'\\"'.repeat(size / 2)}"`,
  'surrogates in a text': (size) => `"${'\\ud83d\\ude00'.repeat(size / 12)}\\ud83d"`,
  'backslashes that never end': (size) => `"${'\\'.repeat(size)}`,
}

/** As many small ones as large ones: most limits lie somewhere between. */
const size = fc.double({ min: 4, max: Math.log2(70_000), noNaN: true }).map((power) => Math.floor(2 ** power))

export const heavyJson: Arbitrary<string> = fc
  .tuple(fc.constantFrom(...Object.values(HEAVY)), size)
  .map(([write, bytes]) => write(bytes))
