import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { withOwnerSession } from './owner-session.ts'

const { ownerUrl } = await createDatabase()
const LOCK = 'begin; lock table casesheet.feed'

/**
 * A session of another program, which the limits apply to, begins the same now: when the database has ended it for this reason, that
 * limit is over for all that began earlier.
 */
async function untilLimited(code: string, ...statements: string[]) {
  const client = new Client({ connectionString: ownerUrl })
  let found: unknown
  client.on('error', (error) => (found ??= error))
  await client.connect()
  after(() => client.end().catch(() => {}))
  for (const statement of statements)
    await client.query(statement).catch((error: unknown) => (found ??= error))
  await until(() => found !== undefined, undefined, { what: () => `${code} from ${statements.join()}` })
  assert.equal((found as { code?: string }).code, code)
}

test('a command takes as long as it takes, whatever limits are the default of the database', async () => {
  const limits = await runSql<{ name: string }>(
    ownerUrl,
    "select name from pg_settings where name ~ '_timeout$' and unit = 'ms' and context = 'user'",
  )
  const database = new URL(ownerUrl).pathname.slice(1)
  await runSql(
    ownerUrl,
    limits.map(({ name }) => `alter database ${database} set ${name} = '200ms'`).join(';'),
  )
  await withOwnerSession(ownerUrl, (holder) =>
    withOwnerSession(ownerUrl, async (client) => {
      await untilLimited('57P05', 'select 1')
      await holder.query(LOCK)
      const waiting = client.query(LOCK)
      const limited = Promise.all([
        untilLimited('57014', LOCK),
        untilLimited('55P03', 'set statement_timeout = 0', LOCK),
      ])
      await Promise.race([limited, waiting])
      await holder.query('commit')
      await waiting
      await untilLimited('25P03', 'begin')
      await client.query('commit')
    }),
  )
})
