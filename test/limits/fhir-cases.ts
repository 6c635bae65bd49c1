// FHIR: the largest Observations, Bundles and searches, and those with as much wrong in them as fits.
import type { Callers, Case, Get } from './case.ts'
import { gets } from './case.ts'

const UID = 'sender'
const BUNDLE_BYTES = 4 * 1_024 * 1_024 - 1_024
const ONE_BYTES = 64 * 1_024 - 1_024
const LOINC = 'http://loinc.org'

// Before the readings of the other cases.
let next = 1_450_000_000_000
const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join()
/** An Observation at a time of its own; `elements` are written as they are. */
const observation = (coding: string, elements: string) =>
  `{"resourceType":"Observation","status":"final","code":{"coding":[${coding}]},"subject":{"reference":"Patient/${UID}"},` +
  `"effectiveDateTime":"${new Date(next++).toISOString()}"${elements === '' ? '' : `,${elements}`}}`
const OWN = '{"system":"urn:rounds:reading-type","code":"acme.limits"}'
const SYMPTOM = `{"system":"${LOINC}","code":"75325-1"},{"system":"urn:rounds:reading-type","code":"symptom"}`
const own = (elements: string) => observation(OWN, elements)
const heartRate = () =>
  observation(
    `{"system":"${LOINC}","code":"8867-4"}`,
    '"valueQuantity":{"value":72,"system":"http://unitsofmeasure.org","code":"/min"}',
  )
const loincComponent = (code: string, value: number) =>
  `{"code":{"coding":[{"system":"${LOINC}","code":"${code}"}]},` +
  `"valueQuantity":{"value":${value},"unit":"mm[Hg]","system":"http://unitsofmeasure.org","code":"mm[Hg]"}}`
/** With all that the profile of vital signs asks for. */
const bloodPressure = () =>
  observation(
    `{"system":"${LOINC}","code":"85354-9","display":"Blood pressure panel"}`,
    '"category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"vital-signs"}]}],' +
      `"component":[${loincComponent('8480-6', 120)},${loincComponent('8462-4', 80)},${component('position', 'sitting')},${component('site', 'arm')}]`,
  )
const component = (name: string, text: string) =>
  `{"code":{"coding":[{"system":"urn:rounds:field","code":"${name}"}]},"valueString":"${text}"}`
const components = (count: number) => `"component":[${times(count, (index) => component(`f${index}`, 'x'))}]`
const long = (bytes: number) => `"component":[${component('text', 'x'.repeat(bytes))}]`
const symptoms = (count: number, text: string) =>
  `"component":[${times(
    count,
    () =>
      `{"code":{"coding":[{"system":"urn:rounds:field","code":"symptom"}],"text":"${text}"},` +
      '"valueCodeableConcept":{"coding":[{"system":"urn:rounds:severity","code":"MILD"}]}}',
  )}]`
const otherFields = (json: string) =>
  `"extension":[{"url":"urn:rounds:other-fields","valueString":${JSON.stringify(json)}}]`
const levels = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const keys = (count: number) => times(count, (index) => `"k${index}":1`)

type Body = [input: string, body: () => string, status: number]

const ONE: Body[] = [
  ['an Observation', heartRate, 201],
  ['an Observation, a text of 63 KiB', () => own(long(ONE_BYTES)), 201],
  [
    'an Observation, 448 KiB of escapes in an extension',
    () => own(otherFields(`{"text":"${'\\u007f'.repeat(65_000)}"}`)),
    201,
  ],
  ['an Observation, 50 components', () => own(components(50)), 201],
  ['an Observation, 200 components', () => own(components(200)), 400],
  ['an Observation, 100 symptoms', () => observation(SYMPTOM, symptoms(100, 'x'.repeat(400))), 201],
  [
    'an Observation, 29,000 samples in an extension',
    () => own(otherFields(`{"samples":[${times(29_000, () => '1')}]}`)),
    201,
  ],
  ['an Observation, 20,000 fields in an extension', () => own(otherFields(`{${keys(20_000)}}`)), 400],
  ['an Observation, 100,000 levels in an extension', () => own(otherFields(`{"a":${levels(100_000)}}`)), 413],
  ['an Observation, 100,000 levels', () => own(`"device":${levels(100_000)}`), 400],
  ['an Observation, 1,900 elements that cannot be kept', () => own(keys(1_900)), 400],
  [
    'an Observation, 900 codes',
    () =>
      observation(
        times(900, () => OWN),
        '',
      ),
    201,
  ],
  [
    'an Observation, 900 codes of others',
    () => observation(`${OWN},${times(900, (n) => `{"system":"urn:x","code":"${n}"}`)}`, ''),
    400,
  ],
]

const OPEN = '{"resourceType":"Bundle","type":"batch","entry":['
const POSTED = '"request":{"method":"POST","url":"Observation"}'
const batchOf = (count: number, each: () => string) =>
  `${OPEN}${times(count, () => `{${POSTED},"resource":${each()}}`)}]}`
const filled = (begin: string, part: string, end: string) =>
  begin + part.repeat(Math.floor((BUNDLE_BYTES - begin.length - end.length) / part.length)) + end

const BATCHES: [input: string, count: number, each: () => string][] = [
  ['1,000 ordinary Observations', 1_000, heartRate],
  ['1,000 blood pressures', 1_000, bloodPressure],
  ['1,000 Observations of three symptoms', 1_000, () => observation(SYMPTOM, symptoms(3, 'headache'))],
  ['1,000 Observations of ten components', 1_000, () => own(components(10))],
  ['4 MiB, texts of 3.5 KiB', 1_000, () => own(long(3_700))],
  ['4 MiB, 63 Observations of 63 KiB', 63, () => own(long(ONE_BYTES))],
  ['1,000 Observations of another patient', 1_000, () => heartRate().replace(UID, 'another')],
  ['1,000 Observations, 40 elements that cannot be kept', 1_000, () => own(keys(40))],
  [
    '1,000 Observations, long names that cannot be kept',
    1_000,
    () => own(times(4, (n) => `"${`k${n}-`.padEnd(900, 'x')}":1`)),
  ],
]

const HOSTILE: Body[] = [
  ['4 MiB, empty objects', () => filled(`${OPEN}{}`, ',{}', ']}'), 400],
  ['4 MiB, two million levels', () => `${OPEN}${levels(BUNDLE_BYTES / 2 - 100)}]}`, 400],
  ['4 MiB, levels that never end', () => filled(OPEN, '[', ''), 400],
  ['4 MiB, blanks', () => `${OPEN}${' '.repeat(BUNDLE_BYTES - 100)}]}`, 200],
  ['4 MiB, one text', () => `${OPEN}"${'x'.repeat(BUNDLE_BYTES - 100)}"]}`, 200],
  [
    '4 MiB, one element beside the entries',
    () => `{"text":"${'x'.repeat(BUNDLE_BYTES - 100)}","entry":[]}`,
    413,
  ],
  ['4 MiB, 300,000 elements', () => `{"entry":[],${keys(300_000)}}`, 400],
]

/** Pages that find nothing, but must be read: everything in them has the unit of another code. */
const RARE = `code=${LOINC}|99504-3`
const DATES = times(50, (n) => `ne2023-11-14T22:${String(n).padStart(2, '0')}`)
const SINCE = '_lastUpdated=ge2000'
const search = (query: string) => `/fhir/Observation?${query}`
const last = (query: string) => `/fhir/Observation/$lastn?${query}`

const SEARCHES: Get[] = [
  ['500 ordinary readings', search('_count=500'), 'small', 200],
  ['500 readings of 64 KiB', search('_count=500'), 'large', 200],
  ['500 readings of 64 KiB, all quotes', search('_count=500'), 'quoted', 200],
  ['500 readings of 4,000 fields', search('_count=500'), 'fields', 200],
  ['500 withdrawn readings', search('_count=500&status=entered-in-error'), 'withdrawn', 200],
  ['behind 105,120 withdrawn readings', search('_count=500'), 'withdrawn', 200],
  ['a code that only another unit has', search(`_count=500&${RARE}`), 'year', 200],
  ['the same, and 50 dates', search(`_count=500&${RARE}&date=${DATES}`), 'year', 200],
  [
    '49 codes and 50 dates',
    search(`_count=500&code=${times(49, (n) => `acme.${n + 1}`)}&date=${DATES}`),
    'types',
    200,
  ],
  ['51 codes', search(`code=${times(51, (n) => `acme.${n}`)}`), 'types', 400],
  ['3,000 codes', search(`code=${times(3_000, () => 'a')}`), 'types', 400],
  ['1,700 parameters', search(Array.from({ length: 1_700 }, () => 'a=1').join('&')), 'small', 200],
  ['a parameter of 7 KB that is not known', search(`${'y'.repeat(6_900)}=1`), 'small', 200],
  ['a cursor of 6 KB', search(`cursor=${'A'.repeat(6_000)}`), 'small', 400],
  ['20 ids of nothing', search(`_id=${times(20, (n) => idAt(n))}`), 'year', 200],
  ['a Prefer of 6 KB', search('_count=1'), 'small', 200, { prefer: 'a="b",'.repeat(1_000) }],
  ['an id of 7 KB', `/fhir/Observation/${'A'.repeat(6_900)}`, 'small', 404],
  ['by update, 500 of a year', search(`_count=500&${SINCE}`), 'year', 200],
  ['by update, 500 readings of 64 KiB, all quotes', search(`_count=500&${SINCE}`), 'quoted', 200],
  ['by update, a code that none has', search(`_count=500&code=acme.none&${SINCE}`), 'year', 200],
  ['by update, behind 105,120 withdrawn readings', search(`_count=500&${SINCE}`), 'withdrawn', 200],
  ['by update, 50 times', search(`_lastUpdated=${DATES}`), 'year', 200],
  ['how many there are in a year', search('_summary=count'), 'year', 200],
  ['how many there are of a rare code', search(`_summary=count&${RARE}`), 'year', 200],
  ['how many readings of 64 KiB there are', search('_summary=count'), 'large', 200],
]

/** The Patient, and the newest Observations. */
const OF_PATIENTS: Get[] = [
  ['a Patient', '/fhir/Patient/year', 'year', 200],
  ['a Patient with an id of 7 KB', `/fhir/Patient/${'A'.repeat(6_900)}`, 'small', 404],
  ['the last one of each type', last(''), 'year', 200],
  ['the last ten of each type, readings of 64 KiB', last('max=10'), 'large', 200],
  ['the last ten of a code that only another unit has', last(`max=10&${RARE}`), 'year', 200],
  ['the last 11', last('max=11'), 'year', 400],
]

/** An id that could be one of a reading of the patient `year`. */
function idAt(n: number): string {
  const bytes = Buffer.alloc(25, n + 1)
  bytes.writeDoubleBE(1_700_000_300, 16)
  bytes[24] = 0
  return Buffer.concat([bytes, Buffer.from('year')])
    .toString('base64url')
    .replaceAll('_', '.')
}

const doctors = (input: string, query: string, status = 200): Get => [
  input,
  `/fhir/${query}`,
  'anyone',
  status,
]

const DOCTORS: Get[] = [
  doctors('500 Practitioners', 'Practitioner?_count=500'),
  doctors('500 PractitionerRoles', 'PractitionerRole?_count=500'),
  doctors('none that is inactive', 'Practitioner?_count=500&active=false'),
  doctors('a part of all names that begins no word', 'Practitioner?_count=500&name=nvented'),
  doctors('a name of 200 characters', `Practitioner?name=${'an'.repeat(100)}`),
  doctors('a name of 7,000 characters', `Practitioner?name=${'an'.repeat(3_500)}`, 400),
  doctors('a name that nobody has', 'Practitioner?_count=500&name:exact=Dr.'),
  doctors('a rare language', 'Practitioner?_count=500&communication=cy'),
]

export function fhirCases(callers: Callers): Case[] {
  const posts = (operation: string, path: string, rows: Body[], caller: keyof Callers = 'sender'): Case[] =>
    rows.map(([input, body, status]) => ({
      operation,
      input,
      status,
      make: () => ({ path, headers: callers[caller], body: Buffer.from(body()) }),
    }))
  const batches = (status: number, rows: typeof BATCHES) =>
    posts(
      'FHIR batch',
      '/fhir',
      rows.map(([input, count, each]) => [input, () => batchOf(count, each), status]),
    ).map((one) => ({ ...one, isBundle: true }))
  return [
    ...posts('FHIR create', '/fhir/Observation', ONE),
    ...batches(200, BATCHES),
    ...batches(400, [['1,001 Observations', 1_001, heartRate]]),
    ...posts('FHIR batch', '/fhir', HOSTILE),
    ...posts(
      'FHIR batch',
      '/fhir',
      [['4 MiB without a token', () => filled(OPEN, '1,', '1]}'), 401]],
      'nobody',
    ),
    ...gets(callers, 'FHIR search', SEARCHES),
    ...gets(callers, 'FHIR patient', OF_PATIENTS),
    ...gets(callers, 'FHIR directory', DOCTORS),
    ...gets(callers, 'without a token', [
      ['FHIR, the CapabilityStatement', '/fhir/metadata', 'nobody', 200],
      ['FHIR, the SMART configuration', '/fhir/.well-known/smart-configuration', 'nobody', 200],
    ]),
  ]
}
