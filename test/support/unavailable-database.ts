// A PostgreSQL whose clients need a password, and a proxy in front of it that can fail as networks do.
import { chown, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { findFreePort } from './free-port.ts'
import { runSql } from './harness.ts'

export const PASSWORD = 'secret-password-of-the-drill'

/** With a migrated database, and a port that takes TLS only. */
export async function startGuardedPostgres() {
  const tlsPort = String(await findFreePort())
  const postgres = await startThrowawayPostgres({ listen_addresses: '127.0.0.1', port: tlsPort })
  after(postgres.stop)
  const directory = decodeURIComponent(new URL(postgres.url).hostname)
  await migrate(postgres.url)
  const rules = [
    'local all postgres trust',
    'local all all scram-sha-256',
    'hostssl all all 127.0.0.1/32 scram-sha-256',
  ]
  await writeFile(join(directory, 'data/pg_hba.conf'), `${rules.join('\n')}\n`)
  await runSql(postgres.url, 'select pg_reload_conf()')
  const sql = (text: string) => runSql(postgres.url, text)
  let roles = 0
  return {
    socketPath: join(directory, `.s.PGSQL.${tlsPort}`),
    tlsPort,
    sql,
    /** A file that PostgreSQL takes for a key of its own. */
    async writeKey(name: string, text: string): Promise<string> {
      const file = join(directory, name)
      const { uid, gid } = await stat(directory)
      await writeFile(file, text, { mode: 0o600 })
      await chown(file, uid, gid)
      return file
    },
    /** A serving role. After each change its servers have to connect again. */
    async createRole() {
      const name = `rounds_drill_${++roles}`
      await sql(`create role ${name} login password '${PASSWORD}' in role rounds_server`)
      const cut = () =>
        sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}'`)
      const alter = (change: string) => async () => {
        await sql(`alter role ${name} ${change}`)
        await cut()
      }
      const url = new URL(postgres.url)
      url.username = name
      url.password = PASSWORD
      return { name, url: url.href, alter, cut }
    },
  }
}

/** `forward` passes everything on; `silent` accepts connections and bytes and answers nothing, on old connections too. */
type Mode = 'forward' | 'silent'

export async function startProxy(socketPath: string, role: string) {
  let mode: Mode = 'forward'
  const pairs = new Set<readonly [Socket, Socket]>()
  let server: Server | undefined
  const accept = (client: Socket) => {
    const upstream = connect(socketPath)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client]] as const) {
      from.on('data', (bytes) => void (mode === 'forward' && to.write(bytes)))
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
  }
  const listen = (port: number) =>
    new Promise<void>((done) => (server = createServer(accept).listen(port, '127.0.0.1', done)))
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const close = async () => {
    const closed = new Promise((done) => server?.close(done))
    cut()
    await closed
  }
  const port = await findFreePort()
  await listen(port)
  after(close)
  return {
    url: `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    /** Nothing listens any more. */
    refuse: close,
    acceptAgain: () => listen(port),
    fallSilent: () => void (mode = 'silent'),
    /** What was swallowed stays so: old connections are of no use. */
    speakAgain: () => {
      cut()
      mode = 'forward'
    },
  }
}
