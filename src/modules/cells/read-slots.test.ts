// How often the slots are read, on a database that answers when the test lets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../../db/db.ts'
import { createCell } from './cell.ts'

function startCell() {
  const queries: ((version: string) => void)[] = []
  const query = () =>
    new Promise((resolve) =>
      queries.push((version) =>
        resolve([{ version, open_slots: '{[0,4096)}', closing_slots: '{}', incoming_slots: '{}' }]),
      ),
    )
  return { cell: createCell({ query } as unknown as Db), queries }
}
const settle = () => new Promise((resume) => setImmediate(resume))

test('callers that come without end are each answered by the read after theirs', async () => {
  const { cell, queries } = startCell()
  const versions: Promise<string>[] = []
  const ask = () => void versions.push(cell.refresh().then(({ version }) => version))
  ask()
  for (let round = 0; round < 5; round++) {
    for (let caller = 0; caller < 10; caller++) ask()
    assert.equal(queries.length, 1, 'one read at a time')
    queries.shift()?.(`v${round}`)
    await settle()
  }
  queries.shift()?.('last')
  const expected = [
    'v0',
    ...['v1', 'v2', 'v3', 'v4', 'last'].flatMap((version) => Array<string>(10).fill(version)),
  ]
  assert.deepEqual(await Promise.all(versions), expected)
})
