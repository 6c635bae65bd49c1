// Two processes of `rounds serve` behind HAProxy, which also leads them to the primary; and an issuer of tokens.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { importDirectory } from '../../src/modules/appointments/import/import-directory.ts'
import type { TokenSource } from '../../tools/dev/request-token.ts'
import { runSql } from '../../tools/dev/run-sql.ts'
import { findFreePort } from '../support/free-port.ts'
import { programOf } from '../support/needs.ts'
import { type Cluster, secret } from './cluster.ts'
import type { Node } from './patroni.ts'
import { end, type Program, start, untilHealed } from './processes.ts'

const ROOT = join(import.meta.dirname, '../..')
export const AUDIENCE = 'rounds-faults'

export type Server = { port: number; adminPort: number; program?: Program }

export type Service = Awaited<ReturnType<typeof startService>>

export async function startService(cluster: Cluster) {
  const { dir, nodes, passwords } = cluster
  const [port, databasePort] = [await findFreePort(), await findFreePort()]
  const servers: Server[] = []
  for (const _ of [1, 2]) servers.push({ port: await findFreePort(), adminPort: await findFreePort() })
  await writeFile(join(dir, 'haproxy.cfg'), proxyConfig({ port, databasePort, servers, nodes }))
  const proxy = start('haproxy', [programOf('haproxy'), '-f', join(dir, 'haproxy.cfg'), '-db'], { dir })

  const ownerAt = (address: string) => `postgres://postgres:${passwords.superuser}@${address}`
  const apiPassword = secret()
  await prepareDatabase(ownerAt(addressOf(await cluster.primary())), apiPassword)
  const issuer = await startIssuer(dir)
  const environment = {
    HOST: '127.0.0.1',
    DATABASE_URL: `postgres://rounds_api:${apiPassword}@127.0.0.1:${databasePort}/rounds`,
    AUTH_ISSUER: issuer.source.url,
    AUTH_AUDIENCE: AUDIENCE,
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
    PATIENT_BYTES_PER_DAY: '1000000000000',
    LOG_LEVEL: 'warn',
    MODULES: 'appointments,casesheet,care,webhooks',
    ALERTS: 'on',
    WEBHOOK_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_NETWORKS: 'loopback',
  }
  function startServer(server: Server) {
    server.program = start(`rounds-${server.port}`, [process.execPath, 'src/cli.ts', 'serve'], {
      dir,
      cwd: ROOT,
      environment: { ...environment, PORT: String(server.port), ADMIN_PORT: String(server.adminPort) },
    })
  }
  const isReady = (server: Server) => answersOk(`http://127.0.0.1:${server.adminPort}/readyz`)
  servers.forEach(startServer)
  for (const server of servers) await untilHealed(() => isReady(server))
  // HAProxy hears of it a little later.
  const url = `http://127.0.0.1:${port}`
  await untilHealed(() => answersOk(`${url}/openapi.json`))

  return {
    url,
    ownerUrl: `${ownerAt(`127.0.0.1:${databasePort}`)}/rounds`,
    issuer,
    servers,
    startServer,
    isReady,
    async stop() {
      await Promise.all(servers.map(({ program }) => end(program)))
      for (const program of [issuer.program, proxy]) await end(program, 'SIGKILL')
    },
  }
}

async function prepareDatabase(server: string, apiPassword: string) {
  const databaseUrl = `${server}/rounds`
  await runSql(`${server}/postgres`, 'create database rounds')
  await migrate(databaseUrl)
  await runSql(databaseUrl, `create role rounds_api login password '${apiPassword}' in role rounds_server`)
  await importDirectory({ databaseUrl, file: join(ROOT, 'samples/directory.json') })
}

/** In a process of its own, which can be frozen. */
async function startIssuer(dir: string) {
  const note = join(dir, 'issuer.json')
  const program = start('issuer', [process.execPath, 'test/faults/issuer.ts', AUDIENCE, note], {
    dir,
    cwd: ROOT,
  })
  await untilHealed(async () => existsSync(note))
  return { program, source: JSON.parse(await readFile(note, 'utf8')) as TokenSource }
}

function answersOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const addressOf = ({ address, postgresPort }: Node) => `${address}:${postgresPort}`

type Proxy = { port: number; databasePort: number; servers: Server[]; nodes: Node[] }

// Every request may be sent again, so one that a process took with it when it died is sent to the other.
function proxyConfig({ port, databasePort, servers, nodes }: Proxy): string {
  return `
defaults
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 3s
  option redispatch 1

listen database
  mode tcp
  bind 127.0.0.1:${databasePort}
  retries 1
  option clitcpka
  option srvtcpka
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 250ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} ${addressOf(node)} check port ${node.restPort}`).join('\n')}

listen rounds
  mode http
  bind 127.0.0.1:${port}
  balance leastconn
  retries 3
  retry-on conn-failure empty-response
  option httpchk GET /readyz
  default-server inter 500ms fall 2 rise 1
${servers.map((server, index) => `  server r${index} 127.0.0.1:${server.port} check port ${server.adminPort}`).join('\n')}
`
}
