// Tokens that somebody made, changed or stole the look of. None may pass, none may cost anything, on any path.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { AUDIENCE, closeServer, listen, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { ACCEPTED, startIssuerOfManyKeys } from '../support/many-keys.ts'
import { assertAccepts, assertRefuses, OWN } from '../support/protected-paths.ts'

const issuer = await startIssuerOfManyKeys()
const rounds = await startRounds({ ...WITH_WEBHOOKS, AUTH_ISSUER: issuer.url })

const claims = {
  iss: issuer.url,
  aud: AUDIENCE,
  sub: 'attacker',
  exp: Math.floor(Date.now() / 1000) + 600,
  patientUid: OWN,
}
const good = await issuer.token(claims)
const [goodHeader = '', goodPayload = '', goodSignature = ''] = good.split('.')

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (header: object, signature = '') => `${encode(header)}.${encode(claims)}.${signature}`
function hmacSigned(header: object, secret: string | Buffer) {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}
/** Signed with the issuer's key, whatever it says: jose would refuse to make such a token. */
async function signedAnyway(header: object, payload = encode(claims)) {
  const input = `${encode({ alg: 'RS256', kid: 'test-1', ...header })}.${payload}`
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', issuer.privateKey, Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}
function signed(alg: string, header: object, key?: CryptoKey) {
  const signingKey = key ?? issuer.privateKeys.get(alg)
  assert.ok(signingKey)
  return new SignJWT(claims).setProtectedHeader({ alg, kid: alg, ...header }).sign(signingKey)
}
const foreign = (alg: string) => signed(alg, {}, issuer.foreign.get(alg))

// A server that the headers of a token point at. Nobody may ever ask it for anything.
let trapped = 0
const trap = createServer((_, response) => {
  trapped++
  response.end('{"keys":[]}')
})
const trapUrl = await listen(trap)
after(() => closeServer(trap))
const attacker = await generateKeyPair('RS256')
const attackerJwk = await exportJWK(attacker.publicKey)
const pointers: Record<string, object> = {
  jwk: { jwk: attackerJwk },
  jku: { jku: `${trapUrl}/jwks` },
  x5u: { x5u: `${trapUrl}/certificate` },
  x5c: { x5c: [issuer.publicPem.replace(/-----[A-Z ]+-----|\s/g, '')] },
  'all of them': { jwk: attackerJwk, jku: trapUrl, x5u: trapUrl },
}

const FORGED: Record<string, () => string | Promise<string>> = {
  'alg none': () => unsigned({ alg: 'none' }),
  'alg none with a known key id': () => unsigned({ alg: 'none', kid: 'test-1' }),
  'alg None': () => unsigned({ alg: 'None', kid: 'test-1' }),
  'alg nOnE': () => signedAnyway({ alg: 'nOnE' }),
  'an empty alg': () => signedAnyway({ alg: '' }),
  'no alg': () => signedAnyway({ alg: undefined }),
  'an alg that is a list': () => signedAnyway({ alg: ['RS256'] }),
  'HS256 with the public key as PEM': () => hmacSigned({ alg: 'HS256', kid: 'test-1' }, issuer.publicPem),
  'HS256 with the trimmed PEM': () => hmacSigned({ alg: 'HS256', kid: 'test-1' }, issuer.publicPem.trim()),
  'HS256 with the JWK text': () =>
    hmacSigned({ alg: 'HS256', kid: 'test-1' }, JSON.stringify(issuer.publicJwk)),
  'HS256 with a symmetric key of the key set': () =>
    hmacSigned({ alg: 'HS256', kid: 'symmetric' }, issuer.secret),
  'RS256 with the id of a symmetric key': () => signed('RS256', { kid: 'symmetric' }),
  'a payload that was changed': () => `${goodHeader}.${encode({ ...claims, sub: 'other' })}.${goodSignature}`,
  'a header that was changed': () =>
    `${encode({ alg: 'PS256', kid: 'test-1' })}.${goodPayload}.${goodSignature}`,
  'a signature that was stripped': () => `${goodHeader}.${goodPayload}.`,
  'the signature of another token': async () =>
    `${goodHeader}.${goodPayload}.${(await issuer.token({ sub: 'other' })).split('.')[2]}`,
  'an ES256 signature of zeros': () =>
    unsigned({ alg: 'ES256', kid: 'ES256' }, Buffer.alloc(64).toString('base64url')),
  'a key id like a path': () => signed('RS256', { kid: '../../dev/null' }),
  'a key id like SQL': () => signed('RS256', { kid: "' or 1=1; drop table casesheet.readings; --" }),
  'a key id like a property': () => signed('RS256', { kid: '__proto__' }),
  'a key id that is a number': () => signedAnyway({ kid: 7 }),
  'a key id that is null': () => signedAnyway({ kid: null }),
  'no key id, and a key of nobody': () => signed('RS256', { kid: undefined }, attacker.privateKey),
  'no key id, and a key that is for another algorithm': () => signed('ES384', { kid: undefined }),
  'an unknown crit': () => signedAnyway({ crit: ['x'], x: 1 }),
  'an empty crit': () => signedAnyway({ crit: [] }),
  'b64 false without crit': () => signedAnyway({ b64: false }),
  'b64 false': () => signedAnyway({ b64: false, crit: ['b64'] }),
  'b64 false and a bare payload': () =>
    signedAnyway({ b64: false, crit: ['b64'] }, JSON.stringify({ iss: 'x' })),
  'a header that is no JSON': () => `bm90IGpzb24.${goodPayload}.${goodSignature}`,
  'a header that is a list': () => `${encode([])}.${goodPayload}.${goodSignature}`,
  'a payload that is no JSON': () => signedAnyway({}, 'bm90IGpzb24'),
  'a payload that is a list': () => signedAnyway({}, encode([claims])),
  'a payload that is null': () => signedAnyway({}, encode(null)),
}
for (const alg of issuer.refused) FORGED[`${alg}, which is not accepted`] = () => signed(alg, {})
for (const alg of ACCEPTED) FORGED[`a known key id, another ${alg} key`] = () => foreign(alg)
for (const [name, header] of Object.entries(pointers)) {
  for (const kid of ['test-1', 'attacker']) {
    FORGED[`${name} of the attacker, key id ${kid}`] = () =>
      signed('RS256', { kid, ...header }, attacker.privateKey)
  }
}

test('the tokens that the forged ones are made from are good', async () => {
  for (const token of [good, await signedAnyway({})]) await assertAccepts(rounds, { token })
})

for (const [name, token] of Object.entries(FORGED)) {
  test(`refused: ${name}`, async () => assertRefuses(rounds, { token: await token() }, 'TokenInvalid'))
}

test('a forged token without a key id costs at most five verifications, and no fetch but one in a cool-down', async (t) => {
  const forgeries = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      new SignJWT({ ...claims, index }).setProtectedHeader({ alg: 'RS256' }).sign(attacker.privateKey),
    ),
  )
  const { mock } = t.mock.method(crypto.subtle, 'verify')
  const fetches = issuer.keyFetches()
  for (const token of forgeries) {
    assert.equal((await rounds.call('/casesheet/readings/get', { token })).status, 401)
  }
  assert.equal(mock.callCount(), 5 * forgeries.length)
  assert.ok(issuer.keyFetches() - fetches <= 1)
})

test('a valid token may carry pointers to other keys: they are not looked at', async () => {
  for (const header of Object.values(pointers)) {
    await assertAccepts(rounds, { token: await signed('RS256', header) })
  }
})

const ENCRYPTED: Record<string, object> = {
  dir: { alg: 'dir', enc: 'A256GCM' },
  'PBES2 with two billion rounds': {
    alg: 'PBES2-HS512+A256KW',
    enc: 'A256GCM',
    p2c: 2_000_000_000,
    p2s: 'AAAA',
  },
  'a zip bomb': { alg: 'RSA-OAEP-256', enc: 'A256GCM', zip: 'DEF', kid: 'test-1' },
}
for (const [name, header] of Object.entries(ENCRYPTED)) {
  test(`an encrypted token is refused before anything is decrypted: ${name}`, async () => {
    const started = performance.now()
    const parts = [encode(header), 'AAAA', 'AAAA', 'AAAA'.repeat(700), 'AAAA']
    await assertRefuses(rounds, { token: parts.join('.') }, 'TokenInvalid')
    await assertRefuses(rounds, { token: unsigned(header, 'AAAA') }, 'TokenInvalid')
    // It takes about a millisecond; deriving one key with these parameters takes half an hour.
    assert.ok(performance.now() - started < 1_000)
  })
}

test('nothing was ever fetched because a token said so', () => assert.equal(trapped, 0))
