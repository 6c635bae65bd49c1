// A refused token leaves its reason in the log, and `rounds token check` explains one; the caller learns neither.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { generateKeyPair } from 'jose'
import { AUDIENCE, type SignOptions, startIssuer, startRounds } from '../support/harness.ts'
import { runCommand, runProgram } from '../support/process.ts'

const rounds = await startRounds()
const { issuer } = rounds
const { privateKey: strange } = await generateKeyPair('RS256')
const nowS = Math.floor(Date.now() / 1_000)
const SECRET = `secret-${randomUUID()}`
const sign = (claims: object = {}, options: SignOptions = {}) =>
  issuer.token({ sub: SECRET, patientUid: SECRET, email: SECRET, ...claims }, options)

/** Each token with the reason in the log, and what the check that fails says. */
const REFUSED: [reason: string, token: string, explained: RegExp][] = [
  ['malformed', 'no-token', /^no {2}form {7}a signed JWT of at most 4096 characters is needed/m],
  ['malformed', `a.b.${'c'.repeat(4_100)}`, /^no {2}form /m],
  [
    'algorithm',
    `${base64({ alg: 'none' })}.${(await sign()).split('.')[1]}.x`,
    /^no {2}algorithm {2}none: it must be/m,
  ],
  ['type', await sign({}, { header: { typ: 'dpop+jwt' } }), /^no {2}type {7}typ is dpop\+jwt: it must be/m],
  [
    'issuer',
    await sign({ iss: 'https://other.example' }),
    /^no {2}issuer {5}iss is https:\/\/other\.example, and AUTH_ISSUER http/m,
  ],
  [
    'unknownKey',
    await sign({}, { header: { kid: 'gone' } }),
    /^no {2}key {8}kid gone: the issuer publishes no/m,
  ],
  ['signature', await sign({}, { key: strange }), /^no {2}signature {2}not of that key/m],
  [
    'audience',
    await sign({ aud: 'other' }),
    /^no {2}audience {3}aud is other, and AUTH_AUDIENCE rounds-test$/m,
  ],
  ['expired', await sign({ exp: nowS - 7_300 }), /^no {2}expiry {5}it expired 2 hours ago \(20/m],
  [
    'notYetValid',
    await sign({ nbf: nowS + 400 }),
    /^no {2}start {6}it is valid from in [56] minutes .*clocks/m,
  ],
  ['claim iat', await sign({ iat: nowS + 400 }), /^no {2}start /m],
  ['claim sub', await sign({ sub: ' ' }), /^no {2}subject {4}sub must be a text/m],
  ['claim exp', await sign({ exp: undefined }), /^no {2}expiry {5}exp must be a number/m],
  ['claim aud', await sign({ aud: undefined }), /^no {2}audience {3}aud is missing/m],
  ['otherUse', await sign({ nonce: SECRET }), /^no {2}use {8}the claim nonce marks it/m],
]

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const checkToken = (token: string, environment: Record<string, string> = {}) =>
  runCommand(['token', 'check', token], { AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE, ...environment })
    .ended

for (const [reason, token, explained] of REFUSED) {
  test(`a refused token: ${reason} (${token.slice(0, 6)})`, async () => {
    const requestId = randomUUID()
    const answer = await rounds.call('/appointments/doctors/list', {
      token,
      headers: { 'x-request-id': requestId },
    })
    assert.equal(answer.status, 401)
    const line = await lineOf(requestId)
    assert.deepEqual(
      [line['level'], line['code'], line['reason']],
      [30, reason === 'expired' ? 'TokenExpired' : 'TokenInvalid', reason],
    )
    assert.doesNotMatch(answer.text, new RegExp(`"reason"|${reason}\\b.*${reason}`), 'the caller is not told')
    const { code, output } = await checkToken(token)
    assert.equal(code, 1, output)
    assert.match(output, explained)
    assert.match(output, new RegExp(`^Rounds refuses this token: \\w+ \\(${reason}\\)\\.$`, 'm'))
    // The checks before the one that fails are shown to pass.
    assert.equal(output.match(/^no /gm)?.length, 1, output)
    assert.equal(output.includes(SECRET), false, output)
  })
}

test('no line of the log holds a token or a value of its claims', () => {
  assert.equal(rounds.log().includes(SECRET), false)
  for (const [, token] of REFUSED)
    for (const part of token.split('.').filter((text) => text.length > 20))
      assert.equal(rounds.log().includes(part), false)
})

test('two Authorization headers are refused as sent twice', async () => {
  const requestId = randomUUID()
  const { ended } = runProgram(
    'curl',
    [
      '-s',
      '-H',
      `x-request-id: ${requestId}`,
      '-H',
      'Authorization: Bearer a',
      '-H',
      'Authorization: Bearer b',
      `${rounds.url}/appointments/doctors/list`,
    ],
    {},
  )
  assert.match((await ended).output, /TokenInvalid/)
  assert.equal((await lineOf(requestId))['reason'], 'sentTwice')
})

test('an accepted token is explained with exit code 0, also from standard input and with the header around it', async () => {
  const token = await sign({ scope: 'readings:read' })
  const { code, output } = await checkToken(token)
  assert.equal(code, 0, output)
  assert.match(
    output,
    /^header: alg, kid, typ\nclaims: iss, aud, sub, iat, exp, jti, patientUid, email, scope\n/,
  )
  assert.match(output, /^ok {2}expiry {5}it expires in 9 minutes \(20\d\d-/m)
  assert.match(
    output,
    /\nRounds accepts this token\. It names 1 patient in patientUid and no doctor in doctorId, and it has the scope readings:read\.\n$/,
  )
  assert.equal(output.includes(SECRET), false)
  const fromInput = `echo "Authorization: Bearer ${token}" | "${process.execPath}" src/cli.ts token check -`
  const environment = { AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE }
  const piped = await runProgram('sh', ['-c', fromInput], environment).ended
  const withoutAge = (text: string) => text.replace(/^ok {2}(start|expiry) .*\n/gm, '')
  assert.deepEqual([piped.code, withoutAge(piped.output)], [0, withoutAge(output)])
})

test('an issuer that names itself otherwise is shown with both names, in the log and by the check', async () => {
  const other = await startIssuer()
  const alias = other.url.replace('127.0.0.1', 'localhost')
  const { code, output } = await checkToken(await other.token({ iss: alias }), { AUTH_ISSUER: alias })
  assert.equal(code, 1)
  const both = `discovery names the issuer "${other.url}", and AUTH_ISSUER "${alias}"`
  assert.ok(output.includes(`The keys of ${alias} could not be fetched: ${both}`), output)
  assert.match(output, /^Rounds refuses this token: IssuerUnavailable\.$/m)
})

test('what is missing for a check is a sentence', async () => {
  const say = 'Say "rounds token check TOKEN", or "rounds token check -" to read standard input.\n'
  for (const args of [[], ['a', 'b'], ['a', '--staff']])
    assert.deepEqual(await runCommand(['token', 'check', ...args]).ended, { code: 1, output: say })
  const { code, output } = await runCommand(['token', 'check', 'a.b.c']).ended
  assert.equal(code, 1)
  assert.match(output, /\n {2}AUTH_ISSUER is missing: .*\n {2}AUTH_AUDIENCE is missing: /)
})

/** The line of an answer; it is written when the answer has ended, a moment after the client has it. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; ) {
    const line = rounds
      .log()
      .split('\n')
      .find((text) => text.includes(`"requestId":"${requestId}"`))
    if (line !== undefined) return JSON.parse(line) as Record<string, unknown>
    await new Promise((resume) => setTimeout(resume, 5))
  }
  throw new Error(`No line of ${requestId} in the log.`)
}
