// npm run test:mutants: changes the sources of targets.ts in small ways, one at a time, and runs their tests: a mutant that no
// test notices shows what no test holds. It prints each survivor and the share that was killed, by file.
//
//   --only PART       only sources whose path contains this
//   --sample N        only N mutants of each source, chosen by --seed S
//   --concurrency N   2 by default
//   --cached          takes the results of mutants from an earlier run of the same sources and tests
//   --list            prints the mutants and runs nothing
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../virtual-time.ts'
import { EQUIVALENTS } from './equivalents.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { createTester } from './run-tests.ts'
import { TARGETS, type Target } from './targets.ts'

const root = join(import.meta.dirname, '../..')

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
    cached: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

const cacheFile = join(root, 'node_modules/.cache', `mutants-${options.only.replaceAll('/', '-')}.json`)

/** How long a test may take without a mutant. */
const MAX_CPU_MS = 30_000
/** With one it may take five times as long as its slowest neighbour takes without. */
const maxCpuMsOf = new Map<string[], number>()

type Mutant = Mutation & { target: Target }

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const targets = TARGETS.filter(({ source }) => source.includes(options.only))
const mutations = mutationsOf(Object.fromEntries(targets.map(({ source }) => [source, textOf(source)])))
const isEquivalent = ({ target, change }: Mutant) =>
  EQUIVALENTS.some(({ source, changes }) => source === target.source && changes.includes(change))
const mutants = targets.flatMap((target) => sampleOf(mutantsOf(target)))

function mutantsOf(target: Target): Mutant[] {
  const all = (mutations[target.source] ?? []).map((mutation) => ({ ...mutation, target }))
  return all.filter((mutant) => !isEquivalent(mutant))
}

function sampleOf(all: Mutant[]): Mutant[] {
  if (options.sample === undefined) return all
  const random = randomFrom(Number(options.seed))
  return all
    .map((mutant) => ({ mutant, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, Number(options.sample))
    .map(({ mutant }) => mutant)
}

const describe = ({ target, line, change }: Mutant) => `${target.source}:${line}  ${change}`

/** Mutants that survive, in the order in which they stand. */
async function survivorsOf(all: Mutant[]): Promise<Set<Mutant>> {
  const survivors = new Set<Mutant>()
  const cache = readCache()
  let [next, done] = [0, 0]
  async function work() {
    const tester = createTester()
    for (let mutant = all[next++]; mutant; mutant = all[next++]) {
      const key = keyOf(mutant)
      const killedBy = cache[key] ?? (await tester.judge(taskOf(mutant))).failed ?? ''
      cache[key] = killedBy
      if (killedBy === '') {
        survivors.add(mutant)
        process.stdout.write(`survived  ${describe(mutant)}\n`)
      }
      if (++done % 20 === 0) {
        process.stderr.write(`${done} of ${all.length}\n`)
        writeCache(cache)
      }
    }
    tester.stop()
  }
  await Promise.all(Array.from({ length: Number(options.concurrency) }, work))
  writeCache(cache)
  return survivors
}

const taskOf = ({ target: { source, tests }, mutated }: Mutant) => ({
  source,
  mutated,
  tests,
  maxCpuMs: maxCpuMsOf.get(tests) ?? MAX_CPU_MS,
})

/** Sources and tests that the mutated one meets are not part of it: after a change of those, run without --cached. */
function keyOf({ target, mutated }: Mutant): string {
  const hash = createHash('sha256').update(target.source).update(mutated)
  for (const test of target.tests) hash.update(textOf(test))
  return hash.digest('hex')
}

function readCache(): Record<string, string> {
  if (!options.cached) return {}
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

function writeCache(cache: Record<string, string>) {
  mkdirSync(dirname(cacheFile), { recursive: true })
  writeFileSync(cacheFile, JSON.stringify(cache))
}

/** Without a mutant every test must pass, or whatever fails afterwards means nothing. */
async function mustPassUnchanged() {
  const { judge, stop } = createTester()
  for (const tests of new Set(targets.map((target) => target.tests))) {
    const { failed, slowestMs } = await judge({ tests, maxCpuMs: MAX_CPU_MS })
    if (failed !== undefined) throw new Error(`Without a mutant this fails: ${failed} (of ${tests.join()})`)
    maxCpuMsOf.set(tests, Math.max(1_000, 5 * slowestMs))
  }
  stop()
}

function printScores(survivors: Set<Mutant>): boolean {
  let isBelow = false
  for (const target of targets) {
    const own = mutants.filter((mutant) => mutant.target === target)
    const killed = own.filter((mutant) => !survivors.has(mutant)).length
    const score = own.length === 0 ? 100 : (100 * killed) / own.length
    const isOwnBelow = options.sample === undefined && score < target.floor
    isBelow ||= isOwnBelow
    process.stdout.write(
      `${score.toFixed(1)} %  ${killed} of ${own.length}  ${target.source}` +
        `${isOwnBelow ? `, below its floor of ${target.floor} %` : ''}\n`,
    )
  }
  const share = (100 * (mutants.length - survivors.size)) / mutants.length
  process.stdout.write(`${share.toFixed(1)} %  ${mutants.length - survivors.size} of ${mutants.length}\n`)
  return isBelow
}

function staleEquivalents(): string[] {
  return EQUIVALENTS.flatMap(({ source, changes }) => {
    const known = new Set(mutations[source]?.map(({ change }) => change))
    const stale = source in mutations ? changes.filter((change) => !known.has(change)) : []
    return stale.map((change) => `no mutant any more: ${source}  ${change}`)
  })
}

if (options.list) {
  for (const mutant of mutants) process.stdout.write(`${describe(mutant)}\n`)
} else {
  await mustPassUnchanged()
  const survivors = await survivorsOf(mutants)
  const stale = staleEquivalents()
  for (const sentence of stale) process.stdout.write(`${sentence}\n`)
  if (printScores(survivors) || stale.length > 0) process.exitCode = 1
}
process.exit()
