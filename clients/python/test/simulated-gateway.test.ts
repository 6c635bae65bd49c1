// samples/gateway.py sends what simulated devices take: some readings twice, late and in no order, over
// a network that loses answers. It is killed in the middle, and so is the server. Then the simulator's own proof: every reading is
// stored exactly once and to the letter.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { needs, programOf } from '../../../test/support/needs.ts'
import { startStage } from '../../../test/support/simulate-stage.ts'
import { CLIENT_ID } from '../../../tools/dev/issuer-provider.ts'
import { simulatedPatient } from '../../../tools/simulate/patient.ts'
import { findFaults } from '../../../tools/simulate/prove.ts'
import { type Sync, syncsByDay } from '../../../tools/simulate/syncs.ts'
import { createRoundsClient } from '../../typescript/src/client.ts'
import { startFaultyNetwork } from '../../typescript/test/faulty-network.ts'

const PACKAGE = join(import.meta.dirname, '..')
const GATEWAY = join(PACKAGE, '../../samples/gateway.py')
const SEED = 11
const PATIENTS = 10
const DAYS = { first: 20_454, end: 20_459 }
const FAULTS = { duplicateShare: 0.05, lateMs: 6 * 3_600_000, isOutOfOrder: true }

const folder = mkdtempSync(join(tmpdir(), 'rounds-gateway-'))
after(() => rmSync(folder, { recursive: true }))

function startGateway(environment: NodeJS.ProcessEnv) {
  const child = spawn(programOf('python3'), [GATEWAY], { cwd: folder, env: environment })
  const ended = once(child, 'exit')
  after(() => child.kill('SIGKILL'))
  const said = createInterface(child.stdout)[Symbol.asyncIterator]()
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
  // A gateway that was killed takes no more.
  child.stdin.on('error', () => undefined)
  return {
    /** Whether it has the readings: false once it has ended. */
    /** A device that was cut off in the middle of a line. */
    takeNonsense() {
      child.stdin.write('[{"patientUid":\n')
    },
    async take({ readings }: Sync): Promise<boolean> {
      child.stdin.write(`${JSON.stringify(readings)}\n`)
      return (await said.next()).value === 'kept'
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    /** Lets it come to its end: everything that is queued is tried once more. */
    async finish() {
      child.stdin.end()
      const [code] = await ended
      assert.equal(code, 0, complaints)
      return complaints
    },
  }
}

function countQueued(): number {
  const file = new DatabaseSync(join(folder, 'readings.sqlite'))
  const { count } = file.prepare('select count(*) as count from queued').get() ?? {}
  file.close()
  return Number(count)
}

test(
  'the gateway of the samples delivers what simulated devices take, each reading once',
  needs('python3'),
  async () => {
    const stage = await startStage()
    const network = await startFaultyNetwork(stage.url)
    network.loseShare(0.02)
    const patients = Array.from({ length: PATIENTS }, (_, index) => simulatedPatient(SEED, index + 1))
    const tokens = await Promise.all(
      patients.map(({ patientUid }) => stage.token({ patientUids: [patientUid] })),
    )
    const consents = Object.fromEntries(patients.map(({ patientUid }, index) => [patientUid, tokens[index]]))
    writeFileSync(join(folder, 'consents.json'), JSON.stringify(consents))
    const start = () =>
      startGateway({
        PATH: process.env['PATH'],
        PYTHONPATH: PACKAGE,
        PYTHONDONTWRITEBYTECODE: '1',
        ROUNDS_URL: network.url,
        TOKEN_ENDPOINT: `${stage.environment.AUTH_ISSUER}/token`,
        GATEWAY_CLIENT: `${CLIENT_ID}:${stage.environment.AUTH_CLIENT_SECRET}`,
      })

    // Day by day, the patients in turn.
    const byPatient = patients.map((patient) => [...syncsByDay(patient, DAYS, FAULTS)])
    const longest = Math.max(...byPatient.map(({ length }) => length))
    const syncs = Array.from({ length: longest }, (_, day) =>
      byPatient.flatMap((days) => days[day] ?? []),
    ).flat()
    let gateway = start()
    let kills = 0
    let restarting: Promise<void> | undefined
    for (const [index, sync] of syncs.entries()) {
      const share = index / syncs.length
      if (share > 0.25 * (kills + 1) && kills < 2) {
        kills++
        // Once while it takes readings, once while it sends them.
        const taking = gateway.take(sync)
        if (kills === 2) await taking
        await gateway.kill()
        await taking
        gateway = start()
      }
      if (share > 0.7) restarting ??= stage.killAndRestart()
      assert.ok(await gateway.take(sync))
    }
    await restarting
    gateway.takeNonsense()
    assert.match(await gateway.finish(), /^line \d+ is no JSON: /m)
    for (let flushes = 0; countQueued() > 0 && flushes < 20; flushes++) await start().finish()

    assert.equal(countQueued(), 0)
    assert.equal(existsSync(join(folder, 'refused.log')), false)
    assert.equal(kills, 2)
    assert.ok(network.lost() >= 3, `${network.lost()} answers lost`)
    const duplicates = syncs.reduce((sum, sync) => sum + sync.duplicates, 0)
    const sent = syncs.reduce((sum, { readings }) => sum + readings.length, 0)
    assert.ok(duplicates > 0.03 * sent, `${duplicates} of ${sent} readings twice`)
    for (const [index, patient] of patients.entries()) {
      const client = createRoundsClient({ url: stage.url, token: tokens[index] ?? '' })
      const stored = client.eachReading({ patientUid: patient.patientUid })
      assert.deepEqual(await findFaults(patient, DAYS, stored), [])
    }
    assert.equal(await stage.countStored(), sent - duplicates)
  },
)
