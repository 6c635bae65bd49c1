// A database that keeps its callers waiting: the table of readings, locked until the test lets go.
import { after } from 'node:test'
import { Client } from 'pg'

/** Locks the readings; returns how to let go. */
export async function lockReadings(ownerUrl: string): Promise<() => Promise<void>> {
  const blocker = new Client({ connectionString: ownerUrl })
  await blocker.connect()
  after(() => blocker.end())
  await blocker.query('begin; lock table casesheet.readings in access exclusive mode')
  return async () => {
    await blocker.query('commit')
  }
}
