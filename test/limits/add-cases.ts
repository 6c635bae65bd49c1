// readings/add: bodies at the largest size that each of their parts may have, and beyond it.
import { type Add, adds, type Callers, type Case } from './case.ts'

const UID = 'sender'
const LIST_BYTES = 4 * 1_024 * 1_024 - 1_024
const ONE_BYTES = 64 * 1_024 - 300
const EACH = { prefer: 'return=representation' }

let next = 1_600_000_000_000
/** A reading as JSON, at a time of its own; `fields` are written as they are. */
const reading = (fields: string, type = 'acme.limits') =>
  `{"patientUid":"${UID}","readingType":"${type}","timestamp":${next++}${fields === '' ? '' : `,${fields}`}}`
const list = (count: number, each: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => each(index)).join()}]`
/** As many readings as there may be, which fill a list with texts of `character`. */
const fullOf = (character: string) => {
  const count = Math.floor((LIST_BYTES / 1_000 - 150) / Buffer.byteLength(character))
  return list(1_000, () => reading(`"text":"${character.repeat(count)}"`))
}
const filled = (bytes: number, begin: string, part: string, end: string) =>
  begin + part.repeat(Math.floor((bytes - begin.length - end.length) / Buffer.byteLength(part))) + end
const repeated = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join()
const symptoms = (count: number, symptom: string) => `"symptoms":[${repeated(count, () => symptom)}]`
const keys = (count: number) => repeated(count, (index) => `"k${index}":1`)
const longText = (character: string) =>
  `"text":"${character.repeat(Math.floor(ONE_BYTES / character.length))}"`
const EMPTY_SYMPTOMS = `{"patientUid":"${UID}","readingType":"symptom","timestamp":1,"symptoms":[{}`

const ONE: Add[] = [
  ['one reading', () => reading('"value":72', 'heartRate'), 200],
  ['one reading, a text of 64 KiB', () => reading(longText('x')), 200],
  ['one reading, 64 KiB of escapes', () => reading(longText('\\u00e9')), 200],
  [
    'one reading, 100 symptoms of 500 characters',
    () => reading(symptoms(100, `{"symptom":"${'x'.repeat(500)}","severity":"MILD"}`), 'symptom'),
    200,
  ],
  ['one reading, 990 fields', () => reading(keys(990)), 200],
  ['one reading, 29,000 samples', () => reading(`"samples":[${repeated(29_000, () => '1')}]`), 200],
  ['one reading, a number of 60,000 digits', () => reading(`"value":${'1'.repeat(60_000)}`), 400],
  ['one reading, 60,000 zeros and a one', () => reading(`"value":1${'0'.repeat(60_000)}1`), 400],
  ['one reading, 6,000 fields', () => reading(keys(6_000)), 400],
  ['one reading, 30,000 levels', () => reading(`"a":${'['.repeat(30_000)}${']'.repeat(30_000)}`), 400],
]

const thousandOrdinary = () => list(1_000, (n) => reading(`"value":${60 + (n % 40)}`, 'heartRate'))
const fullList = () => fullOf('x')

const LISTS: Add[] = [
  ['1,000 ordinary readings', thousandOrdinary, 200],
  [
    '1,000 readings with three symptoms each',
    () => list(1_000, () => reading(symptoms(3, '{"symptom":"headache","severity":"MODERATE"}'), 'symptom')),
    200,
  ],
  ['1,000 readings of 25 fields', () => list(1_000, () => reading(keys(25))), 200],
  ['4 MiB, texts of 4 KiB', fullList, 200],
  ['4 MiB, texts of escapes', () => fullOf('\\n'), 200],
  ['4 MiB, texts outside ASCII', () => fullOf('é'), 200],
  ['4 MiB, 63 readings of 64 KiB', () => list(63, () => reading(longText('x'))), 200],
]

/** Refused as a whole, with or without verdicts. */
const HOSTILE_LISTS: Add[] = [
  ['4 MiB, numbers such as 1e1', () => filled(LIST_BYTES, '[1e1', ',1e1', ']'), 400],
  ['4 MiB, numbers of 17 digits', () => filled(LIST_BYTES, '[1', ',12345678901234568', ']'), 400],
  ['4 MiB, empty objects', () => filled(LIST_BYTES, '[{}', ',{}', ']'), 400],
  ['4 MiB, one reading of empty symptoms', () => `[${filled(LIST_BYTES, EMPTY_SYMPTOMS, ',{}', ']}')}]`, 413],
  [
    '4 MiB, 64 readings of empty symptoms',
    () => list(64, () => filled(LIST_BYTES / 64, EMPTY_SYMPTOMS, ',{}', ']}')),
    413,
  ],
  ['4 MiB, two million levels', () => '['.repeat(LIST_BYTES / 2) + ']'.repeat(LIST_BYTES / 2), 400],
  ['4 MiB, levels that never end', () => '['.repeat(LIST_BYTES), 400],
  ['4 MiB, 350,000 keys', () => `[{${keys(350_000)}}]`, 413],
  ['a key of 2 MB given twice', () => `[{"${'k'.repeat(2_000_000)}":1,"${'k'.repeat(2_000_000)}":1}]`, 413],
  ['a number of 4 MB', () => `[${'9'.repeat(4_000_000)}]`, 413],
  ['4 MiB, one text', () => `["${'x'.repeat(LIST_BYTES - 10)}"]`, 413],
  ['4 MiB, one text that never ends', () => `["${'x'.repeat(LIST_BYTES)}`, 400],
  ['4 MiB, blanks', () => `[${' '.repeat(LIST_BYTES)}]`, 400],
  ['4 MiB, blanks within a reading', () => `[[${' '.repeat(LIST_BYTES)}]]`, 413],
]

/** Refused as a whole, and one by one where each reading is answered. */
const WRONG_LISTS: Add[] = [
  ['1,000 wrong readings', () => list(1_000, () => reading('"value":"x","unit":7', 'heartRate')), 400],
  [
    '90 readings with 100 wrong symptoms each',
    () => list(90, () => reading(symptoms(100, '{"symptom":"","severity":"x"}'), 'symptom')),
    400,
  ],
  [
    '4 MiB, 1,000 readings with a number that no double holds',
    () => list(1_000, () => reading(`"text":"${'x'.repeat(4_000)}","value":1e999`)),
    400,
  ],
  [
    '100 readings of 250 levels',
    () => list(100, () => reading(`"a":${'['.repeat(250)}${']'.repeat(250)}`)),
    400,
  ],
  ['1,000 readings of another patient', () => list(1_000, () => reading('').replace(UID, 'another')), 403],
]

export function addCases(callers: Callers): Case[] {
  return [
    ...adds(callers, 'sender', [...ONE, ...LISTS, ...HOSTILE_LISTS, ...WRONG_LISTS]),
    ...adds(callers, 'sender', LISTS, EACH),
    ...adds(
      callers,
      'sender',
      WRONG_LISTS.map(([input, body]): Add => [input, body, 200]),
      EACH,
    ),
    ...adds(callers, 'nobody', [['4 MiB without a token', fullList, 401]]),
    ...adds(callers, 'anyone', [['4 MiB, a token without a patient', fullList, 403]]),
    ...adds(callers, 'carer', [['1,000 readings, a token with 60 patients', thousandOrdinary, 403]]),
    {
      operation: 'without a token',
      input: 'a list of 4 MiB to an unknown path',
      status: 404,
      make: () => ({ path: '/nothing', body: Buffer.from(fullList()) }),
    },
  ]
}
