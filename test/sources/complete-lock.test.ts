// scripts/complete-lock.mjs against a registry on loopback that has what the test says, as the public one would.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const SCRIPT = join(import.meta.dirname, '../../scripts/complete-lock.mjs')
const VERSION = '1.2.3'
const checksum = (letter: string) => `sha512-${letter.repeat(86)}==`

type Entry = { version: string; integrity?: string; resolved?: string; [field: string]: unknown }

/** A registry of the packages in `published`, by name: what their package.json says. */
async function startRegistry(published: Map<string, object>) {
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1))
    const manifest = published.get(name)
    const dist = { tarball: `http://127.0.0.1/${name}.tgz`, integrity: checksum('R') }
    const versions = { [VERSION]: { name, version: VERSION, dist, ...manifest } }
    response.writeHead(manifest ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(manifest ? { name, 'dist-tags': { latest: VERSION }, versions } : {}))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => server.close(),
  }
}

test('the builds that the registry has get its checksum, and the others an entry without', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-complete-lock-'))
  t.after(() => rm(dir, { recursive: true }))
  const published = new Map<string, object>([
    ['@tool/darwin-arm64', { license: 'MIT', os: ['darwin'], cpu: ['arm64'] }],
  ])
  const registry = await startRegistry(published)
  t.after(registry.stop)

  const builds = ['linux-x64', 'linux-x64-musl', 'darwin-arm64'].map((platform) => `@tool/${platform}`)
  const known: Record<string, Entry> = {
    '': { version: '1.0.0', devDependencies: { tool: VERSION } },
    'node_modules/tool': {
      version: VERSION,
      integrity: checksum('T'),
      resolved: `${registry.url}tool.tgz`,
      dev: true,
      optionalDependencies: Object.fromEntries(builds.map((name) => [name, VERSION])),
    },
    'node_modules/@tool/linux-x64': { version: VERSION, integrity: checksum('L'), dev: true, optional: true },
  }
  const file = join(dir, 'package-lock.json')
  await writeFile(file, JSON.stringify({ lockfileVersion: 3, packages: known }))
  const complete = async () => {
    const environment = { npm_config_registry: registry.url, npm_config_cache: join(dir, 'cache') }
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], {
      cwd: dir,
      env: { ...process.env, ...environment },
    })
    const { packages } = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, Entry> }
    return { stdout, packages }
  }

  const first = await complete()
  assert.match(first.stdout, /^1 packages have no checksum/m)
  assert.deepEqual(first.packages['node_modules/@tool/darwin-arm64'], {
    version: VERSION,
    integrity: checksum('R'),
    license: 'MIT',
    os: ['darwin'],
    cpu: ['arm64'],
    dev: true,
    optional: true,
  })
  assert.deepEqual(first.packages['node_modules/@tool/linux-x64-musl'], {
    version: VERSION,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
    dev: true,
    optional: true,
  })
  assert.equal(first.packages['node_modules/@tool/linux-x64']?.integrity, checksum('L'))
  assert.equal(
    JSON.stringify(first.packages).includes('127.0.0.1'),
    false,
    'an address stays in the lock file',
  )

  published.set('@tool/linux-x64-musl', { os: ['linux'], cpu: ['x64'], libc: ['musl'] })
  const second = await complete()
  assert.match(second.stdout, /^Every package has a checksum\.$/m)
  assert.equal(second.packages['node_modules/@tool/linux-x64-musl']?.integrity, checksum('R'))
  assert.equal(second.packages['node_modules/tool']?.integrity, checksum('T'))
})
