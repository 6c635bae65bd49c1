// Following the changes of several cells: here two servers with a database each, and one that accepts connections and never answers.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { closeServer, listen, type Rounds, runSql, startRounds } from '../../../test/support/harness.ts'
import { createRoundsClient, followCells } from '../src/client.ts'
import { clientOfNewPatient } from './client-of.ts'

const one = await startRounds()
const two = await startRounds({ AUTH_ISSUER: one.issuer.url })
const token = await one.token({ sub: 'warehouse', scope: 'readings:changes' })
const serviceOf = ({ url }: Pick<Rounds, 'url'>, settings: { attemptTimeoutMs?: number } = {}) =>
  createRoundsClient({ url, token: () => token, ...settings })

async function add(rounds: Rounds, count: number) {
  const { patientUid, steps } = await clientOfNewPatient(one)
  const patientToken = await one.token({ patientUid })
  await createRoundsClient({ url: rounds.url, token: () => patientToken }).addReadings(steps(count))
}

test('a backlog in one cell delays no other', { timeout: 60_000 }, async () => {
  await add(one, 20)
  await add(two, 1)
  const seen: string[] = []
  for await (const { cell, changes } of followCells(
    { one: serviceOf(one), two: serviceOf(two) },
    { limit: 2 },
  )) {
    if (changes.length > 0) seen.push(cell)
    if (seen.filter((name) => name === 'one').length === 10) break
  }
  assert.ok(seen.indexOf('two') >= 0 && seen.indexOf('two') <= 2, seen.join())
})

test('a cell that never answers is asked less and less often', { timeout: 60_000 }, async (context) => {
  let asked = 0
  const silent = createServer(() => void asked++)
  const url = await listen(silent)
  context.after(() => closeServer(silent))
  await add(two, 1)
  const cells = { silent: serviceOf({ url }, { attemptTimeoutMs: 300 }), two: serviceOf(two) }
  const seen = new Set<string>()
  const follow = async () => {
    const options = { signal: AbortSignal.timeout(4_000) }
    for await (const { cell } of followCells(cells, { pauseMs: 10 }, options)) seen.add(cell)
  }
  await assert.rejects(follow())
  assert.deepEqual([...seen], ['two'])
  assert.ok(asked >= 2 && asked <= 3, `asked ${asked} times`)
})

test('a cell whose cursor has expired is followed from its first change again', {
  timeout: 60_000,
}, async () => {
  await add(one, 1)
  await add(two, 1)
  const cells = { one: serviceOf(one), two: serviceOf(two) }
  const expired: string[] = []
  const seen = new Map<string, number>()
  const onExpired = (cell: string) => void expired.push(cell)
  for await (const { cell, changes, hasMore } of followCells(cells, { pauseMs: 10, onExpired })) {
    const before = seen.get(cell) ?? 0
    seen.set(cell, before + changes.length)
    // As after an abort of a move: see docs/operations/cells.md.
    if (cell === 'two' && before === 0 && !hasMore)
      await runSql(two.ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
    if (expired.length > 0 && cell === 'two') break
  }
  assert.deepEqual(expired, ['two'])
  const [stored] = await runSql<{ count: number }>(
    two.ownerUrl,
    'select count(*)::integer as count from casesheet.readings',
  )
  assert.equal(seen.get('two'), 2 * (stored?.count ?? 0))

  const cursors: Record<string, string> = {}
  const follow = async () => {
    for await (const { cell, nextCursor } of followCells(cells, { cursors, pauseMs: 10 })) {
      cursors[cell] = nextCursor
      if (cell === 'two')
        await runSql(two.ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
    }
  }
  await assert.rejects(follow(), { code: 'CursorExpired' })
})
