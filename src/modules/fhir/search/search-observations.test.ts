// Searches compared with worked examples of FHIR's rules: for each query, which of the readings below it finds. The answers
// were worked out by hand from the rules for dates, tokens, references and paging of R4, not with this program.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, matchesIn, nextIn, startFhir } from '../../../../test/support/fhir.ts'
import { TYPE_OF_LOINC } from '../observation/type-mapping.ts'

const rounds = await startFhir()
const patientUid = 'patient-1'
const token = await rounds.token({ patientUid })

const at = (instant: string) => Date.parse(instant)

/** Each by a letter: what it is, and when. E and G have a period. */
const READINGS: Record<string, object> = {
  A: { readingType: 'heartRate', value: 61, timestamp: at('2024-12-31T23:59:59.999Z') },
  B: { readingType: 'heartRate', value: 62, timestamp: at('2025-01-01T00:00:00Z') / 1_000 },
  C: { readingType: 'bloodGlucose', value: 5.1, unit: 'mmol/L', timestamp: at('2025-01-31T12:30:00Z') },
  D: { readingType: 'bloodGlucose', value: 99, unit: 'mg/dL', timestamp: at('2025-02-01T00:00:00Z') },
  // From 22:00 on the 14th to 06:00 on the 15th.
  E: {
    readingType: 'sleep',
    value: 480,
    startedAt: at('2025-02-14T22:00:00Z'),
    timestamp: at('2025-02-15T06:00:00Z'),
  },
  F: {
    readingType: 'symptom',
    symptoms: [{ symptom: 'cough', severity: 'MILD' }],
    timestamp: at('2025-02-15T08:15:30.500Z'),
  },
  // All of the 15th.
  G: {
    readingType: 'stepCount',
    value: 9_000,
    startedAt: at('2025-02-15T00:00:00Z'),
    timestamp: at('2025-02-15T23:59:59Z'),
  },
  H: { readingType: 'acme.grip', newtons: 310, timestamp: at('2025-03-01T10:00:00Z') },
  I: { readingType: 'oxygenSaturation', value: 97, timestamp: at('2025-03-01T10:00:01Z') },
  J: { readingType: 'bloodPressure', systolic: 120, diastolic: 80, timestamp: at('2026-03-01T10:00:00Z') },
}

const letters = new Map<string, string>()
for (const [letter, reading] of Object.entries(READINGS)) {
  const answer = await rounds.call('/casesheet/readings/add', {
    token,
    body: { patientUid, ...reading },
    headers: { prefer: 'return=representation' },
  })
  letters.set(`urn:uuid:${String(answer.json.data[0]?.['readingId'])}`, letter)
}

const LOINC = 'http://loinc.org'
const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category'

/** The query, what it finds in order of time, and why. */
const EXAMPLES: [query: string, found: string, why: string][] = [
  ['', 'ABCDEFGHIJ', 'all of the patient'],
  // Dates with precision: the whole of a year, month, day, minute or second.
  ['date=2025', 'BCDEFGHI', 'a year from its first to its last instant'],
  ['date=2024', 'A', 'the last millisecond of a year is in it'],
  ['date=2025-01', 'BC', 'a month'],
  ['date=2025-02', 'DEFG', 'a month begins at midnight, and holds periods that lie within'],
  ['date=2025-02-15', 'FG', 'a day does not contain a period that began the day before'],
  ['date=2025-02-14', '', 'nor one that ended the day after'],
  ['date=2025-02-15T08:15', 'F', 'a minute'],
  ['date=2025-02-15T08:15Z', 'F', 'a minute with a zone'],
  ['date=2025-02-15T08:15:30', 'F', 'a second holds its fractions'],
  ['date=2025-02-15T08:15:30.5Z', 'F', 'a tenth of a second'],
  ['date=2025-02-15T08:15:30.500Z', 'F', 'a millisecond'],
  ['date=2025-02-15T08:15:30.501Z', '', 'another millisecond'],
  ['date=2025-03-01T10:00:00Z', 'H', 'a second ends before the next'],
  ['date=2025-03-01T15:30:00%2B05:30', 'H', 'the same instant at an offset'],
  ['date=2025-03-01T15:30:00+05:30', 'H', 'a plus sign that was not escaped'],
  ['date=2025-03-01T02:00:00-08:00', 'H', 'behind UTC'],
  ['date=eq2025-03-01', 'HI', 'eq is the default'],
  // Prefixes, of instants and of periods.
  ['date=ne2025', 'AJ', 'not in the year'],
  ['date=ne2025-02-15', 'ABCDEHIJ', 'what is not contained, also a period that overlaps'],
  ['date=gt2025-02-15', 'HIJ', 'behind the whole day'],
  ['date=gt2025-02-15T05:00', 'EFGHIJ', 'a period that goes on behind the value'],
  ['date=gt2025-02-15T06:00:00Z', 'FGHIJ', 'a period that ends with the value does not'],
  ['date=lt2025-02-15', 'ABCDE', 'a period that began before the value'],
  ['date=lt2025-02-14T22:00', 'ABCD', 'one that begins with the value did not'],
  ['date=lt2025-02-14T22:01', 'ABCDE', 'one that begins within a minute before'],
  ['date=ge2025-02-15', 'FGHIJ', 'contained in the day, or going on behind it'],
  ['date=ge2025-03', 'HIJ', 'from the beginning of the month'],
  ['date=ge2025-03-01T10:00:01Z', 'IJ', 'from the beginning of the second'],
  ['date=le2025-01-31', 'ABC', 'up to the end of the day'],
  ['date=le2025-02-15', 'ABCDEFG', 'begun before the day, or contained in it'],
  ['date=le2025-02-15T01:00', 'ABCDEG', 'a period that began before'],
  ['date=sa2025-02-14', 'FGHIJ', 'starts after the day: not a period that began in it'],
  ['date=sa2025-02-15', 'HIJ', 'starts after the day'],
  ['date=sa2025-02-14T21:59', 'EFGHIJ', 'starts after the minute'],
  ['date=eb2025-02-15', 'ABCD', 'ends before the day: not a period that ends in it'],
  ['date=eb2025-02-15T06:01', 'ABCDE', 'ends before the minute'],
  ['date=eb2025-02-16', 'ABCDEFG', 'ends before the next day'],
  // Several.
  ['date=ge2025-01-01&date=lt2025-02-01', 'BC', 'parameters that are repeated all hold'],
  ['date=2024,2026', 'AJ', 'one of the values between commas holds'],
  ['date=lt2025-01-01,ge2026-01-01', 'AJ', 'with prefixes of their own'],
  ['date=gt2025-02-15T05:00&date=lt2025-02-15', 'E', 'a period on both sides of midnight'],
  ['date=2025-02-15&date=2025-02-16', '', 'two days at once'],
  // Tokens.
  ['code=8867-4', 'AB', 'a code of any system'],
  [`code=${LOINC}|8867-4`, 'AB', 'of this system'],
  ['code=http://snomed.info/sct|8867-4', '', 'of another system'],
  ['code=|8867-4', '', 'without a system'],
  ['code=15074-8', 'C', 'the code of glucose by its amount of substance'],
  ['code=41653-7', 'D', 'and by its mass'],
  ['code=59408-5', 'I', 'one of several codes'],
  ['code=2708-6', 'I', 'another of them'],
  ['code=8480-6', '', 'the code of a component is not that of the Observation'],
  ['code=urn:rounds:reading-type|acme.grip', 'H', 'a type of our own system'],
  ['code=acme.grip', 'H', 'of any system'],
  ['code=urn:rounds:reading-type|', 'ABCDEFGHIJ', 'every code of a system'],
  [`code=${LOINC}|`, 'ABCDEFGIJ', 'every code of LOINC'],
  [`code=${LOINC}|8867-4,${LOINC}|85354-9`, 'ABJ', 'one of two'],
  ['code=8867-4&code=85354-9', '', 'both at once'],
  ['code=HEARTRATE', '', 'codes are compared exactly'],
  ['code=a%5C,b', '', 'a comma behind a backslash divides nothing'],
  ['category=vital-signs', 'ABIJ', 'a category'],
  [`category=${CATEGORY}|laboratory`, 'CD', 'with its system'],
  ['category=survey,activity', 'EFG', 'one of two'],
  ['category=imaging', '', 'of which there is none'],
  ['category=vital-signs&code=8867-4', 'AB', 'together with a code'],
  ['category=laboratory&code=8867-4', '', 'which is of another category'],
  ['category=activity&date=lt2025-02-15', 'E', 'together with a date'],
  ['status=final', 'ABCDEFGHIJ', 'a status'],
  ['status=entered-in-error', '', 'which none has'],
  ['status=final,entered-in-error', 'ABCDEFGHIJ', 'either'],
  ['status=preliminary', '', 'which is never used'],
  // References.
  ['patient=patient-1', 'ABCDEFGHIJ', 'an id'],
  ['patient=Patient/patient-1', 'ABCDEFGHIJ', 'a reference'],
  ['patient:Patient=patient-1', 'ABCDEFGHIJ', 'with its type as a modifier'],
  ['subject=Patient/patient-1&date=2026', 'J', 'as the subject'],
  ['patient:identifier=urn:rounds:patient|patient-1', 'ABCDEFGHIJ', 'an identifier'],
  // What is not known is ignored, and what is empty is none.
  ['unknown=1&date=2026', 'J', 'a parameter that is not known'],
  ['date=&code=&patient=patient-1', 'ABCDEFGHIJ', 'values that are empty'],
  ['_format=json&date=2026', 'J', 'a format'],
  [
    '_format=application/fhir+json&_pretty=true&date=2026',
    'J',
    'a format with a plus sign, as libraries send it',
  ],
  ['_summary=false&_total=none&date=2026', 'J', 'what is done anyway'],
]

for (const [query, found, why] of EXAMPLES) {
  test(`finds ${found || 'nothing'}: ${query || 'no parameter'} (${why})`, async () => {
    for (const [sort, expected] of [
      ['date', found],
      ['-date', found.split('').toReversed().join('')],
    ] as const) {
      for (const count of [1, 3, 500]) {
        const resources = await rounds.search(`${query}&_sort=${sort}&_count=${count}`, token)
        const shown = resources.map(({ identifier }) =>
          letters.get((identifier as { value: string }[])[0]?.value ?? ''),
        )
        assert.equal(shown.join(''), expected, `${sort} in pages of ${count}`)
      }
    }
  })
}

const REFUSED: [query: string, name: string][] = [
  ['date=yesterday', 'date'],
  ['date=2025-02-30', 'date'],
  ['date=2025-1', 'date'],
  ['date=2025-01-01T25:00Z', 'date'],
  ['date=2025-01-01T10', 'date'],
  ['date=2025-01-01T10:00:00.1234567Z', 'date'],
  ['date=xx2025', 'date'],
  ['date=ge', 'date'],
  ['date=2025-01-01T10:00%2B15:00', 'date'],
  ['date:missing=true', 'date'],
  ['code:in=http://example.org/vs', 'code'],
  ['code:text=heart', 'code'],
  ['patient:Group=1', 'patient'],
  ['patient=patient-1&subject=patient-2', 'patient'],
  ['patient=patient-1,patient-2', 'patient'],
  ['patient:identifier=urn:other|patient-1', 'patient'],
  [`patient=${'x'.repeat(129)}`, 'patient'],
  ['patient=a%01b', 'patient'],
  [Array.from({ length: 101 }, () => 'date=2025').join('&'), 'date'],
  ['_sort=code', '_sort'],
  ['_sort=date,code', '_sort'],
  ['_sort=date&_sort=-date', '_sort'],
  ['_count=0', '_count'],
  ['_format=xml', '_format'],
  ['_format=application/fhir%2Bxml', '_format'],
  ['_count=-1', '_count'],
  ['_count=x', '_count'],
  [`code=${Array.from({ length: 51 }, (_, index) => index).join()}`, 'code'],
]
for (const [query, name] of REFUSED) {
  test(`refused: ${query.slice(0, 60)}`, async () => {
    const [issue] = assertOutcome(
      await rounds.fhir(`/Observation?${query}`, { token }),
      400,
      'ValidationFailed',
    )
    assert.deepEqual(issue?.expression, [name])
    assert.ok(issue.details.text.startsWith(`${name} `), issue.details.text)
  })
}

test('a page has as many as were asked for and a link to the next; the last has none', async () => {
  const first = await rounds.fhir('/Observation?_count=4&_sort=date&unknown=1', { token })
  assert.equal(matchesIn(first.resource).length, 4)
  const links = first.resource['link'] as { relation: string; url: string }[]
  assert.equal(
    links[0]?.url.endsWith('/fhir/Observation?_count=4&_sort=date&status=final'),
    true,
    'self says what was understood',
  )
  assert.match(
    JSON.stringify(first.resource['entry']),
    /The parameter unknown is not known here and was ignored/,
  )
  const second = await rounds.fhir(nextIn(first.resource) ?? '', { token })
  const third = await rounds.fhir(nextIn(second.resource) ?? '', { token })
  assert.deepEqual([matchesIn(second.resource).length, matchesIn(third.resource).length], [4, 2])
  assert.equal(nextIn(third.resource), undefined)
  const exact = await rounds.fhir('/Observation?_count=10', { token })
  assert.equal(nextIn(exact.resource), undefined)
})

test('the patient may be named by an address of this service, and by no other', async () => {
  const named = (url: string) =>
    `/Observation?date=2026&patient=${encodeURIComponent(`${url}/Patient/patient-1`)}`
  const { resource } = await rounds.fhir(named(`${rounds.url}/fhir`), { token })
  assert.equal(matchesIn(resource).length, 1)
  assertOutcome(await rounds.fhir(named('https://elsewhere.example/fhir'), { token }), 403, 'PatientMismatch')
})

test('a search by a form finds the same as by the address, and so do both together', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, raw: string, headers: Record<string, string> = form) =>
    rounds.fhir(path, { method: 'POST', token, raw, headers })
  const byAddress = await rounds.fhir('/Observation?date=2026&_count=4', { token })
  const byForm = await post('/Observation/_search', 'date=2026&_count=4')
  const byBoth = await post('/Observation/_search?date=2026', '_count=4')
  assert.deepEqual(matchesIn(byForm.resource), matchesIn(byAddress.resource))
  assert.deepEqual(matchesIn(byBoth.resource), matchesIn(byAddress.resource))
  assert.deepEqual(byForm.resource['link'], byAddress.resource['link'])
  assertOutcome(await post('/Observation/_search', 'date=x'), 400, 'ValidationFailed')
  assertOutcome(await post('/Observation/_search', '_format=xml'), 400, 'ValidationFailed')
  assertOutcome(await post('/Observation/_search', `code=${'x'.repeat(9_000)}`), 413, 'BodyTooLarge')
  const json = { 'content-type': 'application/json' }
  assertOutcome(await post('/Observation/_search', '{}', json), 415, 'UnsupportedMediaType')
  assert.equal((await post('/Practitioner/_search', '')).status, 200)
})

test('the next page of the longest search is found', async () => {
  const codes = Array.from({ length: 50 }, () => 'http://loinc.org|8867-4').join()
  const dates = Array.from({ length: 50 }, (_, index) => `ne19${String(index).padStart(2, '0')}`).join()
  const query = `code=${encodeURIComponent(codes)}&date=${dates}&_sort=date&_count=1`
  const first = await rounds.fhir(`/Observation?${query}`, { token })
  assert.equal(first.status, 200, first.text)
  const second = await rounds.fhir(nextIn(first.resource) ?? '', { token })
  assert.equal(second.status, 200, second.text)
  assert.equal(matchesIn(second.resource).length, 1)
})

test('a cursor that was made up, or of another order, is refused', async () => {
  const { resource } = await rounds.fhir('/Observation?_count=4&_sort=date', { token })
  const cursor = new URLSearchParams((nextIn(resource) ?? '').split('?')[1]).get('cursor')
  for (const query of [`cursor=x`, `_sort=-date&cursor=${cursor}`, `date=2026&_sort=date&cursor=${cursor}`]) {
    assertOutcome(await rounds.fhir(`/Observation?${query}`, { token }), 400, 'InvalidCursor')
  }
})

test('a parameter that is not known is refused where the client wants strict handling', async () => {
  const answer = await rounds.fhir('/Observation?unknown=1', {
    token,
    headers: { prefer: 'handling=strict' },
  })
  const [issue] = assertOutcome(answer, 400, 'ValidationFailed')
  assert.deepEqual(issue?.expression, ['unknown'])
})

test('Observations are found by their ids, of this patient only', async () => {
  const [first, second] = await rounds.search('_count=2', token)
  const ids = [first, second].map((resource) => String(resource?.['id']))
  assert.equal((await rounds.search(`_id=${ids.join()},none`, token)).length, 2)
  assert.equal((await rounds.search(`_id=${ids[0]}&_id=${ids[1]}`, token)).length, 0)
  assert.equal((await rounds.search(`_id=${ids[0]}&status=entered-in-error`, token)).length, 0)
  const other = await rounds.token({ patientUid: 'patient-2' })
  assert.equal((await rounds.search(`_id=${ids[0]}`, other)).length, 0)
})

test('Observations found by their ids are sorted, and come in pages', async () => {
  const idsInOrder = (await rounds.search('_sort=date', token)).map(({ id }) => String(id))
  const query = `_id=${[...idsInOrder.slice(5), ...idsInOrder.slice(0, 5)].join()}`
  for (const count of [1, 3, 10, 100]) {
    for (const [sort, expected] of [
      ['date', idsInOrder],
      ['-date', idsInOrder.toReversed()],
    ] as const) {
      const found = await rounds.search(`${query}&_sort=${sort}&_count=${count}`, token)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected,
        `${sort} in pages of ${count}`,
      )
    }
  }
  const first = await rounds.fhir(`/Observation?${query}&_count=4`, { token })
  assert.equal(matchesIn(first.resource).length, 4)
  const all = await rounds.fhir(`/Observation?${query}&_count=10`, { token })
  assert.equal(nextIn(all.resource), undefined)
  assert.equal((await rounds.search(`${query}&_count=2&code=8867-4`, token)).length, 2)
  assertOutcome(await rounds.fhir(`/Observation?${query}&cursor=x`, { token }), 400, 'InvalidCursor')
})

test('a search may ask for 50 codes without a system, though each may be of LOINC and of a type', async () => {
  const loinc = [...TYPE_OF_LOINC.keys()]
  const codes = [...loinc, ...Array.from({ length: 50 - loinc.length }, (_, index) => `acme.${index}`)]
  assert.ok(loinc.length > 25)
  // All but H, of a type that is not in the catalogue.
  assert.equal((await rounds.search(`code=${codes.join()}`, token)).length, 9)
})

test('what is rare among many is found page by page, each in a bounded number of statements', async () => {
  const rare = 'patient-rare'
  const own = await rounds.token({ patientUid: rare })
  const glucose = (index: number) => ({
    patientUid: rare,
    readingType: 'bloodGlucose',
    value: 99,
    unit: index === 2_900 ? 'mmol/L' : 'mg/dL',
    ...(index === 2_900 ? { value: 5.5 } : {}),
    timestamp: 1_762_000_000 + index,
  })
  for (let from = 0; from < 3_000; from += 1_000) {
    const body = Array.from({ length: 1_000 }, (_, index) => glucose(from + index))
    assert.equal((await rounds.call('/casesheet/readings/add', { token: own, body })).status, 200)
  }
  const first = await rounds.fhir('/Observation?code=15074-8&_sort=date&_count=10', { token: own })
  assert.deepEqual([matchesIn(first.resource).length, nextIn(first.resource) !== undefined], [0, true])
  assert.equal((await rounds.search('code=15074-8&_sort=date&_count=10', own)).length, 1)
})
