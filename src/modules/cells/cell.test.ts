// A cell serves the patients of its open slots, and no process acts on slots that have changed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, assertRefused, runSql, startRounds } from '../../../test/support/harness.ts'
import { ALL, LOWER, patientIn, setSlots, UPPER } from '../../../test/support/slots.ts'
import { until } from '../../../test/support/until.ts'
import { slotOf } from './slot.ts'

const rounds = await startRounds()

const readingOf = (patientUid: string, timestamp = 1_000) => ({
  patientUid,
  readingType: 'acme.step',
  timestamp,
  steps: 5,
})

async function callerFor(...patientUids: string[]) {
  const token = await rounds.token({ patientUid: patientUids, sub: randomUUID() })
  const post = (verb: string, body: unknown, headers: Record<string, string> = {}) =>
    rounds.call(`/casesheet/readings/${verb}`, { token, body, headers })
  const read = (what: string, query = '') =>
    rounds.call(`/casesheet/readings/${what}?patientUid=${patientUids[0]}${query}`, { token })
  return { token, post, read }
}

async function rowsOf(...patientUids: string[]) {
  const [row] = await runSql<{ readings: number; accesses: number; withdrawn: number }>(
    rounds.ownerUrl,
    `select
       (select count(*)::int from casesheet.readings where patient_uid = any ($1)) as readings,
       (select count(withdrawn_by)::int from casesheet.readings where patient_uid = any ($1)) as withdrawn,
       (select count(*)::int from casesheet.access_log where patient_uid = any ($1)) as accesses`,
    [patientUids],
  )
  return row
}

/** Every operation that names a patient, as a request for the patient's one reading. */
async function everyOperation(patientUid: string, readingId: string): Promise<Record<string, Answer>> {
  const { post, read } = await callerFor(patientUid)
  const named = { patientUid, readingId, timestamp: 1_000 }
  return {
    add: await post('add', readingOf(patientUid, 2_000)),
    addEach: await post('add', readingOf(patientUid, 2_000), { prefer: 'return=representation' }),
    get: await read('get'),
    page: await read('get', '&limit=5&withdrawn=include&readingType=acme.step&order=desc'),
    latest: await read('latest'),
    statistics: await read('statistics', '&readingType=acme.step&from=0&to=100000'),
    accessLog: await read('access-log'),
    stream: await read('stream'),
    withdraw: await post('withdraw', named),
    restore: await post('restore', named),
  }
}

for (const { slots, status, code } of [
  { slots: { open: LOWER }, status: 421, code: 'WrongCell' },
  { slots: { open: LOWER, incoming: UPPER }, status: 421, code: 'WrongCell' },
  { slots: { open: LOWER, closing: UPPER }, status: 503, code: 'PatientMoving' },
]) {
  test(`with ${JSON.stringify(slots)}, a patient of the upper half gets ${status} and nothing is read or stored`, async () => {
    await setSlots(rounds.ownerUrl, { open: ALL })
    const [here, there] = [patientIn('lower'), patientIn('upper')]
    const ids: Record<string, string> = {}
    for (const patientUid of [here, there]) {
      const { post, read } = await callerFor(patientUid)
      assert.equal((await post('add', readingOf(patientUid))).status, 200)
      ids[patientUid] = String((await read('get')).json.data[0]?.['readingId'])
    }
    const before = await rowsOf(there)
    // The process knows the slots by now; it is not told that they change.
    await setSlots(rounds.ownerUrl, slots)
    for (const [operation, answer] of Object.entries(await everyOperation(there, ids[there] ?? ''))) {
      assert.equal(answer.status, status, operation)
      assertRefused(answer, status, code)
      if (status === 503) assert.equal(answer.headers.get('retry-after'), '1', operation)
      else assert.equal(answer.headers.get('rounds-slot'), String(slotOf(there)), operation)
    }
    assert.deepEqual(await rowsOf(there), before)
    for (const [operation, { status: found, text }] of Object.entries(
      await everyOperation(here, ids[here] ?? ''),
    ))
      assert.equal(found, 200, `${operation} ${text}`)
    await setSlots(rounds.ownerUrl, { open: ALL })
    const { post } = await callerFor(there)
    assert.equal(
      (await post('add', readingOf(there, 3_000))).status,
      200,
      'it is served as soon as it is open',
    )
  })
}

test('who may not ask for a patient is refused for that, wherever the patient is', async () => {
  await setSlots(rounds.ownerUrl, { open: LOWER })
  const { token } = await callerFor(patientIn('lower'))
  const patientUid = patientIn('upper')
  assertRefused(
    await rounds.call(`/casesheet/readings/get?patientUid=${patientUid}`, { token }),
    403,
    'PatientMismatch',
  )
  assertRefused(
    await rounds.call('/casesheet/readings/add', { token, body: readingOf(patientUid) }),
    403,
    'PatientMismatch',
  )
  await setSlots(rounds.ownerUrl, { open: ALL })
})

test('a list that spans cells is refused whole, with a pointer to each reading of another cell', async () => {
  await setSlots(rounds.ownerUrl, { open: LOWER })
  const [here, there] = [patientIn('lower'), patientIn('upper')]
  const { post } = await callerFor(here, there)
  const list = Array.from({ length: 1_000 }, (_, index) => readingOf(index % 3 === 0 ? here : there, index))
  const answer = await post('add', list)
  assertRefused(answer, 421, 'WrongCell')
  const expected = list.flatMap(({ patientUid }, index) => (patientUid === there ? [`/${index}`] : []))
  assert.deepEqual(
    answer.json.errors.map(({ pointer }) => pointer),
    expected,
  )
  const elsewhere = await post(
    'add',
    list.filter(({ patientUid }) => patientUid === there),
  )
  assertRefused(elsewhere, 421, 'WrongCell')
  assert.equal(elsewhere.json.errors, undefined, 'a list that is all of another cell needs no dividing')
  assert.equal((await rowsOf(here, there))?.readings, 0)
  await setSlots(rounds.ownerUrl, { open: ALL })
})

test('a list of which a part is closing waits as a whole, unless a part belongs elsewhere', async () => {
  await setSlots(rounds.ownerUrl, { open: LOWER, closing: UPPER })
  const [here, there] = [patientIn('lower'), patientIn('upper')]
  const { post } = await callerFor(here, there)
  assertRefused(await post('add', [readingOf(here), readingOf(there)]), 503, 'PatientMoving')
  assert.equal((await rowsOf(here, there))?.readings, 0)
  await setSlots(rounds.ownerUrl, { open: ALL })
})

test('with verdicts, readings of another cell are rejected for later and the others are stored', async () => {
  await setSlots(rounds.ownerUrl, { open: LOWER })
  const [here, there] = [patientIn('lower'), patientIn('upper')]
  const { post } = await callerFor(here, there)
  const prefer = { prefer: 'return=representation' }
  const { status, json } = await post('add', [readingOf(here), readingOf(there)], prefer)
  assert.equal(status, 200)
  assert.deepEqual(
    json.data.map(({ verdict, code, retryable }) => [verdict, code, retryable]),
    [
      ['stored', undefined, undefined],
      ['rejected', 'WrongCell', true],
    ],
  )
  assertRefused(await post('add', [readingOf(there)], prefer), 421, 'WrongCell')
  // A router may have gone by the first reading, and a client that sends the same again would never get further.
  const mixed = await post('add', [{ ...readingOf(here), timestamp: -1 }, readingOf(there)], prefer)
  assert.deepEqual(
    mixed.json.data.map(({ code }) => code),
    ['ValidationFailed', 'WrongCell'],
  )
  assert.equal((await rowsOf(there))?.readings, 0)
  await setSlots(rounds.ownerUrl, { open: ALL })
})

test('without its row, a cell stores nothing and says so', async () => {
  const { post } = await callerFor('patient-1')
  assert.equal((await post('add', readingOf('patient-1', 1))).status, 200)
  const [row] = await runSql<{ version: string }>(
    rounds.ownerUrl,
    'delete from casesheet.cell returning version',
  )
  const { status } = await post('add', readingOf('patient-1', 2))
  await runSql(rounds.ownerUrl, 'insert into casesheet.cell default values')
  assert.ok(row)
  assert.equal(status, 500)
  assert.equal((await rowsOf('patient-1'))?.readings, 1)
})

test('while slots open and close under load, no add is stored in a closed slot, and none fails but by 503', async () => {
  await setSlots(rounds.ownerUrl, { open: ALL })
  const patientUid = patientIn('upper')
  const { post, read } = await callerFor(patientUid)
  const over = new AbortController()
  let sent = 0
  const statuses = new Map<number, number>()
  async function send() {
    while (!over.signal.aborted) {
      const answers = await Promise.all([
        post('add', readingOf(patientUid, ++sent)),
        post('add', [readingOf(patientUid, ++sent)], { prefer: 'return=representation' }),
        read('get', '&limit=1'),
      ])
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const senders = Array.from({ length: 8 }, send)
  for (let round = 0; round < 10; round++) {
    await setSlots(rounds.ownerUrl, { open: LOWER, closing: UPPER })
    // A statement locks its table before it takes its snapshot: once those that hold a lock now have ended, all see the change.
    await untilWritesHaveEnded()
    const closed = await rowsOf(patientUid)
    await new Promise((resume) => setTimeout(resume, 20))
    assert.deepEqual(await rowsOf(patientUid), closed)
    await setSlots(rounds.ownerUrl, { open: ALL })
    const before = await rowsOf(patientUid)
    await until(async () => ((await rowsOf(patientUid))?.readings ?? 0) > (before?.readings ?? 0))
  }
  over.abort()
  await Promise.all(senders)
  assert.deepEqual(
    [...statuses.keys()].toSorted((a, b) => a - b),
    [200, 503],
  )
})

async function untilWritesHaveEnded() {
  const inFlight = () =>
    runSql<{ held: string }>(
      rounds.ownerUrl,
      `select virtualtransaction as held
       from pg_locks
       where relation in ('casesheet.readings'::regclass, 'casesheet.access_log'::regclass)
         and mode = 'RowExclusiveLock'
         and granted`,
    )
  const first = new Set((await inFlight()).map(({ held }) => held))
  await until(async () => !(await inFlight()).some(({ held }) => first.has(held)))
}
