// The sequence of changes and the streams of a cell whose slots move: nothing is missing silently.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from '../../../test/support/event-stream.ts'
import { assertRefused, runSql, startRounds } from '../../../test/support/harness.ts'
import { ALL, LOWER, patientIn, setSlots, UPPER } from '../../../test/support/slots.ts'
import { until } from '../../../test/support/until.ts'

const rounds = await startRounds()
const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })

async function addTo(patientUid: string, count: number) {
  const token = await rounds.token({ patientUid })
  const body = Array.from({ length: count }, (_, timestamp) => ({
    patientUid,
    readingType: 'acme.step',
    timestamp,
  }))
  const { status, text } = await rounds.call('/casesheet/readings/add', { token, body })
  assert.equal(status, 200, text)
  return token
}

const follow = (query: string) => rounds.call(`/casesheet/readings/changes${query}`, { token: service })

/** All pages behind a cursor: how many changes each patient has in them, and how many pages were empty. */
async function followAll(
  cursor: string | null,
  limit: number,
  isEnough: (all: Map<string, number>) => boolean,
) {
  const counts = new Map<string, number>()
  let emptyPages = 0
  let at = cursor
  const giveUpAt = Date.now() + 60_000
  for (;;) {
    const { status, json, text } = await follow(`?cursor=${at}&limit=${limit}`)
    assert.equal(status, 200, text)
    const { data, nextCursor, hasMore } = json as typeof json & { hasMore: boolean }
    if (data.length === 0 && hasMore) emptyPages++
    for (const { reading, patientUid } of data as {
      reading?: { patientUid: string }
      patientUid?: string
    }[]) {
      const of = reading?.patientUid ?? patientUid ?? ''
      counts.set(of, (counts.get(of) ?? 0) + 1)
    }
    at = nextCursor
    if (!hasMore && (isEnough(counts) || Date.now() > giveUpAt)) return { counts, emptyPages, cursor: at }
  }
}

test('changes of patients of other cells are passed over, page by page, and none of the others is missing', async () => {
  await setSlots(rounds.ownerUrl, { open: ALL })
  const { nextCursor } = (await follow('?start=now')).json
  const [here, there, after] = [patientIn('lower'), patientIn('upper'), patientIn('lower')]
  await addTo(here, 10)
  await addTo(there, 200)
  await addTo(after, 10)
  await runSql(
    rounds.ownerUrl,
    "insert into casesheet.erasure_notices (erasure_id, patient_uid, announced_until) values (gen_random_uuid(), $1, 'infinity')",
    [there],
  )
  await setSlots(rounds.ownerUrl, { open: LOWER })
  const { counts, emptyPages, cursor } = await followAll(nextCursor, 20, (all) => (all.get(after) ?? 0) >= 10)
  assert.deepEqual(
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [[here, 10] as const, [after, 10] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  assert.ok(emptyPages >= 5, 'a page passes over as many as it may show')
  const logged = await runSql(
    rounds.ownerUrl,
    "select from casesheet.access_log where patient_uid = $1 and operation = 'readings/changes'",
    [there],
  )
  assert.equal(logged.length, 0, 'what was not shown was not read')
  // A request that waits does not wait for what it passes over.
  const waited = await follow(`?cursor=${cursor}&wait=1`)
  assert.equal(waited.status, 200)
  await setSlots(rounds.ownerUrl, { open: ALL })
})

test('while slots are closing, the sequence waits: after an abort nothing is missing', async () => {
  await setSlots(rounds.ownerUrl, { open: ALL })
  const { nextCursor } = (await follow('?start=now')).json
  const there = patientIn('upper')
  await addTo(there, 3)
  await setSlots(rounds.ownerUrl, { open: LOWER, closing: UPPER })
  const refused = await follow(`?cursor=${nextCursor}`)
  assertRefused(refused, 503, 'PatientMoving')
  await setSlots(rounds.ownerUrl, { open: ALL })
  const { counts } = await followAll(nextCursor, 100, (all) => (all.get(there) ?? 0) >= 3)
  assert.equal(counts.get(there), 3)
})

test('what comes in from another cell is shown as it comes, before its slots are open', async () => {
  await setSlots(rounds.ownerUrl, { open: ALL })
  const there = patientIn('upper')
  await setSlots(rounds.ownerUrl, { open: LOWER, incoming: UPPER })
  const { nextCursor } = (await follow('?start=now')).json
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings
       (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ($1, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x')`,
    [there],
  )
  const { counts, cursor } = await followAll(nextCursor, 100, (all) => all.has(there))
  assert.equal(counts.get(there), 1)
  await setSlots(rounds.ownerUrl, { open: ALL })
  const later = await followAll(cursor, 100, () => true)
  assert.equal(later.counts.get(there), undefined, 'once')
})

test('a stream is ended when its patient has moved, and goes on while the slot is only closing', async () => {
  await setSlots(rounds.ownerUrl, { open: ALL })
  const [here, there] = [patientIn('lower'), patientIn('upper')]
  const [ofHere, ofThere] = [await addTo(here, 1), await addTo(there, 1)]
  const [staying, leaving] = [await openStream(rounds.url, ofHere), await openStream(rounds.url, ofThere)]
  await setSlots(rounds.ownerUrl, { open: LOWER, closing: UPPER })
  await addTo(here, 2)
  await until(() => staying.text().includes('event: change'))
  assert.doesNotMatch(leaving.text(), /event: end/)
  await setSlots(rounds.ownerUrl, { open: LOWER })
  await until(() => leaving.text().includes('event: end'))
  assert.match(leaving.text(), /^retry: [12]\d\d\d\n[\s\S]*"reason":"moved"/m)
  assert.doesNotMatch(staying.text(), /event: end/)
  staying.socket.destroy()
  leaving.socket.destroy()
  await setSlots(rounds.ownerUrl, { open: ALL })
})

test('the id of an event of another cell gets a reset, for its place means nothing here', async () => {
  await setSlots(rounds.ownerUrl, { open: ALL })
  const patientUid = patientIn('upper')
  const token = await addTo(patientUid, 1)
  const opened = await openStream(rounds.url, token)
  const [, id = ''] = /^id: (\S+)$/m.exec(opened.text()) ?? []
  opened.socket.destroy()
  assert.match(id, /^[\da-f]{8}\.\d+\.\d+\./)
  const again = await openStream(rounds.url, token, `last-event-id: ${id}\r\n`)
  assert.doesNotMatch(again.text(), /event: reset/)
  again.socket.destroy()
  const foreign = id.replace(/^[\da-f]{8}/, (digits) => (digits === '00000000' ? '11111111' : '00000000'))
  const reset = await openStream(rounds.url, token, `last-event-id: ${foreign}\r\n`)
  await until(() => reset.text().includes('event: reset'))
  reset.socket.destroy()
})
