// Two containers behind HAProxy, stopped by `docker stop` and started again in turn while patients add and get.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFreePort } from '../support/free-port.ts'
import { SERVERS, type ServerName, startHaproxy } from '../support/haproxy.ts'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { mustHaveLostNothing, playPatients } from '../support/patient-phone.ts'
import { docker, dockerAside, IMAGE, nameContainer, runArguments } from './container.ts'

const STOPS = 4
const PATIENTS = 6

test(
  'docker stop under load fails no request, and every reading is there once',
  needs('haproxy'),
  async () => {
    const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
    const ports = {
      one: { port: await findFreePort(), adminPort: await findFreePort() },
      two: { port: await findFreePort(), adminPort: await findFreePort() },
    }
    const names: Record<ServerName, string> = { one: nameContainer(), two: nameContainer() }
    for (const name of SERVERS) {
      const args = runArguments(names[name], {
        DATABASE_URL: serveUrl,
        AUTH_ISSUER: issuer.url,
        AUTH_AUDIENCE: AUDIENCE,
        STOP_DELAY_SECONDS: '1',
        RATE_LIMIT_PER_MINUTE: '1000000',
        HOST: '127.0.0.1',
        PORT: String(ports[name].port),
        ADMIN_PORT: String(ports[name].adminPort),
        LOG_LEVEL: 'warn',
      })
      docker(...args, '--detach', IMAGE)
    }
    const haproxy = await startHaproxy(ports)
    await haproxy.untilBothAreUp()

    let isOver = false
    const patients = playPatients(haproxy.url, PATIENTS, {
      tokenOf: (patientUid) => issuer.token({ patientUid }),
      isOver: () => isOver,
    })
    try {
      for (let stop = 0; stop < STOPS; stop++) {
        const name = names[SERVERS[stop % 2] ?? 'one']
        await dockerAside('stop', '--timeout', '40', name)
        assert.equal(docker('inspect', '--format={{.State.ExitCode}}', name), '0', docker('logs', name))
        await dockerAside('start', name)
        await haproxy.untilBothAreUp()
      }
    } finally {
      isOver = true
    }
    await mustHaveLostNothing(await patients, ownerUrl, STOPS * 10)
    const { one, two } = await haproxy.servers()
    for (const server of [one, two]) assert.ok(Number(server?.['stot']) > STOPS, 'both have served')
  },
)
