// Two Rounds behind HAProxy, restarted in turn while patients add and get: no request fails, and nothing is lost or doubled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFreePort } from '../support/free-port.ts'
import { SERVERS, type ServerName, startHaproxy } from '../support/haproxy.ts'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { mustHaveLostNothing, playPatients } from '../support/patient-phone.ts'
import { serveForLoad } from '../support/process.ts'

const RESTARTS = Number(process.env['RESTARTS'] ?? 6)
const PATIENTS = 6

const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])

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
  const patients = playPatients(haproxy.url, PATIENTS, {
    tokenOf: (patientUid) => issuer.token({ patientUid }),
    isOver: () => isOver,
  })
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
  await mustHaveLostNothing(played, ownerUrl, RESTARTS * 10)
  const { one, two } = await haproxy.servers()
  for (const server of [one, two]) assert.ok(Number(server?.['stot']) > RESTARTS, 'both have served')
  for (const { child, ended } of Object.values(running)) {
    child.kill('SIGINT')
    assert.equal((await ended).code, 0)
  }
})
