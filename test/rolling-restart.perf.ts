// Two Rounds behind HAProxy, restarted in turn while patients add and get: no request fails, and nothing is lost or doubled.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'
import { SERVERS, type ServerName, startHaproxy } from './haproxy.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from './harness.ts'
import { needs } from './needs.ts'
import { serveForLoad } from './process.ts'

const RESTARTS = 20
const PATIENTS = 6
// HAProxy repeats no request that is larger than this; such a one is safe only because a stopping server announces it.
const HAPROXY_BUFFER_BYTES = 16_384

const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])

/** A patient's phone: one connection that is kept, one request after the other, none of them repeated. */
async function playPatient(url: string, patientUid: string, isOver: () => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = {
    authorization: `Bearer ${await issuer.token({ patientUid })}`,
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

test(`${RESTARTS} restarts of two processes in turn fail no request, and every reading is there once`, {
  ...needs('haproxy'),
  timeout: 240_000,
}, async () => {
  const ports = {
    one: { port: await findFreePort(), adminPort: await findFreePort() },
    two: { port: await findFreePort(), adminPort: await findFreePort() },
  }
  const start = (name: ServerName) =>
    serveForLoad({
      DATABASE_URL: serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      STOP_DELAY_SECONDS: '1',
      PORT: String(ports[name].port),
      ADMIN_PORT: String(ports[name].adminPort),
    })
  const running = { one: await start('one'), two: await start('two') }
  const haproxy = await startHaproxy(ports)
  await haproxy.untilBothAreUp()

  let isOver = false
  const patients = Promise.all(
    Array.from({ length: PATIENTS }, (_, index) =>
      playPatient(haproxy.url, `patient-${index}`, () => isOver),
    ),
  )
  try {
    for (let restart = 0; restart < RESTARTS; restart++) {
      const name = SERVERS[restart % 2] ?? 'one'
      running[name].child.kill('SIGTERM')
      const { code, output } = await running[name].ended
      assert.equal(code, 0, output)
      running[name] = await start(name)
      await haproxy.untilBothAreUp()
    }
  } finally {
    isOver = true
  }
  const played = await patients
  assert.deepEqual(
    played.flatMap(({ failed }) => failed),
    [],
  )
  for (const { patientUid, acknowledged, requests, connections } of played) {
    assert.ok(requests > RESTARTS * 10, `${requests} requests are no load`)
    assert.equal(connections, 1, 'HAProxy kept the connection of the client')
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
  const { one, two } = await haproxy.servers()
  for (const server of [one, two]) assert.ok(Number(server?.['stot']) > RESTARTS, 'both have served')
  for (const { child, ended } of Object.values(running)) {
    child.kill('SIGINT')
    assert.equal((await ended).code, 0)
  }
})
