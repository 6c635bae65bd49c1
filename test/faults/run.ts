// npm run lab faults -- [--short] [--only NAME,NAME] [--runs N] [--seconds N] [--json FILE]
//   Strikes a real cluster with each fault while patients and staff use Rounds, and fails if anything that was
//   acknowledged is lost or doubled, or a bound is passed. Needs Linux, root, and what .ci/run installs.
//   --short     some of the faults, once each, and again where only the bound on the gap was broken
//   --runs      how often each fault strikes, instead of its own number
//   --seconds   how long a fault lasts that lasts, instead of its own time
//   --json      where all figures go; test/faults/write-document.ts makes the list of docs/faults.md of them
import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endWithoutCleanUp, limitThisProcess } from '../support/process-limits.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Fault } from './fault.ts'
import { type Findings, findOut } from './findings.ts'
import { NODE_FAULTS } from './node-faults.ts'
import { untilHealed } from './processes.ts'
import { inOneLine, listOf, type Run, whatIsWrong } from './report.ts'
import { type Service, startService } from './service.ts'
import { SURROUNDING_FAULTS } from './surrounding-faults.ts'
import { startTraffic, type Traffic } from './traffic.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    runs: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string' },
  },
})

const FAULTS = [...NODE_FAULTS, ...SURROUNDING_FAULTS]
const only = options.only?.split(',')
const unknown = only?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? []
if (unknown.length > 0) {
  throw new Error(
    `No such fault: ${unknown.join(', ')}. There are ${FAULTS.map(({ name }) => name).join(', ')}.`,
  )
}
const chosen = FAULTS.filter((fault) =>
  only ? only.includes(fault.name) : !options.short || fault.isInShortForm,
)

endWithoutCleanUp()
limitThisProcess('lab faults', options.short ? 30 * 60 : 6 * 3_600)
const runs: Run[] = []
// Faults that need the same kind of cluster strike the same one, until one of them leaves it in ruins.
for (const faults of Map.groupBy(chosen, ({ kind = {} }) => JSON.stringify(kind)).values()) {
  const left = faults.flatMap((fault) => Array<Fault>(timesOf(fault)).fill(fault))
  while (left.length > 0) await strikeOneCluster(left)
}

say(listOf(runs))
for (const { fault, problems } of runs) for (const problem of problems) say(`${fault}: ${problem}`)
process.exitCode = runs.some(({ problems }) => problems.length > 0) ? 1 : 0

function timesOf(fault: Fault): number {
  return Number(options.runs ?? (options.short ? 1 : fault.runs))
}

async function strikeOneCluster(left: Fault[]) {
  const cluster = await startCluster(left[0]?.kind)
  const before = runs.length
  try {
    const service = await startService(cluster)
    try {
      for (let fault = left.shift(); fault; fault = left.shift()) {
        if (!(await strikeAndJudge(fault, { cluster, service }))) break
      }
    } finally {
      await service.stop()
    }
  } finally {
    await cluster.stop()
    const isGood = runs.length > before && runs.slice(before).every(({ problems }) => problems.length === 0)
    if (isGood) await rm(cluster.dir, { recursive: true, force: true, maxRetries: 10 })
    else say(`The logs are in ${cluster.dir}.`)
  }
}

type Struck = { cluster: Cluster; service: Service }

/** Returns whether the cluster can be used again. */
async function strikeAndJudge(fault: Fault, struck: Struck, isSecond = false): Promise<boolean> {
  const { name, title } = fault
  const outcome = await strike(fault, struck).catch((error: Error) => error)
  if (outcome instanceof Error) {
    runs.push({ fault: name, title, problems: [outcome.message] })
    say(`${name}: ${outcome.stack}`)
  } else {
    const problems = whatIsWrong(fault, outcome)
    say(`${name}: ${inOneLine(outcome)} ${problems.join(' ')}`)
    // A machine that stood still breaks a bound of time once, and a fault of ours breaks it again. All figures count in the long form.
    if (options.short && !isSecond && problems.length === 1 && outcome.gapSeconds > fault.maxGapSeconds) {
      say(`${name}: it strikes a second time.`)
      return strikeAndJudge(fault, struck, true)
    }
    runs.push({ fault: name, title, findings: outcome, problems })
  }
  if (options.json) await writeFile(options.json, `${JSON.stringify(runs, null, 1)}\n`)
  return !(outcome instanceof Error)
}

async function strike(fault: Fault, struck: Struck): Promise<Findings> {
  const traffic = await startTraffic(struck.service)
  try {
    return await strikeDuring(traffic, fault, struck)
  } finally {
    await traffic.stop()
    await traffic.copy.stop()
    await traffic.posts.stop()
  }
}

async function strikeDuring(traffic: Traffic, fault: Fault, { cluster, service }: Struck): Promise<Findings> {
  await pause(3_000)
  const struckAt = performance.now()
  await fault.play({ cluster, service, traffic, seconds: Number(options.seconds ?? fault.seconds ?? 0) })
  const healedAt = performance.now()
  await untilHealed(async () => (traffic.seen.acknowledgedAt.at(-1) ?? 0) > healedAt)
  await untilHealed(cluster.isWhole, 120_000)
  await pause(1_000)
  await traffic.stop()
  return findOut(traffic, service, struckAt)
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
