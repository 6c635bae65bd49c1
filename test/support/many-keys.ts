// An issuer with a key for each algorithm that Rounds accepts, and for some that it does not.
import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import { startIssuer } from './harness.ts'

export const ACCEPTED = ['RS256', 'PS256', 'ES256', 'EdDSA']
const REFUSED = ['RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512', 'Ed25519']

/** Each key's id is its algorithm. `foreign` keys are those of another issuer. */
export async function startIssuerOfManyKeys() {
  const issuer = await startIssuer()
  const privateKeys = new Map<string, CryptoKey>()
  const foreign = new Map<string, CryptoKey>()
  for (const alg of [...ACCEPTED, ...REFUSED]) {
    const { publicKey, privateKey } = await generateKeyPair(alg)
    privateKeys.set(alg, privateKey)
    foreign.set(alg, (await generateKeyPair(alg)).privateKey)
    issuer.keys.push({ ...(await exportJWK(publicKey)), kid: alg, use: 'sig' })
  }
  const secret = randomBytes(32)
  issuer.keys.push({ ...createSecretKey(secret).export({ format: 'jwk' }), kid: 'symmetric', alg: 'HS256' })
  const publicJwk = issuer.keys[0] ?? {}
  const publicPem = KeyObject.from(issuer.publicKey).export({ type: 'spki', format: 'pem' })
  return {
    ...issuer,
    privateKeys,
    foreign,
    refused: REFUSED,
    secret,
    publicJwk,
    publicPem: String(publicPem),
  }
}
