// Input that a careless service would coerce, cut, guess at or fall over. All of it is refused, by every operation that
// takes such input, and nothing of it is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyExamples, exampleAddress, type Operation, readDocument } from '../support/api-document.ts'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'

const rounds = await startRounds()
const PATIENT = 'patient-1' // of the examples
const token = await rounds.token({ patientUid: PATIENT })
const { operations } = await readDocument(rounds)
const ADD = '/casesheet/readings/add'

/** A reading with a field more, or with one field put otherwise, as text: JSON.stringify would mend most of these. */
const reading = (field: string) =>
  `{"patientUid":"${PATIENT}","readingType":"acme.x","timestamp":1762000000000,${field}}`
const instead = (name: string, value: string) =>
  reading('"n":1').replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${value}`)
const withBytes = (...bytes: number[]) =>
  Buffer.concat([Buffer.from(reading('"note":"').slice(0, -1)), Buffer.from(bytes), Buffer.from('"}')])

const BODIES: Record<string, [body: string | Buffer, code: 'ValidationFailed' | 'MalformedJson']> = {
  'null for a number': [instead('timestamp', 'null'), 'ValidationFailed'],
  'true for a number': [instead('timestamp', 'true'), 'ValidationFailed'],
  'a text for a number': [instead('timestamp', '"1"'), 'ValidationFailed'],
  'an empty text for a number': [instead('timestamp', '""'), 'ValidationFailed'],
  'a list for a number': [instead('timestamp', '[1]'), 'ValidationFailed'],
  'a number for a text': [instead('readingType', '7'), 'ValidationFailed'],
  'a number for a patient': [instead('patientUid', '7'), 'ValidationFailed'],
  'a list for a patient': [instead('patientUid', `["${PATIENT}"]`), 'ValidationFailed'],
  'a patient with a character that turns text around': [
    instead('patientUid', `"${PATIENT}\u202e"`),
    'ValidationFailed',
  ],
  'a time before 1970': [instead('timestamp', '-1'), 'ValidationFailed'],
  'a time after the year 9999': [instead('timestamp', '253402300800000'), 'ValidationFailed'],
  'a time past all time': [instead('timestamp', '1e300'), 'ValidationFailed'],
  'the key __proto__': [reading('"__proto__":{"isAdmin":true}'), 'ValidationFailed'],
  'the key constructor.prototype': [reading('"constructor":{"prototype":{}}'), 'ValidationFailed'],
  'a key twice': [reading('"a":1,"a":2'), 'ValidationFailed'],
  'a key twice, once escaped': [reading('"a":1,"\\u0061":2'), 'ValidationFailed'],
  'the patient twice': [reading('"patientUid":"other"'), 'ValidationFailed'],
  'a nesting of 20,000': [reading(`"n":${'['.repeat(20_000)}${']'.repeat(20_000)}`), 'ValidationFailed'],
  'a number that no double holds': [reading('"n":1e400'), 'ValidationFailed'],
  'a number that a double changes': [reading('"n":9007199254740993'), 'ValidationFailed'],
  NaN: [reading('"n":NaN'), 'MalformedJson'],
  Infinity: [reading('"n":Infinity'), 'MalformedJson'],
  'a NUL in a text': [reading('"note":"a\\u0000b"'), 'ValidationFailed'],
  'half of a surrogate pair': [reading('"note":"\\ud800"'), 'ValidationFailed'],
  'a byte that is no UTF-8': [withBytes(0xff), 'MalformedJson'],
  'overlong UTF-8': [withBytes(0xc0, 0xaf), 'MalformedJson'],
  'a surrogate in UTF-8': [withBytes(0xed, 0xa0, 0x80), 'MalformedJson'],
  'a byte order mark': [`\ufeff${reading('"n":1')}`, 'MalformedJson'],
  'no body': ['', 'MalformedJson'],
  'a body that was cut off': [reading('"n":1').slice(0, -1), 'MalformedJson'],
}
const inList = (body: string | Buffer) =>
  Buffer.concat([Buffer.from('['), Buffer.from(body), Buffer.from(']')])

for (const [name, [raw, code]] of Object.entries(BODIES)) {
  test(`a body with ${name} is refused, alone, in a list, and where each reading is judged`, async () => {
    assertRefused(await rounds.call(ADD, { token, raw }), 400, code)
    if (name !== 'no body') assertRefused(await rounds.call(ADD, { token, raw: inList(raw) }), 400, code)
    const judged = await rounds.call(ADD, { token, raw, headers: { prefer: 'return=representation' } })
    if (judged.status === 200)
      assert.deepEqual(
        judged.json.data.map(({ verdict }) => verdict),
        ['rejected'],
      )
    else assertRefused(judged, 400, code)
    assert.deepEqual(
      await runSql(rounds.ownerUrl, 'select count(*)::int as stored from casesheet.readings'),
      [{ stored: 0 }],
    )
  })
}

const NOT_NUMBERS = [
  '',
  '%20',
  '0x10',
  '1e3',
  '-1',
  '%2B1',
  '1_000',
  '1,5',
  '9'.repeat(20),
  'NaN',
  'Infinity',
  '%D9%A3',
  'null',
]
const NOT_TEXTS = ['%00', '%ff', '%c0%af', '%ed%a0%80', '%zz', '%', 'a?%00']

type Parameter = NonNullable<Operation['parameters']>[number] & { schema?: { type?: string } }
const inQuery = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter((one) => one.in === 'query')

for (const [index, operation] of operations.entries()) {
  const refuses = async (query: string, without: string[] = []) => {
    const answer = await rounds.call(`${exampleAddress(operation, ['cursor', ...without])}&${query}`, {
      token,
      body: bodyExamples(operation)[0]?.value,
    })
    assertRefused(answer, 400, 'ValidationFailed')
  }
  test(`${operation.name} refuses a query that it does not know`, async () => {
    for (const query of [
      'unknown=1',
      'patientUid[]=a',
      'PATIENTUID=a',
      '__proto__=1',
      'constructor=1',
      '=1',
    ]) {
      await refuses(query)
    }
    // Each of them is tried in each parameter below.
    await refuses(`unknown=${NOT_TEXTS[index % NOT_TEXTS.length]}`)
  })
  for (const { name, schema } of inQuery(operation)) {
    test(`${operation.name} refuses a ${name} that is none`, async () => {
      for (const value of NOT_TEXTS) await refuses(`${name}=${value}`, [name])
      const isNumber = schema?.type === 'number' || schema?.type === 'integer'
      for (const value of isNumber ? NOT_NUMBERS : []) await refuses(`${name}=${value}`, [name])
      if (schema?.type !== 'array') await refuses(`${name}=1&${name}=1`, [name])
      if (name === 'from' || name === 'to') await refuses(`${name}=253402300800000`, [name])
      if (name === 'patientUid') await refuses(`${name}=a%E2%80%AEb`, [name])
    })
  }
}
