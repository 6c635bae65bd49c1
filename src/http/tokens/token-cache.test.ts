import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { bytesOfTexts } from './lru-cache.ts'
import { ALL_PERMISSIONS } from './smart-scopes.ts'
import { createTokenCache } from './token-cache.ts'
import type { Caller } from './tokens.ts'

const numbers = (bounds: { maxTokens: number; maxBytes?: number }) =>
  createTokenCache<number>({ maxBytes: Infinity, sizeOf: () => 0, ...bounds })

test('the cache is bounded: the oldest tokens are evicted first', () => {
  const { recall, store } = numbers({ maxTokens: 4 })
  for (const [index, token] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) store(token, index)
  assert.deepEqual(['a', 'b', 'e', 'f', 'd'].map(recall), [undefined, undefined, 4, 5, 3])
})

test('a token that is used stays, however many others come', () => {
  const { recall, store } = numbers({ maxTokens: 4 })
  store('used', -1)
  for (let token = 0; token < 100; token++) {
    store(String(token), token)
    assert.equal(recall('used'), -1)
  }
})

test('a million tokens take no more room than the cache has', () => {
  const { recall, store, size, bytes } = numbers({ maxTokens: 10 })
  for (let token = 0; token < 1_000_000; token++) store(String(token), token)
  assert.deepEqual([size(), bytes()], [10, 6_400])
  assert.deepEqual(
    [0, 999_989, 999_990, 999_999].map((token) => recall(String(token))),
    [undefined, undefined, 999_990, 999_999],
  )
})

test('a token that is cached twice is counted once, with what it held last', () => {
  const { recall, store, size, bytes } = createTokenCache<number>({
    maxTokens: 10,
    maxBytes: 20_000,
    sizeOf: (known) => known,
  })
  for (const known of [5_000, 5_000, 1_000]) store('a', known)
  assert.deepEqual([recall('a'), size(), bytes()], [1_000, 1, 1_640])
})

test('large entries evict the oldest, and one of more than half of the bound is not cached', () => {
  const { recall, store, size, bytes } = createTokenCache<number>({
    maxTokens: 100,
    maxBytes: 28_000,
    sizeOf: (known) => known,
  })
  for (let token = 0; token < 40; token++) store(String(token), 60)
  assert.deepEqual([size(), bytes()], [40, 28_000])
  store('large', 13_360)
  assert.deepEqual([size(), bytes()], [21, 28_000])
  store('too large', 13_361)
  const left = [recall('19'), recall('20'), recall('large'), recall('too large')]
  assert.deepEqual(left, [undefined, 60, 13_360, undefined])
})

// What tokens hold at most: 4 KiB of base64url are 3 KiB of JSON.
const SHAPES: Record<string, (token: number) => [string, ...string[]]> = {
  'one patient': (token) => ['a'.repeat(36), `patient-${token}-${'b'.repeat(20)}`],
  'very many patients': (token) => ['a', ...Array.from({ length: 300 }, (_, uid) => `${token}-${uid}`)],
  'a long subject beyond Latin-1': (token) => ['ह'.repeat(1_000), String(token)],
  'a list of long ids': (token) => [
    'a',
    ...Array.from({ length: 20 }, (_, uid) => `${uid}-${token}`.repeat(9)),
  ],
}

/** In the form in which verified tokens are cached. */
type Known = {
  caller: Caller
  exp: number
  keys: object
}

/** With the permissions of SMART, which every token has for itself. */
const callerOf = (subject: string, [doctorId = '', ...patientUids]: string[]): Caller => ({
  subject,
  doctorId,
  practiceIds: [],
  patientUids,
  own: { ...ALL_PERMISSIONS },
  shared: { ...ALL_PERMISSIONS },
  isStaff: false,
  needsReason: false,
  mayWithdraw: false,
  mayFollowChanges: false,
  mayManageWebhooks: false,
  expiresAtMs: 1_000.5,
  signingKey: SIGNING_KEY,
  isService: false,
})
const SIGNING_KEY = { isTrusted: () => true }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

for (const [name, textsOf] of Object.entries(SHAPES)) {
  test(`the bytes that are counted are no fewer than those that are held: ${name}`, () => {
    const cache = createTokenCache<Known>({
      maxTokens: 1_000_000,
      maxBytes: 16 * 1_048_576,
      sizeOf: ({ caller: { subject, patientUids, doctorId = '' } }) =>
        bytesOfTexts([subject, doctorId, ...patientUids]),
    })
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    // Until it is full after something was evicted, so that evicting is a part of what is measured.
    for (let token = 0; cache.size() === token || cache.bytes() <= 15 * 1_048_576; token++) {
      // Parsed out of a larger text, as claims are out of a token: nothing of that text may stay with them.
      const payload = JSON.stringify([`${token} ${'other claims '.repeat(200)}`, ...textsOf(token)])
      const [, subject, ...patientUids] = JSON.parse(payload) as string[]
      cache.store(`token ${token}`, {
        caller: callerOf(`${subject}#${token}`, patientUids),
        exp: token + 0.5,
        keys: cache,
      })
    }
    collectGarbage()
    const held = process.memoryUsage().heapUsed - before
    assert.ok(cache.bytes() <= 16 * 1_048_576 && cache.bytes() > 15 * 1_048_576)
    assert.ok(held <= cache.bytes(), `${held} bytes are held, ${cache.bytes()} are counted`)
  })
}
