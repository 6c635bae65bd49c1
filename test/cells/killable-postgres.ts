// A PostgreSQL that a test kills outright and starts again on the same data, at the same address.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { findPostgres } from '../../tools/dev/find-postgres.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runExamples } from '../support/document-examples.ts'

export type KillablePostgres = Awaited<ReturnType<typeof startKillablePostgres>>

export async function startKillablePostgres() {
  const { binDir } = await findPostgres()
  const dir = temporaryDirectory()
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:', dir])
  const environment = { PATH: `${binDir}:${process.env['PATH']}` }
  const run = (...scripts: string[]) => runExamples(scripts, { environment, as: 'postgres', cwd: dir })
  await run('initdb -D data -U postgres --auth-local=trust --locale=C.UTF-8 -E UTF8 > /dev/null')
  // A killed process loses nothing that it has written; only a machine would need fsync.
  appendFileSync(
    join(dir, 'data', 'postgresql.conf'),
    "\nlisten_addresses = ''\nfsync = off\nwal_level = logical\nwal_retrieve_retry_interval = 200ms\nmax_connections = 200\n",
  )
  // Until the children of the killed one have ended, its memory is in use.
  const START = `for attempt in $(seq 100); do pg_ctl start -w -D data -l log -o "-k ${dir}" > /dev/null && break; sleep 0.1; done
    pg_ctl status -D data > /dev/null`
  await run(START)
  const readPid = () => Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  let pid: number | undefined = readPid()
  function kill() {
    assert.ok(pid, 'it runs')
    process.kill(pid, 'SIGKILL')
    pid = undefined
  }
  async function restart() {
    await run(START)
    pid = readPid()
  }
  return {
    url: `postgres://postgres@${encodeURIComponent(dir)}/postgres`,
    kill,
    /** What it has written to its log. */
    log: () => readFileSync(join(dir, 'log'), 'utf8'),
    restart,
    async killAndRestart() {
      kill()
      await restart()
    },
    /** To be called after the servers that use it have been started: they are stopped first. */
    // An immediate shutdown. Its directory may be gone by then, and a test that failed may have left it killed.
    stopAfterTests: () => after(() => pid && process.kill(pid, 'SIGQUIT')),
  }
}
