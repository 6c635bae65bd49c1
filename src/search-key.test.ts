import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchKeyOf } from './search-key.ts'

test('names are compared without case, accents, strokes and needless blanks', () => {
  const keys: [string, string][] = [
    ['Dr. Émile  ZÖLLER ', 'dr. emile zoller'],
    ['Łukasz Ødegård', 'lukasz odegard'],
    ['Nguyễn Thị Đào', 'nguyen thi dao'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Æsa Œdipe Þór', 'aesa oedipe thor'],
    ['İstanbul Işık', 'istanbul isik'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['O’Brien‑Smith', "o'brien-smith"],
    ['Ｗｉｄｅ', 'wide'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['\u00a0a\u2003b\u200d', 'a b'],
    ['\u0301', ''],
  ]
  for (const [name, key] of keys) assert.equal(searchKeyOf(name), key, name)
})

test('vowel signs that make another name are kept', () => {
  assert.notEqual(searchKeyOf('राम'), searchKeyOf('रोम'))
})

test('a key is its own key, and the key of a part is part of the key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      assert.equal(searchKeyOf(searchKeyOf(name)), searchKeyOf(name))
    }),
  )
  const latin = fc.string({ unit: fc.constantFrom(...'a À é ß ø Ł ı İ Σ σ - ’ ñ \u0301 Z'.split(' '), ' ') })
  fc.assert(
    fc.property(latin, latin, latin, (before, part, after) => {
      assert.ok(searchKeyOf(before + part + after).includes(searchKeyOf(part)))
    }),
    { numRuns: 1_000 },
  )
})
