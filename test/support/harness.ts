// What every test stands on: a database of its own, an issuer with keys of its own, and the real server in between,
// reached through HTTP. The server connects as a role that may only do what serving needs.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { pathsOf, readServeConfig } from '../../src/config/config.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { serve } from '../../src/server/serve.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import { createAnswerCheck } from './check-answer.ts'
import { nameOfDatabase } from './ended-databases.ts'
import { endWithoutCleanUp } from './process-limits.ts'

endWithoutCleanUp()

export const AUDIENCE = 'rounds-test'

/** The address of a database that has nothing in it, or what its template has. */
export async function createEmptyDatabase(template = 'template1'): Promise<string> {
  const url = new URL(testServer())
  url.pathname = nameOfDatabase()
  await runSql(
    testServer(),
    `create database ${url.pathname.slice(1)} template ${template} strategy file_copy`,
  )
  return url.href
}

/** An empty, migrated database and two addresses of it: the owner's and the serving role's. */
export async function createDatabase() {
  const template = migratedTemplate()
  const ownerUrl = await createEmptyDatabase(template)
  if (template) await runSql(ownerUrl, TAKE_OVER_FEED)
  else await migrate(ownerUrl, { modules: ['fhir'] })
  const serveUrl = new URL(ownerUrl)
  serveUrl.username = `${serveUrl.pathname.slice(1)}_api`
  await runSql(ownerUrl, `create role ${serveUrl.username} login in role rounds_server`)
  return { ownerUrl, serveUrl: serveUrl.href }
}

// A copy of a database serves no changes until "rounds migrate" has made them its own.
const TAKE_OVER_FEED =
  'update casesheet.feed set database_oid = (select oid from pg_database where datname = current_database())'

function testServer(): string {
  return process.env['TEST_DATABASE_URL'] ?? endWithoutDatabase()
}

/** At once: what the file has started already would keep its process alive. */
function endWithoutDatabase(): never {
  writeSync(process.stderr.fd, `This test needs a database. Run "npm test", or one file: ${ONE_FILE}\n`)
  return process.exit(1)
}

const ONE_FILE = 'node --test --test-global-setup=test/support/global-setup.ts FILE'

/** Does the work with another PostgreSQL than that of all tests; one at a time. */
export async function onServer<T>(url: string, work: () => Promise<T>): Promise<T> {
  const before = testServer()
  process.env['TEST_DATABASE_URL'] = url
  try {
    return await work()
  } finally {
    process.env['TEST_DATABASE_URL'] = before
  }
}

/** A migrated database to copy, where the server of the tests has one: some tests start a server of their own. */
function migratedTemplate(): string | undefined {
  const template = process.env['TEST_DATABASE_TEMPLATE']
  if (!template) return undefined
  const { host, pathname } = new URL(template)
  return host === new URL(testServer()).host ? pathname.slice(1) : undefined
}

export { runSql }

export type SignOptions = { header?: Record<string, unknown>; key?: CryptoKey }

/** An issuer as Rounds sees one: discovery, a key set, and tokens signed with its key. It stops with its test or file. */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys: object[] = [{ ...(await exportJWK(publicKey)), kid: 'test-1', alg: 'RS256', use: 'sig' }]
  let keyFetches = 0
  let fault: RequestListener | undefined
  const server = createServer((request, response) => {
    if (fault) return fault(request, response)
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    if (!isDiscovery) keyFetches++
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/jwks` } : { keys }))
  })
  const url = await listen(server)
  after(() => closeServer(server))
  function token(claims: JWTPayload = {}, { header = {}, key = privateKey }: SignOptions = {}) {
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: url,
      aud: AUDIENCE,
      sub: 'test',
      iat: now,
      exp: now + 600,
      jti: randomUUID(),
      ...claims,
    }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'test-1', typ: 'at+jwt', ...header })
      .sign(key)
  }
  return {
    url,
    keys,
    privateKey,
    publicKey,
    token,
    keyFetches: () => keyFetches,
    /** Makes the issuer answer everything like this, until it is called without. */
    failWith: (answer?: RequestListener) => void (fault = answer),
    stop: () => closeServer(server),
  }
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function closeServer(server: Server) {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

/** The fields of all our envelopes together; which of them are there is what tests are about. */
export type Envelope = {
  status: string
  code: string
  message: string
  data: Record<string, unknown>[]
  nextCursor: string | null
  requestId: string
  retryable: boolean
  errors: { pointer: string; message: string }[]
}

export type Answer = { status: number; headers: Headers; text: string; json: Envelope }

export type Rounds = Awaited<ReturnType<typeof startRounds>>

/** Settings with which Rounds serves webhooks and alerts too, and may call receivers of the test. */
export const WITH_WEBHOOKS = {
  MODULES: 'appointments,casesheet,care,webhooks',
  ALERTS: 'on',
  WEBHOOK_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_NETWORKS: 'loopback',
}

/** All servers of a test understand each other's ids of Observations. */
export const FHIR_ID_KEY = randomBytes(32).toString('base64')

/** The whole of Rounds on a new database. It stops by itself after the tests of the file that started it. */
export async function startRounds(settings: Record<string, string> = {}) {
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  let log = ''
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    DATABASE_URL: database.serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
    RATE_LIMIT_REFUSED_PER_MINUTE: '1000000000',
    PATIENT_BYTES_PER_DAY: '1000000000000',
    // The test is in the same event loop, and hardly lets it rest.
    MAX_REQUESTS_WHEN_BUSY: '10000',
    FHIR_ID_KEY,
    ...settings,
  }
  let skippedMs = 0
  const config = readServeConfig(environment)
  const checkAnswer = createAnswerCheck(pathsOf(config))
  const serving = await serve(config, {
    logTo: { write: (line) => void (log += line) },
    now: () => Date.now() + skippedMs,
  })
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await serving.stop()
    await issuer.stop()
  }
  after(stop)

  async function call(
    path: string,
    options: {
      token?: string
      method?: string
      body?: unknown
      raw?: string | Buffer
      headers?: Record<string, string>
    } = {},
  ): Promise<Answer> {
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const method = options.method ?? (body === undefined ? 'GET' : 'POST')
    const response = await fetch(`${serving.url}${path}`, {
      method,
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
    const text = isEventStream(response.headers) ? await firstTextOf(response) : await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson(response.headers) && text !== '' ? JSON.parse(text) : {}) as Envelope,
    }
    await checkAnswer({ method, path }, answer)
    return answer
  }
  /** Puts the server's clock forward. */
  const skip = (ms: number) => void (skippedMs += ms)
  return { ...serving, ...database, issuer, token: issuer.token, call, skip, log: () => log, stop }
}

function isJson(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false
}

/** Asserts the one error shape. */
export function assertRefused(
  answer: { status: number; json: object; headers: Headers },
  status: number,
  code: string,
) {
  const { requestId, message, retryable, ...rest } = answer.json as Record<string, unknown>
  assert.deepEqual([answer.status, rest['status'], rest['code']], [status, 'error', code])
  assert.equal(requestId, answer.headers.get('x-request-id'))
  assert.match(String(message), /^.+\.$/)
  assert.equal(retryable, [408, 421, 429, 502, 503, 504].includes(status))
  assert.match(String(answer.headers.get('content-type')), /^application\/json/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
}

/** A stream does not end by itself: what comes first. */
async function firstTextOf({ body }: Response): Promise<string> {
  for await (const chunk of body ?? []) return Buffer.from(chunk).toString()
  return ''
}

function isEventStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}
