// How streams end, and what they survive: clients that leave, a stop, a lost database, and a last event that is too old.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signalAll, treeOf } from '../../../../test/faults/processes.ts'
import { metricOf, openStream, requestStream } from '../../../../test/support/event-stream.ts'
import { onServer, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { until } from '../../../../test/support/until.ts'
import { startThrowawayPostgres } from '../../../../tools/dev/throwaway-postgres.ts'

const rounds = await startRounds()
const streamsOpen = () => metricOf(rounds.adminUrl, 'rounds_streams')
const CHANGE = 'event: change'

test('a client that leaves, or closes only its own side, is noticed at once', async () => {
  const { token } = await newPatient(rounds)
  const [one, two] = [await openStream(rounds.url, token), await openStream(rounds.url, token)]
  assert.equal(await streamsOpen(), 2)
  one.socket.destroy()
  await until(async () => (await streamsOpen()) === 1, 5_000)
  two.socket.end()
  await until(async () => (await streamsOpen()) === 0, 5_000)
  two.socket.destroy()
})

test('when the sessions of the database are killed, every change is still shown once', async () => {
  const { addAt, token } = await newPatient(rounds)
  const { socket, text } = await openStream(rounds.url, token)
  for (let index = 1; index <= 20; index++) {
    await addAt([index])
    if (index % 5 === 0)
      await runSql(
        rounds.ownerUrl,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rounds' and datname = current_database()",
      )
  }
  await until(() => text().split(CHANGE).length > 20)
  const shown = [...text().matchAll(/"timestamp":(\d+),/g)].map(([, timestamp]) => Number(timestamp))
  assert.deepEqual(
    shown,
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  assert.doesNotMatch(text(), /event: (reset|end)/)
  socket.destroy()
})

test('while the database is away heartbeats go on, and what is changed later is shown without a reset', async () => {
  const postgres = await startThrowawayPostgres()
  const apart = await onServer(postgres.url, () => startRounds({ REQUEST_DEADLINE_SECONDS: '1' }))
  const { addAt, token } = await newPatient(apart)
  const { socket, text } = await openStream(apart.url, token)
  await addAt([1])
  await until(() => text().includes(CHANGE))
  const frozen = await treeOf(postgres.pid)
  signalAll(frozen, 'SIGSTOP')
  after(async () => {
    signalAll(frozen, 'SIGCONT')
    await apart.stop()
    await postgres.stop()
  })
  const streamsAre = (count: number) => async () =>
    (await metricOf(apart.adminUrl, 'rounds_streams')) === count
  const failures = () => apart.log().split('changes could not be looked for').length - 1
  const heartbeats = () => text().split(': still here').length - 1
  await until(() => failures() >= 2)
  const before = heartbeats()
  apart.skip(16_000)
  await until(() => heartbeats() > before)
  signalAll(frozen, 'SIGCONT')
  await until(async () => (await apart.call('/casesheet/readings/get', { token })).status === 200)
  await addAt([2])
  await until(() => text().includes('"timestamp":2,'))
  assert.doesNotMatch(text(), /event: (reset|end)/)
  socket.destroy()

  // The look at the database that its stream began fails when no stream is left.
  await until(streamsAre(0))
  signalAll(frozen, 'SIGSTOP')
  const left = requestStream(apart.url, token)
  await until(streamsAre(1))
  left.socket.destroy()
  await until(streamsAre(0))
  assert.equal((await apart.call('/casesheet/readings/get', { token })).status, 503)
  signalAll(frozen, 'SIGCONT')
})

test('a last event beyond the last 50,000 changes gets a reset, and a later one does not', async () => {
  const { addAt, token } = await newPatient(rounds)
  const lastIdIn = (text: string) => text.match(/^id: \S+$/gm)?.at(-1) ?? ''
  const watching = await openStream(rounds.url, token)
  await addAt([1])
  await until(() => watching.text().includes(CHANGE))
  const old = lastIdIn(watching.text())
  const insert = (count: number) =>
    runSql(
      rounds.ownerUrl,
      `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
       select 'other', to_timestamp(n), gen_random_uuid(), 'acme.step', n, '{}', 'test'
       from generate_series(1, $1::int) n`,
      [count],
    )
  await insert(49_000)
  await addAt([2])
  await until(() => watching.text().includes('"timestamp":2,'))
  const resumed = await openStream(rounds.url, token, `last-event-${old}\r\n`)
  await until(() => resumed.text().includes('"timestamp":2,'))
  assert.doesNotMatch(resumed.text(), /event: reset/)
  const newer = lastIdIn(resumed.text())
  await insert(1_001)
  await addAt([3])
  await until(() => watching.text().includes('"timestamp":3,'))
  const late = await openStream(rounds.url, token, `last-event-${old}\r\n`)
  await until(() => late.text().includes('event: reset'))
  const recent = await openStream(rounds.url, token, `last-event-${newer}\r\n`)
  await until(() => recent.text().includes('"timestamp":3,'))
  assert.doesNotMatch(recent.text(), /event: reset/)
  for (const { socket } of [watching, resumed, late, recent]) socket.destroy()
})

/** Two streams of a new patient: one whose client reads nothing, until more is sent than the kernel holds, and one that reads. */
async function openUnread(expiresInS: number) {
  const apart = await startRounds()
  const { patientUid } = await newPatient(apart)
  const token = await apart.token({ patientUid, exp: Math.floor(Date.now() / 1_000) + expiresInS })
  const [unread, read] = [await openStream(apart.url, token), await openStream(apart.url, token)]
  unread.socket.pause()
  const unreadBytes = () => metricOf(apart.adminUrl, 'rounds_streams_buffered_bytes')
  const note = 'x'.repeat(60_000)
  for (let added = 0; (await unreadBytes()) === 0; ) {
    assert.ok(added < 1_000, 'the buffers of the kernel are finite')
    const body = { patientUid, readingType: 'acme.large', timestamp: ++added, note }
    assert.equal((await apart.call('/casesheet/readings/add', { token, body })).status, 200)
    await until(() => read.text().split(CHANGE).length > added)
  }
  assert.equal(await metricOf(apart.adminUrl, 'rounds_streams'), 2)
  after(() => {
    unread.socket.destroy()
    read.socket.destroy()
  })
  return { apart, read }
}

test('a client that does not read its stream does not hold up a stop', async () => {
  const { apart, read } = await openUnread(600)
  const began = performance.now()
  await apart.stop()
  const tookMs = performance.now() - began
  assert.ok(tookMs < 15_000, `it took ${tookMs.toFixed(0)} ms`)
  assert.match(read.text(), /"reason":"stopping"/)
})

test('a client that does not take the end of its stream is cut', async () => {
  const { apart, read } = await openUnread(600)
  const cut = () => metricOf(apart.adminUrl, 'rounds_http_responses_aborted_total')
  const before = await cut()
  apart.skip(601_000)
  await until(() => read.text().includes('"reason":"expired"'))
  await until(async () => (await cut()) === before + 1, 15_000)
})

test('a stream is the last answer of its connection: what a client sends behind it cuts it', async () => {
  const { token } = await newPatient(rounds)
  await until(async () => (await streamsOpen()) === 0)
  const next = 'GET /casesheet/readings/types HTTP/1.1\r\nhost: x\r\n\r\n'
  const stream = await openStream(rounds.url, token)
  assert.match(stream.text(), /\r\nconnection: close\r\n/i)
  stream.socket.write(next)
  await until(async () => (await streamsOpen()) === 0, 5_000)
  // Also where they came together.
  const together = requestStream(rounds.url, token, `\r\n${next}x-other: 1\r\n`)
  await until(() => together.socket.destroyed || together.socket.readableEnded, 5_000)
  assert.doesNotMatch(together.text(), /event: change/)
  assert.equal(await streamsOpen(), 0)
  for (const { socket } of [stream, together]) socket.destroy()
})

test('streams that are requested while the server stops do not hold it up', async () => {
  const stopping = await startRounds()
  const { token } = await newPatient(stopping)
  const first = await openStream(stopping.url, token)
  const stopped = stopping.stop()
  const streams = Array.from({ length: 15 }, () => requestStream(stopping.url, token))
  await Promise.race([
    stopped,
    new Promise((_, fail) => setTimeout(() => fail(new Error('It did not stop.')), 20_000).unref()),
  ])
  for (const { socket } of [first, ...streams]) socket.destroy()
})
