// Pages of the directory that clients request and do not read.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'

const CLIENTS = 60
const PAGE_MB = 6

const rounds = await startRounds({ RATE_LIMIT_PER_MINUTE: '1000000' })
// Larger than what is cached, and than what the kernel takes.
await runSql(
  rounds.ownerUrl,
  `insert into appointments.doctors (doctor_id, name, name_key, qualifications)
   select 'wide-' || n, 'Dr. Wide ' || n || ' (invented)', 'dr. wide ' || n || ' (invented)', array[repeat('q', $1::int)]
   from generate_series(1, 500) n`,
  [(PAGE_MB * 1e6) / 500],
)
await runSql(rounds.ownerUrl, 'select appointments.list_doctors()')
const sockets: Socket[] = []
after(() => sockets.forEach((socket) => socket.destroy()))

async function requestAndReadNothing(path: string, sub: string) {
  const { hostname, port } = new URL(rounds.url)
  const socket = connect(Number(port), hostname).pause()
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: rounds\r\nAuthorization: Bearer ${await rounds.token({ sub })}\r\n\r\n`,
  )
}

async function answersCut(): Promise<number> {
  const text = await (await fetch(`${rounds.adminUrl}/metrics`)).text()
  return Number(/^rounds_http_responses_aborted_total (\d+)/m.exec(text)?.[1] ?? assert.fail())
}

test('of many clients that do not read their pages, the slowest are cut, and others are served', async (t) => {
  const before = process.memoryUsage().arrayBuffers
  for (let client = 0; client < CLIENTS; client++)
    await requestAndReadNothing(`/appointments/doctors/list?limit=${500 + client}`, `client-${client}`)
  // 64 MiB may stay, and what the kernel has taken of the others.
  await until(async () => (await answersCut()) >= CLIENTS / 2, 120_000)
  const heldMiB = (process.memoryUsage().arrayBuffers - before) / 2 ** 20
  t.diagnostic(`${await answersCut()} of ${CLIENTS} cut, ${heldMiB.toFixed(0)} MiB of buffers`)
  const { status } = await rounds.call('/appointments/doctors/list?limit=1', { token: await rounds.token() })
  assert.equal(status, 200)
})
