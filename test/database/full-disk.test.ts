// A disk without room fails writes and not reads. Readiness says so, and stays so until a write succeeds.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { assertRefused, onServer, runSql, startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { newPatient } from '../support/patient.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

/** Rounds on a database whose tables are on a disk of 64 MB; the WAL is not, or PostgreSQL would end. */
async function startOnSmallDisk() {
  const disk = await mkdtemp(join(tmpdir(), 'rounds-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk])
  await run('chown', ['postgres', disk])
  const postgres = await startThrowawayPostgres()
  await runSql(postgres.url, `create tablespace small location '${disk}'`)
  await runSql(postgres.url, 'alter database template1 set tablespace small')
  // Without followers, whose statements would write at any moment.
  const settings = { REQUEST_DEADLINE_SECONDS: '2', MODULES: 'appointments,casesheet' }
  const rounds = await onServer(postgres.url, () => startRounds(settings))
  after(async () => {
    await rounds.stop()
    await postgres.stop()
    await run('umount', [disk])
    await rmdir(disk)
  })
  const ballast = join(disk, 'ballast')
  return {
    rounds,
    /** It ends when there is no room left. */
    fill: () => run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k', 'status=none']).catch(() => {}),
    makeRoom: () => rm(ballast),
  }
}

const FOR_LONGER_THAN_THE_GRACE_MS = 3_000

test('a full disk is an outage, which ends with a write that succeeded', needs('root', 'linux'), async () => {
  const { rounds, fill, makeRoom } = await startOnSmallDisk()
  const patient = await newPatient(rounds)
  const times = Array.from({ length: 1_000 }, (_, index) => 1_763_000_000_000 + index)
  const addMany = (from: number) =>
    patient.add(times.map((time) => patient.symptom(time + from, { details: 'x'.repeat(100) })))
  const ask = async (path: string) => {
    const answer = await fetch(rounds.adminUrl + path)
    const { checks, unavailable } = (await answer.json()) as {
      checks: { database: boolean }
      unavailable?: { database?: { code?: string } }
    }
    return { status: answer.status, isThere: checks.database, code: unavailable?.database?.code }
  }
  assert.equal((await addMany(0)).status, 200)
  await fill()
  assertRefused(await addMany(1_000), 503, 'DatabaseUnavailable')
  await until(async () => (await ask('/readyz')).status === 503, 10_000)
  // Nothing but readiness asks the database.
  for (const began = performance.now(); performance.now() - began < FOR_LONGER_THAN_THE_GRACE_MS; )
    assert.deepEqual(await ask('/readyz'), { status: 503, isThere: false, code: '53100' })
  // Pages of the directory are read.
  assert.equal((await ask('/readyz/directory')).status, 200)
  await runSql(rounds.serveUrl, 'select from casesheet.readings')
  await makeRoom()
  await until(async () => (await ask('/readyz')).code === undefined, 20_000)
  assert.equal((await ask('/readyz')).status, 200)
  assert.equal((await addMany(1_000)).status, 200)
  const said = (words: string) => rounds.log().split(words).length - 1
  assert.deepEqual([said('the database is unavailable'), said('the database is available again')], [1, 1])
})

test('where the serving role may make no temporary tables, an outage ends with the reads', async () => {
  const rounds = await startRounds({ REQUEST_DEADLINE_SECONDS: '1' })
  const { pathname } = new URL(rounds.ownerUrl)
  await runSql(rounds.ownerUrl, `revoke temporary on database ${pathname.slice(1)} from public`)
  const { get } = await newPatient(rounds)
  await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  assertRefused(await get(), 503, 'DatabaseUnavailable')
  await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
  await until(() => rounds.log().includes('the database is available again'), 20_000)
  assert.equal((await get()).status, 200)
})
