// Every operation with every input at its largest permitted size, and what lies beyond it. A case makes its request anew each
// time it is sent.
import { permitted, refused } from './bodies.ts'
import type { Hostile } from './send.ts'
import type { LimitsStage } from './stage.ts'

export type Case = {
  operation: string
  input: string
  status: number
  /** A range without a limit: as long as it is, in pages that are bounded. */
  isStreamed?: boolean
  make: () => Hostile
}

type Headers = Record<string, string>

const ADD = '/casesheet/readings/add'
const FIRST_S = 1_700_000_000
const YEAR_S = 365 * 86_400
const cursor = (...parts: (string | number)[]) => Buffer.from(parts.join(' ')).toString('base64url')
const NO_ID = '00000000-0000-0000-0000-000000000000'

export async function casesOn({ bearer, issuer }: LimitsStage): Promise<Case[]> {
  const of = async (patientUid: string) => bearer({ patientUid, sub: `sub-${patientUid}` })
  const [sender, large, quoted, types, fields, year, small, log] = await Promise.all(
    ['sender', 'large', 'quoted', 'types', 'fields', 'year', 'small', 'log'].map(of),
  )
  const anyone = await bearer({ sub: 'anyone' })
  const carer = await bearer({
    sub: 'carer',
    patientUid: Array.from({ length: 90 }, (_, n) => `sender-${n}`.padEnd(30, 'x')),
  })
  const forged = { authorization: `Bearer ${(await issuer.token({ sub: 'x' })).slice(0, -8)}AAAAAAAA` }
  const get =
    (path: string, headers: Headers | undefined, more: Headers = {}) =>
    () => ({
      path,
      headers: { ...headers, ...more },
    })
  const add =
    (make: () => string, headers: Headers | undefined, more: Headers = {}) =>
    () => ({
      path: ADD,
      headers: { ...headers, ...more },
      body: Buffer.from(make()),
    })
  const EACH = { prefer: 'return=representation' }
  const typesQuery = (count: number) =>
    Array.from({ length: count }, (_, index) => `readingType=acme.${index + 1}`).join('&')
  const statistics = (type: string, more: string) =>
    `/casesheet/readings/statistics?readingType=${type}&from=${FIRST_S}&${more}`
  const wholeYear = `to=${FIRST_S + YEAR_S}`
  const doctors = (query: string) => `/appointments/doctors/list?${query}`

  return [
    ...permitted.map(([input, make]) => ({
      operation: 'readings/add',
      input,
      status: 200,
      make: add(make, sender),
    })),
    ...permitted.slice(4).map(([input, make]) => ({
      operation: 'readings/add, each answered',
      input,
      status: 200,
      make: add(make, sender, EACH),
    })),
    ...refused.map(([input, make]) => ({
      operation: 'readings/add',
      input,
      status: 400,
      make: add(make, sender),
    })),
    ...refused.slice(-3).map(([input, make]) => ({
      operation: 'readings/add, each answered',
      input,
      status: 200,
      make: add(make, sender, EACH),
    })),
    ...(
      [
        ['a list of 4 MiB without a token', {}, 401],
        ['a list of 4 MiB, a token without a patient', anyone, 403],
      ] as const
    ).map(([input, headers, status]) => ({
      operation: 'readings/add',
      input,
      status,
      make: add(permitted[6]?.[1] ?? String, headers),
    })),
    {
      operation: 'readings/add',
      input: 'a token with 90 patients',
      status: 403,
      make: add(permitted[4]?.[1] ?? String, carer),
    },

    ...(
      [
        ['a page of 1,000 ordinary readings', 'limit=1000', small, 200],
        ['a page of 1,000 readings of 64 KiB', 'limit=1000', large, 200],
        ['a page of 1,000 readings of 64 KiB, newest first', 'limit=1000&order=desc', large, 200],
        ['a page of 50 types', `limit=1000&${typesQuery(50)}`, types, 200],
        ['51 types', `limit=1000&${typesQuery(51)}`, types, 400],
        ['a cursor made by hand', `limit=1000&cursor=${cursor('asc', 0, NO_ID)}`, large, 200],
        ['a cursor of 6 KB', `limit=1&cursor=${'A'.repeat(6_000)}`, large, 400],
        ['a query of 7 KB that is not known', `x=${'y'.repeat(7_000)}`, large, 400],
        ['1,700 parameters', Array.from({ length: 1_700 }, () => 'a=1').join('&'), large, 400],
      ] as const
    ).map(([input, query, headers, status]) => ({
      operation: 'readings/get',
      input,
      status,
      make: get(`/casesheet/readings/get?${query}`, headers),
    })),
    ...(
      [
        ['text/csv', quoted],
        ['application/x-ndjson', quoted],
        ['text/csv', large],
      ] as const
    ).map(([accept, headers], index) => ({
      operation: 'readings/get',
      input: `a page of 1,000 as ${accept}, ${index < 2 ? 'all quotes' : '64 KiB each'}`,
      status: 200,
      make: get('/casesheet/readings/get?limit=1000', headers, { accept }),
    })),
    {
      operation: 'readings/get',
      input: 'an Accept of 6 KB',
      status: 200,
      make: get('/casesheet/readings/get?limit=1', small, { accept: 'a/b;q=0.5,'.repeat(600) }),
    },
    {
      operation: 'readings/get',
      input: '20,000 ordinary readings, streamed',
      status: 200,
      isStreamed: true,
      make: get('/casesheet/readings/get', small),
    },
    {
      operation: 'readings/get',
      input: '300 readings of 64 KiB, streamed',
      status: 200,
      isStreamed: true,
      make: get('/casesheet/readings/get', large),
    },

    {
      operation: 'readings/latest',
      input: '200 types of 64 KiB',
      status: 400,
      make: get('/casesheet/readings/latest', types),
    },
    {
      operation: 'readings/latest',
      input: '50 named types of 64 KiB',
      status: 400,
      make: get(`/casesheet/readings/latest?${typesQuery(50)}`, types),
    },
    {
      operation: 'readings/latest',
      input: 'ten named types of 64 KiB',
      status: 200,
      make: get(`/casesheet/readings/latest?${typesQuery(10)}`, types),
    },

    ...(
      [
        ['a year of 105,120 readings by day', statistics('interstitialGlucose', wholeYear), year, 200],
        [
          'half a year by hour',
          statistics(
            'interstitialGlucose',
            `to=${FIRST_S + YEAR_S / 2}&bucket=hour&timeZone=America/St_Johns`,
          ),
          year,
          200,
        ],
        [
          '20,000 readings in one bucket',
          statistics('heartRate', `to=${FIRST_S + 86_400 * 20}&bucket=month`),
          small,
          200,
        ],
        ['200 readings of 4,000 fields', statistics('acme.fields', `to=${FIRST_S + 86_400}`), fields, 400],
        ['300 readings of 64 KiB', statistics('acme.large', `to=${FIRST_S + 86_400}`), large, 400],
        ['5,000 empty buckets', statistics('acme.none', `to=${FIRST_S + 4_990 * 86_400}`), small, 200],
      ] as const
    ).map(([input, path, headers, status]) => ({
      operation: 'readings/statistics',
      input,
      status,
      make: get(path, headers),
    })),

    ...(
      [
        ['1,000 entries of a long log', 'limit=1000', 200],
        [
          'a cursor made by hand',
          `limit=1000&cursor=${cursor('2100-01-01T00:00:00.000Z', 999_999_999, 'x')}`,
          400,
        ],
      ] as const
    ).map(([input, query, status]) => ({
      operation: 'readings/access-log',
      input,
      status,
      make: get(`/casesheet/readings/access-log?${query}`, log),
    })),
    {
      operation: 'readings/types',
      input: 'If-None-Match of 6 KB',
      status: 200,
      make: get('/casesheet/readings/types', anyone, { 'if-none-match': '"x",'.repeat(1_500) }),
    },

    ...(
      [
        ['the plain list, 1,000', 'limit=1000', 200],
        ['a rare name', 'q=zelzel&limit=1000', 200],
        ['a name that nobody has', 'q=qqqqqq', 200],
        ['one letter', 'q=z&limit=1000', 200],
        ['two letters', 'q=zq', 200],
        ['letters apart', 'q=a+b+c', 200],
        ['marks only', 'q=%25_%25', 200],
        ['a name of 200 characters', `q=${'an'.repeat(100)}`, 200],
        ['a rare language', 'language=cy&limit=1000', 200],
        ['a rare language in a city', 'language=cy&city=pune&limit=1000', 200],
        ['a rare language and one letter', 'language=cy&q=z&limit=1000', 200],
        ['a rare name in a city', 'q=zelzel&city=pune', 200],
        ['a language that nobody speaks', 'language=tlh', 200],
      ] as const
    ).map(([input, query, status]) => ({
      operation: 'doctors/list',
      input,
      status,
      make: get(doctors(query), anyone),
    })),
    {
      operation: 'specialities/list',
      input: '1,000 specialities',
      status: 200,
      make: get('/appointments/doctors/specialities/list', anyone),
    },
    {
      operation: 'specialities/list',
      input: 'If-None-Match of 6 KB',
      status: 200,
      make: get('/appointments/doctors/specialities/list', anyone, { 'if-none-match': '"x",'.repeat(1_500) }),
    },

    { operation: 'without a token', input: '/docs', status: 200, make: get('/docs', {}) },
    {
      operation: 'without a token',
      input: "/docs, the page's script",
      status: 200,
      make: get('/docs/js/scalar.js', {}),
    },
    { operation: 'without a token', input: '/openapi.json', status: 200, make: get('/openapi.json', {}) },
    {
      operation: 'without a token',
      input: 'a forged signature',
      status: 401,
      make: get('/casesheet/readings/get', forged),
    },
    {
      operation: 'without a token',
      input: 'a path of 7 KB',
      status: 404,
      make: get(`/${'a/'.repeat(3_500)}`, {}),
    },
    {
      operation: 'without a token',
      input: 'a list of 4 MiB to an unknown path',
      status: 404,
      make: () => ({ path: '/nothing', body: Buffer.from(permitted[6]?.[1]() ?? '') }),
    },
    {
      operation: 'without a token',
      input: 'OPTIONS',
      status: 404,
      make: () => ({ method: 'OPTIONS', path: ADD }),
    },
  ]
}
