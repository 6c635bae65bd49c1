// The shape of the house, kept by a test and not by memory.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const files = ['src', 'tools', 'test', 'bench', 'clients', 'migrations', 'scripts']
  .flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((file) => join(dir, file)),
  )
  .filter((file) => /\.(ts|sql|sh|lua|mjs)$/.test(file) && !/\/(node_modules|dist)\//.test(file))

const isTest = (file: string) => /\.(test|lab)\.ts$/.test(file)

/** Every import of one of our files by another: [from, to], as paths from the root. */
const imports = files
  .filter((file) => /^(src|tools)\//.test(file) && !isTest(file))
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
      ([, target = '']) => [file, relative(root, resolve(root, dirname(file), target))] as const,
    ),
  )

const layerOf = (file: string) =>
  /^(?:src\/)?(http|db|server|commands|config|metrics|modules\/\w+|tools\/\w+|clients)\//.exec(file)?.[1] ??
  file
const isModule = (layer: string) => layer.startsWith('modules/')

/** What each layer may import beside itself. A layer that is not named here may import nothing. */
const MAY_IMPORT: [layer: RegExp, others: RegExp][] = [
  [/^src\/cli\.ts$/, /^(commands|config|src\/(refusal|error-code)\.ts)$/],
  [
    /^commands$/,
    /^(clients|config|db|http|metrics|server|modules\/\w+|tools\/\w+|src\/(refusal|error-code|time-limit)\.ts)$/,
  ],
  [/^server$/, /^(config|metrics|db|http|modules\/\w+|src\/(refusal|error-code|time-limit)\.ts)$/],
  // An edge that translates: it may use the modules, and none of them knows it.
  [/^modules\/fhir$/, /^(db|http|modules\/(appointments|casesheet|feed)|src\/(refusal|search-key)\.ts)$/],
  // The same for language models.
  [/^modules\/mcp$/, /^(db|http|modules\/(appointments|casesheet|care)|src\/refusal\.ts)$/],
  // On top of the readings and what follows them; no other module knows it.
  [
    /^modules\/care$/,
    /^(metrics|db|http|modules\/(casesheet|feed)|src\/(refusal|error-code|search-key)\.ts)$/,
  ],
  // On top of the readings and what follows them; no other module knows it.
  [
    /^modules\/webhooks$/,
    /^(metrics|db|http|modules\/(casesheet|feed)|src\/(refusal|error-code|time-limit)\.ts)$/,
  ],
  // What follows readings and serves operators is built on casesheet, which knows none of it.
  [/^modules\/feed$/, /^(metrics|db|http|modules\/casesheet|src\/(refusal|error-code|time-limit)\.ts)$/],
  [/^modules\/operators$/, /^(metrics|db|http|modules\/(casesheet|feed)|src\/(refusal|error-code)\.ts)$/],
  [/^modules\/\w+$/, /^(metrics|db|http|src\/(refusal|error-code|search-key)\.ts)$/],
  [/^http$/, /^(config|metrics|db|src\/(refusal|error-code)\.ts)$/],
  [/^db$/, /^(metrics|src\/(refusal|error-code)\.ts)$/],
  [/^config$/, /^(db|src\/(refusal|error-code)\.ts)$/],
  [/^metrics$/, /^$/],
  [
    /^tools\/dev$/,
    /^(clients|config|commands|metrics|db|http|server|modules\/\w+|tools\/simulate|src\/(refusal|error-code)\.ts)$/,
  ],
  // The simulator knows Rounds as its clients do.
  [/^tools\/simulate$/, /^(clients|config|commands)$/],
]

test('imports run one way, from the command line to the database', () => {
  const backwards = imports.filter(([from, to]) => {
    const [source, target] = [layerOf(from), layerOf(to)]
    const [, others = /^$/] = MAY_IMPORT.find(([layer]) => layer.test(source)) ?? []
    return source !== target && !others.test(target)
  })
  assert.deepEqual(backwards, [])
})

test('the modules on top are loaded where they are served, and what MCP alone needs by it alone', () => {
  const loads = (text: string) => (file: string) =>
    file.startsWith('src/') && !isTest(file) && readFileSync(join(root, file), 'utf8').includes(text)
  for (const file of files.filter(loads("'@modelcontextprotocol/")))
    assert.match(file, /^src\/modules\/mcp\//)
  for (const module of ['care', 'webhooks', 'fhir', 'mcp']) {
    assert.deepEqual(files.filter(loads(`from '../modules/${module}/routes.ts'`)), [])
    assert.deepEqual(files.filter(loads(`import('../modules/${module}/routes.ts')`)), ['src/server/app.ts'])
  }
})

test('an operation does not import its routes', () => {
  const upwards = imports.filter(([from, to]) => isModule(layerOf(from)) && to.endsWith('/routes.ts'))
  assert.deepEqual(upwards, [])
})

test('no file imports itself, through others', () => {
  const importedBy = Map.groupBy(imports, ([from]) => from)
  const finished = new Set<string>()
  function ringFrom(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return []
    for (const [, target] of importedBy.get(file) ?? []) {
      const ring = ringFrom(target, [...path, file])
      if (ring.length > 0) return ring
    }
    finished.add(file)
    return []
  }
  for (const file of importedBy.keys()) assert.deepEqual(ringFrom(file, []), [])
})

test('folders show what Rounds does: few files stand beside them', () => {
  const sourcesIn = (dir: string) => files.filter((file) => dirname(file) === dir && !isTest(file)).length
  assert.ok(sourcesIn('src') <= 5)
  assert.deepEqual(
    files.filter((file) => dirname(file) === 'test'),
    [],
  )
  assert.ok(sourcesIn('src/modules/casesheet') <= 9)
})

test('an operation on readings is found by its name: a folder with its SQL and its test', () => {
  const operations = ['casesheet', 'feed'].flatMap((module) => {
    const routes = readFileSync(join(root, `src/modules/${module}/routes.ts`), 'utf8')
    return [...routes.matchAll(/'\/readings\/([\w-]+)'/g)].map(([, name = '']) => ({ module, name }))
  })
  assert.ok(operations.length > 8)
  // The types are those of the catalogue, which is no table; what is restored was withdrawn.
  for (const { module, name } of operations.filter((other) => !['types', 'restore'].includes(other.name))) {
    const inFolder = files.filter((file) => dirname(file) === `src/modules/${module}/${name}`)
    const [tests, sources] = [true, false].map((is) => inFolder.filter((file) => isTest(file) === is))
    assert.ok(tests?.length, `${name} has a test beside it`)
    assert.ok(
      sources?.some((file) =>
        /(from|into|update) casesheet\.\w|'casesheet\.readings'/.test(readFileSync(join(root, file), 'utf8')),
      ),
      `${name} has its SQL beside it`,
    )
  }
})

test('only the commands read argv and the environment', () => {
  const readers = files.filter(
    (file) =>
      file.startsWith('src/') &&
      !isTest(file) &&
      /process\.(env|argv)\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(readers, ['src/cli.ts'])
})

test('files are named for what they are', () => {
  assert.deepEqual(
    files.filter((file) => /\b(utils|helpers|common|types|index)\.ts$/.test(file)),
    [],
  )
})

test('no file names the place where packages come from', () => {
  for (const lock of ['package-lock.json', 'scripts/openapi-types/package-lock.json']) {
    assert.equal(/"resolved"/.test(readFileSync(join(root, lock), 'utf8')), false, lock)
  }
})
