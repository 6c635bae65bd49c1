// What `rounds cell move` asks of running HAProxys before a slot is closed, and does when one of them fails later.
import assert from 'node:assert/strict'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { changeRouterMap } from '../../src/modules/cells/move/router-map.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runSql, startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'
import { runCell } from './aborts.ts'
import { startCellsRouter } from './haproxy-of-cells.ts'
import { startCell } from './two-cells.ts'

const withHaproxy = needs('haproxy')
const old = await startCell()
const fresh = await startRounds({ AUTH_ISSUER: old.rounds.issuer.url })
const router = withHaproxy.skip
  ? undefined
  : await startCellsRouter({ cells: [old.rounds, fresh], directory: fresh, cellOf: () => 0 })
const { mapPath = '', socket = '', url = '' } = router ?? {}
const nowhere = join(temporaryDirectory(), 'no.sock')

function move(backend: string, sockets: string[], map = mapPath) {
  const args = ['move', '--slots', '0-1023', '--to', fresh.ownerUrl, '--map', map, '--as', backend, '--yes']
  return runCell(args.concat(sockets.flatMap((path) => ['--router', path])), old)
}

test(
  'a router that cannot be reached, or has no such map or backend, is reported before a move begins',
  withHaproxy,
  async () => {
    const otherMap = join(temporaryDirectory(), 'other.map')
    await copyFile(mapPath, otherMap)
    for (const [asked, said] of [
      [move('cell_b', [socket, nowhere]), /cannot be reached/],
      [move('cell_bb', [socket]), /has no backend "cell_bb"/],
      [move('cell_b', [socket], otherMap), /has no map/],
    ] as const) {
      const { code, output } = await asked
      assert.deepEqual([code, said.test(output)], [1, true], output)
    }
    assert.deepEqual(await runSql(old.ownerUrl, 'select from casesheet.cell_moves'), [])
  },
)

test('of several routers all are given the map, also when one fails', withHaproxy, async () => {
  const failures = await changeRouterMap(
    { path: mapPath, backend: 'cell_z', sockets: [nowhere, socket] },
    { first: 0, last: 4_095 },
  )
  assert.equal(failures.length, 1)
  assert.match(failures[0] ?? '', /no\.sock cannot be reached/)
  assert.equal((await fetch(`${url}/casesheet/readings/types`)).status, 421)
})

test(
  'a router that fails after it was asked is named, and the slots are moved all the same',
  withHaproxy,
  async () => {
    const holder = new Client(old.ownerUrl)
    await holder.connect()
    // To begin, replication waits for this transaction.
    await holder.query('begin; select pg_current_xact_id()')
    const moving = move('cell_b', [socket])
    await until(async () => (await runSql(old.ownerUrl, 'select from casesheet.cell_moves')).length > 0)
    await router?.kill()
    await holder.query('commit')
    await holder.end()
    const { code, output } = await moving
    assert.equal(code, 1, output)
    assert.match(output, /The new cell serves slots 0-1023\.[^]*cannot be reached[^]*Reload these HAProxys/)
    const lines = (await readFile(mapPath, 'utf8')).split('\n')
    assert.equal(lines.filter((line) => line.endsWith(' cell_b')).length, 1_024)
  },
)
