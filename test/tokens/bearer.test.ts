// Where a token is looked for, and where it is not. What is said here holds on every path that needs one.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import {
  assertAccepts,
  assertAllRefuse,
  assertRefuses,
  OWN,
  PROTECTED_PATHS,
} from '../support/protected-paths.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const token = await rounds.token({ patientUid: OWN })

test('every path of the interface is among those that the tests of tokens run through', async () => {
  const { paths } = JSON.parse((await rounds.call('/openapi.json')).text) as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const tried = PROTECTED_PATHS.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const advice = 'Add the new operation to PROTECTED_PATHS in test/support/protected-paths.ts.'
  assert.deepEqual(tried.toSorted(), described.toSorted(), advice)
})

for (const authorization of [
  `Bearer ${token}`,
  `bearer ${token}`,
  `BEARER ${token}`,
  `Bearer    ${token}`,
  `Bearer ${token}  `,
]) {
  test(`accepted: ${authorization.replace(token, '<token>')}`, () =>
    assertAccepts(rounds, { headers: { authorization } }))
}

test('without a token every operation refuses', () => assertAllRefuse(rounds, {}, 'TokenMissing'))

const MISSING: Record<string, Record<string, string>> = {
  'an empty header': { authorization: '' },
  'nothing after Bearer': { authorization: 'Bearer' },
  'blanks after Bearer': { authorization: 'Bearer    ' },
  'the scheme Basic': { authorization: 'Basic dXNlcjpwYXNz' },
  'the scheme DPoP': { authorization: `DPoP ${token}` },
  'a token without a scheme': { authorization: token },
  'a scheme that begins like ours': { authorization: `Bearers ${token}` },
  'no blank after the scheme': { authorization: `Bearer${token}` },
  'another header': { 'proxy-authorization': `Bearer ${token}`, 'x-access-token': token },
  'a cookie': { cookie: `access_token=${token}` },
}
for (const [name, headers] of Object.entries(MISSING)) {
  test(`missing: ${name}`, () => assertRefuses(rounds, { headers }, 'TokenMissing'))
}

const [header = '', payload = '', signature = ''] = token.split('.')
const INVALID: Record<string, string> = {
  'two words': `Bearer ${token} ${token}`,
  'two tokens with a comma': `Bearer ${token},${token}`,
  'two schemes in one header': `Bearer ${token}, Bearer ${token}`,
  'characters that no token has': `Bearer ${header}.${payload}.sïgnature`,
  'a quoted token': `Bearer "${token}"`,
  'a parameter instead of a token': `Bearer token="${token}"`,
  'a tab inside': `Bearer ${header}.\t${payload}.${signature}`,
  '1 segment': 'Bearer abc',
  '2 segments': `Bearer ${header}.${payload}`,
  '4 segments': `Bearer ${token}.${signature}`,
  '5 segments': `Bearer ${token}..`,
  'empty segments': 'Bearer ..',
  'base64 instead of base64url': `Bearer ${header}.${payload}.${signature}==`,
}
for (const [name, authorization] of Object.entries(INVALID)) {
  test(`invalid: ${name}`, () => assertRefuses(rounds, { headers: { authorization } }, 'TokenInvalid'))
}

test('two Authorization headers are invalid, also when both are the same', async () => {
  const SECOND = [`Bearer ${token}`, 'Bearer other', 'Basic dXNlcjpwYXNz', '']
  for (const [index, { method, path }] of PROTECTED_PATHS.entries()) {
    const second = SECOND[index % SECOND.length] ?? ''
    const { status, text, challenge } = await sendTwo(method, path, [`Bearer ${token}`, second])
    assert.equal(status, 401)
    assert.equal(JSON.parse(text).code, 'TokenInvalid')
    assert.match(challenge, /error="invalid_token"/)
  }
})

function sendTwo(method: string, path: string, [first, second]: [string, string]) {
  return new Promise<{ status: number | undefined; text: string; challenge: string }>((done, fail) => {
    const headers = ['host', new URL(rounds.url).host, 'authorization', first, 'Authorization', second]
    request(`${rounds.url}${path}`, { method, headers }, (response) => {
      let text = ''
      const challenge = response.headers['www-authenticate'] ?? ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => done({ status: response.statusCode, text, challenge }))
    })
      .on('error', fail)
      .end()
  })
}

test('a token in the query string or in the body is none, and is not logged', async () => {
  for (const { path, body } of PROTECTED_PATHS) {
    const query = `${path}${path.includes('?') ? '&' : '?'}access_token=${token}`
    const answer = await rounds.call(query, body ? { body: { ...body, access_token: token } } : {})
    assert.deepEqual([answer.status, answer.json.code], [401, 'TokenMissing'])
    const form = await rounds.call(path, {
      method: 'POST',
      raw: `access_token=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.notEqual(form.status, 200)
  }
  assert.equal(rounds.log().includes(signature), false)
  assert.match(rounds.log(), /"status":401/)
})

test('a token of 6 KB is invalid, also with a good signature; one of 20 KB does not get that far', async () => {
  const big = await rounds.token({ patientUid: OWN, padding: 'x'.repeat(4_500) })
  assert.ok(big.length > 6_000 && big.length < 8_000)
  await assertRefuses(rounds, { token: big }, 'TokenInvalid')
  const nearLimit = await rounds.token({ patientUid: OWN, padding: 'x'.repeat(2_400) })
  assert.ok(nearLimit.length > 3_500 && nearLimit.length <= 4_096)
  await assertAccepts(rounds, { token: nearLimit })
  const huge = await rounds.token({ patientUid: OWN }, { header: { kid: 'k'.repeat(15_000) } })
  const { status, json } = await rounds.call('/casesheet/readings/get', { token: huge })
  assert.deepEqual([status, json.code], [431, 'HeadersTooLarge'])
})

test('no spelling of a path leads around the token', async () => {
  for (const { method, path, body } of PROTECTED_PATHS) {
    const [, base = '', first = '', rest = ''] = /^(\/\w+)\/(\w+)([/?].*)$/.exec(path) ?? []
    const spellings = [
      `/${path}`,
      `${base}//${first}${rest}`,
      `${base}/./${first}${rest}`,
      `${base}/%2e/${first}${rest}`,
      `${base}/x/..%2f${first}${rest}`,
      `${base}%2f${first}${rest}`,
      `${base}/%${first.charCodeAt(0).toString(16)}${first.slice(1)}${rest}`,
      `${base};x/${first}${rest}`,
      `${base}/${first}${rest.replace(/(?=\?|$)/, '/')}`,
      path.toUpperCase(),
    ]
    for (const spelling of spellings) {
      const { status } = await rounds.call(spelling, { method, body })
      assert.ok([400, 401, 404].includes(status), `${method} ${spelling}: ${status}`)
    }
  }
})

test('no method and no header that names one leads around the token', async () => {
  for (const { method, path, body } of PROTECTED_PATHS) {
    for (const other of ['OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await rounds.call(path, { method: other, token })).status, 405, `${other} ${path}`)
    }
    const head = await rounds.call(path, { method: 'HEAD' })
    assert.ok([401, 405].includes(head.status), `HEAD ${path}: ${head.status}`)
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const { status, json } = await rounds.call(path, { method, body, headers: { [name]: 'OPTIONS' } })
      assert.deepEqual([status, json.code], [401, 'TokenMissing'])
    }
  }
})
