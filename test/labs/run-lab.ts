// `npm run lab` lists the labs; `npm run lab NAME… [-- OPTION…]` runs them, and hands the options to the program of the lab.
//   --short    the shortest form of each named lab, or of all: one seed, one kill, one size. Each change runs these.
//   --nightly  all labs, one after the other
// Each ends with a dated line: its seconds, what passed and failed, and the figure that it exists for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Form, LABS, type Lab } from './labs.ts'

const ROOT = join(import.meta.dirname, '../..')
const SHORT_AT_ONCE = 2
/** Gigabytes of XML take most of it where the cores are shared. */
const LONGEST_FILE_S = '5400'

/** What a test says, and not what the runner counts. */
const DIAGNOSTIC = /(?<=^\s*ℹ )(?!(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ).*$/gm

type Outcome = { line: string; passed: number; failed: number }

const args = process.argv.slice(2)
const isShort = args.includes('--short')
const isAll = args.includes('--nightly') || (isShort && !args.some(isName))
const options = args.filter((arg) => !isName(arg) && !['--short', '--nightly'].includes(arg))
const chosen = isAll ? LABS : args.filter(isName).map(labCalled)

if (chosen.length === 0) list()
else await runAll(chosen.filter((lab) => !isShort || lab.short))

/** What stands before the first option. */
function isName(arg: string, index = args.indexOf(arg)): boolean {
  return args.slice(0, index + 1).every((each) => !each.startsWith('-'))
}

function labCalled(name: string): Lab {
  return LABS.find((each) => each.name === name) ?? endWithout(name)
}

function endWithout(name: string): never {
  process.stderr.write(`There is no lab "${name}". There are ${LABS.map((each) => each.name).join(', ')}.\n`)
  return process.exit(2)
}

function list() {
  for (const { name, minutes, proves } of LABS)
    process.stdout.write(`${name.padEnd(14)} ${String(minutes).padStart(4)} min  ${proves}\n`)
}

/** Short forms share the machine, because most of them wait; whole labs measure, so each has it alone. */
async function runAll(labs: Lab[]) {
  const left = [...labs]
  const outcomes: Outcome[] = []
  const worker = async () => {
    for (let lab = left.shift(); lab; lab = left.shift()) {
      const outcome = await run(lab)
      process.stdout.write(`${outcome.line}\n`)
      outcomes.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: isShort ? SHORT_AT_ONCE : 1 }, worker))
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0)
  const [passed, failed] = [sum((each) => each.passed), sum((each) => each.failed)]
  process.stdout.write(
    `\n${outcomes.map(({ line }) => line).join('\n')}\n${passed} passed, ${failed} failed\n`,
  )
  process.exitCode = failed > 0 ? 1 : 0
}

async function run(lab: Lab): Promise<Outcome> {
  const startedAt = performance.now()
  const form = (isShort && lab.short) || lab.whole
  for (const tool of lab.tools ?? []) await mustInstall(tool)
  const [program = '', ...rest] = commandOf(form)
  const child = spawn(program, [...rest, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...(isShort ? {} : { TEST_FILE_SECONDS: LONGEST_FILE_S }), ...form.settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    if (!isShort) process.stdout.write(chunk)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  // The output of labs that run side by side would be mixed: it is printed when the lab has ended.
  if (isShort) process.stdout.write(output)
  return judge(lab, output, { isGood: code === 0, seconds: (performance.now() - startedAt) / 1_000 })
}

function commandOf({ files, only, command }: Form): string[] {
  if (command) return [process.execPath, ...command]
  const named = only === undefined ? [] : ['--only', only]
  return [process.execPath, 'test/support/run-tests.ts', '--at-once', '1', ...named, ...(files ?? [])]
}

/** Where a program is no test of Node's runner, its exit code is what passes or fails. */
function judge(lab: Lab, output: string, { isGood, seconds }: { isGood: boolean; seconds: number }): Outcome {
  const countOf = (what: string) =>
    Number([...output.matchAll(new RegExp(`^ℹ ${what} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? 0)
  const skipped = process.env['CI_FORBIDS_SKIPS'] ? countOf('skipped') : 0
  const failed = skipped + (isGood ? 0 : Math.max(1, countOf('fail')))
  const passed = countOf('pass') || (isGood ? 1 : 0)
  const figure = output.match(lab.figure ?? DIAGNOSTIC)?.at(-1)
  const date = new Date().toISOString().slice(0, 19)
  const parts = [
    `${date}Z`,
    lab.name.padEnd(14),
    `${seconds.toFixed(0)} s,`,
    `${passed} passed, ${failed} failed`,
  ]
  return { line: `${parts.join(' ')}${figure ? `; ${figure.trim()}` : ''}`, passed, failed }
}

async function mustInstall(script: string) {
  const [code] = (await once(spawn(join(ROOT, script), { cwd: ROOT, stdio: 'inherit' }), 'exit')) as [
    number | null,
  ]
  if (code !== 0) throw new Error(`${script} failed.`)
}
