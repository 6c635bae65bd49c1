// The shape of the house, kept by a test and not by memory.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const files = ['src', 'test', 'bench', 'clients', 'migrations', 'scripts']
  .flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((file) => join(dir, file)),
  )
  .filter((file) => /\.(ts|sql|sh|lua|mjs)$/.test(file) && !/\/(node_modules|dist)\//.test(file))

/** Every import of one of our files by another: [from, to], as paths from the root. */
const imports = files
  .filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
      ([, target = '']) => [file, relative(root, resolve(root, dirname(file), target))] as const,
    ),
  )

const layerOf = (file: string) =>
  /^(?:src\/)?(http|db|dev|simulate|modules\/\w+|clients)\//.exec(file)?.[1] ?? 'top'
const forbidden: [string, (from: string, to: string) => boolean][] = [
  [
    'http and db import no module',
    (from, to) => /^(http|db)$/.test(layerOf(from)) && layerOf(to).startsWith('modules/'),
  ],
  ['db does not import http', (from, to) => layerOf(from) === 'db' && layerOf(to) === 'http'],
  [
    'modules never import each other',
    (from, to) =>
      layerOf(from).startsWith('modules/') &&
      layerOf(to).startsWith('modules/') &&
      layerOf(from) !== layerOf(to),
  ],
  [
    'an operation does not import its routes',
    (from, to) => layerOf(from).startsWith('modules/') && to.endsWith('/routes.ts'),
  ],
  [
    'only the commands import dev',
    (from, to) => layerOf(to) === 'dev' && layerOf(from) !== 'dev' && from !== 'src/cli.ts',
  ],
  [
    'the simulator knows Rounds as its clients do',
    (from, to) =>
      layerOf(from) === 'simulate' &&
      !['simulate', 'clients'].includes(layerOf(to)) &&
      to !== 'src/config/config.ts',
  ],
  [
    'nothing below imports the top, but for its vocabulary',
    (from, to) =>
      !['top', 'dev'].includes(layerOf(from)) &&
      layerOf(to) === 'top' &&
      !/^src\/(config|histogram|metrics|refusal)\.ts$/.test(to),
  ],
  [
    'dev stands between the commands and the server',
    (from, to) =>
      layerOf(from) === 'dev' && layerOf(to) === 'top' && !/^src\/(config|refusal|serve)\.ts$/.test(to),
  ],
]

for (const [rule, isBroken] of forbidden) {
  test(`imports run one way: ${rule}`, () => {
    assert.deepEqual(
      imports.filter(([from, to]) => isBroken(from, to)),
      [],
    )
  })
}

test('only the commands read argv and the environment', () => {
  const readers = files.filter(
    (file) =>
      /^src\/(?!dev\/)/.test(file) &&
      !file.endsWith('.test.ts') &&
      /process\.(env|argv)\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(readers, ['src/cli.ts'])
})

test('files are small and named for what they are', () => {
  const written = files.filter((file) => file !== 'clients/typescript/src/api.ts')
  const long = written.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 251)
  assert.deepEqual(long, [], 'longer than 250 lines')
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
