// What the look at the database for all waiting requests and streams promises: every change that is committed after `listen`
// resolved, or after a reset, is noticed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRounds } from '../../../../test/harness.ts'
import { newPatient } from '../../../../test/patient.ts'
import { connectDb, type Db } from '../../../db/db.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { createFeedDelay } from './feed-delay.ts'
import { createChangeWatch } from './watch-changes.ts'

const rounds = await startRounds()
const db = connectDb({
  url: rounds.serveUrl,
  poolSize: 4,
  maxWaiting: 100,
  maxWhenBusy: 100,
  deadlineMs: 30_000,
  warn: () => {},
  metrics: createMetrics(),
})
after(db.end)

type Between = {
  before: (name: string) => Promise<void>
  after: (name: string, rows: { timeline: number }[]) => void
}

/** A watch on a database whose queries may be held up, and whose answers may be changed. */
function watchWith(between: Between) {
  const seen: Db = {
    ...db,
    query: async (statement, on) => {
      await between.before(statement.name)
      const rows = await db.query(statement, on)
      between.after(statement.name, rows as never)
      return rows as never
    },
  }
  const watch = createChangeWatch(seen, createFeedDelay(createMetrics(), Date.now), () => {})
  after(() => watch.close())
  return watch
}

test('a change that is committed as soon as a reset is announced is noticed, and the reset names the new timeline', async () => {
  const { addAt, patientUid } = await newPatient(rounds)
  const added = Promise.withResolvers<void>()
  const noticed = Promise.withResolvers<void>()
  const timelines: number[] = []
  let shift = 0
  const watch = watchWith({
    // What is read after the failover waits for a reader that was told of it already, and reacts.
    async before(name) {
      if (name === 'last-changes' && timelines.length > 0) await added.promise
    },
    after(name, rows) {
      if (name === 'next-changes') shift = 1
      for (const row of rows) row.timeline += shift
    },
  })
  await watch.listen({
    onChanges: (keys) => keys.some((key) => key.patientUid === patientUid) && noticed.resolve(),
    onReset: () => {
      timelines.push(watch.place().timeline)
      void addAt([1]).then(added.resolve)
    },
  })
  await noticed.promise
  assert.deepEqual(timelines, [2])
})
