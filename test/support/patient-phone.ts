// A patient's phone that keeps one connection and repeats nothing: what a load balancer must not fail while servers behind it
// are restarted.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { runSql } from './harness.ts'

// HAProxy repeats no request that is larger than this; such a one is safe only because a stopping server announces it.
const HAPROXY_BUFFER_BYTES = 16_384

/** One connection that is kept, one request after the other, none of them repeated. */
async function playPatient(
  url: string,
  { patientUid, token, isOver }: { patientUid: string; token: string; isOver: () => boolean },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const acknowledged: number[] = []
  const failed: string[] = []
  let requests = 0
  let connections = 0

  async function ask(method: string, path: string, body = ''): Promise<string> {
    requests++
    const asked = request(`${url}/casesheet/readings/${path}`, { agent, method, headers })
    asked.once('socket', () => void (asked.reusedSocket || connections++))
    asked.end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const answered = await text(answer)
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${answered}`)
    return answered
  }
  const readingOf = (value: number) => ({
    patientUid,
    readingType: 'acme.count',
    value,
    note: 'x'.repeat(150),
    timestamp: 1_700_000_000_000 + value,
  })
  async function addAndGet(turn: number) {
    const first = acknowledged.length
    const count = turn % 10 === 0 ? 100 : 1
    const values = Array.from({ length: count }, (_, index) => first + index)
    const body = JSON.stringify(count === 1 ? readingOf(first) : values.map(readingOf))
    if (count > 1) assert.ok(body.length > HAPROXY_BUFFER_BYTES)
    await ask('POST', 'add', body)
    acknowledged.push(...values)
    const answer = JSON.parse(await ask('GET', 'get?limit=1&order=desc')) as { data: { value: number }[] }
    assert.equal(answer.data[0]?.value, values.at(-1), 'the reading that was just added is the newest')
  }
  for (let turn = 0; !isOver() && failed.length === 0; turn++) {
    await addAndGet(turn).catch((error: unknown) => failed.push(String(error)))
    await pause(10)
  }
  agent.destroy()
  return { patientUid, acknowledged, failed, requests, connections }
}

/** Several of them, until they are told that it is over. */
export function playPatients(
  url: string,
  count: number,
  { tokenOf, isOver }: { tokenOf: (patientUid: string) => Promise<string>; isOver: () => boolean },
) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const patientUid = `patient-${index}`
      return playPatient(url, { patientUid, token: await tokenOf(patientUid), isOver })
    }),
  )
}

type Played = Awaited<ReturnType<typeof playPatient>>

/** No request failed, and every reading is there once. HAProxy keeps the one connection of each client. */
export async function mustHaveLostNothing(played: Played[], ownerUrl: string, minRequests: number) {
  assert.deepEqual(
    played.flatMap(({ failed }) => failed),
    [],
  )
  for (const { patientUid, acknowledged, requests, connections } of played) {
    assert.ok(requests > minRequests, `${requests} requests are no load`)
    assert.ok(connections <= 1, `${connections} connections`)
    const stored = await runSql<{ value: number }>(
      ownerUrl,
      `select (details->>'value')::integer as value
       from casesheet.readings
       where patient_uid = $1
       order by measured_at`,
      [patientUid],
    )
    assert.deepEqual(
      stored.map(({ value }) => value),
      acknowledged,
    )
  }
}
