// Where malformed JSON is at fault, as an answer says it: line, column and byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'

const rounds = await startRounds()
const { patientUid, token } = await newPatient(rounds)
const send = (raw: string | Buffer) => rounds.call('/casesheet/readings/add', { token, raw })
const HEAD = `{"patientUid":"${patientUid}","readingType":"acme.any","timestamp":1`
const N = HEAD.length

type Fault = [what: string, body: string | Buffer, code: string, line: number, column: number, byte: number]

const FAULTS: Fault[] = [
  ['no body', '', 'MalformedJson', 1, 1, 0],
  ['a body that is cut off', HEAD, 'MalformedJson', 1, N + 1, N],
  ['a comma too many', `${HEAD},}`, 'MalformedJson', 1, N + 2, N + 1],
  ['a comma that is missing', `${HEAD}\n  "a":1}`, 'MalformedJson', 2, 3, N + 3],
  ['a name without quotes', `${HEAD},\r\n\r\n\ta:1}`, 'MalformedJson', 3, 2, N + 6],
  ['a word that is none', `${HEAD},"é😀":nul}`, 'MalformedJson', 1, N + 7, N + 10],
  ['a control character in a text', `${HEAD},"a":"\n"}`, 'MalformedJson', 1, N + 7, N + 6],
  ['an escape that is none', `${HEAD},"a":"\\x"}`, 'MalformedJson', 1, N + 7, N + 6],
  ['a number with a leading zero', `${HEAD},"a":01}`, 'MalformedJson', 1, N + 7, N + 6],
  ['a bracket that fits no other', `${HEAD}]`, 'MalformedJson', 1, N + 1, N],
  ['something behind the reading', `${HEAD}}\nx`, 'MalformedJson', 2, 1, N + 2],
  ['a byte order mark', `\ufeff${HEAD}}`, 'MalformedJson', 1, 1, 0],
  ['two readings without a list', `${HEAD}}${HEAD}}`, 'MalformedJson', 1, N + 2, N + 1],
  ['a colon too many', `${HEAD},"a"::1}`, 'MalformedJson', 1, N + 6, N + 5],
  ['a list that is cut off', `[${HEAD}}`, 'MalformedJson', 1, N + 3, N + 2],
  ['a list with a comma too many', `[${HEAD}},\n]`, 'MalformedJson', 2, 1, N + 4],
  ['a fault in the second of a list', `[${HEAD}},\n${HEAD},"a":}]`, 'MalformedJson', 2, N + 6, 2 * N + 9],
  ['something behind a list', `[${HEAD}}]]`, 'MalformedJson', 1, N + 4, N + 3],
  [
    'a byte that is no UTF-8',
    Buffer.concat([Buffer.from(`${HEAD},\n"é":"`), Buffer.from([0xff]), Buffer.from('"}')]),
    'MalformedJson',
    2,
    6,
    N + 8,
  ],
  ['a name given twice', `${HEAD},\n "é":1, "a":{"b":1,"b":2}}`, 'ValidationFailed', 2, 20, N + 22],
  ['a name given twice in a list', `[1,\n{"a":1,"a":2}]`, 'ValidationFailed', 2, 8, 11],
  ['a number that no double holds', `${HEAD},"a":9007199254740993}`, 'ValidationFailed', 1, N + 6, N + 5],
  ['a number that is too long', `${HEAD},"a":${'1'.repeat(401)}}`, 'ValidationFailed', 1, N + 6, N + 5],
  ['a name that is too long', `${HEAD},"${'k'.repeat(1_025)}" :1}`, 'ValidationFailed', 1, N + 2, N + 1],
  ['half of a surrogate pair', `${HEAD},"a":"\\ud800"}`, 'ValidationFailed', 1, N + 6, N + 5],
  [
    'nesting that is too deep',
    `${HEAD},"a":${'['.repeat(16)}${']'.repeat(16)}}`,
    'ValidationFailed',
    1,
    N + 21,
    N + 20,
  ],
]

test('the answer says line, column and byte, in words and as numbers, and repeats nothing of the body', async () => {
  for (const [what, body, code, line, column, byte] of FAULTS) {
    const { status, json, text } = await send(body)
    assert.deepEqual([status, json.code], [400, code], what)
    assert.deepEqual(Object(json).position, { line, column, byte }, what)
    assert.ok(
      json.message.endsWith(`: line ${line}, column ${column}, byte ${byte}.`),
      `${what}: ${json.message}`,
    )
    assert.ok(!text.includes(patientUid), what)
  }
})

test('what is refused for another reason has no position', async () => {
  for (const body of ['{}', '[]', `{"a":"${'x'.repeat(70_000)}"}`]) {
    assert.equal('position' in (await send(body)).json, false)
  }
})
