// A real HAProxy with the configuration of deploy/haproxy, in front of Rounds processes of this test.
import { readFileSync, writeFileSync } from 'node:fs'
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
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const socket = join(temporaryDirectory(), 'haproxy.sock')
  const { child, ended, output } = runProgram(programOf('haproxy'), ['-db', '-f', file], {
    ROUNDS_LISTEN: `127.0.0.1:${port}`,
    // Where a process may have few file descriptors, HAProxy would not start with the number of the file.
    ROUNDS_CONNECTIONS: '4000',
    ROUNDS_HAPROXY_SOCKET: socket,
    ROUNDS_HAPROXY_METRICS: `127.0.0.1:${metricsPort}`,
    ROUNDS_ONE: `127.0.0.1:${ports.one.port}`,
    ROUNDS_ONE_ADMIN: String(ports.one.adminPort),
    ROUNDS_TWO: `127.0.0.1:${ports.two.port}`,
    ROUNDS_TWO_ADMIN: String(ports.two.adminPort),
    ...settings,
  })
  const isRunning = () => child.exitCode === null

  /** Asks by its socket. */
  function ask(command: string): Promise<string> {
    const connection = connect(socket)
    connection.end(`${command}\n`)
    return text(connection)
  }

  /** The lines of its log about a request. */
  function logged(requestId: string) {
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    return lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['requestId'] === requestId)
  }

  /** What HAProxy knows of the servers of a backend, by name and column. */
  async function servers(backend = 'rounds'): Promise<Record<string, Record<string, string>>> {
    const [header = '', ...lines] = (await ask('show stat')).trim().split('\n')
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
  return {
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: child.pid,
    output,
    ask,
    logged,
    servers,
    untilBothAreUp,
  }
}

/** The configuration, in which the times that a client or a server has pass so many times as fast. */
export function hastened(speed: number): string {
  const path = join(temporaryDirectory(), 'rounds.cfg')
  const timeouts = /^( *timeout (?:client|server|http-request)) (\d+)s$/gm
  const inMs = (_: string, name: string, seconds: string) => `${name} ${(Number(seconds) * 1_000) / speed}ms`
  writeFileSync(path, readFileSync(HAPROXY_FILE, 'utf8').replaceAll(timeouts, inMs))
  return path
}
