// A process with a heap of 384 MiB, and everything hostile that one client can send: it survives each, and a caller who sends
// ordinary requests meanwhile is served quickly.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { generateKeyPair } from 'jose'
import { runSql } from './harness.ts'
import { slownessOfCores } from './limits/cost.ts'
import { runLoad } from './load/load.ts'
import { startLoadStage } from './load/stage.ts'

const SECONDS = 4
const MAX_MIB = 640
const slowness = slownessOfCores()
const stage = await startLoadStage({
  NODE_OPTIONS: '--max-old-space-size=384',
  RATE_LIMIT_PER_MINUTE: '600',
  RATE_LIMIT_BYTES_PER_MINUTE: '16777216',
  RATE_LIMIT_REFUSED_PER_MINUTE: '6000',
  CORS_ORIGINS: 'https://app.example',
})
const { server, issuer, patients, ownerUrl } = stage
const { port, host } = new URL(server.url)
const callers = patients.slice(0, 20)
const [hostile] = patients.slice(-1)
await runSql(
  ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select $1, to_timestamp(n), gen_random_uuid(), 'acme.n' || n, n, json_build_object('note', repeat('x', 60000)), 'test'
   from generate_series(1, 40) n`,
  [hostile?.uid],
)
// Their tokens are cached from here on: one that is new in the middle of a flood of forged ones may have to be sent again.
for (const { token } of callers) {
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await fetch(`${server.url}/casesheet/readings/types`, { headers })).status, 200)
}
const { privateKey } = await generateKeyPair('RS256')
const forged = await Promise.all(
  Array.from({ length: 200 }, () => issuer.token({ patientUid: 'x' }, { key: privateKey })),
)
const headOf = (line: string, headers: string[] = []) =>
  [`${line} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n')
const bearer = `Authorization: Bearer ${hostile?.token}`
/** A page of a mebibyte. */
const LARGE = headOf('GET /casesheet/readings/get?limit=1000', [bearer])
const POST = 'POST /casesheet/readings/add'
const JSON_TYPE = 'Content-Type: application/json'

type Attack = {
  connections: number
  begin: (socket: Socket, index: number) => void
  reads?: boolean
  /** All of it is permitted and has to be done, so that others may be told to come again. */
  isAsked?: boolean
}

/** Sends the next request when an answer has begun; what is read is dropped. */
const flood = (next: (count: number) => string) => (socket: Socket) => {
  let count = 0
  socket.on('data', () => socket.write(next(count++)))
  socket.write(next(count++))
}

const ATTACKS: Record<string, Attack> = {
  'requests without a token': { connections: 200, begin: flood(() => headOf('GET /casesheet/readings/get')) },
  preflights: {
    connections: 200,
    begin: flood(() =>
      headOf('OPTIONS /casesheet/readings/get', [
        'Origin: https://app.example',
        'Access-Control-Request-Method: GET',
      ]),
    ),
  },
  'forged tokens': {
    connections: 200,
    begin: flood((count) =>
      headOf('GET /casesheet/readings/get', [`Authorization: Bearer ${forged[count % forged.length]}`]),
    ),
  },
  'the script of the reference pages': {
    connections: 50,
    begin: flood(() => headOf('GET /docs/js/scalar.js', ['Accept-Encoding: br'])),
  },
  'bodies to addresses where nothing is': {
    connections: 50,
    begin: flood(
      () => headOf('POST /nothing', [JSON_TYPE, 'Content-Length: 60000']) + `[${'1,'.repeat(29_999)}]`,
    ),
  },
  'pipelined requests for large answers': {
    connections: 20,
    begin: (socket) => void socket.write(LARGE.repeat(60)),
    reads: false,
  },
  'large answers that are not read': {
    connections: 1_000,
    begin: (socket) => void socket.write(LARGE),
    reads: false,
    isAsked: true,
  },
  'large bodies that never end': {
    connections: 1_000,
    begin: (socket) => {
      socket.write(headOf(POST, [bearer, JSON_TYPE, 'Content-Length: 4000000']))
      socket.write(Buffer.alloc(1_000_000, ' '))
    },
  },
  'bodies in pieces of a byte': {
    connections: 20,
    begin: (socket) => {
      socket.write(headOf(POST, [bearer, JSON_TYPE, 'Transfer-Encoding: chunked']))
      socket.write('1\r\n \r\n'.repeat(100_000))
    },
  },
}

for (const [name, { connections, begin, reads = true, isAsked = false }] of Object.entries(ATTACKS)) {
  test(`it serves others through ${name}`, async (t) => {
    const sockets = Array.from({ length: connections }, (_, index) => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      if (!reads) socket.pause()
      else socket.on('data', () => {})
      begin(socket, index)
      return socket
    })
    const stop = () => sockets.forEach((socket) => socket.destroy())
    after(stop)
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, server.memoryMiB())), 100)
    const figures = await runLoad({
      url: server.url,
      patients: callers,
      connections: 8,
      seconds: SECONDS,
      ratePerSecond: 50,
      getShare: 0.5,
    })
    clearInterval(watch)
    stop()
    const told = JSON.stringify({ ...figures, bySecond: undefined, mostMiB: Math.round(most) })
    t.diagnostic(told)
    assert.deepEqual([figures.others, figures.errors], [{}, []], told)
    if (!isAsked) assert.equal(figures.refused.count, 0, told)
    assert.ok(figures.accepted.count > figures.sent / 4, told)
    // How late the load itself sent is what the machine, which runs the attack too, adds to every time.
    assert.ok(figures.accepted.p99 - figures.lateness.p99 < 500 * slowness, told)
    assert.ok(most < MAX_MIB, told)
    assert.equal(server.child.exitCode, null)
  })
}

test('after all of them it stops with exit code 0, and its log holds no fault', async () => {
  server.child.kill('SIGTERM')
  const { code, output } = await server.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /"level":(50|60)/)
  await issuer.stop()
})
