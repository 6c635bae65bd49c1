// What counts as memory of bodies is what open requests have: whatever a body is refused for, and wherever its connection is
// cut, nothing of it is left, and the connection of a refused body can be used again or is closed.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { metricOf } from '../support/event-stream.ts'
import { FHIR_ID_KEY, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { OWN, PROTECTED_FHIR_PATHS, PROTECTED_PATHS } from '../support/protected-paths.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds({
  ...WITH_WEBHOOKS,
  MODULES: 'appointments,casesheet,care,webhooks,fhir,mcp',
  FHIR_ID_KEY,
})
const { hostname, port } = new URL(rounds.url)
const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_SMALL_AND_LARGE_BYTES = 96 * 1_024 * 1_024
const SMALL_BYTES = 65_536
const LARGE_BYTES = 150_000
/** A body of which so much has been sent is not too slow for a minute. */
const MINUTE_BYTES = 61_440
/** More than is collected before any of it is read. */
const FIRST_BYTES = 20_000
const PIECE_BYTES = 9_000
const KERNEL_BYTES = 65_536
const ADD = '/casesheet/readings/add'

const PATHS = [
  ...PROTECTED_PATHS.filter(({ method }) => method === 'POST').map(({ path }) => path),
  ...PROTECTED_FHIR_PATHS.filter(([method]) => method === 'POST').map(([, path]) => `/fhir${path}`),
  '/mcp',
]
const tokenOf = (sub: string) => rounds.token({ sub, patientUid: OWN, scope: 'webhooks:manage' })
const TOKENS = new Map(await Promise.all(PATHS.map(async (path) => [path, await tokenOf(path)] as const)))

type Refusal = {
  /** Of `readings/add`. Routes that refuse it for another reason answer otherwise. */
  status: number
  method?: string
  below?: string
  token?: 'none' | 'wrong'
  headers?: string
  /** Of a list that does not end. */
  length?: number
  start?: '{'
  isChunked?: boolean
  /** What is open meanwhile. */
  beside?: 'large bodies of the same subject' | 'large bodies of others'
}

const JSON_TYPE = 'content-type: application/json\r\n'
const FORM_TYPE = 'content-type: application/x-www-form-urlencoded\r\n'
const REFUSALS: Record<string, Refusal> = {
  'no token': { status: 401, token: 'none' },
  'a wrong token': { status: 401, token: 'wrong' },
  'an address where nothing is': { status: 404, below: '/nothing' },
  'another method': { status: 405, method: 'PUT' },
  'a head that is not well-formed': { status: 400, headers: `${JSON_TYPE}host: y\r\n` },
  'a query that is not known': { status: 400, below: '?nothing=1' },
  'a body that is not JSON': { status: 400 },
  'a body that is not JSON, in chunks': { status: 400, isChunked: true },
  'a small body that is not JSON': { status: 400, length: 2_000 },
  'a body that is one large value': { status: 413, start: '{' },
  'a body that is too large': { status: 413, length: MAX_BYTES + 1 },
  'another type': { status: 415, headers: 'content-type: text/plain\r\n' },
  'another type, in chunks': { status: 415, headers: 'content-type: text/plain\r\n', isChunked: true },
  'another type, small': { status: 415, headers: 'content-type: text/plain\r\n', length: 2_000 },
  'a compressed body': { status: 415, headers: `${JSON_TYPE}content-encoding: gzip\r\n` },
  'too many large bodies of its subject': { status: 429, beside: 'large bodies of the same subject' },
  'headers that are too large': { status: 431, headers: `${JSON_TYPE}x-long: ${'x'.repeat(9_000)}\r\n` },
  'too many large bodies': { status: 503, beside: 'large bodies of others' },
}

/** The bytes of a request, and how long its head is. */
function requestOf(path: string, refusal: Refusal, subject: string) {
  const { method = 'POST', below = '', token, length = LARGE_BYTES, start = '[', isChunked } = refusal
  const headers = refusal.headers ?? (path.endsWith('_search') ? FORM_TYPE : JSON_TYPE)
  const bearer = `authorization: Bearer ${token === 'wrong' ? `${subject.slice(0, -4)}AAAA` : subject}\r\n`
  const size = isChunked ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const head = `${method} ${path}${below} HTTP/1.1\r\nhost: x\r\n${token === 'none' ? '' : bearer}${headers}${size}\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const more = chunk(' '.repeat(PIECE_BYTES)).repeat(Math.ceil(length / PIECE_BYTES))
  const body = isChunked ? `${chunk(start)}${more}${chunk('')}` : start.padEnd(length)
  return { headBytes: head.length, text: head + body }
}

function open(text: string) {
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (piece) => (received += piece.toString())).on('error', () => {})
  after(() => socket.destroy())
  socket.write(text)
  return {
    socket,
    statuses: () => Array.from(received.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => Number(status)),
  }
}

/** Sends what stands from one byte to another, in pieces. */
async function send(socket: Socket, text: string, { from, to }: { from: number; to: number }) {
  const pieceBytes = text.length > MAX_BYTES ? KERNEL_BYTES : PIECE_BYTES
  for (let at = from; at < to && socket.writable; at += pieceBytes) {
    const isTaken = socket.write(text.slice(at, Math.min(at + pieceBytes, to)))
    if (isTaken) await new Promise(setImmediate)
    else await until(() => socket.writableLength === 0 || socket.destroyed)
  }
}

let state = 7
/** A number below another one, the same in each run. */
const below = (count: number) => (state = (state * 16_807) % 2_147_483_647) % count

/** Sends a request up to each of some bytes and disconnects. */
async function cutAnywhere(path: string, refusal: Refusal, subject: string) {
  const { text, headBytes } = requestOf(path, refusal, subject)
  const cuts = [below(headBytes), headBytes, headBytes + 1, headBytes + PIECE_BYTES]
  for (const to of [...cuts, headBytes + below(Math.min(text.length - headBytes, LARGE_BYTES))]) {
    const { socket } = open(text.slice(0, Math.min(to, headBytes)))
    await send(socket, text, { from: headBytes, to })
    socket.destroy()
  }
}

/** Sends a request, most of it after the answer where that comes early, and another one on the same connection. */
async function sendWhole(path: string, refusal: Refusal, subject: string): Promise<number> {
  const { text, headBytes } = requestOf(path, refusal, subject)
  const { socket, statuses } = open(text.slice(0, headBytes + FIRST_BYTES))
  const isReadFirst = refusal.status === 400 || refusal.start || refusal.headers?.includes('gzip')
  if (!isReadFirst) await until(() => statuses().length === 1)
  await send(socket, text, { from: headBytes + FIRST_BYTES, to: text.length })
  await until(() => statuses().length === 1)
  if (!socket.destroyed) socket.write('GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => socket.destroyed || socket.readableEnded || statuses().length === 2, 10_000, {
    what: () => `${path} goes on or ends`,
  })
  assert.ok([undefined, 404].includes(statuses()[1]), path)
  socket.destroy()
  return statuses()[0] ?? 0
}

const bytesOpen = () => metricOf(rounds.adminUrl, 'rounds_body_bytes')

async function openBeside(beside: Refusal['beside'], subject: string) {
  if (beside === undefined) return []
  const count = beside === 'large bodies of others' ? 16 : 2
  const opened = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const token = beside === 'large bodies of others' ? await tokenOf(`other-${index}`) : subject
      const { text, headBytes } = requestOf(ADD, { status: 0, length: MAX_BYTES }, token)
      return open(text.slice(0, headBytes + MINUTE_BYTES))
    }),
  )
  await until(async () => (await bytesOpen()) === count * MAX_BYTES)
  return opened
}

for (const [name, refusal] of Object.entries(REFUSALS)) {
  test(`${refusal.status}, ${name}: no route leaves bytes counted or a connection unusable`, async () => {
    const shared = await tokenOf('shared')
    const opened = await openBeside(refusal.beside, shared)
    const isOfOne = refusal.beside === 'large bodies of the same subject'
    const statuses = await Promise.all(
      PATHS.map(async (path) => {
        const subject = isOfOne ? shared : (TOKENS.get(path) ?? '')
        await cutAnywhere(path, refusal, subject)
        return sendWhole(path, refusal, subject)
      }),
    )
    for (const { socket } of opened) socket.destroy()
    assert.equal(statuses[PATHS.indexOf(ADD)], refusal.status, statuses.join())
    await until(async () => (await bytesOpen()) === 0, 10_000, { what: () => 'no byte is counted' })
  })
}

test('three bodies of another type that go on after their 415 leave their subject its room', async () => {
  const token = await tokenOf('issue')
  const wrong = { status: 415, headers: 'content-type: text/plain\r\n', length: 4_000_000 }
  for (const path of [ADD, '/care/targets/set', '/casesheet/readings/withdraw']) {
    const { text, headBytes } = requestOf(path, wrong, token)
    const { socket, statuses } = open(text.slice(0, headBytes))
    await until(() => statuses().length === 1)
    await send(socket, text, { from: headBytes, to: headBytes + 1_000_000 })
    socket.destroy()
  }
  const body = Array.from({ length: 20 }, (_, index) => ({
    patientUid: OWN,
    readingType: 'acme.note',
    timestamp: index,
    note: 'x'.repeat(10_000),
  }))
  assert.equal((await rounds.call(ADD, { token, body })).status, 200)
})

test('a body in chunks that goes on after its 415 fails nothing, also while its subject has no room', async () => {
  const token = await tokenOf('chunks')
  const opened = await openBeside('large bodies of the same subject', token)
  const wrong = { status: 415, headers: 'content-type: text/plain\r\n', isChunked: true, length: 1_000_000 }
  assert.equal(await sendWhole(ADD, wrong, token), 415)
  for (const { socket } of opened) socket.destroy()
  await until(async () => (await bytesOpen()) === 0)
})

test('a body in chunks counts as what has arrived, and a small one as one block', async () => {
  const chunks = { status: 0, isChunked: true }
  const { text, headBytes } = requestOf(ADD, chunks, await tokenOf('counted'))
  const { socket } = open(text.slice(0, headBytes))
  await until(async () => (await bytesOpen()) === 16_384)
  await send(socket, text, { from: headBytes, to: headBytes + 100_000 })
  await until(async () => {
    const bytes = await bytesOpen()
    return bytes > 99_000 && bytes <= 100_000 + 16_384
  })
  socket.destroy()
  await until(async () => (await bytesOpen()) === 0)
})

test('small bodies beside the large ones are bounded, and the last one that fits is read', async () => {
  const large = await openBeside('large bodies of others', '')
  const { text, headBytes } = requestOf(ADD, { status: 0, length: SMALL_BYTES }, await tokenOf('small'))
  const fit = (MAX_SMALL_AND_LARGE_BYTES - (await bytesOpen())) / SMALL_BYTES
  const small = Array.from({ length: fit }, () => open(text.slice(0, headBytes + MINUTE_BYTES)))
  // A scrape takes more of the event loop, which is also the server's, than a connection.
  const areOpen = async () => (await bytesOpen()) === MAX_SMALL_AND_LARGE_BYTES
  await until(areOpen, 60_000, { everyMs: 300 })
  const refused = open(text.slice(0, headBytes))
  await until(() => refused.statuses().length === 1)
  assert.deepEqual(refused.statuses(), [503])
  for (const { socket } of [...large, ...small, refused]) socket.destroy()
  await until(async () => (await bytesOpen()) === 0)
})
