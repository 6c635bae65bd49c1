import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { createDatabase } from '../../../../test/support/harness.ts'
import { untilWritesHaveEnded } from './writes-in-flight.ts'

const { ownerUrl } = await createDatabase()

async function connect(): Promise<Client> {
  const client = new Client(ownerUrl)
  await client.connect()
  after(() => client.end())
  return client
}

const [waiting, writing, later] = [await connect(), await connect(), await connect()]
const WRITE = 'begin; delete from casesheet.access_log where false'
const ends = (withinMs?: number) => untilWritesHaveEnded(waiting, ['casesheet.access_log'], withinMs)

test('writes that are in flight are waited for, and none that began later', async () => {
  await writing.query(WRITE)
  let hasEnded = false
  const ended = ends().finally(() => {
    hasEnded = true
  })
  await waiting.query('select')
  await later.query(WRITE)
  assert.equal(hasEnded, false)
  await writing.query('commit')
  await ended
  await later.query('commit')
})

test('beyond the limit, the sessions that hold it up are named', async () => {
  await writing.query(WRITE)
  const { rows } = await writing.query<{ pid: number }>('select pg_backend_pid() as pid')
  await assert.rejects(ends(100), {
    message: new RegExp(
      `not ended for 0\\.1 s: pid ${rows[0]?.pid}, user \\w+, idle in transaction, for 0 s\\. `,
    ),
  })
  await writing.query('commit')
  await ends(100)
})
