import { test } from 'node:test'
import { createDatabase, runSql } from '../../../../test/harness.ts'
import { withOwnerSession } from './owner-session.ts'

const { ownerUrl } = await createDatabase()
const LIMIT_MS = 500

test('a command takes as long as it takes, whatever limits are the default of the database', async () => {
  const limits = await runSql<{ name: string }>(
    ownerUrl,
    `select name
     from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  )
  const database = new URL(ownerUrl).pathname.slice(1)
  await runSql(
    ownerUrl,
    limits.map(({ name }) => `alter database ${database} set ${name} = '${LIMIT_MS}ms'`).join(';'),
  )
  await withOwnerSession(ownerUrl, async (client) => {
    await client.query('begin')
    await client.query(`select pg_sleep(${(2 * LIMIT_MS) / 1_000})`)
    await new Promise((resume) => setTimeout(resume, 2 * LIMIT_MS))
    await client.query('commit')
  })
})
