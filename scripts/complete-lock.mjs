// Completes package-lock.json after `npm install` against a registry that lacks the builds of other platforms: npm leaves
// those out of the lock, and `npm ci` then refuses it everywhere. Adds an entry for each, by what its name says, and
// removes the addresses that packages were fetched from.   node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs'

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

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
