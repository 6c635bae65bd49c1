// Why the switch has its order: each wrong one loses or misplaces a reading that was acknowledged, and the right one does not.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { joinCells } from '../../src/modules/cells/move/take-over.ts'
import { slotOf } from '../../src/modules/cells/slot.ts'
import { runSql } from '../support/harness.ts'
import { until } from '../support/until.ts'
import { heldIn, startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]

const asked = (range: { first: number; last: number }, onStep: (step: string) => Promise<void> | void) => ({
  sourceUrl: old.ownerUrl,
  targetUrl: fresh.ownerUrl,
  sourceUrlForTarget: old.ownerUrl,
  range,
  limitMs: 30_000,
  changeMap: async () => {},
  onProgress: () => {},
  onStep,
})

function patientBetween(first: number, last: number): string {
  for (;;) {
    const patientUid = randomUUID()
    if (slotOf(patientUid) >= first && slotOf(patientUid) <= last) return patientUid
  }
}

/** An add as a server makes it, whose commit waits: its session is slow, or its standby is. */
async function beginAdd(patientUid: string, isWritten: boolean) {
  const client = new Client({ connectionString: old.ownerUrl })
  await client.connect()
  await client.query('begin')
  // What a statement does first: it locks its table. Then it takes its snapshot, and a transaction id only when it writes.
  await client.query('lock table casesheet.readings in row exclusive mode')
  await client.query('declare seen cursor for select version from casesheet.cell')
  const insert = () =>
    client.query(
      `insert into casesheet.readings
         (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
       values ($1, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x')`,
      [patientUid],
    )
  if (isWritten) await insert()
  return async () => {
    if (!isWritten) await insert()
    await client.query('commit')
    await client.end()
  }
}

const SLOTS = { waiting: [0, 99], unwritten: [100, 199], early: [200, 299] } as const

for (const [what, isWritten] of [
  ['waiting', true],
  ['unwritten', false],
] as const) {
  test(`the switch waits for an add that is ${what}, and the new cell has it`, async () => {
    const [first, last] = SLOTS[what]
    const patientUid = patientBetween(first, last)
    const begun = Promise.withResolvers<() => Promise<void>>()
    const steps: string[] = []
    const moving = moveSlots(
      asked({ first, last }, async (step) => {
        steps.push(step)
        // Not earlier: to begin, replication waits for the transactions that run.
        if (step === 'copied') begun.resolve(await beginAdd(patientUid, isWritten))
      }),
    )
    const commit = await begun.promise
    await until(() => steps.includes('closed'))
    const [horizon] = await runSql<{ is_beyond: boolean }>(
      old.ownerUrl,
      `select pg_snapshot_xmin(pg_current_snapshot()) >= pg_snapshot_xmax(pg_current_snapshot()) as is_beyond`,
    )
    if (!isWritten) assert.equal(horizon?.is_beyond, true, 'transaction ids would show nothing to wait for')
    await new Promise((resume) => setTimeout(resume, 1_000))
    assert.equal(steps.includes('ended'), false)
    await commit()
    await moving
    assert.equal((await heldIn(fresh, first, last)).get(patientUid)?.timestamps.length, 1)
  })
}

test('with the map first, while both cells have the slots open, a reading is stored where it is not looked for', async () => {
  // A database that has all slots, as one that was never made a cell has: what a router sends to it is stored there.
  const apart = await startCell()
  const patientUid = patientBetween(300, 399)
  const send = async ({ rounds }: typeof old, timestamp: number) =>
    rounds.call('/casesheet/readings/add', {
      token: await rounds.token({ patientUid }),
      body: { patientUid, readingType: 'acme.step', timestamp },
    })
  assert.equal((await send(apart, 1)).status, 200)
  assert.equal((await send(old, 2)).status, 200, 'the old cell has not closed them')
  const held = [await heldIn(old, 300, 399), await heldIn(apart, 300, 399)].map(
    (of) => of.get(patientUid)?.timestamps,
  )
  assert.deepEqual(held, [[2], [1]], 'each cell has a part')
  // The command does not let it come to that: it takes no database that has patients of its own.
  await assert.rejects(
    moveSlots({ ...asked({ first: 300, last: 399 }, () => {}), targetUrl: apart.ownerUrl }),
    /has some of the slots 300-399 already|still holds data/,
  )
  const status = await runSql(old.ownerUrl, "select from casesheet.cell_moves where state = 'copying'")
  assert.equal(status.length, 0, 'and has recorded nothing')
  const joined = await startCell()
  await joinCells(joined.ownerUrl)
  await joinCells(joined.ownerUrl)
  assert.equal((await send(joined, 3)).status, 421, 'a database that has joined the cells stores nothing')
  await assert.rejects(joinCells(apart.ownerUrl), /serves patients already/)
  const refused = await send(fresh, 3)
  assert.equal(refused.status, 421, 'a cell that has not opened them stores nothing, whatever the map says')
})

test('without that wait, the add is in the old cell only: it is lost', async () => {
  const [first, last] = SLOTS.early
  const patientUid = patientBetween(first, last)
  // The same steps but one. Counts and digests are equal at this moment.
  const stop = new Error('the test goes on by itself')
  await moveSlots(
    asked({ first, last }, (step) => {
      if (step === 'copied') throw stop
    }),
  ).catch((error: unknown) => assert.equal(error, stop))
  const commit = await beginAdd(patientUid, true)
  const slots = `int4multirange(int4range(${first}, ${last + 1}))`
  await runSql(
    old.ownerUrl,
    `update casesheet.cell set open_slots = open_slots - ${slots}, closing_slots = closing_slots + ${slots}`,
  )
  const [end] = await runSql<{ lsn: string }>(
    old.ownerUrl,
    "select pg_logical_emit_message(true, 'rounds', '') as lsn",
  )
  await until(async () => {
    const [row] = await runSql<{ is_confirmed: boolean }>(
      old.ownerUrl,
      'select bool_and(confirmed_flush_lsn >= $1::pg_lsn) as is_confirmed from pg_replication_slots',
      [end?.lsn],
    )
    return row?.is_confirmed ?? false
  })
  await runSql(
    fresh.ownerUrl,
    `update casesheet.cell set open_slots = open_slots + ${slots}, incoming_slots = incoming_slots - ${slots}`,
  )
  // The old cell gives the slots up and replication ends, as after every move.
  const [subscription] = await runSql<{ subname: string }>(
    fresh.ownerUrl,
    'select subname from pg_subscription',
  )
  await runSql(fresh.ownerUrl, `alter subscription ${subscription?.subname} disable`)
  await commit()
  assert.equal((await heldIn(old, first, last)).get(patientUid)?.timestamps.length, 1)
  assert.equal((await heldIn(fresh, first, last)).get(patientUid), undefined, 'acknowledged, and lost')
})
