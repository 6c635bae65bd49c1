// Nothing is answered that only the primary holds, whatever happens to a session that waits for its standby.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { onServer, runSql, startRounds } from '../support/harness.ts'
import { lockReadings } from '../support/lock-readings.ts'
import { newPatient } from '../support/patient.ts'
import { createDoctor, createSharedPatient } from '../support/shared-patient.ts'
import { until } from '../support/until.ts'

const postgres = await startThrowawayPostgres({ synchronous_commit: 'on' })
// Without followers, whose statements would wait too.
const rounds = await onServer(postgres.url, () => startRounds({ MODULES: 'appointments,casesheet' }))
after(async () => {
  await rounds.stop()
  await postgres.stop()
})

/** With a standby that is away, commits wait until there is none to wait for. */
async function setStandby(name: 'away' | '') {
  await runSql(postgres.url, `alter system set synchronous_standby_names = '${name}'`)
  await runSql(postgres.url, 'select pg_reload_conf()')
}
afterEach(() => setStandby(''))

type Session = { pid: number; since: string }

/** The sessions of Rounds that wait for something, once one of them does so with a later statement than before. */
async function untilWaiting(event: 'SyncRep' | 'relation', before?: Session): Promise<Session[]> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const sessions = await runSql<Session>(
      postgres.url,
      `select pid, xact_start::text as since from pg_stat_activity
       where wait_event = $1 and application_name = 'rounds' order by xact_start desc`,
      [event],
    )
    if (sessions[0] && sessions[0].since !== before?.since) return sessions
    await pause(20)
  }
  throw new Error(`No later statement waits for ${event}.`)
}

/** An answer, and whether it has come. */
function watch<Answer>(answer: Promise<Answer>) {
  const watched = { answer, hasCome: false }
  void answer.finally(() => {
    watched.hasCome = true
  })
  return watched
}

const MAX_PROBES = 20

/** The first add that waits for the standby, and its number. PostgreSQL passes a new setting on in its own time: those before do not wait. */
async function addThatWaits({
  add,
  symptom,
}: Pick<Awaited<ReturnType<typeof newPatient>>, 'add' | 'symptom'>) {
  for (let number = 2; number < 2 + MAX_PROBES; number++) {
    const added = watch(add(symptom(number)))
    const [session] = await Promise.race([untilWaiting('SyncRep'), added.answer.then(() => [])])
    if (session) return { added, number, session }
    await pause(50)
  }
  throw new Error('No add waits for the standby.')
}

for (const [how, endTheWait] of [
  ['cancelled', 'pg_cancel_backend'],
  ['terminated', 'pg_terminate_backend'],
] as const) {
  test(`an add whose wait for the standby is ${how} is sent again, and answered when the standby has it`, async () => {
    const { add, stored, symptom } = await newPatient(rounds)
    await add(symptom(1))
    await setStandby('away')
    const { added, number, session: first } = await addThatWaits({ add, symptom })
    await runSql(postgres.url, `select ${endTheWait}($1)`, [first.pid])
    const [second] = await untilWaiting('SyncRep', first)
    // The reading is there now, for the primary alone. Neither who sent it nor anybody else may hear of it yet.
    const [repeated, read] = [watch(add(symptom(number))), watch(stored())]
    await untilWaiting('SyncRep', second)
    await pause(100)
    assert.deepEqual([added.hasCome, repeated.hasCome, read.hasCome], [false, false, false])
    await setStandby('')
    assert.deepEqual([(await added.answer).status, (await repeated.answer).status], [200, 200])
    assert.equal((await read.answer).length, number)
  })
}

test('a process whose commits wait for longer than the deadline is not ready until they are through', async () => {
  const settings = { MODULES: 'appointments,casesheet', REQUEST_DEADLINE_SECONDS: '2' }
  const other = await onServer(postgres.url, () => startRounds(settings))
  const { add, symptom } = await newPatient(other)
  assert.equal((await add(symptom(1))).status, 200)
  const readiness = async () => (await fetch(`${other.adminUrl}/readyz`)).status
  await setStandby('away')
  await until(async () => (await add(symptom(2))).status === 503)
  await until(async () => (await readiness()) === 503)
  // Readiness and the log each ask once at a time; what they no longer wait for has ended in the server too.
  const seen = new Set<number>()
  await until(async () => {
    const waiting = await runSql<{ pid: number }>(
      postgres.url,
      "select pid from pg_stat_activity where wait_event = 'SyncRep' and query like '%rounds_write_check%'",
    )
    assert.ok(waiting.length <= 2, `${waiting.length} checks wait`)
    for (const { pid } of waiting) seen.add(pid)
    return seen.size > 2
  })
  assert.equal(await readiness(), 503)
  await setStandby('')
  await until(async () => (await readiness()) === 200)
  assert.equal((await add(symptom(2))).status, 200)
  await other.stop()
})

test('no list of a doctor is answered by a primary whose standbys are away, also where it writes nothing', async () => {
  const doctors = await onServer(postgres.url, () =>
    startRounds({ MODULES: 'appointments,casesheet,care,fhir', ALERTS: 'on' }),
  )
  const { patientUid, give } = await createSharedPatient(doctors)
  const { doctorId, token } = await createDoctor(doctors)
  await give(doctorId)
  const { add, symptom } = await newPatient(doctors)
  for (const path of [
    '/casesheet/patients/list',
    '/care/patients/list',
    '/care/alerts/list',
    '/care/rules/list',
    '/care/targets/list',
    `/fhir/Patient/${patientUid}`,
  ]) {
    const list = () => doctors.call(path, { token })
    // What is logged once a day is logged here.
    assert.equal((await list()).status, 200)
    await setStandby('away')
    const { added } = await addThatWaits({ add, symptom })
    const later = watch(list())
    await until(async () => later.hasCome || (await waitsFor(doctors.serveUrl)).length > 1)
    assert.equal(later.hasCome, false, path)
    await setStandby('')
    assert.equal((await later.answer).status, 200)
    await added.answer
  }
  await doctors.stop()
})

/** The statements of a server that wait for the standby, but for those of its followers and checks. */
async function waitsFor(serveUrl: string) {
  return runSql(
    postgres.url,
    `select from pg_stat_activity
     where wait_event = 'SyncRep' and usename = $1 and query ~ 'pg_logical_emit_message|log-reads|logged as'`,
    [new URL(serveUrl).username],
  )
}

test('a statement that waits too long for a lock ends in the server too, and is sent again', async () => {
  const { add, symptom } = await newPatient(rounds)
  await add(symptom(1))
  const letGo = await lockReadings(rounds.ownerUrl)
  const added = add(symptom(2))
  const [first] = await untilWaiting('relation')
  const both = await untilWaiting('relation', first)
  assert.equal(both.length, 1)
  await letGo()
  assert.equal((await added).status, 200)
})

for (const value of ['off', 'local'])
  test(`an add waits for its standby although the serving role has synchronous_commit = ${value}`, async () => {
    const { add, symptom } = await newPatient(rounds)
    const role = new URL(rounds.serveUrl).username
    await runSql(postgres.url, `alter role ${role} set synchronous_commit = ${value}`)
    // New sessions have the new default.
    await runSql(postgres.url, 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      role,
    ])
    await setStandby('away')
    const { added } = await addThatWaits({ add, symptom })
    assert.equal(added.hasCome, false)
    await setStandby('')
    assert.equal((await added.answer).status, 200)
  })
