// Simulated devices send through a real HAProxy while half of their cell moves by the command, and a Rounds process is killed
// meanwhile: the simulation proves that every reading is there once.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startDevIssuer } from '../../tools/dev/issuer.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { temporaryDirectory } from '../dev.ts'
import { findFreePort } from '../free-port.ts'
import { AUDIENCE, createDatabase, runSql } from '../harness.ts'
import { needs, programOf } from '../needs.ts'
import { runCommand, runProgram, serveForLoad } from '../process.ts'
import { countIn, until } from '../simulate-stage.ts'

const issuer = await startDevIssuer({ audience: AUDIENCE })

async function startCell() {
  const postgres = await startThrowawayPostgres({ wal_level: 'logical' })
  after(() => postgres.stop())
  process.env['TEST_DATABASE_URL'] = postgres.url
  const { ownerUrl, serveUrl } = await createDatabase()
  const serve = (port = '0', adminPort = '0') =>
    serveForLoad({
      PORT: port,
      ADMIN_PORT: adminPort,
      DATABASE_URL: serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
    })
  return { ownerUrl, serve }
}

const [old, fresh] = [await startCell(), await startCell()]
let ofOld = await old.serve()
const ofFresh = await fresh.serve()
after(issuer.stop)

const mapPath = join(temporaryDirectory(), 'cells.map')
writeFileSync(mapPath, Array.from({ length: 4_096 }, (_, slot) => `${slot} cell_a\n`).join(''))
const socket = join(temporaryDirectory(), 'haproxy.sock')
const port = await findFreePort()
const hostOf = (url: string) => new URL(url).host
const portOf = (url: string) => new URL(url).port
const withHaproxy = needs('haproxy')
const settings = {
  ROUNDS_LISTEN: `127.0.0.1:${port}`,
  ROUNDS_CONNECTIONS: '4000',
  ROUNDS_HAPROXY_SOCKET: socket,
  ROUNDS_CELLS_MAP: mapPath,
  ROUNDS_CELL_A: hostOf(ofOld.url),
  ROUNDS_CELL_A_ADMIN: portOf(ofOld.adminUrl),
  ROUNDS_CELL_B: hostOf(ofFresh.url),
  ROUNDS_CELL_B_ADMIN: portOf(ofFresh.adminUrl),
}
if (!withHaproxy.skip) runProgram(programOf('haproxy'), ['-db', '-f', 'deploy/haproxy/cells.cfg'], settings)

const countRows = async ({ ownerUrl }: typeof old, where: string) => {
  const [row] = await runSql<{ count: number }>(
    ownerUrl,
    `select count(*)::integer as count from casesheet.readings where ${where}`,
  )
  return row?.count ?? 0
}

test(
  'half of a cell moves while devices send through the router, and each reading is there once',
  withHaproxy,
  async () => {
    const simulation = runCommand(
      [
        'simulate',
        '--url',
        `http://127.0.0.1:${port}`,
        ...'--patients 12 --days 5 --seed 91 --rate 150 --duplicates 5% --drop-answers 5% --withdraw 10% --follow --cells cell_a,cell_b'.split(
          ' ',
        ),
      ],
      { AUTH_ISSUER: issuer.url, AUTH_CLIENT_SECRET: issuer.clientSecret },
    )
    await until(async () => (await countRows(old, 'true')) > 100, 60_000)
    const moved = runCommand(
      [
        'cell',
        'move',
        '--slots',
        '0-2047',
        '--to',
        fresh.ownerUrl,
        '--map',
        mapPath,
        '--as',
        'cell_b',
        '--router',
        socket,
      ],
      { DATABASE_URL: old.ownerUrl },
    )
    ofOld.child.kill('SIGKILL')
    await ofOld.ended
    ofOld = await old.serve(portOf(ofOld.url), portOf(ofOld.adminUrl))
    const { code: moveCode, output: moveOutput } = await moved.ended
    assert.equal(moveCode, 0, moveOutput)
    assert.match(moveOutput, /The new cell serves slots 0-2047\. Neither cell did for \d+\.\d s\./)
    const storedAtSwitch = await countRows(fresh, 'true')
    const { code, output } = await simulation.ended
    assert.equal(code, 0, output)
    assert.match(output, /^Proven: each reading is there exactly once, as it was sent, and no other\.$/m)
    assert.match(
      output,
      /^Proven: the copy that was built from readings\/changes is what readings\/get gives\.$/m,
    )
    for (const name of [
      'errors',
      'missing',
      'doubled',
      'unexpected',
      'in a wrong state',
      'wrong in the copy',
    ])
      assert.equal(countIn(output, name), 0, name)
    const [here, there] = [
      await countRows(old, 'casesheet.slot_of(patient_uid) > 2047'),
      await countRows(fresh, 'casesheet.slot_of(patient_uid) <= 2047'),
    ]
    assert.equal(here + there, countIn(output, 'distinct readings'))
    assert.equal(
      await countRows(fresh, 'casesheet.slot_of(patient_uid) > 2047'),
      0,
      'none is in the wrong cell',
    )
    assert.ok(there > storedAtSwitch, 'it moved in the middle')
  },
)
