// The most expensive bodies that a client can send, through HTTP, and answers that stay small. CPU time is that of the event
// loop, in which the client runs too; the bound is far above what is needed here and far below what each of these once took.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../support/harness.ts'

const rounds = await startRounds()
const ADD = '/casesheet/readings/add'
const token = await rounds.token({ patientUid: 'p1' })
const MAX_BYTES = 4 * 1_024 * 1_024
const LARGEST = MAX_BYTES - 2
const MAX_CPU_MS = 300
const REPRESENTATION = { prefer: 'return=representation' }

const HUNDRED_DIGITS = printed(2 ** -900, 100)
const FIELDS = '"patientUid":"p1","readingType":"acme.x"'
const reading = (index: number, field: string) => `{${FIELDS},"timestamp":${index},${field}}`
const symptom = (index: number, symptoms: string) =>
  `{"patientUid":"p1","readingType":"symptom","timestamp":${index},"symptoms":[${symptoms}]}`
const list = (length: number, item: (index: number) => string) =>
  `[${Array.from({ length }, (_, index) => item(index)).join()}]`
const filled = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length)).slice(0, -1)
const manyKeys = (length: number) => Array.from({ length }, (_, n) => `"k${n}":1`).join()

function printed(number: number, digits: number) {
  return number.toPrecision(digits)
}

async function cpuOf<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const before = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  return [result, (user + system) / 1_000]
}

const REFUSED: Record<string, [body: string, status: number, code: string]> = {
  'a number of 60,000 digits': [reading(1, `"n":1${'0'.repeat(60_000)}1`), 400, 'ValidationFailed'],
  'a fraction of 60,000 digits': [reading(1, `"n":0.1${'0'.repeat(60_000)}1`), 400, 'ValidationFailed'],
  'a number of 4 MB in a list': [`[${'1'.repeat(4_000_000)}]`, 413, 'BodyTooLarge'],
  'small numbers': [`[${filled('1e1,', LARGEST)}]`, 400, 'ValidationFailed'],
  'numbers of 17 digits': [`[${filled('36.600000000000001,', LARGEST)}]`, 400, 'ValidationFailed'],
  'numbers of 100 digits': [`[${filled(`${HUNDRED_DIGITS},`, LARGEST)}]`, 400, 'ValidationFailed'],
  'empty objects': [`[${filled('{},', LARGEST)}]`, 400, 'ValidationFailed'],
  'numbers of 17 digits in readings': [
    list(200, (n) => reading(n, `"n":[${filled('36.600000000000001,', 18_000)}]`)),
    413,
    'BodyTooLarge',
  ],
  'numbers of 100 digits in readings': [
    list(60, (n) => reading(n, `"n":[${filled(`${HUNDRED_DIGITS},`, 60_000)}]`)),
    413,
    'BodyTooLarge',
  ],
  'colons between numbers of 100 digits': [
    `[${filled(`${HUNDRED_DIGITS}::::::::::,`, LARGEST)}]`,
    400,
    'MalformedJson',
  ],
  'names without values': [`[{${filled('"":', LARGEST - 2)}]`, 400, 'MalformedJson'],
  'empty texts in one reading': [`[${reading(1, `"n":[${filled('"",', 4_000_000)}]`)}]`, 413, 'BodyTooLarge'],
  'a nesting of two million': ['['.repeat(2_000_000) + ']'.repeat(2_000_000), 400, 'ValidationFailed'],
  '350,000 keys': [`[{${manyKeys(350_000)}}]`, 413, 'BodyTooLarge'],
  'a key of 2 MB twice': [
    `[{"${'k'.repeat(2_000_000)}":1,"${'k'.repeat(2_000_000)}":1}]`,
    413,
    'BodyTooLarge',
  ],
  'a key of 30 KB twice': [`{"${'k'.repeat(30_000)}":1,"${'k'.repeat(30_000)}":1}`, 400, 'ValidationFailed'],
  'empty symptoms in one reading': [`[${symptom(1, filled('{},', 4_000_000))}]`, 413, 'BodyTooLarge'],
  'empty symptoms in each reading': [
    list(29, (n) => symptom(n, filled('{},', 2_900))),
    400,
    'ValidationFailed',
  ],
  'backslashes that never end': [`["${'\\'.repeat(4_000_001)}`, 400, 'MalformedJson'],
  'white space': [`[${' '.repeat(4_000_000)}`, 400, 'MalformedJson'],
  'white space in one reading': [`[${reading(1, `"n":[${' '.repeat(4_000_000)}]`)}]`, 413, 'BodyTooLarge'],
}

for (const [name, [raw, status, code]] of Object.entries(REFUSED)) {
  test(`a body of ${name} is refused at little cost, with a small answer`, async () => {
    assert.ok(raw.length <= MAX_BYTES)
    for (const headers of [{}, REPRESENTATION]) {
      const [answer, ms] = await cpuOf(() => rounds.call(ADD, { token, raw, headers }))
      if (answer.status !== 200) assertRefused(answer, status, code)
      else assert.ok(answer.json.data.every(({ verdict }) => verdict === 'rejected'))
      assert.ok(answer.text.length < 100_000, `${answer.text.length} bytes`)
      assert.ok(ms < MAX_CPU_MS, `${Math.round(ms)} ms`)
    }
  })
}

const ACCEPTED: Record<string, string> = {
  '1,000 readings of 20 fields': list(1_000, (n) => reading(n, manyKeys(20))),
  '1,000 readings of three symptoms': list(1_000, (n) =>
    symptom(n, filled('{"symptom":"cough","severity":"MILD"},', 130)),
  ),
  '1,000 readings of 4 KB of text': list(1_000, (n) => reading(n, `"t":"${'x'.repeat(4_100)}"`)),
  '64 readings of 64 KB of quotes': list(63, (n) => reading(n, `"t":"${'\\"'.repeat(32_000)}"`)),
  '64 readings of 64 KB of line ends': list(63, (n) => reading(n, `"t":"${'\\n'.repeat(32_000)}"`)),
  '64 readings of 64 KB beyond ASCII': list(63, (n) => reading(n, `"t":"${'ü€'.repeat(12_800)}"`)),
  '29 readings of 990 numbers of 17 digits': list(29, (n) =>
    reading(n, `"n":[${filled('36.600000000000001,', 18_800)}]`),
  ),
  '29 readings of 990 fields': list(29, (n) => reading(n, manyKeys(990))),
}
for (const [name, raw] of Object.entries(ACCEPTED)) {
  test(`a list of ${name} is stored`, async () => {
    assert.ok(Buffer.byteLength(raw) <= MAX_BYTES)
    const answer = await rounds.call(ADD, { token, raw })
    assert.equal(answer.status, 200, answer.text)
  })
}

test('every rejected reading has an error of its own, and an answer with a thousand of them stays small', async () => {
  const wrong = filled('{"symptom":"","severity":"low"},', 260)
  const body = list(1_000, (n) => symptom(n, wrong))
  const { status, json, text } = await rounds.call(ADD, { token, raw: body, headers: REPRESENTATION })
  assert.equal(status, 200)
  const counts = json.data.map(({ errors }) => (errors as unknown[]).length)
  assert.equal(counts.length, 1_000)
  assert.equal(counts[0], 16)
  assert.equal(Math.min(...counts), 1)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    2_000,
  )
  assert.ok(text.length < 1_000_000, `${text.length} bytes`)
})

test('an error answer takes 16 KiB at most, whatever the names in the request are', async () => {
  const nested = '{"\\u0001\\u0002~/'.concat('k'.repeat(1_000), '":')
  const bodies = [
    `{"${'~'.repeat(1_024)}":1,"${'~'.repeat(1_024)}":1}`,
    `{"${'\\u0001'.repeat(170)}":1,"${'\\u0001'.repeat(170)}":1}`,
    `${nested.repeat(15)}1e400${'}'.repeat(15)}`,
    `{"${'😀'.repeat(255)}x":1e400}`,
  ]
  for (const raw of bodies) {
    const answer = await rounds.call(ADD, { token, raw })
    assertRefused(answer, 400, 'ValidationFailed')
    assert.ok(answer.text.isWellFormed())
    assert.ok((answer.json.errors[0]?.pointer.length ?? 999) <= 256)
    assert.ok(Buffer.byteLength(answer.text) < 4_096)
  }
  const names = Array.from({ length: 20 }, (_, n) => `${n}${'%01'.repeat(120)}`).join('&')
  const answer = await rounds.call(`/casesheet/readings/get?${names}`, { token })
  assertRefused(answer, 400, 'ValidationFailed')
  assert.ok(answer.json.errors.length > 10)
  assert.ok(Buffer.byteLength(answer.text) < 16_384)
})
