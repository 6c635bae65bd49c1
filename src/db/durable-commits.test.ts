import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../../test/support/harness.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { withOwnerSession } from '../modules/casesheet/owner/owner-session.ts'
import { type ConnectionKind, SESSIONS } from './connections.ts'
import { connectDb } from './db.ts'
import { withSession } from './session.ts'

const SHOW = 'show synchronous_commit'
type Shown = { synchronous_commit: string }

async function inServingSessions(url: string): Promise<(string | undefined)[]> {
  const db = connectDb({
    url,
    poolSize: 20,
    warn: () => {},
    metrics: createMetrics(),
    maxWaiting: 10,
    maxWhenBusy: 10,
    deadlineMs: 10_000,
  })
  const kinds = Object.keys(SESSIONS) as ConnectionKind[]
  const shown = await Promise.all(
    kinds.map((kind) => db.attempt<Shown>({ name: 'show', text: SHOW, values: [] }, kind)),
  )
  await db.end()
  return shown.map(({ rows }) => rows[0]?.synchronous_commit)
}

for (const [byDefault, inSession] of [
  ['off', 'on'],
  ['local', 'on'],
  ['remote_write', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
]) {
  test(`with the default ${byDefault}, of the database or of the role, every session commits with ${inSession}`, async () => {
    const { ownerUrl, serveUrl } = await createDatabase()
    const database = new URL(ownerUrl).pathname.slice(1)
    const role = new URL(serveUrl).username
    await runSql(ownerUrl, `alter database ${database} set synchronous_commit = ${byDefault}`)
    const shown = async () => {
      const [command, operator] = await Promise.all([
        withSession(ownerUrl, 'test', (client) => client.query<Shown>(SHOW)),
        withOwnerSession(ownerUrl, (client) => client.query<Shown>(SHOW)),
      ])
      const commands = [command, operator].map(({ rows }) => rows[0]?.synchronous_commit)
      return new Set([...(await inServingSessions(serveUrl)), ...commands])
    }
    assert.deepEqual(await shown(), new Set([inSession]))
    await runSql(ownerUrl, `alter database ${database} reset synchronous_commit`)
    await runSql(
      ownerUrl,
      `alter role ${role} in database ${database} set synchronous_commit = ${byDefault};
       alter role current_user in database ${database} set synchronous_commit = ${byDefault}`,
    )
    assert.deepEqual(await shown(), new Set([inSession]))
  })
}
