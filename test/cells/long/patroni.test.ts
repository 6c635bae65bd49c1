// The Patroni cluster of the fault tests as a cell, whose primary is killed in a move to it and from it: another node takes over, and
// nothing that was acknowledged is lost.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { startCluster } from '../../faults/cluster.ts'
import { untilHealed } from '../../faults/processes.ts'
import { AUDIENCE, startService } from '../../faults/service.ts'
import { runSql } from '../../support/harness.ts'
import { startSimulations } from '../senders.ts'
import { startKillableCell, startStage } from '../stage.ts'

const cluster = await startCluster({ parameters: { wal_level: 'logical' } })
const service = await startService(cluster)
const issuer = { ...service.issuer.source, audience: AUDIENCE }
const [server] = service.servers
assert.ok(server)
const patroniCell = {
  ownerUrl: service.ownerUrl,
  url: `http://127.0.0.1:${server.port}`,
  adminUrl: `http://127.0.0.1:${server.adminPort}`,
  /** The whole node, with its Patroni. */
  async killPrimary() {
    const primary = await cluster.primary()
    await cluster.killNode(primary)
    await untilHealed(async () =>
      cluster.primary().then(
        (node) => node !== primary,
        () => false,
      ),
    )
    cluster.startPatroni(primary)
    await untilHealed(cluster.isWhole, 180_000)
    await untilHealed(async () =>
      runSql(service.ownerUrl, 'select').then(
        () => true,
        () => false,
      ),
    )
  },
  killRounds: async () => {},
}
const stage = await startStage(issuer, [await startKillableCell(issuer), patroniCell])
after(async () => {
  await service.stop()
  await cluster.stop()
  await rm(cluster.dir, { recursive: true, force: true, maxRetries: 10 })
})
const simulations = startSimulations(stage, issuer)

/** To the cluster, whose primary is killed at this step; and back, undisturbed. */
for (const step of ['copied', 'checked', 'opened'] as const) {
  test(`the primary of the new cell fails over when the move has "${step}"`, async () => {
    const struck = await simulations.during(stage.moveStruck(step, () => patroniCell.killPrimary()))
    assert.equal(struck.isDone, false, 'the command loses its connection')
    await finishOrAnew(struck)
    await simulations.during(stage.move())
  })
}

for (const step of ['copied', 'confirmed', 'opened'] as const) {
  test(`the primary of the old cell fails over when the move has "${step}"`, async () => {
    await simulations.during(stage.move())
    const struck = await simulations.during(stage.moveStruck(step, () => patroniCell.killPrimary()))
    assert.equal(struck.isDone, false, 'the command loses its connection')
    await finishOrAnew(struck)
  })
}

/**
 * A failover loses the replication slot of the old cell, and may lose what the new one had confirmed. The command says so; then the
 * move is aborted and made anew.
 */
async function finishOrAnew(struck: Awaited<ReturnType<typeof stage.moveStruck>>) {
  const { from, to } = stage.ends()
  try {
    await simulations.during(struck.finish())
  } catch (error) {
    assert.match(String(error), /no longer has the replication slot|The two cells differ/)
    await stage.command(['abort', '--to', to.ownerUrl], from)
    await simulations.during(stage.move())
  }
}

test('after all of that each reading is there once, in the cell that serves it', async (t) => {
  const { distinct, runs } = await simulations.stop()
  t.diagnostic(`6 failovers, ${runs} simulations, ${distinct} readings`)
  assert.equal(await stage.countServed(), distinct)
  assert.equal(await stage.countMisplaced(), 0)
})
