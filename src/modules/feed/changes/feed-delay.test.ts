// How long changes are held back by a transaction that stays open, in the answers of readings/changes and in streams.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { metricOf, openStream } from '../../../../test/support/event-stream.ts'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { until } from '../../../../test/support/until.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { createFeedDelay } from './feed-delay.ts'

const rounds = await startRounds()
const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })

type Page = { data: object[]; nextCursor: string; heldBackSeconds: number }

async function changes(query: string): Promise<Page> {
  const { status, text } = await rounds.call(`/casesheet/readings/changes?${query}`, { token: service })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Page
}

/** A session that has begun to write and does nothing more. */
async function holdTransaction(url: string) {
  const session = new Client({ connectionString: url })
  await session.connect()
  after(() => session.end())
  await session.query('begin')
  await session.query('select pg_current_xact_id()')
  return () => session.query('rollback')
}

const inOtherDatabase = () => {
  const url = new URL(rounds.ownerUrl)
  url.pathname = '/postgres'
  return url.href
}

const DELAYS = /event: delay\ndata: \{"heldBackSeconds":(\d+)\}\n\n/g
const delaysIn = (text: string) => [...text.matchAll(DELAYS)].map(([, seconds]) => Number(seconds))

for (const [where, url] of Object.entries({
  'this database': () => rounds.ownerUrl,
  'another database of the cluster': inOtherDatabase,
}))
  test(`answers and streams say how long an open transaction in ${where} has held them back, and when it is over`, async () => {
    const { addAt, token } = await newPatient(rounds)
    // Transactions of other tests may hold changes back for a moment.
    await until(async () => (await changes('start=now')).heldBackSeconds === 0)
    const { nextCursor } = await changes('start=now')
    const stream = await openStream(rounds.url, token)
    const release = await holdTransaction(url())
    await addAt([1])
    await until(async () => {
      const { data, heldBackSeconds } = await changes(`cursor=${nextCursor}`)
      assert.deepEqual(data, [], 'what was added is held back')
      return heldBackSeconds >= 3
    })
    const waited = await changes(`cursor=${nextCursor}&wait=1`)
    assert.ok(waited.heldBackSeconds >= 4 && waited.data.length === 0, JSON.stringify(waited))
    await until(() => delaysIn(stream.text()).some((seconds) => seconds >= 3))
    assert.doesNotMatch(stream.text(), /event: change/)
    assert.ok((await metricOf(rounds.adminUrl, 'rounds_changes_held_back_seconds')) >= 4)
    // A stream that is opened meanwhile is told too, and again with each heartbeat.
    const later = await openStream(rounds.url, token)
    await until(() => delaysIn(later.text()).length === 1)
    rounds.skip(16_000)
    await until(() => delaysIn(later.text()).length === 2)
    rounds.skip(-16_000)

    await release()
    for (const { text } of [stream, later]) {
      await until(() => text().includes('"timestamp":1,'))
      await until(() => delaysIn(text()).at(-1) === 0)
    }
    await until(async () => (await changes(`cursor=${nextCursor}`)).data.length === 1)
    await until(async () => (await changes(`cursor=${nextCursor}`)).heldBackSeconds === 0)
    for (const { socket } of [stream, later]) socket.destroy()
  })

const HISTORY = { generation: 'a', timeline: 1 }

function delayAt() {
  let ms = 1_000_000
  const delay = createFeedDelay(createMetrics(), () => ms)
  return {
    heldBackSeconds: delay.heldBackSeconds,
    note: (afterMs: number, horizon: number, nextXid: number, history = HISTORY) => {
      ms += afterMs
      delay.note({ ...history, horizon: String(horizon), next_xid: String(nextXid) })
    },
    pass: (afterMs: number) => (ms += afterMs),
  }
}

test('when one long transaction ends, the next oldest counts from when it began', () => {
  const { note, heldBackSeconds } = delayAt()
  assert.equal(heldBackSeconds(), undefined)
  note(0, 100, 100)
  assert.equal(heldBackSeconds(), 0)
  note(250, 100, 101)
  // The second begins five seconds after the first.
  note(5_000, 100, 102)
  note(60_000, 100, 200)
  assert.equal(heldBackSeconds(), 65)
  note(250, 101, 201)
  assert.equal(heldBackSeconds(), 60)
  note(250, 202, 202)
  assert.equal(heldBackSeconds(), 0)
})

test('many short transactions hold nothing back', () => {
  const { note, heldBackSeconds } = delayAt()
  for (let xid = 1_000; xid < 100_000; xid += 50) {
    note(250, xid - 20, xid)
    assert.equal(heldBackSeconds(), 0)
  }
})

test('a transaction that is held for a day is counted to the second, and the one behind it to within a fiftieth', () => {
  const { note, heldBackSeconds } = delayAt()
  const looks = (24 * 3_600_000) / 250
  for (let look = 1; look <= looks; look++) note(250, 100, 100 + look)
  assert.equal(heldBackSeconds(), 24 * 3_600 - 1)
  // One that began in the middle.
  note(250, 100 + looks / 2, 101 + looks)
  assert.ok(Math.abs((heldBackSeconds() ?? 0) - 12 * 3_600) <= (12 * 3_600) / 50, String(heldBackSeconds()))
})

test('looks in another order change nothing; a lost history begins anew; without looks nothing is known', () => {
  const { note, heldBackSeconds, pass } = delayAt()
  note(0, 100, 105)
  note(10_000, 100, 120)
  note(0, 100, 118)
  assert.equal(heldBackSeconds(), 10)
  note(10, 90, 95, { generation: 'a', timeline: 2 })
  assert.equal(heldBackSeconds(), 0)
  note(10_000, 90, 96, { generation: 'a', timeline: 2 })
  assert.equal(heldBackSeconds(), 10)
  // Set back to a copy, on the same timeline.
  note(10, 50, 55, { generation: 'a', timeline: 2 })
  assert.equal(heldBackSeconds(), 0)
  pass(61_000)
  assert.equal(heldBackSeconds(), undefined)
})
