// Files that are refused as a whole, with a sentence that names the place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyRefused } from '../../../../test/support/directory.ts'
import { createDatabase } from '../../../../test/support/harness.ts'

const { ownerUrl } = await createDatabase()
const ok = { name: 'Dr. Fine (invented)', specialities: ['A'] }

const badFields: [object, string][] = [
  [{ name: undefined }, 'doctors[1].name is required'],
  [{ name: '' }, 'doctors[1].name must be a text of 1 to 200'],
  [{ name: '   ' }, 'doctors[1].name must be a text'],
  [{ name: '\u200d\u0301' }, 'doctors[1].name must be a text'],
  [{ name: ' Blank ahead' }, 'doctors[1].name must be a text'],
  [{ name: 7 }, 'doctors[1].name must be a text'],
  [{ name: null }, 'doctors[1].name must be a text'],
  [{ name: 'x'.repeat(201) }, 'doctors[1].name must be a text'],
  [{ name: '\ufdfa'.repeat(100) }, 'doctors[1].name must be shorter'],
  [{ name: 'a\0b' }, 'doctors[1].name must be a text'],
  [{ name: 'a\nb' }, 'doctors[1].name must be a text'],
  [{ name: 'a\ud800b' }, 'doctors[1].name must be a text'],
  [{ name: 'a\u202eb' }, 'doctors[1].name must be a text'],
  [{ specialities: undefined }, 'doctors[1].specialities is required'],
  [{ specialities: 'A' }, 'doctors[1].specialities must be a list'],
  [{ specialities: ['A', 'A'] }, 'doctors[1].specialities must be a list of at most 100 titles, each once'],
  [{ specialities: ['A', 5] }, 'doctors[1].specialities[1] must be a text'],
  [{ specialities: [{ title: 'A' }] }, 'doctors[1].specialities[0] must be a text'],
  [{ doctorId: '' }, 'doctors[1].doctorId must be a text of 1 to 100 characters without white space'],
  [{ doctorId: 'a b' }, 'doctors[1].doctorId must be'],
  [{ doctorId: null }, 'doctors[1].doctorId must be'],
  [{ experienceYears: -1 }, 'doctors[1].experienceYears must be a whole number from 0 to 100'],
  [{ experienceYears: 1.5 }, 'doctors[1].experienceYears must be'],
  [{ experienceYears: '5' }, 'doctors[1].experienceYears must be'],
  [{ languages: ['en', 'not a tag'] }, 'doctors[1].languages[1] must be a language tag'],
  [{ languages: ['en_IN'] }, 'doctors[1].languages[0] must be a language tag'],
  [{ languages: 'en' }, 'doctors[1].languages must be a list'],
  [{ photoUrl: 'ftp://photos.example/1' }, 'doctors[1].photoUrl must be an http(s) address'],
  [{ photoUrl: 'javascript:alert(1)' }, 'doctors[1].photoUrl must be'],
  [{ photoUrl: 'https://[' }, 'doctors[1].photoUrl must be'],
  [{ isActive: 'yes' }, 'doctors[1].isActive must be true or false'],
  [{ city: '' }, 'doctors[1].city must be'],
  [{ salary: 1 }, 'doctors[1].salary is not known here'],
  [{ created: '2026-01-01T00:00:00.000Z' }, 'doctors[1].created is not known here'],
]
for (const [fields, sentence] of badFields) {
  test(`a bad field is refused by its place: ${sentence} (${JSON.stringify(fields).slice(0, 40)})`, async () => {
    const message = await whyRefused(ownerUrl, { doctors: [ok, { ...ok, ...fields }] })
    assert.ok(message.includes(`\n  ${sentence}`), message)
  })
}

const badFiles: [string, string | Buffer, RegExp][] = [
  ['nothing', '', /must be a JSON object/],
  ['cut off', '{"doctors": [', /not well-formed JSON/],
  ['bad JSON', '{"doctors": [{"name": tru}]}', /not well-formed JSON in UTF-8 \(at byte 25\)/],
  ['two values', '{"doctors": []} {}', /not well-formed JSON/],
  ['not UTF-8', Buffer.from('{"doctors": [{"name": "\xe9", "specialities": []}]}', 'latin1'), /UTF-8/],
  ['a list', '[]', /must be a JSON object/],
  ['an empty object', '{}', /must be a JSON object/],
  ['another list', '{"nurses": []}', /holds "nurses"/],
  ['a list twice', '{"doctors": [], "doctors": []}', /holds doctors twice/],
  ['no list', '{"doctors": {"a": 1}}', /doctors must be a list/],
  ['a text for a list', '{"doctors": "specialities"}', /doctors must be a list/],
  ['no record', '{"doctors": [5]}', /doctors\[0\] must be an object/],
  [
    'a field twice',
    '{"doctors": [{"name": "X", "name": "Y", "specialities": []}]}',
    /doctors\[0\] has a field twice/,
  ],
  ['no title', '{"specialities": [{}]}', /specialities\[0\]\.title is required/],
]
for (const [what, content, sentence] of badFiles) {
  test(`a file that holds ${what} is refused with a sentence`, async () => {
    assert.match(await whyRefused(ownerUrl, content), sentence)
  })
}

test('the first twenty mistakes are reported at once', async () => {
  const message = await whyRefused(ownerUrl, {
    doctors: Array.from({ length: 30 }, () => ({ ...ok, name: 7, city: 8 })),
  })
  assert.equal(message.match(/\n {2}doctors\[\d+\]/g)?.length, 20)
  assert.match(message, /doctors\[9\]\.city .*\n {2}\(There may be more\.\)$/)
})
