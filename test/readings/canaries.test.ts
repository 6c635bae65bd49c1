// People's data stays where it belongs: whatever callers send, wherever they put it, and whatever becomes of it, none of it
// comes to stand in a log line, a metric, or the body of an error.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { bodyExamples, exampleAddress, readDocument } from '../support/api-document.ts'
import { breakTables } from '../support/broken-tables.ts'
import { type Answer, runSql, startRounds } from '../support/harness.ts'
import { sendRaw } from '../support/raw-http.ts'

const rounds = await startRounds()
const { operations } = await readDocument(rounds)

/** Every text that must be found nowhere, by where it was put. */
const canaries = new Map<string, string>()
function canary(where: string): string {
  const text = `canary${randomBytes(9).toString('hex')}`
  canaries.set(text, where)
  return text
}
/** Names of fields that are wrong are told to their sender, and to nobody else. */
const toldToSender = new Set<string>()
function canaryName(where: string): string {
  const name = canary(where)
  toldToSender.add(name)
  return name
}

const PATIENT = canary('patientUid')
const claims = {
  sub: canary('sub'),
  jti: canary('jti'),
  name: canary('name of the person'),
  email: canary('email'),
}
async function watchedToken(extra: object, options = {}) {
  const token = await rounds.token({ ...claims, ...extra }, options)
  token.split('.').forEach((part, index) => canaries.set(part, `part ${index} of a token`))
  return token
}
const own = await watchedToken({ patientUid: PATIENT })
const TOKENS = [
  own,
  await watchedToken({ scope: `readings:read ${canary('scope')}` }),
  await watchedToken({ patientUid: canary('another patientUid') }),
  await watchedToken({ scope: canary('another scope') }),
  await watchedToken({ patientUid: PATIENT, exp: 1_762_000_000 }),
  await watchedToken({ patientUid: PATIENT }, { header: { kid: canary('kid') } }),
  `${own.slice(0, -6)}AAAAAA`,
  `${canary('garbage')}.b.c`,
]
const headers = {
  'user-agent': canary('User-Agent'),
  referer: `https://app.example/${canary('Referer')}`,
  cookie: `session=${canary('Cookie')}`,
  'x-forwarded-for': canary('X-Forwarded-For'),
  'accept-language': canary('Accept-Language'),
  accept: `application/json, text/${canary('Accept')}`,
  prefer: canary('Prefer'),
  'x-access-reason': canary('X-Access-Reason'),
  'if-none-match': `"${canary('If-None-Match')}"`,
  [canaryName('the name of a header')]: canary('the value of a header'),
  // One that is well-formed is kept, and logged, on purpose.
  'x-request-id': `not well-formed: ${canary('X-Request-Id')}`,
}

const answers: Answer[] = []
const call = async (...request: Parameters<typeof rounds.call>) => {
  const answer = await rounds.call(...request)
  answers.push(answer)
  return answer
}

const ofPatient = (value: unknown) =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll('patient-1', PATIENT))
const ADD = '/casesheet/readings/add'

async function callEverything() {
  for (const operation of operations) {
    const address = exampleAddress(operation, ['cursor']).replaceAll('patient-1', PATIENT)
    const [example] = bodyExamples(operation)
    const body = example && {
      ...ofPatient(example.value),
      [canaryName('a field')]: canary('the value of a field'),
    }
    for (const token of TOKENS) await call(address, { token, body, headers })
    await call(address, { body, headers })
    const queries = [
      `${canaryName('a parameter')}=${canary('the value of an unknown parameter')}`,
      `access_token=${own}`,
      `q=${canary('a search')}%00`,
      ...(operation.parameters ?? []).map(({ name }) => `${name}=${canary(`?${name}`)}%20%22`),
    ]
    for (const query of queries) await call(`${address}&${query}`, { token: own, body, headers })
    await call(`${operation.path}/${canary('a path')}`, { token: own, headers })
    await call(address, { token: own, method: 'DELETE', headers })
  }
}

async function sendBadBodies() {
  const reading = ofPatient(
    bodyExamples(operations.find(({ path }) => path === ADD) ?? assert.fail())[0]?.value,
  )
  const value = () => canary('a value in a body that is refused')
  const bodies = [
    `{"patientUid":"${value()}`,
    `{"a":"${value()}","a":"${value()}"}`,
    `{"a":"${value()}\\u0000"}`,
    JSON.stringify({ ...reading, timestamp: value() }),
    JSON.stringify({ ...reading, readingType: `${value()} ` }),
    JSON.stringify({ ...reading, symptoms: [{ symptom: value(), severity: value() }] }),
    JSON.stringify({ ...reading, patientUid: value() }),
    JSON.stringify({ ...reading, readingType: 'heartRate', value: value(), unit: value() }),
    JSON.stringify([reading, { ...reading, note: value(), readingId: value() }]),
    JSON.stringify({ ...reading, note: value() + 'x'.repeat(70_000) }),
  ]
  for (const raw of bodies) {
    for (const prefer of ['return=minimal', 'return=representation']) {
      await call(ADD, { token: own, raw, headers: { ...headers, prefer } })
    }
    await call(ADD, {
      token: own,
      raw,
      headers: { ...headers, 'content-type': `text/${canary('Content-Type')}` },
    })
  }
}

test('every operation, accepted and refused in every way, also by faults of ours', async () => {
  await callEverything()
  await sendBadBodies()
  const broken = [`GET /${canary('a broken path')} HTTP/9\r\n\r\n`, `${canary('no HTTP')}\r\n\r\n`]
  for (const bytes of broken) assert.match(await sendRaw(rounds.url, bytes), /^HTTP\/1\.1 400/)
  const schemas = ['casesheet', 'appointments']
  for (const schema of schemas)
    await runSql(rounds.ownerUrl, `alter schema ${schema} rename to hidden_${schema}`)
  await callEverything()
  for (const schema of schemas)
    await runSql(rounds.ownerUrl, `alter schema hidden_${schema} rename to ${schema}`)
  const fix = await breakTables(rounds.ownerUrl)
  await callEverything()
  await fix()
  const seen = new Set(answers.map(({ status }) => status))
  for (const status of [200, 400, 401, 403, 404, 405, 413, 415, 500, 503])
    assert.ok(seen.has(status), `no ${status}`)
})

const metrics = async () => (await fetch(`${rounds.adminUrl}/metrics`)).text()
const foundIn = (text: string, excused = new Set<string>()) =>
  [...canaries].filter(([value]) => text.includes(value) && !excused.has(value)).map(([, where]) => where)

test('no log line and no metric holds any of it', async () => {
  assert.ok(canaries.size > 100 && rounds.log().includes('a fault of ours'))
  assert.ok(rounds.log().includes('the database is unavailable'))
  assert.deepEqual(foundIn(rounds.log()), [])
  assert.deepEqual(foundIn(await metrics()), [])
})

test('no error holds a value of it, and names of fields only for their sender', () => {
  const errors = answers.filter(({ status }) => status >= 400)
  assert.ok(errors.length > 200)
  for (const { text, headers: sent } of errors) {
    assert.deepEqual(foundIn(`${text}${JSON.stringify([...sent])}`, toldToSender), [])
  }
})
