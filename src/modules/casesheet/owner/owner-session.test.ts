import { test } from 'node:test'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { withOwnerSession } from './owner-session.ts'

const { ownerUrl } = await createDatabase()
const LIMIT_MS = 200
/** Longer than a limit that the database enforces. */
const pause = () => new Promise((resume) => setTimeout(resume, 1.5 * LIMIT_MS))

test('a command takes as long as it takes, whatever limits are the default of the database', async () => {
  const limits = await runSql<{ name: string }>(
    ownerUrl,
    "select name from pg_settings where name ~ '_timeout$' and unit = 'ms' and context = 'user'",
  )
  const database = new URL(ownerUrl).pathname.slice(1)
  await runSql(
    ownerUrl,
    limits.map(({ name }) => `alter database ${database} set ${name} = '${LIMIT_MS}ms'`).join(';'),
  )
  await withOwnerSession(ownerUrl, (holder) =>
    withOwnerSession(ownerUrl, async (client) => {
      await pause()
      await holder.query('begin; lock table casesheet.feed')
      const waiting = client.query('begin; lock table casesheet.feed')
      await pause()
      await holder.query('commit')
      await waiting
      await pause()
      await client.query('commit')
    }),
  )
})
