// Half of a cell moves by the command, after an attempt that is aborted, while simulated devices send through a real HAProxy, and follow
// the changes of all three cells.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startDevIssuer } from '../../tools/dev/issuer.ts'
import { AUDIENCE } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { startProbe, startSimulations } from './senders.ts'
import { startKillableCell, startStage } from './stage.ts'

test(
  'half of a cell moves, and each reading is there once; nothing fails but by 503 with Retry-After',
  needs('haproxy'),
  async (t) => {
    const issuer = { ...(await startDevIssuer({ audience: AUDIENCE })), audience: AUDIENCE }
    const cells = [await startKillableCell(issuer), await startKillableCell(issuer)] as const
    const stage = await startStage(issuer, [...cells])
    after(issuer.stop)
    const simulations = startSimulations(stage, issuer)
    const probe = startProbe(stage, issuer)
    // Aborted when everything is copied: the copy that is built from the changes starts again, and is still right at the end.
    const { to } = stage.ends()
    await simulations.during(stage.moveStruck('copied', 'command'))
    await stage.command(['abort', '--to', to.ownerUrl])
    // There and back.
    for (let move = 0; move < 2; move++) {
      const output = await simulations.during(stage.move())
      assert.match(output, /The new cell serves slots 0-1023\. Neither cell did for \d+\.\d s\./)
      t.diagnostic(output)
    }
    const { answered, moving, others } = await probe.stop()
    assert.deepEqual(others, [])
    assert.ok(answered > 0)
    const { distinct, runs } = await simulations.stop()
    t.diagnostic(
      `${runs} simulations, ${distinct} readings; ${moving} of ${answered} requests met the switch`,
    )
    assert.equal(await stage.countServed(), distinct)
    assert.equal(await stage.countMisplaced(), 0)
  },
)
