// Requests for the operations of the OpenAPI document: as it describes them, nearly so, and wild.
import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../support/api-document.ts'
import { bodiesOf, wildBytes } from './bodies.ts'
import { cursorsFrom } from './cursors.ts'
import { NASTY_TEXTS, type Schema, valuesOf } from './schema-values.ts'

export type FuzzRequest = {
  method: string
  path: string
  /** As it stands in the address, escaped or not. */
  query: string
  headers: Record<string, string>
  /** Which of the tokens that the run has; the request itself holds none. */
  token: string
  body: Buffer | null
}

export type World = {
  operations: Operation[]
  schemas: Record<string, Schema>
  patients: string[]
  tokens: Record<string, string | undefined>
  /** The patients that a token names, by the name of the token. */
  patientsIn: Record<string, string[]>
  /** Cursors that were given for a real page. */
  cursors: string[]
  /** Readings of the first patient. */
  stored: Record<string, unknown>[]
  endpointIds: string[]
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']
const NO_TEXT_FOR_A_HEADER = /[^\t\x20-\x7e\x80-\xff]/g

const mostly = <Value>(usual: Arbitrary<Value>, rare: Arbitrary<Value>, weight = 9) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

export function requestsOf(world: World): Arbitrary<FuzzRequest> {
  const { operations, tokens } = world
  const token = mostly(
    fc.constantFrom('carer', 'patient', 'staff', 'consumer', 'clinician'),
    fc.constantFrom(...Object.keys(tokens)),
    4,
  )
  const described = fc.oneof(
    ...operations.map((operation) =>
      fc.record({
        method: mostly(fc.constant(operation.method.toUpperCase()), fc.constantFrom(...METHODS), 30),
        path: mostly(fc.constant(operation.path), misspelt(operation.path), 30),
        query: queriesOf(operation, world),
        headers: headersOf(operation),
        token: mostlyOf(operation, token),
        body: operation.requestBody ? bodiesOf(operation, world) : mostly(fc.constant(null), wildBytes, 30),
      }),
    ),
  )
  const wild = fc.record({
    method: fc.constantFrom(...METHODS),
    path: fc.oneof(
      fc.constantFrom(
        '/',
        '/openapi.json',
        '/docs',
        '/docs/',
        '/livez',
        '/metrics',
        '/%2e%2e',
        '//',
        '/docs/%2e%2e/x',
      ),
      fc.webPath().map((path) => path || '/'),
    ),
    query: wildQuery,
    headers: fc.dictionary(headerName, headerValue, { maxKeys: 5 }),
    token,
    body: mostly(fc.constant(null), wildBytes, 3),
  })
  return mostly(described, wild, 15)
}

/** Who is mostly let in. */
function mostlyOf({ path }: Operation, token: Arbitrary<string>): Arbitrary<string> {
  if (path.startsWith('/webhooks/')) return mostly(fc.constant('manager'), token, 4)
  return /\/patients\/list$|\/(reviews|alerts|rules|targets)\//.test(path)
    ? mostly(fc.constant('doctor'), token, 2)
    : token
}

const wildQuery = fc.oneof(
  fc.webQueryParameters(),
  fc.constantFrom(...NASTY_TEXTS).map((text) => `q=${encoded(text)}`),
  fc.constantFrom('&&&', '=', '?', '??%00', 'a=%zz', 'a=%ff&b', 'from[$gt]=1', 'limit=1;limit=2', 'a=1#b'),
)

function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}

function misspelt(path: string): Arbitrary<string> {
  return fc.constantFrom(
    `${path}/`,
    path.toUpperCase(),
    `/${path}`,
    path.replace('/readings', '/%72eadings'),
    `${path};x=1`,
    `${path}%00`,
    path.replace('/', '/./'),
  )
}

/** Of any two times, nearly all are further apart than a report may be long. */
const REPORTED: Record<string, Arbitrary<string>> = {
  from: fc.constantFrom('1', '1751328000', '1762000000000'),
  to: fc.constantFrom('1762000060000', '1770000000', '1780000000'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Mars/Olympus'),
  readingType: fc.constantFrom('heartRate', 'bloodPressure', 'interstitialGlucose', 'acme.steps'),
}

function queriesOf(operation: Operation, world: World): Arbitrary<string> {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const pairs = parameters.map(({ name, required, schema }) => {
    const fitting = valuesOf(schema as Schema, world.schemas).map((value) => [value].flat().map(String))
    const value = (
      {
        patientUid: fc.constantFrom(...world.patients),
        endpointId: fc.constantFrom(...world.endpointIds),
        cursor: cursorsFrom(world.cursors),
        // Longer ones would hold up the run.
        wait: fc.constantFrom('0', '1'),
        ...(operation.path.includes('/reports/') && REPORTED),
      } as Record<string, Arbitrary<string> | undefined>
    )[name]
    const usual = value ? value.map((text) => [text]) : fitting
    const nasty = fc.oneof(
      fc.constantFrom(...NASTY_TEXTS).map((text) => [text]),
      fitting.map((texts) => [...texts, ...texts]),
    )
    const texts = mostly(usual, nasty, 25)
    return fc
      .option(texts, { nil: [], freq: required === true ? 20 : 1 })
      .map((values) => values.map((text) => `${name}=${encoded(text)}`))
  })
  const known = fc.tuple(...pairs).map((all) => all.flat().join('&'))
  return mostly(
    known,
    fc.tuple(known, wildQuery).map((both) => both.join('&')),
    30,
  )
}

const headerName = fc
  .stringMatching(/^[a-z][a-z0-9-]{0,20}$/)
  .filter(
    (name) =>
      !/^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|authorization|proxy-connection|http2-settings)$/.test(
        name,
      ),
  )
const headerValue = fc
  .oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      ...NASTY_TEXTS,
      'return=representation',
      'gzip;q=0, br',
      '"*"',
      'W/"x"',
      '*/*;q=0',
      'text/csv;q=0.5',
    ),
  )
  .map((text) => text.replace(NO_TEXT_FOR_A_HEADER, '').trim())

/** The headers that some operation looks at, and then any. */
const LOOKED_AT: Record<string, string[]> = {
  accept: ['application/json', 'text/csv', 'application/x-ndjson', '*/*'],
  'accept-encoding': ['gzip', 'br', 'identity', '*'],
  prefer: ['return=representation', 'return=minimal', 'return=representation; foo="b,ar"'],
  'if-none-match': ['*', '"x"', 'W/"x", "y"'],
  'x-request-id': ['fuzz-1', 'not an id', 'x'.repeat(128)],
  'x-access-reason': ['On%20call', '%C3', 'a%00b', 'x'.repeat(201)],
  origin: ['https://app.example', 'null'],
  'last-event-id': ['1.0.00000000-0000-0000-0000-000000000000', `9.${'9'.repeat(18)}.x`, 'x'.repeat(4_000)],
}

function headersOf({ requestBody }: Operation): Arbitrary<Record<string, string>> {
  const looked = Object.entries(LOOKED_AT).map(([name, values]) =>
    fc
      .option(mostly(fc.constantFrom(...values), headerValue), { nil: undefined, freq: 1 })
      .map((value) => [name, value]),
  )
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;charset=utf-8',
      '',
      'a/b;c="',
    ),
    30,
  ).map((value) => ['content-type', requestBody ? value : undefined])
  const others = mostly(fc.constant({}), fc.dictionary(headerName, headerValue, { maxKeys: 3 }))
  return fc.tuple(others, type, ...looked).map(([more, ...pairs]) => ({
    ...more,
    ...Object.fromEntries(pairs.filter(([, value]) => value !== undefined)),
  }))
}
