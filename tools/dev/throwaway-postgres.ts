// A PostgreSQL server that lives as long as its caller wants, in a directory of its own, which is deleted at the end, also
// when the caller is killed. It gives up durability for speed: for development and tests only. A directory that the caller names
// is kept, and its data are there at the next start.
//
// It listens on a socket in that directory and on no port. The directory has mode 0700, so only the user who started it (and
// root) can connect, as any role and without a password.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../../src/config/config.ts'
import { findPostgres, type PostgresBinaries } from './find-postgres.ts'
import { makePrivateDirectory } from './private-directory.ts'

const run = promisify(execFile)

// Part of the socket's name, nothing more, unless the settings open a port.
const PORT = '5432'
// macOS takes as many bytes, Linux four more.
const LONGEST_SOCKET_PATH = 103

export type ThrowawayPostgres = {
  url: string
  version: string
  /** Where its binaries came from. */
  origin: string
  pid: number
  stop: () => Promise<void>
}

type Identity = { uid: number; gid: number } | undefined

export async function startThrowawayPostgres(
  settings: Record<string, string> = {},
  keptIn?: string,
): Promise<ThrowawayPostgres> {
  const binaries = await findPostgres()
  const identity = process.getuid?.() === 0 ? await idsOfPostgresUser() : undefined
  const dir = keptIn ?? (await makePrivateDirectory('rounds-pg-'))
  const isKept = keptIn !== undefined
  if (isKept) await mkdir(dir, { recursive: true, mode: 0o700 })
  try {
    mustHoldSocket(dir)
    if (identity) await chown(dir, identity.uid, identity.gid)
    const binDir = await reachable(binaries, identity && dir)
    const data = join(dir, 'data')
    if (!existsSync(data)) await createCluster(binDir, data, identity)
    const server = await startServer(binDir, dir, { identity, settings, isKept })
    return { ...server, origin: binaries.origin }
  } catch (error) {
    if (!isKept) await remove(dir)
    throw error
  }
}

function mustHoldSocket(dir: string) {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${PORT}`)) <= LONGEST_SOCKET_PATH) return
  throw new ConfigError(
    `The path of TMPDIR is too long for a socket: PostgreSQL takes ${LONGEST_SOCKET_PATH} bytes.`,
  )
}

// The directory of the socket decides who may connect. Through a port, if a setting opened one, every connection is rejected.
const AUTHENTICATION = ['-U', 'postgres', '--auth-local=trust', '--auth-host=reject']

async function createCluster(binDir: string, data: string, identity: Identity) {
  // The same order everywhere, by code point; macOS has that locale under two names.
  const locale = process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=UTF-8'] : ['--locale=C.UTF-8']
  const args = ['-D', data, ...AUTHENTICATION, '-E', 'UTF8', ...locale, '--no-sync']
  await run(join(binDir, 'initdb'), args, { ...identity }).catch((cause: Error & { stderr?: string }) => {
    throw new ConfigError(`PostgreSQL could not make a database:\n${cause.stderr || cause.message}`, {
      cause,
    })
  })
}

async function startServer(
  binDir: string,
  dir: string,
  { identity, settings, isKept }: { identity: Identity; settings: Record<string, string>; isKept: boolean },
) {
  const data = join(dir, 'data')
  const { port = PORT } = settings
  const options = {
    listen_addresses: '',
    unix_socket_directories: dir,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    ...settings,
  }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binDir, 'postgres'), ['-D', data, '-p', port, ...args], {
    ...identity,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C reaches every process of a terminal's group. This one ends after those that still need it.
    detached: true,
  })
  await once(server, 'spawn')
  const pid = server.pid ?? 0
  const guard = guardAgainstKill(pid, isKept ? '' : dir)
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  let log = ''
  const ready = new Promise<void>((done, fail) => {
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes('ready to accept connections')) done()
    })
    void ended.then(() => fail(new ConfigError(`PostgreSQL did not start:\n${log}`)))
  })
  await ready.catch(async (error: unknown) => {
    await guard.dismiss()
    throw error
  })
  const stop = async () => {
    server.kill('SIGINT') // a fast shutdown: running transactions are rolled back
    await ended
    if (!isKept) await remove(dir)
    await guard.dismiss()
  }
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  const host = encodeURIComponent(dir) + (port === PORT ? '' : `:${port}`)
  return { url: `postgres://postgres@${host}/postgres`, version, pid, stop }
}

// A process that is killed outright cannot clean up. Its end closes the pipe that the guard reads from.
const GUARD = `read -r _
kill -INT "$0"
tries=100
while kill -0 "$0" && [ $tries -gt 0 ]; do tries=$((tries - 1)); sleep 0.1; done
rm -rf "$1"`

/** No directory is removed where none is named. */
function guardAgainstKill(pid: number, dir: string) {
  const guard = spawn('/bin/sh', ['-c', GUARD, String(pid), dir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const ended = new Promise((done) => guard.once('exit', done))
  return {
    async dismiss() {
      guard.kill()
      await ended
    },
  }
}

// A process that was interrupted may still be writing its last file.
async function remove(dir: string) {
  await rm(dir, { recursive: true, force: true, maxRetries: 10 })
}

// PostgreSQL refuses to run as root, so as root it runs as the user `postgres`.
async function idsOfPostgresUser(): Promise<{ uid: number; gid: number }> {
  const { stdout } = await run('id', ['postgres']).catch((cause: unknown) => {
    throw new ConfigError(
      'PostgreSQL does not run as root. Start Rounds as another user, or create the user "postgres".',
      { cause },
    )
  })
  const [uid, gid] = [...stdout.matchAll(/[ug]id=(\d+)/g)].map((match) => Number(match[1]))
  if (uid === undefined || gid === undefined) throw new Error('The user "postgres" has no ids.')
  return { uid, gid }
}

// The npm package may stand where the user `postgres` cannot look, such as below /root: then it runs from a copy.
async function reachable({ binDir }: PostgresBinaries, copyTo: string | undefined): Promise<string> {
  if (copyTo === undefined || !binDir.includes('node_modules')) return binDir
  await cp(join(binDir, '..'), join(copyTo, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copyTo, 'native/bin')
}
