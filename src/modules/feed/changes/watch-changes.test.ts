// What the look at the database for all waiting requests and streams promises: every change that is committed after `listen`
// resolved, or after a reset, is noticed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { connectDb, type Db } from '../../../db/db.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { createFeedDelay } from './feed-delay.ts'
import { ChangeWatch } from './watch-changes.ts'

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
  after: (name: string, rows: { timeline: number; horizon: string }[]) => void
}

/** A watch on a database whose queries may be held up, and whose answers may be changed. */
function watchWith(between: Between, warnings: string[] = []) {
  const seen: Db = {
    ...db,
    query: async (statement, on) => {
      await between.before(statement.name)
      const rows = await db.query(statement, on)
      between.after(statement.name, rows as never)
      return rows as never
    },
  }
  const watch = new ChangeWatch(seen, {
    delay: createFeedDelay(createMetrics(), Date.now),
    warn: (_, message) => warnings.push(message),
  })
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

const untouched: Between = { before: async () => {}, after: () => {} }

test('a database that has lost the last change that was seen resets those who listen, on the same timeline too', async () => {
  const { addAt } = await newPatient(rounds)
  await addAt([1])
  const reset = Promise.withResolvers<void>()
  let isSetBack = false
  const watch = watchWith({
    ...untouched,
    after(name, rows) {
      // The oldest id that a cluster assigns.
      if (name === 'next-changes' && isSetBack) for (const row of rows) row.horizon = '3'
    },
  })
  await watch.listen({ onChanges: () => {}, onReset: reset.resolve })
  isSetBack = true
  await reset.promise
})

test('a new generation resets those who listen', async () => {
  const watch = watchWith(untouched)
  const reset = Promise.withResolvers<void>()
  await watch.listen({ onChanges: () => {}, onReset: reset.resolve })
  await runSql(rounds.ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
  await reset.promise
})

test('a listener that fails is reset, and the others get the changes', async () => {
  const { addAt, patientUid } = await newPatient(rounds)
  const warnings: string[] = []
  const watch = watchWith(untouched, warnings)
  const resets: string[] = []
  const noticed: string[] = []
  const isOver = Promise.withResolvers<void>()
  await watch.listen({
    onChanges: () => {
      throw Object.assign(new Error(patientUid), { code: 'ERR_TRIED' })
    },
    onReset: () => {
      resets.push('first')
      throw new TypeError(patientUid)
    },
  })
  await watch.listen({
    onChanges(keys) {
      noticed.push(...keys.filter((key) => key.patientUid === patientUid).map(({ id }) => id))
      if (noticed.length === 2) isOver.resolve()
    },
    onReset: () => resets.push('second'),
  })
  await addAt([1, 2])
  await isOver.promise
  assert.ok(resets.length > 0 && !resets.includes('second'), String(resets))
  assert.deepEqual(warnings.slice(0, 2), [
    'a listener failed on changes, and is reset',
    'a listener failed on a reset',
  ])
})
