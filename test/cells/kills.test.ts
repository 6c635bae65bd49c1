// Either primary is killed outright at each step of a move, under load: the move goes on when it is back, and nothing is lost, doubled
// or stored in the wrong cell.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTransient } from '../../src/db/database-errors.ts'
import { type MoveStep, moveSlots } from '../../src/modules/casesheet/cell/move/move-slots.ts'
import { slotOf } from '../../src/modules/casesheet/cell/slot.ts'
import type { SlotRange } from '../../src/modules/casesheet/cell/slot-range.ts'
import { CommandError } from '../../src/refusal.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import { assertNothingLost, createRouter, heldIn, patients, startCellOn, startTraffic } from './two-cells.ts'

const clusters = { old: await startKillablePostgres(), fresh: await startKillablePostgres() }
const [old, fresh] = [await startCellOn(clusters.old.url), await startCellOn(clusters.fresh.url)]
for (const { stopAfterTests } of Object.values(clusters)) stopAfterTests()
const router = createRouter([old, fresh])

/** Runs the move again until it is done, as the command does while a connection is lost. */
async function moveThrough(range: SlotRange, onStep: (step: MoveStep) => Promise<void>) {
  for (let runs = 1; ; runs++) {
    try {
      await moveSlots({
        sourceUrl: old.ownerUrl,
        targetUrl: fresh.ownerUrl,
        sourceUrlForTarget: old.ownerUrl,
        range,
        limitMs: 30_000,
        changeMap: () => router.route(range.first, range.last, 1),
        onProgress: () => {},
        onStep,
      })
      return runs
    } catch (error) {
      if (!(error instanceof CommandError) || !isTransient(error.cause) || runs > 50) throw error
      await new Promise((resume) => setTimeout(resume, 200))
    }
  }
}

const STEPS = ['prepared', 'replicating', 'copied', 'closed', 'confirmed', 'opened', 'mapped'] as const

for (const [index, step] of STEPS.entries()) {
  for (const victim of ['old', 'fresh'] as const) {
    test(`the ${victim} primary is killed when the move has "${step}"`, async () => {
      const first = index * 500 + (victim === 'old' ? 0 : 250)
      const range = { first, last: first + 249 }
      const some = patients(200)
        .filter((patientUid) => slotOf(patientUid) >= range.first && slotOf(patientUid) <= range.last)
        .slice(0, 5)
      const traffic = startTraffic(router, some)
      let kills = 0
      await moveThrough(range, async (reached) => {
        if (reached === step && kills++ === 0) await clusters[victim].killAndRestart()
      })
      assert.equal(kills > 0, true)
      await assertNothingLost(await traffic.stop(), [[fresh, range.first, range.last]])
      for (const [patientUid, { timestamps }] of await heldIn(old, range.first, range.last)) {
        const there = (await heldIn(fresh, range.first, range.last)).get(patientUid)?.timestamps ?? []
        assert.deepEqual(
          timestamps.filter((timestamp) => !there.includes(timestamp)),
          [],
        )
      }
      assert.deepEqual(
        [...router.statuses.keys()].filter((status) => ![200, 421, 503].includes(status)),
        [],
      )
    })
  }
}
