import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecrets, SecretUnreadable } from './secrets.ts'

const ENDPOINT = '0b6f2a3e-51a7-4a0e-8f6f-0f6f7d2f9c11'
const secrets = createSecrets(randomBytes(32))

test('a new secret is 32 random bytes, and no two are the same', () => {
  const made = Array.from({ length: 100 }, () => secrets.newSecret())
  assert.equal(new Set(made).size, 100)
  for (const secret of made) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
  }
})

test('the encrypted bytes hold nothing of the secret, differ each time, and give it back', () => {
  const secret = secrets.newSecret()
  const [one, two] = [secrets.encrypt(secret, ENDPOINT), secrets.encrypt(secret, ENDPOINT)]
  assert.notDeepEqual(one, two)
  const raw = Buffer.from(secret.slice(6), 'base64')
  for (const bytes of [one, two]) {
    for (const part of [secret, secret.slice(6, 14), 'whsec_', raw, raw.subarray(0, 6)]) {
      assert.equal(bytes.includes(part), false)
    }
    assert.equal(secrets.decrypt(bytes, ENDPOINT), secret)
  }
})

test('bytes with any one bit altered, or cut, are refused', () => {
  const bytes = secrets.encrypt(secrets.newSecret(), ENDPOINT)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const altered = Buffer.from(bytes)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => secrets.decrypt(altered, ENDPOINT), SecretUnreadable, `bit ${bit}`)
  }
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(
      () => secrets.decrypt(bytes.subarray(0, length), ENDPOINT),
      SecretUnreadable,
      `${length} bytes`,
    )
  }
})

test('another key and another endpoint are refused, with a sentence that does not name the secret', () => {
  const secret = secrets.newSecret()
  const bytes = secrets.encrypt(secret, ENDPOINT)
  const others: [typeof secrets, string][] = [
    [createSecrets(randomBytes(32)), ENDPOINT],
    [secrets, ENDPOINT.replace('0b', '0c')],
  ]
  for (const [other, endpointId] of others) {
    assert.throws(
      () => other.decrypt(bytes, endpointId),
      (error) =>
        error instanceof SecretUnreadable &&
        /WEBHOOK_KEY/.test(error.message) &&
        !error.message.includes(secret),
    )
  }
})

// Written down: another release must find the same.
test('what was stored by an earlier release is read, and the id of a key does not change', () => {
  const known = createSecrets(Buffer.alloc(40, 7))
  assert.equal(known.keyId, 'd70098a40cdfd3b7')
  const stored = Buffer.from(
    'AdE+nFbAPCs+XzF5bs+sDx9e9tNmJRHjNB5Nj64dnX4gVibZSwVgEoIY+sOJ6ArY8f/+yhrkyTpkeZlLvIjxYyPabJ/zZgXND2JQsys8lg==',
    'base64',
  )
  assert.equal(known.decrypt(stored, ENDPOINT), `whsec_${Buffer.alloc(32, 1).toString('base64')}`)
  assert.notEqual(createSecrets(Buffer.alloc(40, 8)).keyId, known.keyId)
})
