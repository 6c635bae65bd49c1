// Withdrawals and restorations that meet one another, a locked row or an erasure: each is answered truly, and no other patient
// waits for them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { patientWithReadings } from '../support/patient.ts'
import { BY, runPatientCommand } from '../support/patient-with-history.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()

type Verb = 'withdraw' | 'restore'

async function patientWith(timestamps: number[]) {
  const patient = await patientWithReadings(rounds, timestamps)
  const [reading] = (await patient.get()).json.data
  const named = {
    patientUid: patient.patientUid,
    readingId: reading?.['readingId'],
    timestamp: reading?.['timestamp'],
  }
  const post = (verb: Verb, more: object = {}) =>
    rounds.call(`/casesheet/readings/${verb}`, { token: patient.token, body: { ...named, ...more } })
  const row = async () => {
    const [found] = await runSql<{ by: string | null; reason: string | null; at: Date | null }>(
      rounds.ownerUrl,
      `select withdrawn_by as by, withdrawn_reason as reason, withdrawn_at as at
       from casesheet.readings
       where patient_uid = $1
       order by measured_at`,
      [patient.patientUid],
    )
    return found
  }
  return { ...patient, post, row }
}

/** A transaction that holds the earliest readings of a patient locked until it is released. */
async function lockReadingsOf(patientUid: string, count = 1_000) {
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin')
  await holder.query(
    'select from casesheet.readings where patient_uid = $1 order by measured_at limit $2 for update',
    [patientUid, count],
  )
  return () => holder.query('rollback')
}

test('a locked reading delays its own withdrawal, and no other request of this patient or of others', async () => {
  const [blocked, other] = [await patientWith([1, 2]), await patientWith([1])]
  const release = await lockReadingsOf(blocked.patientUid)
  const waiting = Array.from({ length: 18 }, () => blocked.post('withdraw'))
  for (let time = 0; time < 5; time++) {
    assert.equal((await other.post('withdraw')).status, 200)
    assert.equal((await other.post('restore')).status, 200)
    assert.equal((await other.add(other.symptom(10 + time))).status, 200)
    assert.equal((await blocked.add(blocked.symptom(10 + time))).status, 200)
    assert.equal((await blocked.get()).status, 200)
  }
  await release()
  for (const { status, json } of await Promise.all(waiting))
    assert.ok(status === 200 || (status === 503 && json.retryable), `${status}`)
  assert.equal((await blocked.post('withdraw')).status, 200)
  assert.equal((await blocked.row())?.by, 'test')
})

test('of withdrawals at once the first stays: its reason and its time, and one change', async () => {
  const { post, row } = await patientWith([1])
  const reasons = Array.from({ length: 20 }, (_, n) => `reason ${n}`)
  const answers = await Promise.all(reasons.map((reason) => post('withdraw', { reason })))
  assert.ok(answers.every(({ status }) => status === 200))
  const found = await row()
  assert.ok(reasons.includes(found?.reason ?? ''))
  await post('withdraw', { reason: 'later' })
  assert.deepEqual(await row(), found)
})

test('withdrawals and restorations that race leave a reading withdrawn with all marks, or present with none', async () => {
  const { post, row, get } = await patientWith([1])
  for (let round = 0; round < 10; round++) {
    const verbs = Array.from({ length: 12 }, (_, n): Verb => ((n + round) % 2 ? 'withdraw' : 'restore'))
    const answers = await Promise.all(
      verbs.map((verb) => post(verb, verb === 'withdraw' ? { reason: 'raced' } : {})),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    const found = await row()
    const marks = [found?.by, found?.reason, found?.at].map((mark) => mark !== null)
    assert.ok(new Set(marks).size === 1, JSON.stringify(found))
    assert.equal((await get()).json.data.length, marks[0] ? 0 : 1)
    assert.equal((await post('restore')).status, 200)
    assert.equal((await row())?.by, null)
  }
})

test('a withdrawal that races with an erasure is done or finds nothing, and brings nothing back', async () => {
  for (let round = 0; round < 3; round++) {
    const { post, patientUid } = await patientWith([1])
    const erasure = { isDone: false }
    const erasing = runPatientCommand(['erase', patientUid, ...BY, '--yes'], rounds.ownerUrl).finally(() => {
      erasure.isDone = true
    })
    while (!erasure.isDone) {
      for (const verb of ['withdraw', 'restore'] as const) {
        const { status, json } = await post(verb)
        assert.ok(status === 200 || (status === 404 && json.code === 'ReadingNotFound'), `${status}`)
      }
    }
    assert.equal((await erasing).code, 0)
    assertRefused(await post('withdraw'), 404, 'ReadingNotFound')
    assert.equal(await countReadings(patientUid), 0)
  }
})

test('a reading that is withdrawn or restored while its patient is being erased is erased too, however far the deletion is', async () => {
  for (const verb of ['withdraw', 'restore'] as const) {
    const { patientUid, get, post } = await patientWith([1, 2, 3])
    const [, , last] = (await get()).json.data
    const named = { readingId: last?.['readingId'], timestamp: last?.['timestamp'] }
    if (verb === 'restore') assert.equal((await post('withdraw', named)).status, 200)
    // Stands for the time that a deletion takes: its batch has been chosen, and waits for the first of three readings.
    const release = await lockReadingsOf(patientUid, 1)
    const erasing = runPatientCommand(['erase', patientUid, ...BY, '--yes'], inOrderOfKeys(rounds.ownerUrl))
    await untilDeletionWaits()
    assert.equal((await post(verb, named)).status, 200)
    await release()
    const { code, output } = await erasing
    assert.equal(code, 0, output)
    assert.match(output, /readings deleted +3\n/)
    assert.equal(await countReadings(patientUid), 0)
  }
})

test('what an erasure waits for is deleted too, also where the database makes transactions repeatable by default', async () => {
  const { patientUid } = await patientWith([1])
  const adding = new Client({ connectionString: rounds.ownerUrl })
  await adding.connect()
  after(() => adding.end())
  await adding.query('begin')
  await adding.query(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ($1, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'test')`,
    [patientUid],
  )
  const url = new URL(rounds.ownerUrl)
  url.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read')
  const erasing = runPatientCommand(['erase', patientUid, ...BY, '--yes'], url.href)
  await untilErasureWaitsForAdds()
  await adding.query('commit')
  const { code, output } = await erasing
  assert.equal(code, 0, output)
  assert.equal(await countReadings(patientUid), 0)
})

/** So that a deletion meets readings by time: in the order of the table, it may have locked a later one before it waits. */
function inOrderOfKeys(databaseUrl: string) {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c enable_seqscan=off -c enable_bitmapscan=off')
  return url.href
}

const untilDeletionWaits = () =>
  untilSession("query ~ 'delete from casesheet.readings' and wait_event_type = 'Lock'")

const untilErasureWaitsForAdds = () =>
  untilSession("application_name = 'rounds operator' and backend_xid is not null and query ~ 'pg_locks'")

/** Waits for a session of this database of which the condition is true. */
async function untilSession(condition: string) {
  const isThere = async () => {
    const sessions = await runSql(
      rounds.ownerUrl,
      `select
       from pg_stat_activity
       where datname = current_database()
         and pid <> pg_backend_pid()
         and ${condition}`,
    )
    return sessions.length > 0
  }
  await until(isThere, 30_000, { what: () => condition })
}

async function countReadings(patientUid: string) {
  const [row] = await runSql<{ count: number }>(
    rounds.ownerUrl,
    'select count(*)::int as count from casesheet.readings where patient_uid = $1',
    [patientUid],
  )
  return row?.count
}

test('a scope for one thing gives no other: changes do not let one read, nor withdraw, nor withdrawing read', async () => {
  const { patientUid, token } = await patientWith([1])
  const tokens = {
    changes: await rounds.token({ sub: 'warehouse', scope: 'readings:changes' }),
    withdraw: await rounds.token({ sub: 'clinic', scope: 'readings:withdraw' }),
    read: await rounds.token({ sub: 'reader', scope: 'readings:read' }),
  }
  const reads = ['get', 'latest', 'access-log', 'stream'].map(
    (operation) => `/casesheet/readings/${operation}?patientUid=${patientUid}`,
  )
  for (const path of reads)
    for (const scope of ['changes', 'withdraw'] as const)
      assertRefused(await rounds.call(path, { token: tokens[scope] }), 403, 'ScopeMissing')
  for (const refused of [tokens.withdraw, tokens.read, token])
    assertRefused(await rounds.call('/casesheet/readings/changes', { token: refused }), 403, 'ScopeMissing')
  const unknown = { patientUid, readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10', timestamp: 5 }
  const real = (await rounds.call('/casesheet/readings/get', { token })).json.data[0]
  const known = { patientUid, readingId: real?.['readingId'], timestamp: real?.['timestamp'] }
  for (const verb of ['withdraw', 'restore'])
    for (const body of [known, unknown, { ...unknown, patientUid: 'patient-nobody' }])
      for (const refused of [tokens.changes, tokens.read])
        assertRefused(
          await rounds.call(`/casesheet/readings/${verb}`, { token: refused, body }),
          403,
          'ScopeMissing',
        )
})
