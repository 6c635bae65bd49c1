// Completes package-lock.json:   node scripts/complete-lock.mjs
//
// A registry may lack the builds of our tools for other platforms. npm then leaves those out of the lock file, and `npm ci`
// refuses it everywhere. So this adds an entry for each, by what its name says, and then asks the registry for every entry
// that has no checksum: `npm install` never adds a missing one (npm/cli issue 4460). Run against the public registry, which has all
// of them, it leaves none without. It also removes the addresses that packages were fetched from.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SYSTEMS = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
])
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { packages } = lock

for (const entry of Object.values(packages)) {
  delete entry.resolved
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (packages[`node_modules/${name}`] || !/^\d/.test(version)) continue
    packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    }
  }
}

const lacking = withoutChecksum()
const published = lacking.length > 0 ? askRegistry(lacking) : {}
for (const path of lacking) {
  const { version, integrity, resolved: _, ...rest } = published[path] ?? {}
  if (!integrity || version !== packages[path].version) continue
  packages[path] = { version, integrity, ...rest, ...(packages[path].dev ? { dev: true } : {}) }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
const left = withoutChecksum().length
process.stdout.write(
  left > 0
    ? `${left} packages have no checksum: the registry did not give one.\n`
    : 'Every package has a checksum.\n',
)

function withoutChecksum() {
  return Object.keys(packages).filter((path) => path !== '' && !packages[path].integrity)
}

function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = words.find((word) => SYSTEMS.has(word))
  const cpu = os ? words[words.lastIndexOf(os) + 1] : words.find((word) => word === 'wasm32')
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os ? { os: [os] } : {}),
    ...(words.includes('musl') ? { libc: ['musl'] } : {}),
  }
}

/** What npm writes to the lock file of a project that has just these packages; optional, so that it skips those it cannot find. */
function askRegistry(paths) {
  const dir = mkdtempSync(join(tmpdir(), 'rounds-lock-'))
  try {
    const optionalDependencies = Object.fromEntries(
      paths.map((path) => [path.split('node_modules/').at(-1), packages[path].version]),
    )
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ optionalDependencies }))
    const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...flags], { cwd: dir, stdio: 'inherit' })
    return JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8')).packages
  } finally {
    rmSync(dir, { recursive: true })
  }
}
