// What belongs to an export, while readings are added, withdrawn and restored by transactions that stay open across its beginning:
// what was committed before, nothing that was committed after, and in a row of exports nothing twice and nothing never.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { exporterOf, statesOf } from '../../../../test/support/bulk.ts'
import { type FhirRounds, startFhir } from '../../../../test/support/fhir.ts'

const INSERT = `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  select 'p-' || $2::int, to_timestamp($3::float8), id, 'heartRate', $3::float8, '{"value":70}', 'test'
  from unnest($1::uuid[]) as id`
const WITHDRAW = `update casesheet.readings set withdrawn_by = 'test', withdrawn_as = 'patient' where reading_id = any ($1::uuid[])`
const RESTORE = `update casesheet.readings set withdrawn_by = null where reading_id = any ($1::uuid[])`
/** As readings/withdraw and readings/restore note it. */
const NOTE = `insert into casesheet.corrections (patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as)
  select patient_uid, gen_random_uuid(), measured_at, reading_id, $2::text, 'test', 'patient' from casesheet.readings where reading_id = any ($1::uuid[])`

let measuredS = 1_700_000_000

/** A transaction that can be held open. */
async function openSession(rounds: FhirRounds) {
  const client = new Client({ connectionString: rounds.ownerUrl })
  await client.connect()
  after(() => client.end())
  return {
    begin: () => client.query('begin'),
    commit: () => client.query('commit'),
    rollback: () => client.query('rollback'),
    async add(count = 1): Promise<string[]> {
      const ids = Array.from({ length: count }, () => randomUUID())
      await client.query(INSERT, [ids, Math.floor(Math.random() * 40), measuredS++])
      return ids
    },
    async correct(ids: string[], action: 'withdraw' | 'restore') {
      await client.query(action === 'withdraw' ? WITHDRAW : RESTORE, [ids])
      await client.query(NOTE, [ids, action])
    },
  }
}

const idsIn = (states: Map<string, string>) => [...states.keys()].toSorted()

test('a transaction that is open when an export begins belongs to the next one, however the others overtake it', async () => {
  const rounds = await startFhir()
  const { begin, manifestAt, linesOf, exportAll, after: since } = await exporterOf(rounds)
  const [early, late, other] = [
    await openSession(rounds),
    await openSession(rounds),
    await openSession(rounds),
  ]
  await early.begin()
  const [overtaken = ''] = await early.add()
  await late.begin()
  const [inTime = ''] = await late.add()
  await late.commit()
  // A transaction that has begun and written nothing yet.
  await other.begin()
  await other.add(0)
  const address = await begin()
  const first = await manifestAt(address)
  const [behind = ''] = await other.add()
  await early.commit()
  await other.commit()
  const [added = ''] = await late.add()
  assert.deepEqual(idsIn(statesOf(await linesOf(first.output))), [inTime])
  // The files of later status answers hold the same.
  assert.deepEqual(idsIn(statesOf(await linesOf((await manifestAt(address)).output))), [inTime])
  const second = await exportAll(since(first))
  assert.deepEqual(idsIn(statesOf(second.observations)), [overtaken, behind, added].toSorted())
  assert.deepEqual((await exportAll(since(second.manifest))).observations, [])
})

test('a reading that is corrected after the export began is in it as it is now, and in the next export again', async () => {
  const rounds = await startFhir()
  const { begin, manifestAt, linesOf, exportAll, after: since } = await exporterOf(rounds)
  const session = await openSession(rounds)
  const [kept = '', withdrawn = '', restored = ''] = await session.add(3)
  await session.correct([restored], 'withdraw')
  const zero = await exportAll()
  assert.deepEqual(statesOf(zero.observations).get(restored), 'entered-in-error')
  const [fresh = ''] = await session.add()
  const [whole, part] = [await begin(), await begin(since(zero.manifest))]
  await session.correct([withdrawn, fresh], 'withdraw')
  await session.correct([restored], 'restore')
  await session.add()
  const states = [
    [kept, 'final'],
    [withdrawn, 'entered-in-error'],
    [restored, 'final'],
    [fresh, 'entered-in-error'],
  ] as const
  assert.deepEqual(statesOf(await linesOf((await manifestAt(whole)).output)), new Map(states))
  assert.equal(statesOf(await linesOf((await manifestAt(part)).output)).get(fresh), 'entered-in-error')
  const next = statesOf((await exportAll(since(await manifestAt(whole)))).observations)
  for (const [id, state] of states.slice(1)) assert.equal(next.get(id), state)
  assert.equal(next.has(kept), false)
})

test('a _since at which no export began gives what was changed from an hour before, and all that was changed after', async () => {
  const rounds = await startFhir()
  const { exportAll } = await exporterOf(rounds)
  const session = await openSession(rounds)
  const [old = '', corrected = '', recent = ''] = await session.add(3)
  await session.correct([corrected], 'withdraw')
  const owner = new Client({ connectionString: rounds.ownerUrl })
  await owner.connect()
  after(() => owner.end())
  // As if they had been received, and one of them withdrawn and restored, at those times.
  await owner.query('alter table casesheet.readings disable trigger user')
  await owner.query(
    `update casesheet.readings set received_at = now() - interval '3 hours', withdrawn_at = null, withdrawn_by = null, withdrawn_as = null
     where reading_id in ($1, $2)`,
    [old, corrected],
  )
  await owner.query('alter table casesheet.readings enable trigger user')
  for (const since of [new Date(Date.now() - 60_000), new Date(Date.now() - 3_600_000)]) {
    const { observations } = await exportAll(`?_since=${since.toISOString()}`)
    assert.deepEqual(idsIn(statesOf(observations)), [corrected, recent].toSorted())
  }
  // Half a second cut off the time of an export, as a client may do.
  const { manifest } = await exportAll()
  const [added = ''] = await session.add()
  const cut = `${manifest.transactionTime.slice(0, 19)}Z`
  assert.ok(idsIn(statesOf((await exportAll(`?_since=${cut}`)).observations)).includes(added))
})

test('a row of exports beside many writers gives every change, and no state that was never committed', async () => {
  const rounds = await startFhir()
  const { begin, manifestAt, linesOf, after: since } = await exporterOf(rounds)
  const committed = new Map<string, string>()
  const over = new AbortController()
  async function write() {
    const session = await openSession(rounds)
    let own: string[] = []
    while (!over.signal.aborted) {
      await session.begin()
      const states = new Map<string, string>()
      for (const id of await session.add(1 + Math.floor(Math.random() * 3))) states.set(id, 'final')
      const chosen = own.filter(() => Math.random() < 0.2)
      for (const id of chosen) {
        const action = committed.get(id) === 'final' ? 'withdraw' : 'restore'
        await session.correct([id], action)
        states.set(id, action === 'withdraw' ? 'entered-in-error' : 'final')
      }
      await pause(Math.random() * 60)
      if (Math.random() < 0.1) await session.rollback()
      else {
        await session.commit()
        for (const [id, state] of states) committed.set(id, state)
        own = [...own, ...states.keys()].slice(-20)
      }
    }
  }
  const writers = Array.from({ length: 6 }, write)
  const copy = new Map<string, string>()
  let query = ''
  for (let round = 0; round < 8; round++) {
    await pause(200)
    const known = [...committed.keys()]
    const address = await begin(query)
    const manifest = await manifestAt(address)
    const states = statesOf(await linesOf(manifest.output))
    for (const [id, state] of states) copy.set(id, state)
    assert.deepEqual(
      known.filter((id) => !copy.has(id)),
      [],
      'a reading that was committed before the export was asked for is missing',
    )
    query = since(manifest)
    await fetch(address, { method: 'DELETE', headers: (await exporterOf(rounds)).headers })
  }
  over.abort()
  await Promise.all(writers)
  const last = await manifestAt(await begin(query))
  for (const [id, state] of statesOf(await linesOf(last.output))) copy.set(id, state)
  assert.deepEqual(copy, committed)
  assert.ok(committed.size > 50)
  assert.deepEqual((await manifestAt(await begin(since(last)))).output, [])
})
