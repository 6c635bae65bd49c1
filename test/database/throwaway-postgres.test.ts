// The PostgreSQL of `rounds dev` and of these tests lets in the user who started it, and no other user of the machine: its
// superuser may run programs (COPY … FROM PROGRAM), so whoever can connect can act as that user.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runSql } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { runCommand } from '../support/process.ts'

const run = promisify(execFile)
const postgres = await startThrowawayPostgres()
after(() => postgres.stop())
const dir = decodeURIComponent(new URL(postgres.url).hostname)

function openFilesOf(pid: number): string[] {
  const files = `/proc/${pid}/fd`
  return readdirSync(files).map((name) => readlinkSync(join(files, name)))
}

test(
  'it listens on no port, only on a socket in a directory that other users cannot enter',
  needs('linux'),
  async () => {
    assert.deepEqual(await runSql(postgres.url, 'show listen_addresses'), [{ listen_addresses: '' }])
    assert.equal(statSync(dir).mode & 0o777, 0o700)
    const sockets = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map((columns) => `socket:[${columns[9]}]`)
    const listening = new Set(sockets)
    assert.deepEqual(
      openFilesOf(postgres.pid).filter((file) => listening.has(file)),
      [],
    )
  },
)

test(
  'another user of the machine is refused by the system, whatever role they name',
  needs('root', 'runuser'),
  async () => {
    const connecting = `require('node:net').connect(${JSON.stringify(join(dir, '.s.PGSQL.5432'))})
    .on('connect', function () { console.log('connected'); this.end() })
    .on('error', ({ code }) => console.log(code))`
    const asNobody = ['-u', 'nobody', '--', process.execPath, '-e', connecting]
    assert.equal((await run(programOf('runuser'), asNobody, { cwd: '/' })).stdout, 'EACCES\n')
    // The same lines connect for a user who may.
    assert.equal((await run(process.execPath, ['-e', connecting], { cwd: '/' })).stdout, 'connected\n')
  },
)

test('two that start at once do not meet, since they share no port', async () => {
  const started = await Promise.all([startThrowawayPostgres(), startThrowawayPostgres()])
  assert.equal(new Set(started.map(({ url }) => url)).size, 2)
  await Promise.all(started.map(({ stop }) => stop()))
})

test('a TMPDIR that is not there, or whose path is too long for a socket, is named in a sentence', async () => {
  const missing = join(temporaryDirectory(), 'nowhere')
  const refused = await runCommand(['dev', '--port', '0'], { TMPDIR: missing }).ended
  assert.equal(refused.code, 1)
  assert.match(
    refused.output,
    /^A directory cannot be made in \S+nowhere \(ENOENT\)\. Name another place in TMPDIR\.\n$/,
  )
  const long = join(temporaryDirectory(), 'x'.repeat(100))
  mkdirSync(long)
  const { code, output } = await runCommand(['dev', '--port', '0'], { TMPDIR: long }).ended
  assert.equal(code, 1)
  assert.match(output, /^The path of TMPDIR is too long for a socket: PostgreSQL takes 103 bytes\.\n$/)
  assert.deepEqual(readdirSync(long), [])
})
