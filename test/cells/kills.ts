// Something is killed outright at a step of a move, while devices send through the router: what was acknowledged is there once, in the
// cell that serves it, and the move is carried on.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MoveStep } from '../../src/modules/cells/move/move-slots.ts'
import { startDevIssuer } from '../../tools/dev/issuer.ts'
import { AUDIENCE } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { startSimulations } from './senders.ts'
import { startKillableCell, startStage } from './stage.ts'
import { STEPS } from './steps.ts'

type Victim = 'old primary' | 'new primary' | 'Rounds process' | 'command'
type Kill = [step: MoveStep, victim: Victim]

export const atEveryStep = (victim: Victim): Kill[] => STEPS.slice(0, -1).map((step) => [step, victim])

/** Each kill is a move of the same slots, to the other cell and back. */
export async function testKills(kills: Kill[]) {
  const withHaproxy = needs('haproxy')
  if (withHaproxy.skip) return test('kills', withHaproxy, () => {})
  const issuer = { ...(await startDevIssuer({ audience: AUDIENCE })), audience: AUDIENCE }
  const cells = [await startKillableCell(issuer), await startKillableCell(issuer)] as const
  const stage = await startStage(issuer, [...cells])
  after(issuer.stop)
  const simulations = startSimulations(stage, issuer)

  for (const [index, [step, victim]] of kills.entries()) {
    test(`the ${victim} is killed when the move has "${step}"`, async () => {
      const { from, to } = stage.ends()
      const strikes = {
        'old primary': from.killPrimary,
        'new primary': to.killPrimary,
        'Rounds process': (index % 2 === 0 ? from : to).killRounds,
        command: 'command' as const,
      }
      const struck = await simulations.during(stage.moveStruck(step, strikes[victim]))
      await simulations.during(struck.finish())
    })
  }

  test('after all of that each reading is there once, in the cell that serves it', async (t) => {
    const { distinct, runs } = await simulations.stop()
    t.diagnostic(`${kills.length} kills, ${runs} simulations, ${distinct} readings`)
    assert.equal(await stage.countServed(), distinct)
    assert.equal(await stage.countMisplaced(), 0)
  })
}
