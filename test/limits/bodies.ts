// Bodies of `readings/add` at the largest size that each of their parts may have, and beyond it.

export type Body = { input: string; body: Buffer; status: number; headers?: Record<string, string> }

const UID = 'sender'
const LIST_BYTES = 4 * 1_024 * 1_024 - 1_024
const ONE_BYTES = 64 * 1_024 - 300

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
const symptoms = (count: number, symptom: string) =>
  `"symptoms":[${Array.from({ length: count }, () => symptom).join()}]`
const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join()

/** What is sent is made anew for each request, so that no reading is there already. */
export const permitted: [input: string, make: () => string][] = [
  ['one reading', () => reading('"value":72', 'heartRate')],
  ['one reading, a text of 64 KiB', () => reading(`"text":"${'x'.repeat(ONE_BYTES)}"`)],
  [
    'one reading, 64 KiB of escapes',
    () => reading(`"text":"${'\\u00e9'.repeat(Math.floor(ONE_BYTES / 6))}"`),
  ],
  [
    'one reading, 100 symptoms of 500 characters',
    () => reading(symptoms(100, `{"symptom":"${'x'.repeat(500)}","severity":"MILD"}`), 'symptom'),
  ],
  [
    'a list of 1,000 ordinary readings',
    () => list(1_000, (index) => reading(`"value":${60 + (index % 40)}`, 'heartRate')),
  ],
  [
    'a list of 1,000 with three symptoms each',
    () => list(1_000, () => reading(symptoms(3, '{"symptom":"headache","severity":"MODERATE"}'), 'symptom')),
  ],
  ['a list of 4 MiB, texts of 4 KiB', () => fullOf('x')],
  ['a list of 4 MiB, texts of escapes', () => fullOf('\\n')],
  ['a list of 4 MiB, texts outside ASCII', () => fullOf('é')],
  [
    'a list of 4 MiB, 64 readings of 64 KiB',
    () => list(63, () => reading(`"text":"${'x'.repeat(ONE_BYTES)}"`)),
  ],
]

export const refused: [input: string, make: () => string][] = [
  ['one reading, a number of 60,000 digits', () => reading(`"value":${'1'.repeat(60_000)}`)],
  ['one reading, 60,000 zeros and a one', () => reading(`"value":1${'0'.repeat(60_000)}1`)],
  [
    'one reading, 64 KiB of empty objects',
    () =>
      filled(ONE_BYTES, `{"patientUid":"${UID}","readingType":"acme.x","timestamp":1,"a":[{}`, ',{}', ']}'),
  ],
  ['one reading, 6,000 fields', () => reading(keys(6_000))],
  ['one reading, 30,000 levels', () => reading(`"a":${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
  ['a list of 4 MiB, numbers such as 1e1', () => filled(LIST_BYTES, '[1e1', ',1e1', ']')],
  ['a list of 4 MiB, numbers of 17 digits', () => filled(LIST_BYTES, '[1', ',12345678901234567', ']')],
  ['a list of 4 MiB, empty objects', () => filled(LIST_BYTES, '[{}', ',{}', ']')],
  [
    'a list of 4 MiB, empty symptoms',
    () =>
      `[${filled(LIST_BYTES, `{"patientUid":"${UID}","readingType":"symptom","timestamp":1,"symptoms":[{}`, ',{}', ']}')}]`,
  ],
  [
    'a list of 4 MiB, empty symptoms in each of 64',
    () =>
      list(64, () =>
        filled(
          LIST_BYTES / 64,
          `{"patientUid":"${UID}","readingType":"symptom","timestamp":1,"symptoms":[{}`,
          ',{}',
          ']}',
        ),
      ),
  ],
  ['a list of 4 MiB, two million levels', () => '['.repeat(LIST_BYTES / 2) + ']'.repeat(LIST_BYTES / 2)],
  ['a list of 4 MiB, levels that never end', () => '['.repeat(LIST_BYTES)],
  ['a list of 4 MiB, 350,000 keys', () => `[{${keys(350_000)}}]`],
  [
    'a list with a key of 2 MB given twice',
    () => `[{"${'k'.repeat(2_000_000)}":1,"${'k'.repeat(2_000_000)}":1}]`,
  ],
  ['a list with a number of 4 MB', () => `[${'9'.repeat(4_000_000)}]`],
  ['a list of 4 MiB, one text', () => `["${'x'.repeat(LIST_BYTES - 10)}"]`],
  ['a list of 4 MiB, one text that never ends', () => `["${'x'.repeat(LIST_BYTES)}`],
  ['a list of 4 MiB, blanks', () => `[${' '.repeat(LIST_BYTES)}]`],
  ['a list of 4 MiB, blanks within a value', () => `[[${' '.repeat(LIST_BYTES)}]]`],
  ['a list of 1,000, all wrong', () => list(1_000, () => reading('"value":"x","unit":7', 'heartRate'))],
  [
    'a list of 1,000, 100 wrong symptoms each',
    () => list(1_000, () => reading(symptoms(100, '{"symptom":"","severity":"x"}'), 'symptom')),
  ],
  [
    'a list of 1,000 of another patient',
    () => list(1_000, () => '{"patientUid":"another","readingType":"acme.x","timestamp":1}'),
  ],
]
