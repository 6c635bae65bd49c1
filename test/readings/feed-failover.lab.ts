// A failover to a standby that had not received everything, as asynchronous replication allows: consumers of readings/changes
// that were given changes of the lost history are refused, streams are reset, and earlier cursors go on.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPostgres } from '../../tools/dev/find-postgres.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runExamples } from '../support/document-examples.ts'
import { assertRefused, onServer, type Rounds, runSql, startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'

const { binDir } = await findPostgres()

type Item = { state: string; reading: { timestamp: number } }

/** A primary and a standby that take turns at one socket, so that servers find whichever runs under one address. */
async function startPair() {
  const dir = temporaryDirectory()
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:', dir])
  const environment = { PATH: `${binDir}:${process.env['PATH']}` }
  const run = (...scripts: string[]) => runExamples(scripts, { environment, as: 'postgres', cwd: dir })
  const start = (data: string, socketDir: string) =>
    `pg_ctl start -w -D ${data} -l ${data}.log -o "-k ${socketDir}" > /dev/null`
  await run(
    'initdb -D first -U postgres --auth-local=trust --locale=C.UTF-8 -E UTF8 > /dev/null',
    'mkdir aside',
  )
  appendFileSync(join(dir, 'first', 'postgresql.conf'), "\nlisten_addresses = ''\nfsync = off\n")
  await run(start('first', dir))
  const url = (socketDir: string) => `postgres://postgres@${encodeURIComponent(socketDir)}/postgres`
  const aside = join(dir, 'aside')
  return {
    url: url(dir),
    /** Copies the primary, and leaves the copy when it has received all that there is. */
    async keepUp() {
      await run(`pg_basebackup -h ${dir} -U postgres -D second -R -c fast`, start('second', aside))
      const [now] = await runSql<{ lsn: string }>(url(dir), 'select pg_current_wal_lsn()::text as lsn')
      for (;;) {
        const [row] = await runSql<{ is_there: boolean }>(
          url(aside),
          `select pg_last_wal_replay_lsn() >= '${now?.lsn}' as is_there`,
        )
        if (row?.is_there) break
      }
      await run('pg_ctl stop -w -m fast -D second > /dev/null')
    },
    /** The primary is lost, with all that only it had. */
    failOver: () =>
      run(
        'pg_ctl stop -w -m immediate -D first > /dev/null',
        start('second', dir),
        'pg_ctl promote -w -D second > /dev/null',
      ),
    stop: () =>
      run(
        'pg_ctl stop -w -m immediate -D second > /dev/null || true',
        'pg_ctl stop -w -m immediate -D first > /dev/null 2>&1 || true',
      ),
  }
}

/** The pages from a cursor to the end, and where that is. */
async function follow(rounds: Rounds, from?: string) {
  let cursor = from
  const token = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
  const timestamps: number[] = []
  for (;;) {
    const query = cursor === undefined ? '' : `?cursor=${cursor}`
    const answer = await rounds.call(`/casesheet/readings/changes${query}`, { token })
    if (answer.status !== 200) return { answer, timestamps, cursor: '' }
    timestamps.push(...(answer.json.data as Item[]).map(({ reading }) => reading.timestamp))
    cursor = answer.json.nextCursor ?? ''
    if (answer.json.data.length === 0) return { answer, timestamps, cursor }
  }
}

/** A stream, and a wait for a text in it. */
async function openStream(rounds: Rounds, token: string) {
  const leaving = new AbortController()
  const { body } = await fetch(`${rounds.url}/casesheet/readings/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  })
  assert.ok(body)
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    async untilShown(wanted: RegExp) {
      while (!wanted.test(text)) {
        const { value, done } = await reader.read()
        assert.ok(!done, text)
        text += value
      }
      return text
    },
    leave: () => leaving.abort(),
  }
}

test('after a failover that lost changes, consumers that were given them are refused, and earlier cursors go on', {
  timeout: 120_000,
}, async () => {
  const pair = await startPair()
  const rounds = await onServer(pair.url, () => startRounds())
  try {
    await useFailover(rounds, pair)
  } finally {
    await rounds.stop()
    await pair.stop()
  }
})

async function useFailover(rounds: Rounds, pair: Awaited<ReturnType<typeof startPair>>) {
  const { addAt, token } = await newPatient(rounds)
  await addAt([1, 2])
  const early = await follow(rounds)
  assert.deepEqual(
    early.timestamps.toSorted((a, b) => a - b),
    [1, 2],
  )
  await pair.keepUp()
  await addAt([3, 4])
  const late = await follow(rounds, early.cursor)
  assert.deepEqual(
    late.timestamps.toSorted((a, b) => a - b),
    [3, 4],
  )
  const service = await rounds.token({ sub: 'another', scope: 'readings:changes' })
  const empty = await rounds.call('/casesheet/readings/changes?start=now', { token: service })
  const stream = await openStream(rounds, token)
  await stream.untilShown(/event: open/)

  await pair.failOver()
  const lost = [late.cursor, empty.json.nextCursor ?? '']
  for (const cursor of lost) assertRefused((await follow(rounds, cursor)).answer, 410, 'CursorExpired')
  await stream.untilShown(/event: reset/)
  await addAt([5])
  assert.match(await stream.untilShown(/event: change/), /"timestamp":5,/)
  stream.leave()
  const resumed = await follow(rounds, early.cursor)
  assert.deepEqual(resumed.timestamps, [5], 'what was lost is not given, and what is there is')

  // Transactions and the WAL go on beyond all that was lost, and deliveries with them.
  await addAt(Array.from({ length: 500 }, (_, n) => 100 + n))
  const all = await follow(rounds)
  assert.equal(all.timestamps.length, 503)
  for (const cursor of lost) assertRefused((await follow(rounds, cursor)).answer, 410, 'CursorExpired')
  assert.equal((await follow(rounds, resumed.cursor)).timestamps.length, 500)
}
