import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, exportJWK, generateKeyPair } from 'jose'
import { ALGORITHMS } from './access-token.ts'
import { createSigningKeys } from './signing-keys.ts'

for (const alg of ALGORITHMS) {
  test(`a key for ${alg} is trusted while it is published, with its algorithm and without`, async () => {
    const signingKeys = createSigningKeys(() => true)
    const { publicKey } = await generateKeyPair(alg)
    const named = { ...(await exportJWK(publicKey)), kid: 'a', use: 'sig' }
    const keySet = createLocalJWKSet({ keys: [named] })
    signingKeys.publish([named])
    const key = signingKeys.of({ alg, kid: 'a' }, await keySet({ alg, kid: 'a' }))
    const unnamed = signingKeys.of({ alg }, await keySet({ alg }))
    assert.deepEqual([key.isTrusted(), unnamed.isTrusted()], [true, true])
    signingKeys.publish([{ ...named, alg }])
    assert.deepEqual([key.isTrusted(), unnamed.isTrusted()], [true, true])
    signingKeys.publish([{ ...named, kid: 'b' }])
    assert.deepEqual([key.isTrusted(), unnamed.isTrusted()], [false, true])
    signingKeys.publish([])
    assert.deepEqual([key.isTrusted(), unnamed.isTrusted()], [false, false])
  })
}

test('a key that was withdrawn while a token was verified with it is not trusted', async () => {
  const signingKeys = createSigningKeys(() => true)
  const { publicKey } = await generateKeyPair('ES256')
  signingKeys.publish([{ kty: 'EC', crv: 'P-256', x: 'no', y: 'key' }])
  assert.equal(signingKeys.of({ alg: 'ES256' }, publicKey).isTrusted(), false)
})
