// A move is killed at a step and aborted: the old cell serves on, the copy is removed, and the slots can be moved anew.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MoveStep } from '../../src/modules/cells/move/move-slots.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { runCommand, runProgram, untilSaid } from '../support/process.ts'
import {
  assertNothingLost,
  type CellOfTest,
  createRouter,
  heldIn,
  patients,
  startCell,
  startTraffic,
} from './two-cells.ts'

const RANGE = { first: 0, last: 1_023 }

export function patientsOfRange(): string[] {
  return patients(100)
    .filter((patientUid) => slotOf(patientUid) <= RANGE.last)
    .slice(0, 5)
}

export const runCell = (args: string[], { ownerUrl }: CellOfTest) =>
  runCommand(['cell', ...args], { DATABASE_URL: ownerUrl }).ended

/** A move of the range that is killed when it has reached a step. */
export async function moveUntil(step: MoveStep, old: CellOfTest, fresh: CellOfTest) {
  const asked = { sourceUrl: old.ownerUrl, targetUrl: fresh.ownerUrl, range: RANGE }
  const moving = runProgram(process.execPath, ['test/cells/move-until.ts', step, JSON.stringify(asked)], {})
  await untilSaid(moving, new RegExp(`^reached ${step}$`, 'm'))
  moving.child.kill('SIGKILL')
  await moving.ended
}

/** A person would be asked, and the map of these tests is no file. */
export const UNASKED = ['--map-by-hand', '--yes']

export const moveArguments = ({ ownerUrl }: CellOfTest) => [
  'move',
  '--slots',
  `${RANGE.first}-${RANGE.last}`,
  '--to',
  ownerUrl,
  '--limit',
  '120',
  ...UNASKED,
]

/** What was moved from one to the other is moved back, and no copy is left. */
export async function moveBack(from: CellOfTest, to: CellOfTest) {
  const clean = ['clean', '--after-hours', '0', '--yes']
  for (const [args, cell] of [
    [clean, from],
    [moveArguments(from), to],
    [clean, to],
  ] as const) {
    const { code, output } = await runCell(args, cell)
    assert.equal(code, 0, output)
  }
}

export async function testAborts(steps: MoveStep[]) {
  const [old, fresh] = [await startCell(), await startCell()]
  const router = createRouter([old, fresh])

  for (const step of steps) {
    test(`a move that is killed when it has "${step}" can be aborted`, async () => {
      const traffic = startTraffic(router, patientsOfRange())
      await moveUntil(step, old, fresh)
      for (let run = 0; run < 2; run++) {
        const aborted = await runCell(['abort', '--to', fresh.ownerUrl], old)
        assert.equal(aborted.code, 0, aborted.output)
      }
      await assertNothingLost(await traffic.stop(), [[old, RANGE.first, RANGE.last]])
      assert.equal((await heldIn(fresh, RANGE.first, RANGE.last)).size, 0)
      const status = await runCell(['status'], fresh)
      assert.match(status.output, /slots incoming {2}none/)
    })
  }

  test('after that, the slots are moved anew, and there is nothing to abort', async () => {
    const traffic = startTraffic(router, patientsOfRange(), { from: 1_000_000 })
    const moved = await runCell(moveArguments(fresh), old)
    assert.equal(moved.code, 0, moved.output)
    await router.route(RANGE.first, RANGE.last, 1)
    await assertNothingLost(await traffic.stop(), [[fresh, RANGE.first, RANGE.last]])
    const { output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
    assert.match(output, /There is no move to abort/)
  })
}
