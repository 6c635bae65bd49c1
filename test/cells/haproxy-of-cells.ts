// A real HAProxy with deploy/haproxy/cells.cfg in front of three cells and a directory of this test, and its map.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { programOf } from '../support/needs.ts'
import { runProgram } from '../support/process.ts'
import { until } from '../support/until.ts'

export const CELL_NAMES = ['cell_a', 'cell_b', 'cell_c'] as const

export const ROUTER_FILE = 'deploy/haproxy/cells.cfg'

type Addresses = { url: string; adminUrl: string }

type Routed = {
  cells: readonly Addresses[]
  directory: Addresses
  /** The cell of a slot, by its index. */
  cellOf: (slot: number) => number
  /** Besides what every test needs. */
  settings?: Record<string, string>
}

export async function startCellsRouter(routed: Routed) {
  const port = await findFreePort()
  const { mapPath, mapText, socket, environment } = prepareRouter(temporaryDirectory(), { ...routed, port })
  const haproxy = runProgram(programOf('haproxy'), ['-db', '-f', ROUTER_FILE], environment)

  /** Whether HAProxy sends requests to this backend. */
  async function isUp(backend: string): Promise<boolean> {
    const connection = connect(socket)
    connection.end('show stat\n')
    const stat = await text(connection).catch(() => '')
    return stat.split('\n').some((line) => line.startsWith(`${backend},one,`) && line.includes(',UP,'))
  }
  for (const backend of [...CELL_NAMES, 'directory'])
    await until(() => {
      assert.equal(haproxy.child.exitCode, null, haproxy.output())
      return isUp(backend)
    }, 120_000)
  async function kill() {
    haproxy.child.kill('SIGKILL')
    await haproxy.ended
  }
  return { url: `http://127.0.0.1:${port}`, mapPath, socket, mapText, isUp, kill, output: haproxy.output }
}

/** Writes the map into a directory; the rest is what HAProxy's file takes from the environment. */
export function prepareRouter(
  dir: string,
  { cells, directory, cellOf, settings, port }: Routed & { port: number },
) {
  const mapPath = join(dir, 'cells.map')
  const socket = join(dir, 'haproxy.sock')
  const lines = Array.from({ length: 4_096 }, (_, slot) => `${slot} ${CELL_NAMES[cellOf(slot)]}\n`)
  writeFileSync(mapPath, lines.join(''))
  const hostOf = (url: string) => new URL(url).host
  const portOf = (url: string) => new URL(url).port
  const addresses = ['A', 'B', 'C'].flatMap((letter, index) => {
    const cell = cells[index] ?? directory
    return [
      [`ROUNDS_CELL_${letter}`, hostOf(cell.url)],
      [`ROUNDS_CELL_${letter}_ADMIN`, portOf(cell.adminUrl)],
    ]
  })
  const environment: Record<string, string> = {
    ROUNDS_LISTEN: `127.0.0.1:${port}`,
    // Where a process may have few file descriptors, HAProxy would not start with the number of the file.
    ROUNDS_CONNECTIONS: '4000',
    ROUNDS_HAPROXY_SOCKET: socket,
    ROUNDS_HAPROXY_METRICS: join(dir, 'metrics.sock'),
    ROUNDS_CELLS_MAP: mapPath,
    ROUNDS_DIRECTORY: hostOf(directory.url),
    ROUNDS_DIRECTORY_ADMIN: portOf(directory.adminUrl),
    ...Object.fromEntries(addresses),
    ...settings,
  }
  return { mapPath, mapText: lines.join(''), socket, environment }
}
