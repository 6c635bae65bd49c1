// The databases of test files that have ended are dropped while others run: autovacuum visits every database there is, and they lie
// in memory where there is enough of it.
import { randomBytes } from 'node:crypto'
import { codeOf } from '../../src/error-code.ts'
import { runSql } from '../../tools/dev/run-sql.ts'

/** It names the process that needs it. */
export const nameOfDatabase = () => `test_${process.pid}_${randomBytes(8).toString('hex')}`

export async function dropEndedDatabases(url: string) {
  const found = await runSql<{ datname: string }>(
    url,
    "select datname from pg_database where datname ~ '^test_'",
  )
  for (const { datname } of found)
    if (hasEnded(Number(datname.split('_')[1])))
      await runSql(url, `drop database if exists ${datname} with (force)`)
}

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}
