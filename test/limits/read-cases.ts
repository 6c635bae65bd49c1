// What is read: the largest pages, types, ranges, cursors and searches that can be asked for, and what takes no token.
import { ADD, type Callers, type Case, type Get, gets } from './case.ts'

const FIRST_S = 1_700_000_000
const YEAR_S = 365 * 86_400
const NO_ID = '00000000-0000-0000-0000-000000000000'
const LONG_LIST = { 'if-none-match': '"x",'.repeat(1_500) }
const cursor = (...parts: (string | number)[]) => Buffer.from(parts.join(' ')).toString('base64url')
const types = (count: number) =>
  Array.from({ length: count }, (_, index) => `readingType=acme.${index + 1}`).join('&')
const page = (query: string) => `/casesheet/readings/get?${query}`
const statistics = (type: string, seconds: number, more = '') =>
  `/casesheet/readings/statistics?readingType=${type}&from=${FIRST_S}&to=${FIRST_S + seconds}${more}`

const GETS: Get[] = [
  ['a page of 1,000 ordinary readings', page('limit=1000'), 'small', 200],
  ['a page of readings of 64 KiB', page('limit=1000'), 'large', 200],
  ['a page of readings of 64 KiB, newest first', page('limit=1000&order=desc'), 'large', 200],
  ['a page of 50 types', page(`limit=1000&${types(50)}`), 'types', 200],
  ['51 types', page(`limit=1000&${types(51)}`), 'types', 400],
  ['a cursor made by hand', page(`limit=1000&cursor=${cursor('asc', 0, NO_ID)}`), 'large', 200],
  ['a cursor of 6 KB', page(`limit=1&cursor=${'A'.repeat(6_000)}`), 'large', 400],
  ['a parameter of 7 KB that is not known', page(`x=${'y'.repeat(6_900)}`), 'large', 400],
  ['1,700 parameters', page(Array.from({ length: 1_700 }, () => 'a=1').join('&')), 'large', 400],
  ['a page of CSV, all quotes', page('limit=1000'), 'quoted', 200, { accept: 'text/csv' }],
  ['a page of CSV, readings of 64 KiB', page('limit=1000'), 'large', 200, { accept: 'text/csv' }],
  ['a page of lines, all quotes', page('limit=1000'), 'quoted', 200, { accept: 'application/x-ndjson' }],
  ['a page behind 105,120 withdrawn readings', page('limit=1&order=desc'), 'withdrawn', 200],
  [
    'of one type, behind 105,120 withdrawn ones',
    page('limit=1&order=desc&readingType=interstitialGlucose'),
    'withdrawn',
    200,
  ],
  ['a page of 1,000 withdrawn readings', page('limit=1000&withdrawn=include'), 'withdrawn', 200],
  ['an Accept of 6 KB', page('limit=1'), 'small', 200, { accept: 'a/b;q=0.5,'.repeat(600) }],
  ['a Prefer of 6 KB', page('limit=1'), 'small', 200, { prefer: 'a="b",'.repeat(1_000) }],
]

const STREAMED: Get[] = [
  ['20,000 ordinary readings, streamed', page(''), 'small', 200],
  ['300 readings of 64 KiB, streamed', page(''), 'large', 200],
]

const LATEST: Get[] = [
  ['200 types of 64 KiB', '/casesheet/readings/latest', 'types', 400],
  ['50 named types of 64 KiB', `/casesheet/readings/latest?${types(50)}`, 'types', 400],
  ['ten named types of 64 KiB', `/casesheet/readings/latest?${types(10)}`, 'types', 200],
  ['behind 105,120 withdrawn readings', '/casesheet/readings/latest', 'withdrawn', 200],
]

const STATISTICS: Get[] = [
  ['a year of 105,120 readings by day', statistics('interstitialGlucose', YEAR_S), 'year', 200],
  [
    'half a year by hour, in Newfoundland',
    statistics('interstitialGlucose', YEAR_S / 2, '&bucket=hour&timeZone=America/St_Johns'),
    'year',
    200,
  ],
  ['a year of withdrawn readings', statistics('interstitialGlucose', YEAR_S), 'withdrawn', 200],
  ['20,000 readings in one bucket', statistics('heartRate', 20 * 86_400, '&bucket=month'), 'small', 200],
  ['200 readings of 4,000 fields', statistics('acme.fields', 86_400), 'fields', 400],
  ['300 readings of 64 KiB', statistics('acme.large', 86_400), 'large', 400],
  ['4,990 empty buckets', statistics('acme.none', 4_990 * 86_400), 'small', 200],
]

const report = (name: string, more = '') =>
  `/care/reports/${name}?from=${FIRST_S}&to=${FIRST_S + YEAR_S}${more}`
const ofSensor = '&readingType=interstitialGlucose'

const REPORTS: Get[] = [
  ['glucose, a year of 105,120 readings', report('glucose', '&timeZone=America/St_Johns'), 'year', 200],
  ['glucose, a year of withdrawn readings', report('glucose'), 'withdrawn', 200],
  ['time-in-target, a year of 105,120 readings', report('time-in-target', ofSensor), 'year', 200],
  [
    'days-with-data, a year of 105,120 readings',
    report('days-with-data', '&timeZone=America/St_Johns'),
    'year',
    200,
  ],
  ['days-with-data, 300 readings of 64 KiB', report('days-with-data'), 'large', 200],
  ['blood-pressure, 401 days', `/care/reports/blood-pressure?from=0&to=${401 * 86_400}`, 'small', 400],
]

const LOG: Get[] = [
  ['1,000 entries of a long log', '/casesheet/readings/access-log?limit=1000', 'log', 200],
  [
    'a cursor made by hand',
    `/casesheet/readings/access-log?limit=1000&cursor=${cursor('2100-01-01T00:00:00.000Z', 999_999_999, 'x')}`,
    'log',
    400,
  ],
]

const search = (input: string, query: string): Get => [
  input,
  `/appointments/doctors/list?${query}`,
  'anyone',
  200,
]

const DOCTORS: Get[] = [
  search('the plain list, 1,000', 'limit=1000'),
  search('a rare name', 'q=zelzel&limit=1000'),
  search('a name that nobody has', 'q=qqqqqq'),
  search('one letter', 'q=z&limit=1000'),
  search('two letters', 'q=zq'),
  search('letters apart', 'q=a+b+c'),
  search('parts that all names have, in another order', 'q=ed)+dr.'),
  search('marks only', 'q=%25_%25'),
  search('a name of 200 characters', `q=${'an'.repeat(100)}`),
  search('a rare language', 'language=cy&limit=1000'),
  search('a rare language in a city', 'language=cy&city=pune&limit=1000'),
  search('a rare language and one letter', 'language=cy&q=z&limit=1000'),
  search('a rare name in a city', 'q=zelzel&city=pune'),
  search('a language that nobody speaks', 'language=tlh'),
  search('50 ids', Array.from({ length: 50 }, (_, index) => `doctorId=nobody-${index}`).join('&')),
]

const SPECIALITIES = '/appointments/doctors/specialities/list'

export function readCases(callers: Callers): Case[] {
  return [
    ...gets(callers, 'readings/get', GETS),
    ...gets(callers, 'readings/get', STREAMED).map((one) => ({ ...one, isStreamed: true })),
    ...gets(callers, 'readings/latest', LATEST),
    ...gets(callers, 'readings/statistics', STATISTICS),
    ...gets(callers, 'reports', REPORTS),
    ...gets(callers, 'readings/access-log', LOG),
    ...gets(callers, 'readings/types', [
      ['If-None-Match of 6 KB', '/casesheet/readings/types', 'anyone', 200, LONG_LIST],
    ]),
    ...gets(callers, 'doctors/list', DOCTORS),
    ...gets(callers, 'doctors/specialities/list', [
      ['1,000 specialities', SPECIALITIES, 'anyone', 200],
      ['If-None-Match of 6 KB', SPECIALITIES, 'anyone', 200, LONG_LIST],
    ]),
    ...gets(callers, 'without a token', [
      ['/docs', '/docs/', 'nobody', 200],
      ["/docs, the page's script", '/docs/js/scalar.js', 'nobody', 200, { 'accept-encoding': 'br' }],
      ['/openapi.json', '/openapi.json', 'nobody', 200],
      ['a forged signature', '/casesheet/readings/get', 'forger', 401],
      ['a path of 7 KB', `/${'a/'.repeat(3_500)}`, 'nobody', 404],
    ]),
    {
      operation: 'without a token',
      input: 'OPTIONS',
      status: 405,
      make: () => ({ method: 'OPTIONS', path: ADD }),
    },
  ]
}
