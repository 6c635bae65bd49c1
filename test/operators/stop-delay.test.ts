// What a load balancer sees of a Rounds that is asked to stop.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'

const [{ serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
const token = await issuer.token({ patientUid: 'p1' })

async function startServing(stopDelaySeconds: number) {
  const server = await serveInProcess({
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    STOP_DELAY_SECONDS: String(stopDelaySeconds),
  })
  const readyUrl = `${server.adminUrl}/readyz`
  const add = (value: number) =>
    fetch(`${server.url}/casesheet/readings/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ patientUid: 'p1', readingType: 'acme.x', value, timestamp: 1 }),
    })
  const untilNotReady = async () => {
    for (;;) {
      const answer = await fetch(readyUrl)
      if (answer.status === 503)
        return (await answer.json()) as { status: string; checks: Record<string, boolean> }
    }
  }
  assert.equal((await fetch(readyUrl)).status, 200)
  assert.equal((await add(0)).headers.get('connection'), 'keep-alive')
  return { ...server, add, untilNotReady }
}

test('on SIGTERM it is not ready at once, serves on for the delay, and lets connections go', async () => {
  const { child, ended, add, untilNotReady } = await startServing(2)
  const toldAt = Date.now()
  child.kill('SIGTERM')
  assert.deepEqual(await untilNotReady(), { status: 'unavailable', checks: { running: false } })
  assert.ok(Date.now() - toldAt < 1_500, 'it says so long before the delay is over')
  for (let value = 1; value <= 3; value++) {
    const answer = await add(value)
    assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close'])
  }
  assert.equal((await ended).code, 0)
  assert.ok(Date.now() - toldAt >= 2_000)
})

test('a second signal ends the delay, and SIGINT has none', async () => {
  for (const signals of [['SIGTERM', 'SIGTERM'], ['SIGTERM', 'SIGINT'], ['SIGINT']] as [
    NodeJS.Signals,
    NodeJS.Signals?,
  ][]) {
    const { child, ended, untilNotReady } = await startServing(300)
    const [first, second] = signals
    child.kill(first)
    if (second) {
      await untilNotReady()
      child.kill(second)
    }
    assert.equal((await ended).code, 0, signals.join(' then '))
  }
})

test('a connection on which nothing is sent holds up a stop no longer than headers may take', async () => {
  const { child, ended, url } = await startServing(0)
  const { hostname, port } = new URL(url)
  const silent = connect(Number(port), hostname)
  await once(silent, 'connect')
  const stoppedAt = Date.now()
  child.kill('SIGINT')
  assert.equal((await ended).code, 0)
  silent.destroy()
  assert.ok(Date.now() - stoppedAt < 20_000, 'well before answers in flight would be given up')
})
