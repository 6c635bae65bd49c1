import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { assertRefused, startRounds } from '../../../test/support/harness.ts'
import { Doctor } from './doctor.ts'

const PATH = '/appointments/doctors/list'
const rounds = await startRounds()
const token = await rounds.token()
await fillDirectory(rounds.ownerUrl, {
  specialities: [
    { title: 'Cardiology', specialityId: 'cardio' },
    { title: 'Ear, Nose & Throat', specialityId: 'ent' },
  ],
  doctors: [
    {
      doctorId: 'emile',
      name: 'Dr. Émile Zöller (invented)',
      gender: 'male',
      specialities: ['Ear, Nose & Throat', 'Cardiology'],
      qualifications: ['MBBS', 'MS'],
      registrationNumber: 'INVENTED-1',
      languages: ['FR-ch', 'en-IN'],
      experienceYears: 12,
      city: 'Zürich',
      photoUrl: 'https://photos.example/emile.jpg',
      isActive: false,
    },
    { doctorId: 'asha', name: 'Dr. Asha Rao (invented)', specialities: ['Cardiology'], languages: ['en'] },
    { doctorId: 'odd', name: 'Dr. 100%_Sure\\ (invented)', specialities: [], city: 'Łódź' },
    {
      doctorId: 'none',
      name: 'Straße Ødegård-O’Hara (invented)',
      specialities: [],
      languages: ['zh-Hant-TW'],
    },
  ],
})
const find = (query: Record<string, string>) =>
  rounds.call(`${PATH}?${new URLSearchParams(query).toString()}`, { token })
const idsOf = async (query: Record<string, string>) => {
  const { status, json } = await find(query)
  assert.equal(status, 200)
  return json.data.map(({ doctorId }) => doctorId)
}

test('doctors come in the exact envelope with every field, in order of name', async () => {
  const { status, json } = await find({})
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['status', 'message', 'data', 'nextCursor'])
  assert.deepEqual([json.status, json.nextCursor], ['success', null])
  assert.deepEqual(
    json.data.map(({ doctorId }) => doctorId),
    ['odd', 'asha', 'emile', 'none'],
  )
  const [odd, , emile] = json.data
  const { created, ...fields } = emile ?? {}
  assert.match(String(created), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(fields, {
    doctorId: 'emile',
    name: 'Dr. Émile Zöller (invented)',
    gender: 'male',
    specialities: [
      { specialityId: 'ent', title: 'Ear, Nose & Throat' },
      { specialityId: 'cardio', title: 'Cardiology' },
    ],
    qualifications: ['MBBS', 'MS'],
    registrationNumber: 'INVENTED-1',
    languages: ['fr-CH', 'en-IN'],
    experienceYears: 12,
    city: 'Zürich',
    photoUrl: 'https://photos.example/emile.jpg',
    isActive: false,
  })
  assert.deepEqual(
    { ...odd, created },
    {
      doctorId: 'odd',
      name: 'Dr. 100%_Sure\\ (invented)',
      gender: null,
      specialities: [],
      qualifications: [],
      registrationNumber: null,
      languages: [],
      experienceYears: null,
      city: 'Łódź',
      photoUrl: null,
      isActive: true,
      created,
    },
  )
  for (const doctor of json.data) assert.deepEqual(Object.keys(doctor), Object.keys(Doctor.properties))
})

const searches: [string, Record<string, string>, string[]][] = [
  ['part of a name, in any case', { q: 'SHA ra' }, ['asha']],
  ['accents ignored on both sides', { q: 'ëmile ZOL' }, ['emile']],
  ['letters that Unicode does not take apart', { q: 'strasse odegard' }, ['none']],
  ['either apostrophe', { q: "O'hara" }, ['none']],
  ['white space as one blank', { q: '  asha\t rao ' }, ['asha']],
  ['one letter at the beginning of a word', { q: 'z' }, ['emile']],
  ['two letters at the beginning of a name', { q: 'DR' }, ['odd', 'asha', 'emile']],
  ['two letters at the beginning of a word, accents ignored', { q: 'zö' }, ['emile']],
  ['two letters behind an apostrophe', { q: 'ha' }, ['none']],
  ['one letter behind a hyphen', { q: 'o' }, ['none']],
  ['words of few letters', { q: 'dr. a' }, ['asha']],
  ['no letters in the middle of a word', { q: 'ao' }, []],
  ['no signs alone', { q: '%' }, []],
  ['no blanks and signs', { q: '- -' }, []],
  ['no sign before few letters', { q: "'ha" }, []],
  ['few letters and an underscore, which is itself', { q: 'a_' }, []],
  ['also among letters', { q: '100%_sure' }, ['odd']],
  ['an underscore is itself', { q: 'a_a' }, []],
  ['so is a backslash', { q: 'sure\\' }, ['odd']],
  ['no such name', { q: 'nobody' }, []],
  ['a quote is no danger', { q: "' or true --" }, []],
  ['an accent alone is part of every name', { q: '\u0301' }, ['odd', 'asha', 'emile', 'none']],
  ['a speciality', { specialityId: 'cardio' }, ['asha', 'emile']],
  ['a speciality that nobody has', { specialityId: 'nothing' }, []],
  ['a language', { language: 'en' }, ['asha', 'emile']],
  ['a language with its region', { language: 'EN-in' }, ['emile']],
  ['a language with another region', { language: 'en-GB' }, []],
  ['a language with its script', { language: 'zh-hant' }, ['none']],
  ['a language by its longer code', { language: 'fra' }, ['emile']],
  ['no other language that begins alike', { language: 'frr' }, []],
  ['a city, in any case, accents ignored', { city: 'zuRICH' }, ['emile']],
  ['a city with a stroke', { city: 'lodz' }, ['odd']],
  ['the whole city only', { city: 'zur' }, []],
  ['all together', { q: 'zoll', specialityId: 'cardio', language: 'fr', city: 'Zürich' }, ['emile']],
  ['all together but one', { q: 'zoll', specialityId: 'cardio', language: 'fr', city: 'Pune' }, []],
]
for (const [what, query, ids] of searches) {
  test(`a search finds ${what}: ${JSON.stringify(query)}`, async () => {
    assert.deepEqual(await idsOf(query), ids)
  })
}

test('a caller that holds the page gets 304, and the page after a change is another', async () => {
  const first = await find({ q: 'asha' })
  const etag = String(first.headers.get('etag'))
  assert.match(etag, /^"[^"]+"$/)
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  const again = () => rounds.call(`${PATH}?q=asha`, { token, headers: { 'if-none-match': `"x", W/${etag}` } })
  assert.deepEqual([(await again()).status, (await again()).text], [304, ''])
  await fillDirectory(rounds.ownerUrl, {
    doctors: [
      {
        doctorId: 'asha',
        name: 'Dr. Asha Rao (invented)',
        specialities: ['Cardiology'],
        languages: ['en'],
        experienceYears: 3,
      },
    ],
  })
  assert.equal((await again()).status, 200)
})

const refused: [string, string][] = [
  ['limit=0', '/limit'],
  ['limit=1001', '/limit'],
  ['limit=ten', '/limit'],
  ['limit=1.5', '/limit'],
  ['limit=', '/limit'],
  ['limit=0x10', '/limit'],
  ['limit=5&limit=6', '/limit'],
  ['q=', '/q'],
  ['q=%20', '/q'],
  [`q=${'x'.repeat(201)}`, '/q'],
  ['q=a&q=b', '/q'],
  ['city=', '/city'],
  ['specialityId=', '/specialityId'],
  ['language=', '/language'],
  ['language=e', '/language'],
  ['language=not%20a%20tag', '/language'],
  ['language=en_IN', '/language'],
  ['name=asha', '/name'],
  ['Q=asha', '/Q'],
  ['q[]=asha', '/q[]'],
]
for (const [query, pointer] of refused) {
  test(`a bad query is refused with a pointer to its parameter: ${query.slice(0, 30)}`, async () => {
    const answer = await rounds.call(`${PATH}?${query}`, { token })
    assertRefused(answer, 400, 'ValidationFailed')
    assert.deepEqual(
      answer.json.errors.map((error) => error.pointer),
      [pointer],
    )
  })
}

test('what is no text is refused, and a token is needed', async () => {
  for (const query of ['q=%00', 'q=%ff', 'city=%zz']) {
    assertRefused(await rounds.call(`${PATH}?${query}`, { token }), 400, 'ValidationFailed')
  }
  assertRefused(await rounds.call(PATH), 401, 'TokenMissing')
})

test('doctors are found by id: as many as are there, in order of name, inactive ones too', async () => {
  const byId = async (ids: string[], more = '') => {
    const query = ids.map((id) => `doctorId=${encodeURIComponent(id)}`).join('&')
    return rounds.call(`${PATH}?${query}${more}`, { token })
  }
  const found = async (ids: string[], more?: string) =>
    (await byId(ids, more)).json.data.map(({ doctorId }) => doctorId)
  assert.deepEqual(await found(['none', 'emile', 'nobody', 'none', "' or true --"]), ['emile', 'none'])
  assert.deepEqual(await found(['none', 'emile', 'asha'], '&specialityId=cardio'), ['asha', 'emile'])
  const fifty = Array.from({ length: 50 }, (_, index) => `nobody-${index}`)
  assert.deepEqual(await found([...fifty.slice(1), 'asha']), ['asha'])
  for (const ids of [[...fifty, 'asha'], [''], ['\0'], ['x'.repeat(201)]])
    assertRefused(await byId(ids), 400, 'ValidationFailed')
})
