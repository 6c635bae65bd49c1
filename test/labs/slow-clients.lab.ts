// Clients that take their answer slowly, or not at all, hold no memory of the server and delay no other client.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { mediansSideBySide } from '../load/side-by-side.ts'
import { startLoadStage } from '../load/stage.ts'
import { runSql } from '../support/harness.ts'
import { needs } from '../support/needs.ts'

const COUNT = 100_000
const SLOW = 20
const { server, serve, patients, issuer, ownerUrl } = await startLoadStage({
  // A connection on which nothing moves is cut ten seconds after the time that a request may wait.
  REQUEST_DEADLINE_SECONDS: '1',
  // Pages that were sent are garbage, and V8 lets it grow by hundreds of mebibytes where it may. With this little room a server
  // that kept what slow readers have not taken would end.
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=100',
})
const [patient] = patients
const { port } = new URL(server.url)
await runSql(
  ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'load-0', to_timestamp(1600000000 + n), gen_random_uuid(), 'acme.step', 1600000000 + n, json_build_object('note', repeat(md5(n::text), 5)), 'test'
   from generate_series(0, $1::int - 1) n`,
  [COUNT],
)

/** A whole range of readings, of which nothing is read until the test does. */
function askForAll(): Socket {
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(
      `GET /casesheet/readings/get HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${patient?.token}\r\n\r\n`,
    )
  })
  socket.on('error', () => {})
  after(() => socket.destroy())
  return socket.pause()
}

async function readCount(): Promise<number> {
  const [log] = await runSql<{ readings: number }>(
    ownerUrl,
    'select coalesce(sum(readings_count), 0)::int as readings from casesheet.access_log',
  )
  return log?.readings ?? 0
}

/** Once the server has filled all buffers, it reads no more. */
async function untilSteady() {
  let count = await readCount()
  for (let steady = 0; steady < 5; ) {
    await new Promise((resume) => setTimeout(resume, 100))
    const now = await readCount()
    steady = now === count && now > 0 ? steady + 1 : 0
    count = now
  }
}

/** Whether the kernel still has the server's end of this connection open. */
function isOpenAtServer({ localPort }: Socket): boolean {
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  const ends = new RegExp(` \\S+:${hex(Number(port))} \\S+:${hex(localPort ?? 0)} 01 `)
  return ends.test(readFileSync('/proc/net/tcp', 'utf8'))
}

test('readers who take their time hold little memory, and others are served as fast as by a server without them', async () => {
  const another = await serve()
  const compare = () => mediansSideBySide([server.url, another.url], patients[1]?.token ?? '')
  await compare()
  const before = server.memoryMiB()
  const readers = Array.from({ length: SLOW }, askForAll)
  await untilSteady()
  const sips = setInterval(() => readers.forEach((socket) => void socket.read(16_384)), 100)
  const [beside = 0, without = 0] = await compare()
  const grown = server.memoryMiB() - before
  clearInterval(sips)
  readers.forEach((socket) => socket.destroy())
  another.child.kill('SIGTERM')
  assert.ok(grown < 100, `${SLOW} slow readers took ${grown.toFixed(0)} MiB`)
  assert.ok(beside < 2 * without, `${beside.toFixed(1)} ms beside them, ${without.toFixed(1)} ms without`)
})

test(
  'a client that vanished without a word in the middle of its answer is let go',
  needs('linux'),
  async () => {
    const vanished = askForAll()
    await untilSteady()
    const began = Date.now()
    assert.ok(isOpenAtServer(vanished))
    while (isOpenAtServer(vanished)) {
      assert.ok(Date.now() - began < 30_000, 'it is still open after 30 s')
      await new Promise((resume) => setTimeout(resume, 200))
    }
    assert.ok(Date.now() - began > 5_000)
    server.child.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    await issuer.stop()
  },
)
