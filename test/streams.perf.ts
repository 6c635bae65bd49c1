// Five thousand streams on one process while 500 readings a second are added, half of them of watched patients.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { AUDIENCE, createDatabase, startIssuer } from './harness.ts'
import { serveForLoad } from './process.ts'

const STREAMS = 5_000
const OF_SUBJECT = 20
const RATE = 500
const SECONDS = 10

const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
const server = await serveForLoad({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
})
const { hostname, port } = new URL(server.url)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const sockets: Socket[] = []
after(() => {
  agent.destroy()
  for (const socket of sockets) socket.destroy()
})

const patientOf = (number: number) => `watched-${number}`
const sentAt = new Map<number, number>()
const delays: number[] = []
let opened = 0
let resets = 0
let ends = 0

function openStream(token: string, patientUid: string) {
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.write(
    `GET /casesheet/readings/stream?patientUid=${patientUid} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`,
  )
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1')
    if (text.includes('event: open')) opened++
    if (text.includes('event: reset')) resets++
    if (text.includes('event: end')) ends++
    for (const [, sequence] of text.matchAll(/"sequence":(\d+)/g))
      delays.push(performance.now() - (sentAt.get(Number(sequence)) ?? 0))
  })
}

let sequence = 0
function add(token: string, patientUid: string): Promise<number | undefined> {
  const number = ++sequence
  const body = JSON.stringify({ patientUid, readingType: 'acme.x', timestamp: number, sequence: number })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((done, fail) => {
    const call = request(`${server.url}/casesheet/readings/add`, { method: 'POST', agent, headers })
    call.once('error', fail).once('response', (answer) => {
      sentAt.set(number, performance.now())
      answer.resume().once('end', () => done(answer.statusCode))
    })
    call.end(body)
  })
}

/** Adds in a closed loop: how many a second, half of them of watched patients. */
async function rateOfAdds(adders: { token: string; patientUid: string }[], ms: number) {
  const end = performance.now() + ms
  let added = 0
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (performance.now() < end) {
        const { token, patientUid } = adders[added % adders.length] as (typeof adders)[number]
        added++
        assert.equal(await add(token, patientUid), 200)
      }
    }),
  )
  return (added * 1_000) / ms
}

test('5,000 streams: an event comes within 1.5 s of its commit, in bounded memory, and adds keep their rate', {
  timeout: 240_000,
}, async (t) => {
  const adders = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const patientUid = index % 2 === 0 ? patientOf(index * 20) : `unwatched-${index}`
      return { patientUid, token: await issuer.token({ patientUid, sub: `phone-${index}` }) }
    }),
  )
  await rateOfAdds(adders, 2_000)
  const without = await rateOfAdds(adders, 4_000)
  const before = server.memoryMiB()
  for (let first = 0; first < STREAMS; first += OF_SUBJECT) {
    const token = await issuer.token({ sub: `staff-${first}`, scope: 'readings:read' })
    for (let number = first; number < first + OF_SUBJECT; number++) openStream(token, patientOf(number))
  }
  for (const end = Date.now() + 60_000; ; ) {
    if (opened === STREAMS) break
    assert.ok(Date.now() < end, `${opened} streams were opened`)
    await new Promise((resume) => setTimeout(resume, 50))
  }
  delays.length = 0
  const begin = performance.now()
  const answers: Promise<number | undefined>[] = []
  for (let sent = 0; sent < RATE * SECONDS; sent++) {
    const { token, patientUid } = adders[sent % adders.length] as (typeof adders)[number]
    answers.push(add(token, patientUid))
    const early = begin + (sent * 1_000) / RATE - performance.now()
    if (early > 0) await new Promise((resume) => setTimeout(resume, early))
  }
  assert.ok((await Promise.all(answers)).every((status) => status === 200))
  const expected = (RATE * SECONDS) / 2
  for (const end = Date.now() + 10_000; delays.length < expected && Date.now() < end; )
    await new Promise((resume) => setTimeout(resume, 20))
  assert.equal(
    delays.length,
    expected,
    `every change of a watched patient is shown; ${resets} resets, ${ends} ended`,
  )
  const sorted = delays.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY
  const kibibytesEach = ((server.memoryMiB() - before) * 1_024) / STREAMS
  const beside = await rateOfAdds(adders, 4_000)
  t.diagnostic(
    `p99 ${p99.toFixed(0)} ms from commit to event; ${kibibytesEach.toFixed(1)} KiB each, ${server.memoryMiB().toFixed(0)} MiB; ` +
      `${beside.toFixed(0)} adds a second beside them, ${without.toFixed(0)} without`,
  )
  assert.ok(p99 <= 1_500, `p99 ${p99.toFixed(0)} ms`)
  assert.ok(kibibytesEach < 48, `a stream took ${kibibytesEach.toFixed(1)} KiB`)
  assert.ok(beside >= 0.85 * without, `${beside.toFixed(0)} adds a second beside ${without.toFixed(0)}`)
})
