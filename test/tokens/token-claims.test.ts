// Tokens that the issuer did sign, but that are not access tokens for this service, or not now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIENCE, startIssuer, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import {
  assertAccepts,
  assertAllAccept,
  assertAllRefuse,
  assertRefuses,
  OWN,
  PROTECTED_PATHS,
} from '../support/protected-paths.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const now = Math.floor(Date.now() / 1000)
const tokenWith = (claims: object) => rounds.token({ patientUid: OWN, ...claims })

test('every operation accepts a token for this service, and refuses one for another and one that has expired', async () => {
  await assertAllAccept(rounds, { token: await tokenWith({}) })
  await assertAllRefuse(rounds, { token: await tokenWith({ aud: 'another-service' }) }, 'TokenInvalid')
  await assertAllRefuse(rounds, { token: await tokenWith({ exp: now - 10 }) }, 'TokenExpired')
})

const INVALID: Record<string, object> = {
  'no exp': { exp: undefined },
  'exp as a text': { exp: String(now + 600) },
  'exp as a date': { exp: '2100-01-01T00:00:00Z' },
  'exp null': { exp: null },
  'exp 1e300': { exp: 1e300 },
  'exp in milliseconds': { exp: (now + 600) * 1000 },
  'nbf in the future': { nbf: now + 60 },
  'nbf as a text': { nbf: String(now) },
  'iat in the future': { iat: now + 60 },
  'iat as a text': { iat: String(now) },
  'another iss': { iss: 'https://evil.example' },
  'no iss': { iss: undefined },
  'iss with a slash too many': { iss: `${rounds.issuer.url}/` },
  'iss that begins like ours': { iss: `${rounds.issuer.url}.evil.example` },
  'iss in other letters': { iss: rounds.issuer.url.toUpperCase() },
  'iss as a list': { iss: [rounds.issuer.url] },
  'another aud': { aud: 'another-service' },
  'aud that is a part of ours': { aud: AUDIENCE.slice(0, -1) },
  'aud that begins like ours': { aud: `${AUDIENCE}-2` },
  'no aud': { aud: undefined },
  'an empty list for aud': { aud: [] },
  'aud as an object': { aud: { [AUDIENCE]: true } },
  'no sub': { sub: undefined },
  'an empty sub': { sub: '' },
  'a blank sub': { sub: '  ' },
  'sub as a number': { sub: 7 },
  'sub with NUL': { sub: 'a\0b' },
  'sub of 256 characters': { sub: 's'.repeat(256) },
  'sub that fills the token': { sub: 's'.repeat(2_000) },
  'an ID token (nonce)': { nonce: 'n-1' },
  'an ID token (at_hash)': { at_hash: 'h' },
  'an ID token (c_hash)': { c_hash: 'h' },
  'an ID token (s_hash)': { s_hash: 'h' },
  'an ID token of Keycloak': { typ: 'ID', azp: 'app', auth_time: now, sid: 's', acr: '1' },
  'an ID token of Cognito': { token_use: 'id', auth_time: now },
  'a token of Cognito for an unknown use': { token_use: ['access'] },
  'a refresh token of Keycloak': { typ: 'Refresh', azp: 'app', scope: 'openid' },
  'an offline token of Keycloak': { typ: 'Offline', azp: 'app', scope: 'openid' },
  'a logout token of Keycloak': { typ: 'Logout', sid: 's' },
  'a logout token (OpenID Connect Back-Channel Logout)': {
    sid: 's',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  },
  'an event token (events empty)': { events: {} },
  'an event token (events null)': { events: null },
  'an ID token (aud is the client)': { aud: 'my-client', azp: 'my-client' },
  'a token bound to a DPoP key': { cnf: { jkt: 'thumbprint' } },
  'a token bound to a certificate': { cnf: { 'x5t#S256': 'thumbprint' } },
}
for (const [name, claims] of Object.entries(INVALID)) {
  test(`invalid: ${name}`, async () =>
    assertRefuses(rounds, { token: await tokenWith(claims) }, 'TokenInvalid'))
}

for (const exp of [now - 10, now - 86_400, 0, -1]) {
  test(`expired: exp ${exp - now} s from now`, async () =>
    assertRefuses(rounds, { token: await tokenWith({ exp }) }, 'TokenExpired'))
}

const ACCEPTED: Record<string, (at: number) => object> = {
  'clocks that differ by a few seconds': (at) => ({ exp: at - 1, nbf: at + 2, iat: at + 2 }),
  'sub of 255 characters': () => ({ sub: 's'.repeat(255) }),
  'sub of 255 characters that take two units each': () => ({ sub: '\u{1F469}'.repeat(255) }),
  'no iat': () => ({ iat: undefined }),
  'aud as a list that holds ours': () => ({ aud: ['another-service', AUDIENCE] }),
  'exp with a fraction': (at) => ({ exp: at + 600.5 }),
  'claims that we do not know': () => ({ azp: 'app', amr: ['pwd'], acr: '1', jti: 'x' }),
}
for (const [name, claimsAt] of Object.entries(ACCEPTED)) {
  test(`accepted: ${name}`, async () =>
    assertAccepts(rounds, { token: await tokenWith(claimsAt(Math.floor(Date.now() / 1_000))) }))
}

// As their documents show them; names and numbers are invented.
const ISSUERS: Record<string, [header: { typ: string | undefined }, claims: object]> = {
  Keycloak: [
    { typ: 'JWT' },
    {
      typ: 'Bearer',
      azp: 'app',
      sid: 's',
      acr: '1',
      scope: 'openid profile',
      auth_time: now,
      realm_access: {},
    },
  ],
  'Microsoft Entra ID': [
    { typ: 'JWT' },
    {
      azp: 'app',
      azpacr: '0',
      scp: 'readings.use',
      ver: '2.0',
      tid: 't',
      oid: 'o',
      uti: 'u',
      rh: 'r',
      aio: 'a',
    },
  ],
  Auth0: [
    { typ: 'at+jwt' },
    { aud: [AUDIENCE, 'https://tenant.example/userinfo'], azp: 'app', scope: 'openid', permissions: [] },
  ],
  'Auth0, as it was before RFC 9068': [{ typ: 'JWT' }, { azp: 'app', scope: 'openid', gty: 'password' }],
  Cognito: [
    { typ: undefined },
    { token_use: 'access', client_id: 'app', auth_time: now, version: 2, origin_jti: 'o', event_id: 'e' },
  ],
  Okta: [{ typ: undefined }, { ver: 1, cid: 'app', uid: 'u', scp: ['openid'], auth_time: now }],
}
for (const [name, [header, claims]] of Object.entries(ISSUERS)) {
  test(`accepted: an access token of ${name}`, async () => {
    await assertAccepts(rounds, { token: await rounds.token({ patientUid: OWN, ...claims }, { header }) })
  })
}

const AT_JWT = ['at+jwt', 'application/at+jwt', 'AT+JWT', 'Application/At+Jwt']
for (const typ of [...AT_JWT, 'JWT', 'jwt', 'application/jwt', undefined]) {
  test(`accepted: typ ${typ}`, async () => {
    await assertAccepts(rounds, { token: await rounds.token({ patientUid: OWN }, { header: { typ } }) })
  })
}

const OTHER_TYPES: unknown[] = [
  'logout+jwt',
  'secevent+jwt',
  'dpop+jwt',
  'oauth-authz-req+jwt',
  'token-introspection+jwt',
  'application/logout+jwt',
  'at+jwt ',
  'at+jwt;x=1',
  'text/at+jwt',
  'application/application/at+jwt',
  'JOSE',
  '',
  null,
  7,
  ['JWT'],
]
for (const typ of OTHER_TYPES) {
  test(`invalid: typ ${JSON.stringify(typ)}`, async () => {
    const token = await rounds.token({ patientUid: OWN }, { header: { typ } })
    await assertRefuses(rounds, { token }, 'TokenInvalid')
  })
}

test('with AUTH_TOKEN_TYPE=at+jwt no token of another type, or of none, is accepted', async () => {
  const strict = await startRounds({ ...WITH_WEBHOOKS, AUTH_TOKEN_TYPE: 'at+jwt' })
  for (const typ of AT_JWT) {
    await assertAccepts(strict, { token: await strict.token({ patientUid: OWN }, { header: { typ } }) })
  }
  for (const typ of ['JWT', 'application/jwt', undefined, 'logout+jwt', '']) {
    const token = await strict.token({ patientUid: OWN }, { header: { typ } })
    await assertRefuses(strict, { token }, 'TokenInvalid')
  }
})

test('an issuer is compared to the letter, also where its keys are not found by discovery', async () => {
  const issuer = await startIssuer()
  const withSlash = `${issuer.url}/`
  const other = await startRounds({
    ...WITH_WEBHOOKS,
    AUTH_ISSUER: withSlash,
    AUTH_JWKS_URL: `${issuer.url}/jwks`,
  })
  await assertAccepts(other, { token: await issuer.token({ iss: withSlash, patientUid: OWN }) })
  await assertRefuses(other, { token: await issuer.token({ patientUid: OWN }) }, 'TokenInvalid')
})

test('of several issuers, each signs for itself only', async () => {
  const [first, second] = await Promise.all([startIssuer(), startIssuer()])
  const both = await startRounds({
    ...WITH_WEBHOOKS,
    AUTH_ISSUER: `${first.url},${second.url}`,
    RATE_LIMIT_PER_MINUTE: String(PROTECTED_PATHS.length),
  })
  both.skip(60_000 - (Date.now() % 60_000)) // to the start of a minute, in which the rest of this test stays
  await assertAllAccept(both, { token: await first.token({ patientUid: OWN }) })
  // The same subject of another issuer is somebody else, also to the rate limit, which the first has used up.
  await assertAllAccept(both, { token: await second.token({ patientUid: OWN }) })
  const crossed = await first.token({ patientUid: OWN, iss: second.url })
  await assertRefuses(both, { token: crossed }, 'TokenInvalid')
  assert.equal((await both.call('/casesheet/readings/get', { token: await first.token() })).status, 429)
})
