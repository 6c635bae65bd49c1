// Everything hostile at once, from several connections, beside a caller who adds and reads a few readings: the process lives,
// and the caller hardly notices.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { spreadOf } from '../load/figures.ts'
import type { Case } from './case.ts'
import { bytesOf, sendOnce } from './send.ts'
import type { LimitsStage } from './stage.ts'

const SECONDS = 20
const HOSTILE_CONNECTIONS = 4
const DEAF_CONNECTIONS = 20
const PIPELINED = 60
const CALL_EVERY_MS = 50

export async function surviveAll(stage: LimitsStage, cases: Case[]) {
  // Made beforehand: making them would hold up the ordinary caller, who is in this process too.
  const requests = cases.map((one) => bytesOf(one.make()))
  const until = performance.now() + SECONDS * 1_000
  const hostile = Array.from({ length: HOSTILE_CONNECTIONS }, (_, worker) =>
    sendAll(stage, requests, { worker, until }),
  )
  const deaf = await askWithoutReading(stage, cases)
  const times = await callAsUsual(stage, until)
  const residentMiB = stage.server.memoryMiB()
  await Promise.all(hostile)
  for (const socket of deaf) socket.destroy()
  return { p99Ms: spreadOf(times).p99, calls: times.length, residentMiB }
}

/** One case after the other, each worker beginning elsewhere. */
async function sendAll(
  { server }: LimitsStage,
  requests: Buffer[],
  { worker, until }: { worker: number; until: number },
) {
  for (
    let at = Math.floor((worker * requests.length) / HOSTILE_CONNECTIONS);
    performance.now() < until;
    at++
  ) {
    const request = requests[at % requests.length]
    if (request) await sendOnce(server.url, request)
  }
}

/** Clients that ask for the largest answers, many in a row, and read none of them. */
async function askWithoutReading({ server }: LimitsStage, cases: Case[]) {
  const largest = cases.filter(
    ({ operation, input }) => operation === 'readings/get' && /64 KiB|quotes/.test(input),
  )
  return Promise.all(
    Array.from({ length: DEAF_CONNECTIONS }, async (_, index) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.pause()
      const one = largest[index % largest.length]
      if (one) for (let time = 0; time < PIPELINED; time++) socket.write(bytesOf(one.make()))
      return socket
    }),
  )
}

/** The times of an ordinary caller's requests; one that fails counts as one that takes for ever. */
async function callAsUsual({ server, bearer }: LimitsStage, until: number): Promise<number[]> {
  const headers = await bearer({ patientUid: 'usual', sub: 'usual' })
  const calls: Promise<number>[] = []
  for (let n = 0; performance.now() < until; n++) {
    const reading = {
      patientUid: 'usual',
      readingType: 'heartRate',
      value: 60 + (n % 40),
      timestamp: 1_760_000_000 + n,
    }
    const request =
      n % 2 === 0
        ? { path: '/casesheet/readings/add', headers, body: Buffer.from(JSON.stringify(reading)) }
        : { path: '/casesheet/readings/get?limit=20', headers }
    calls.push(
      sendOnce(server.url, bytesOf(request)).then(({ status, ms }) => (status === 200 ? ms : Infinity)),
    )
    await pause(CALL_EVERY_MS)
  }
  return Promise.all(calls)
}
