import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'

const rounds = await startRounds()
const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })

type Item = { state: string; reading: Record<string, unknown>; patientUid?: string }

async function changes(query: Record<string, string> = {}, token = service) {
  const answer = await rounds.call(`/casesheet/readings/changes?${new URLSearchParams(query).toString()}`, {
    token,
  })
  const { data, nextCursor, hasMore } = answer.json as unknown as {
    data: Item[]
    nextCursor: string
    hasMore: boolean
  }
  return { ...answer, data, nextCursor, hasMore }
}

/** What comes from a cursor on until `done`: a transaction of another test may hold it back for a moment. */
async function follow(cursor: string, done: (items: Item[]) => boolean) {
  const items: Item[] = []
  let next = cursor
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const page = await changes({ cursor: next, limit: '3' })
    items.push(...page.data)
    next = page.nextCursor
    if (done(items)) return { items, cursor: next }
    if (page.data.length === 0) await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error('The changes did not come.')
}

async function patient() {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  const post = (verb: string, body: object) => rounds.call(`/casesheet/readings/${verb}`, { token, body })
  const add = (...timestamps: number[]) =>
    post(
      'add',
      timestamps.map((timestamp) => ({ patientUid, readingType: 'acme.step', timestamp, steps: 5 })),
    )
  const stored = async () =>
    (await rounds.call('/casesheet/readings/get', { token })).json.data as (Record<string, unknown> & {
      readingId: string
      timestamp: number
    })[]
  return { patientUid, token, post, add, stored }
}

test('every added reading is given once, exactly as readings/get gives it', async () => {
  const { nextCursor } = await changes({ start: 'now' })
  const { add, stored } = await patient()
  await add(1, 2, 3, 4, 5, 6, 7)
  const { items } = await follow(nextCursor, (list) => list.length >= 7)
  const readings = await stored()
  assert.deepEqual(
    items.map(({ reading }) => reading).toSorted((a, b) => Number(a['timestamp']) - Number(b['timestamp'])),
    readings,
  )
  assert.ok(items.every(({ state }) => state === 'present'))
})

test('a reading that is withdrawn and restored moves to its new place, in its present state', async () => {
  const { nextCursor: beforeAdd } = await changes({ start: 'now' })
  const { add, stored, post, patientUid } = await patient()
  await add(1, 2)
  const { cursor } = await follow(beforeAdd, (list) => list.length >= 2)
  const [first] = await stored()
  assert.ok(first)
  const named = { patientUid, readingId: first.readingId, timestamp: first.timestamp }
  await post('withdraw', { ...named, reason: 'mistyped "weight"\u{1f600}' })
  const withdrawn = await follow(cursor, (list) => list.length >= 1)
  const [item] = withdrawn.items
  assert.ok(item)
  const { withdrawn: mark, ...reading } = item.reading as { withdrawn?: Record<string, string> }
  assert.equal(item.state, 'withdrawn')
  assert.deepEqual(reading, first)
  assert.deepEqual([mark?.['by'], mark?.['reason']], ['test', 'mistyped "weight"\u{1f600}'])
  await post('restore', named)
  const restored = await follow(withdrawn.cursor, (list) => list.length >= 1)
  assert.deepEqual(restored.items, [{ state: 'present', reading: first }])
})

test('the patient sees who followed the changes', async () => {
  const { nextCursor } = await changes({ start: 'now' })
  const { add, token, patientUid } = await patient()
  await add(1_000, 2_000)
  await follow(nextCursor, (list) => list.length >= 2)
  const { json } = await rounds.call(`/casesheet/readings/access-log?patientUid=${patientUid}`, { token })
  const [entry] = json.data
  assert.deepEqual(
    [entry?.['operation'], entry?.['readBy'], entry?.['allowedAs'], entry?.['readingsCount']],
    ['readings/changes', 'warehouse', 'service', 2],
  )
})

test('only a service with the scope may follow', async () => {
  const { token } = await patient()
  assertRefused(await changes({}, token), 403, 'ScopeMissing')
  assertRefused(await changes({}, await rounds.token({ scope: 'readings:read' })), 403, 'ScopeMissing')
})

test('a cursor that was made up is refused', async () => {
  const { nextCursor } = await changes({ start: 'now' })
  const [version, position = ''] = Buffer.from(nextCursor, 'base64url').toString().split(' ')
  const forged = (change: (parts: string[]) => string[]) =>
    Buffer.from(`${version} ${change(position.split(',')).join()}`).toString('base64url')
  for (const cursor of [
    '',
    'x',
    forged((p) => p.with(3, 'x')),
    forged((p) => p.slice(1)),
    forged((p) => p.with(1, '0')),
  ])
    assertRefused(await changes({ cursor }), 400, 'InvalidCursor')
  assertRefused(await changes({ cursor: forged((p) => p.with(0, randomUUID())) }), 410, 'CursorExpired')
  assertRefused(await changes({ cursor: forged((p) => p.with(1, '7')) }), 410, 'CursorExpired')
  assertRefused(await changes({ cursor: forged((p) => p.with(2, 'FFFFFFFF/0')) }), 410, 'CursorExpired')
  assertRefused(await changes({ cursor: nextCursor, start: 'now' }), 400, 'ValidationFailed')
})

test('a page is bounded in bytes, and nothing is left out', async () => {
  const { nextCursor } = await changes({ start: 'now' })
  const { patientUid, post } = await patient()
  const note = 'x'.repeat(60_000)
  for (let list = 0; list < 2; list++) {
    const readings = Array.from({ length: 40 }, (_, n) => ({
      patientUid,
      readingType: 'acme.note',
      timestamp: list * 100 + n,
      note,
    }))
    assert.equal((await post('add', readings)).status, 200)
  }
  let cursor = nextCursor
  const seen = new Set<unknown>()
  for (const end = Date.now() + 60_000; seen.size < 80 && Date.now() < end; ) {
    const page = await changes({ cursor, limit: '1000' })
    assert.ok(page.text.length < 1_200_000, String(page.text.length))
    for (const { reading } of page.data) {
      assert.equal(seen.has(reading['readingId']), false)
      seen.add(reading['readingId'])
    }
    cursor = page.nextCursor
  }
  assert.equal(seen.size, 80)
})

test('a page that is full to its last byte says that there is more', async () => {
  const { patientUid, post } = await patient()
  const { nextCursor } = await changes({ start: 'now' })
  // Each takes three of the 2,048 parts of a page: 683 of them are one part too many.
  const note = 'x'.repeat(1_200)
  const readings = Array.from({ length: 700 }, (_, at) => ({
    patientUid,
    readingType: 'acme.note',
    timestamp: at + 1,
    note,
  }))
  for (let at = 0; at < readings.length; at += 100) await post('add', readings.slice(at, at + 100))
  await follow(nextCursor, (list) => list.length >= 700)
  const { data, hasMore } = await changes({ cursor: nextCursor, limit: '1000' })
  assert.deepEqual([data.length, hasMore], [682, true])
})

test('with wait the answer is held until something changes, or the time is over', async () => {
  const { nextCursor } = await changes({ start: 'now' })
  const { add } = await patient()
  const waiting = changes({ cursor: nextCursor, wait: '30' })
  await add(1)
  const { data } = await waiting
  assert.equal(data.length, 1)
  const { nextCursor: end } = await changes({ start: 'now' })
  const quiet = await changes({ cursor: end, wait: '1' })
  assert.deepEqual([quiet.data, quiet.nextCursor], [[], end])
})
