// `npm run test:changed -- [--list] [BASE]` runs the tests that a change touches: what differs from the merge base with BASE, with
// what is not committed or tracked; without BASE, only that. BASE may be a range of commits; `--list` only names the tests.
// It guesses well, and proves nothing: nearly every test starts the whole server, so what follows every import chooses everything.
// A changed file therefore chooses
//   - itself, where it is a test, and the tests whose helpers it is;
//   - the tests that import it, themselves or through files of its own module (src/db, src/modules/care, tools/dev…). What helpers
//     import of the product is not followed, and types are not: check:types knows;
//   - the tests in its folder and in those of its module whose files use it, or in the nearest folder above that has any;
//   - the tests that name a URL whose contract stands in its folder, the command, the screen or the file, where at most MOST_NAMING
//     do: /readings/add prepares most tests and is no sign;
//   - what tests-of-files.ts adds for it.
// A file for which there is nothing of these chooses everything, and the output says so. `.ci/run` runs everything.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { parseArgs } from 'node:util'
import { runTests } from './run-tests.ts'
import { ALL, TESTS_OF } from './tests-of-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['{src,test,tools,bench,scripts,deploy,samples}', 'clients/*/{src,test}'].map(
  (folders) => `${folders}/**/*.{ts,tsx,mts,mjs}`,
)
const MOST_NAMING = 15

type Sources = ReadonlyMap<string, string>

/** Why, and which. A file that nothing maps is in `unknown`, and chooses everything. */
type Choice = {
  reasons: Map<string, Set<string>>
  tests: string[]
  unknown: string[]
  untested: string[]
}

const readSources = (): Sources =>
  new Map(SOURCES.flatMap((glob) => globSync(glob, { cwd: ROOT })).map((file) => [file, textOf(file)]))

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
/** The beginning first: a glob takes a thousand times as long. */
const matches = (file: string, globs: string) =>
  globs
    .split(/\s+/)
    .some((glob) => file.startsWith(/^[^*{[]*/.exec(glob)?.[0] ?? '') && matchesGlob(file, glob))
const isTest = (file: string) => matches(file, ALL) && !file.startsWith('test/image/')
const isRun = (file: string) => /\.(test|lab)\.ts$/.test(file)
const isHelper = (file: string) => /^(test|clients\/\w+\/test)\//.test(file) && !isRun(file)
const isProduct = (file: string) => /^(src|clients\/\w+\/src)\//.test(file) && !isRun(file)
/** The module: what stands in src itself, in a folder of it, or in one of src/modules. */
const moduleOf = (file: string) =>
  /^(src\/modules\/\w+|src\/\w+(?=\/)|clients\/\w+|tools\/\w+|\w+)/.exec(file)?.[0]

/** Chooses the tests of the files that changed. */
function createChooser(sources: Sources): (changed: readonly string[]) => Choice {
  const tests = [...sources.keys()].filter(isTest).toSorted()
  const importers = importersOf(sources)
  const paths = pathsOfFolders(sources)
  const naming = createNaming(tests, sources, importers)
  const ofRows = TESTS_OF.map(([files, globs]) => ({
    files,
    tests: tests.filter((test) => matches(test, globs)),
  }))

  function reasonsFor(file: string): { found: [string, string[]][]; isKnown: boolean } {
    const users = reach(file, importers)
    const rows = ofRows.filter(({ files }) => matches(file, files))
    const imported = [...users].filter(isTest)
    const names = imported.length > 0 && !isProduct(file) ? [] : namesOf(file, paths)
    const found: [string, string[]][] = [
      ['changed', isTest(file) ? [file] : []],
      ['import what changed', imported],
      ['are next to what changed', besides(file, users, tests)],
      ...names.map((name): [string, string[]] => [`name ${name}`, naming(name)]),
      ['are in the table of tests-of-files.ts', rows.flatMap((row) => row.tests)],
    ]
    return {
      found,
      isKnown: rows.length > 0 || users.size > 0 || found.some(([, chosen]) => chosen.length > 0),
    }
  }

  return (changed) => {
    const reasons = new Map<string, Set<string>>()
    const unknown: string[] = []
    const untested: string[] = []
    for (const file of changed) {
      const { found, isKnown } = reasonsFor(file)
      for (const [reason, chosen] of found)
        for (const test of chosen) reasons.set(reason, (reasons.get(reason) ?? new Set()).add(test))
      // Whoever used a helper that was deleted has changed.
      const isDeleted = isHelper(file) && !existsSync(join(ROOT, file))
      if (!isKnown && !isDeleted) unknown.push(file)
      else if (found.every(([, chosen]) => chosen.length === 0)) untested.push(file)
    }
    if (unknown.length > 0) reasons.set('stand anywhere', new Set(tests))
    const all = new Set([...reasons.values()].flatMap((chosen) => [...chosen]))
    return { reasons, tests: [...all].filter((test) => sources.has(test)).toSorted(), unknown, untested }
  }
}

/** Which files import a file, of the imports that are followed. */
function importersOf(sources: Sources): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const [from, text] of sources)
    for (const [, path = ''] of text.matchAll(
      /(?:^(?:import|export)(?! type)[^'"]*|import\()'(\.[^']+)'/gm,
    )) {
      const to = join(dirname(from), path)
      const isFollowed = isProduct(to) ? isTest(from) || moduleOf(from) === moduleOf(to) : !isProduct(from)
      if (isFollowed) importers.set(to, [...(importers.get(to) ?? []), from])
    }
  return importers
}

function reach(file: string, importers: ReadonlyMap<string, string[]>): Set<string> {
  const reached = new Set(importers.get(file))
  for (const one of reached) for (const next of importers.get(one) ?? []) reached.add(next)
  return reached
}

/** Tests in the folders of a file and of its users, or in the nearest folder above that has any. */
function besides(file: string, users: ReadonlySet<string>, tests: string[]): string[] {
  const module = /^(src|tools)\//.test(file) && moduleOf(file)
  if (!module || isTest(file)) return []
  const folders = new Set([file, ...[...users].filter(isProduct)].map(dirname))
  const found = tests.filter((test) => folders.has(dirname(test)))
  if (found.length > 0 || module === dirname(file)) return module.includes('/') ? found : []
  return besides(dirname(file), new Set(), tests)
}

/** The texts by which tests speak of a file. */
function namesOf(file: string, paths: ReadonlyMap<string, string[]>): string[] {
  const [, command] = /^src\/commands\/([\w-]+)/.exec(file) ?? []
  const [, screen] = /^clients\/console\/src\/screens\/([\w-]+)/.exec(file) ?? []
  if (command) return [`'${command}'`]
  if (screen) return [`console/test/${screen}`, `console/${screen}`, `path: '${screen}`]
  if (file.startsWith('src/modules/')) return paths.get(dirname(file)) ?? []
  const isSource = isProduct(file) || isTest(file) || /^(tools|bench)\//.test(file)
  return isSource || /^[^.]+$|^(README\.md|package\.json)$/.test(basename(file)) ? [] : [basename(file)]
}

/** A file may be read by a helper, and is not named by chance; all else is named by the test. */
function createNaming(tests: string[], sources: Sources, importers: ReadonlyMap<string, string[]>) {
  const helpers = [...sources.keys()].filter((file) => isHelper(file))
  const texts = new Map([...sources].map(([file, text]) => [file, `${file}\n${text}`]))
  const named = new Map<string, string[]>()
  // What is tested behind a proxy or after an upgrade asks any URL.
  const speakers = (isFile: boolean) =>
    tests.filter((file) => isFile || !/^test\/(database|deploy|support)\//.test(file))
  const find = (name: string): string[] => {
    const isFile = !/['/]/.test(name)
    const wanted = isFile ? [`/${name}`, `'${name}`] : [name]
    const has = (file: string) => wanted.some((text) => texts.get(file)?.includes(text))
    const throughHelpers = isFile ? helpers.filter(has).flatMap((file) => [...reach(file, importers)]) : []
    const found = new Set([...speakers(isFile).filter(has), ...throughHelpers.filter(isTest)])
    return found.size > MOST_NAMING && !isFile ? [] : [...found]
  }
  return (name: string): string[] => {
    const found = named.get(name) ?? find(name)
    named.set(name, found)
    return found
  }
}

/** The paths of the URLs whose contracts stand in a folder. */
function pathsOfFolders(sources: Sources): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const [file, text] of sources) {
    if (!/^src\/modules\/.*routes\.ts$/.test(file)) continue
    for (const [, path = '', contract = ''] of text.matchAll(/'(\/[\w/-]+)',\s*\{ schema: (\w+)/g)) {
      const [, from = ''] =
        new RegExp(`^import \\{[^}]*\\b${contract}\\b[^}]*\\} from '([^']+)'`, 'm').exec(text) ?? []
      const folder = dirname(join(dirname(file), from))
      paths.set(folder, [...(paths.get(folder) ?? []), path])
    }
  }
  return paths
}

function changedSince(base: string | undefined): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
  const names = ['diff', '--name-only', '--no-renames']
  if (base?.includes('..')) return git(...names, base)
  const [since = 'HEAD'] = base ? git('merge-base', base, 'HEAD') : []
  return [...git(...names, since), ...git('ls-files', '--others', '--exclude-standard')]
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean', default: false }, 'at-once': { type: 'string', default: '3' } },
    allowPositionals: true,
  })
  const changed = changedSince(positionals[0])
  const sources = readSources()
  const { reasons, tests, unknown, untested } = createChooser(sources)(changed)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const all = [...sources.keys()].filter(isTest).length
  say(`${changed.length} files changed: ${tests.length} of ${all} test files.`)
  for (const [reason, { size }] of reasons) say(`${String(size).padStart(5)} ${reason}`)
  if (unknown.length > 0) say(`      because nothing says which tests belong to ${unknown.join(', ')}`)
  if (untested.length > 0) say(`      No test belongs to ${untested.join(', ')}.`)
  if (values.list) say(tests.join('\n'))
  else if (tests.length > 0) await runTests(tests, Number(values['at-once']))
}
