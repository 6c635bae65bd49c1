// A move with a wrong address. One that was stopped is run again, or aborted, with the address of another database: nothing happens to
// any of the three cells.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { runSql } from '../support/harness.ts'
import { runCommand, untilSaid } from '../support/process.ts'
import { moveArguments, moveUntil, patientsOfRange, runCell, UNASKED } from './aborts.ts'
import { createRouter, heldIn, readingOf, startCell } from './two-cells.ts'

const [old, fresh, other] = [await startCell(), await startCell(), await startCell()]
const [patientUid = ''] = patientsOfRange()
await createRouter([old, fresh]).call(patientUid, '/casesheet/readings/add', readingOf(patientUid, 1))

const slotsOf = ({ ownerUrl }: typeof old) =>
  runSql(ownerUrl, 'select version, open_slots, closing_slots, incoming_slots from casesheet.cell')
const movesOf = ({ ownerUrl }: typeof old) =>
  runSql(ownerUrl, 'select move_id, state from casesheet.cell_moves order by move_id')
const recorded = async () => [
  await slotsOf(old),
  await slotsOf(fresh),
  await slotsOf(other),
  await movesOf(old),
  await movesOf(fresh),
  await movesOf(other),
]

for (const step of ['copied', 'closed', 'opened'] as const)
  test(`a move that is killed when it has "${step}" neither goes on to another cell nor is aborted there`, async () => {
    await moveUntil(step, old, fresh)
    const before = await recorded()
    for (const args of [moveArguments(other), ['abort', '--to', other.ownerUrl]]) {
      const { code, output } = await runCell(args, old)
      assert.equal(code, 1, output)
      assert.match(output, /goes to \S+/)
      assert.deepEqual(await recorded(), before)
    }
  })

test('the right one finishes the move, and no other one tidies up after it', async () => {
  const { code, output } = await runCell(moveArguments(fresh), old)
  assert.equal(code, 0, output)
  assert.equal((await heldIn(fresh, 0, 1_023)).size, 1)
  const before = await recorded()
  const again = await runCell(moveArguments(other), old)
  assert.deepEqual([again.code, /were moved before/.test(again.output)], [1, true], again.output)
  assert.deepEqual(await recorded(), before)
})

test('an address by which the new cell cannot reach the old one is named while the command waits for it', async () => {
  const via = 'postgres://postgres:secret@127.0.0.1:1/rounds'
  const args = ['cell', 'move', '--slots', '2048-2049', '--to', other.ownerUrl, '--via', via, ...UNASKED]
  const moving = runCommand(args, { DATABASE_URL: old.ownerUrl })
  await untilSaid(moving, /^PostgreSQL of the new cell cannot reach the old one .*127\.0\.0\.1/m)
  moving.child.kill('SIGKILL')
  const { output } = await moving.ended
  assert.doesNotMatch(output, /secret/)
  // Run again with the right one, it goes on.
  const { code, output: said } = await runCell(
    ['move', '--slots', '2048-2049', '--to', other.ownerUrl, ...UNASKED],
    old,
  )
  assert.equal(code, 0, said)
})

test('a database that cannot be reached is named while the command waits for it', async () => {
  const moving = runCommand(
    ['cell', 'move', '--slots', '0-1', '--to', 'postgres://nobody:secret@127.0.0.1:1/x', ...UNASKED],
    {
      DATABASE_URL: old.ownerUrl,
    },
  )
  await untilSaid(moving, /^connect ECONNREFUSED 127\.0\.0\.1:1\nTrying again\.$/m)
  moving.child.kill('SIGKILL')
  assert.doesNotMatch((await moving.ended).output, /secret/)
})

test('so is one that closes the connection without a word', async () => {
  const closing = createServer(
    (socket) => void socket.on('error', () => {}).once('data', () => socket.destroy()),
  )
  await new Promise<void>((done) => closing.listen(0, '127.0.0.1', done))
  after(() => closing.close())
  const { port } = closing.address() as AddressInfo
  const to = `postgres://nobody:secret@127.0.0.1:${port}/x`
  const moving = runCommand(['cell', 'move', '--slots', '0-1', '--to', to, ...UNASKED], {
    DATABASE_URL: old.ownerUrl,
  })
  const [said] = await untilSaid(moving, /^The database at .+:\n.+\nTrying again\.$/m)
  moving.child.kill('SIGKILL')
  assert.ok(said.startsWith(`The database at 127.0.0.1:${port} cannot be reached`), said)
  assert.doesNotMatch((await moving.ended).output, /secret/)
})
