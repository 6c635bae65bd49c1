// A real HAProxy with the configuration of deploy/haproxy, in front of Rounds processes of this test.
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryDirectory } from './dev.ts'
import { findFreePort } from './free-port.ts'
import { programOf } from './needs.ts'
import { runProgram } from './process.ts'

export const SERVERS = ['one', 'two'] as const
export type ServerName = (typeof SERVERS)[number]

type Ports = { port: number; adminPort: number }

export const HAPROXY_FILE = 'deploy/haproxy/rounds.cfg'

/** Limits for each address, and TLS, can be set as in the file. */
export async function startHaproxy(
  ports: Record<ServerName, Ports>,
  settings: Record<string, string> = {},
  file = HAPROXY_FILE,
) {
  const port = await findFreePort()
  const socket = join(temporaryDirectory(), 'haproxy.sock')
  const { child, ended } = runProgram(programOf('haproxy'), ['-db', '-f', file], {
    ROUNDS_LISTEN: `127.0.0.1:${port}`,
    // Where a process may have few file descriptors, HAProxy would not start with the number of the file.
    ROUNDS_CONNECTIONS: '4000',
    ROUNDS_HAPROXY_SOCKET: socket,
    ROUNDS_ONE: `127.0.0.1:${ports.one.port}`,
    ROUNDS_ONE_ADMIN: String(ports.one.adminPort),
    ROUNDS_TWO: `127.0.0.1:${ports.two.port}`,
    ROUNDS_TWO_ADMIN: String(ports.two.adminPort),
    ...settings,
  })
  const isRunning = () => child.exitCode === null

  /** What HAProxy knows of the servers of a backend, by name and column. */
  async function servers(backend = 'rounds'): Promise<Record<string, Record<string, string>>> {
    const connection = connect(socket)
    connection.end('show stat\n')
    const [header = '', ...lines] = (await text(connection)).trim().split('\n')
    const columns = header.replace('# ', '').split(',')
    const rows = lines.map((line) =>
      Object.fromEntries(line.split(',').map((cell, index) => [columns[index] ?? '', cell])),
    )
    return Object.fromEntries(
      rows.filter(({ pxname }) => pxname === backend).map((row) => [row['svname'] ?? '', row]),
    )
  }

  /** Waits until HAProxy sends requests to both. */
  async function untilBothAreUp() {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline && isRunning(); ) {
      const known: Awaited<ReturnType<typeof servers>> = await servers().catch(() => ({}))
      if (SERVERS.every((name) => known[name]?.['status'] === 'UP')) return
      await new Promise((resume) => setTimeout(resume, 50))
    }
    throw new Error(`HAProxy does not have both servers up:\n${isRunning() ? '' : (await ended).output}`)
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, servers, untilBothAreUp }
}
