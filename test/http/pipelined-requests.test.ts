// Many requests on one connection without waiting for answers: each is served in its turn, and none before it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { runSql, startRounds } from '../support/harness.ts'
import { find, scrape } from '../support/scrape.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()
const { hostname, port } = new URL(rounds.url)
const LATEST = '/casesheet/readings/latest'
// Just below the mebibyte that an answer may hold.
const TYPES = 16
await runSql(
  rounds.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'large', to_timestamp(n), gen_random_uuid(), 'acme.n' || n, n, json_build_object('note', repeat('x', 60000)), 'test'
   from generate_series(1, $1::int) n`,
  [TYPES],
)
const token = await rounds.token({ patientUid: 'large' })
const otherToken = await rounds.token({ patientUid: 'large', sub: 'other' })
const get = (path: string, extra = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${extra}\r\n`
const readCount = async () => {
  const [row] = await runSql<{ count: number }>(
    rounds.ownerUrl,
    "select count(*)::int as count from casesheet.access_log where patient_uid = 'large' and read_by <> 'other'",
  )
  return row?.count ?? -1
}

/** Another client reads the same so often, each time once it has the answer before: as many requests could be served beside it. */
async function readBeside(count: number) {
  for (let read = 0; read < count; read++) {
    const { status } = await rounds.call(LATEST, { token: otherToken })
    assert.equal(status, 200)
  }
}

test('of 60 pipelined requests for a large answer none is begun before the answer to the last has been taken', async () => {
  const { headers } = await rounds.call(LATEST, { token })
  assert.ok(Number(headers.get('content-length')) > 200_000)
  const before = await readCount()
  const socket = connect(Number(port), hostname).pause()
  socket.write(get(LATEST).repeat(59) + get(LATEST, 'Connection: close\r\n'))
  await until(async () => (await readCount()) > before)
  // What the kernel takes is as good as sent; then no more are made.
  await readBeside(30)
  const count = await readCount()
  assert.ok(count - before < 30, `${count - before} were read for a client that reads nothing`)
  let answers = 0
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text.split('HTTP/1.1 200 OK').length - 1
  })
  socket.resume()
  await once(socket, 'close')
  // A status line may be divided between two reads, rarely.
  assert.ok(answers >= 58 && answers <= 60, String(answers))
  assert.equal((await readCount()) - before, 60)
})

test('pipelined requests are answered in their order, bodies included', async () => {
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  const body = JSON.stringify({ patientUid: 'large', readingType: 'acme.p', timestamp: 5 })
  const add = `POST /casesheet/readings/add HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Request-Id: `
  for (let index = 0; index < 50; index++) socket.write(`${add}n${index}\r\n\r\n${body}`)
  socket.write(get('/casesheet/readings/types', 'X-Request-Id: last\r\nConnection: close\r\n'))
  await once(socket, 'close')
  const ids = [...received.matchAll(/x-request-id: (\w+)/g)].map(([, id]) => id)
  assert.deepEqual(ids, [...Array.from({ length: 50 }, (_, index) => `n${index}`), 'last'])
  assert.equal(received.split('HTTP/1.1 200 OK').length - 1, 51)
})

test('more than a connection may hold are refused, in order, and the connection goes on', async () => {
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500))
  socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  assert.equal(statuses.length, 501)
  assert.deepEqual(new Set(statuses), new Set(['404', '503']))
  assert.deepEqual(new Set(statuses.slice(0, 100)), new Set(['404']))
})

test('a client that leaves takes its held requests with it', async () => {
  const before = await readCount()
  const socket = connect(Number(port), hostname).pause()
  socket.write(get(LATEST).repeat(100))
  await until(async () => (await readCount()) > before)
  // Until the kernel takes no more.
  await readBeside(25)
  const count = await readCount()
  assert.ok(count - before < 50, String(count - before))
  socket.resetAndDestroy()
  await readBeside(25)
  assert.equal(await readCount(), count)
})

test('what clients that left had sent takes no room from those who stay', async () => {
  // Together they hold as many requests as all connections may.
  const sockets = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const waiting = await rounds.token({ sub: `follower-${index}`, scope: 'readings:changes' })
      const socket = connect(Number(port), hostname)
      socket.write(
        `GET /casesheet/readings/changes?start=now&wait=30 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${waiting}\r\n\r\n${'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100)}`,
      )
      return socket
    }),
  )
  const waiting = async () => find(await scrape(rounds.adminUrl), 'rounds_changes_long_polls')[0]?.value
  await until(async () => (await waiting()) === sockets.length)
  assert.deepEqual(await statusesOfTwo(), ['404', '503'])
  for (const socket of sockets) socket.resetAndDestroy()
  await until(async () => (await waiting()) === 0)
  assert.deepEqual(await statusesOfTwo(), ['404', '404'])
})

/** Of two requests for nothing on one connection, the second of which has to be held. */
async function statusesOfTwo() {
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  socket.write(
    'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  await once(socket, 'close')
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
}
