// npm run test:faults -- [--short] [--only NAME,NAME] [--runs N] [--seconds N] [--json FILE]
//   Strikes a real cluster with each fault while patients and staff use Rounds, and fails if anything that was
//   acknowledged is lost or doubled, or a bound is passed. Needs Linux, root, and what .ci/run installs.
//   --short     some of the faults, once each
//   --runs      how often each fault strikes, instead of its own number
//   --seconds   how long a fault lasts that lasts, instead of its own time
//   --json      where all figures go; docs/reliability.md is made of them
import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cluster, startCluster } from './cluster.ts'
import type { Fault } from './fault.ts'
import { type Findings, findOut } from './findings.ts'
import { NODE_FAULTS } from './node-faults.ts'
import { until } from './processes.ts'
import { printTable, type Run, whatIsWrong } from './report.ts'
import { type Service, startService } from './service.ts'
import { SURROUNDING_FAULTS } from './surrounding-faults.ts'
import { startTraffic } from './traffic.ts'

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

const runs: Run[] = []
// Faults that need the same kind of cluster strike the same one.
const byKind = Map.groupBy(chosen, ({ kind = {} }) => JSON.stringify(kind))
for (const faults of byKind.values()) {
  const cluster = await startCluster(faults[0]?.kind)
  let isGood = false
  try {
    const service = await startService(cluster)
    try {
      for (const fault of faults) await strikeOften(fault, cluster, service)
    } finally {
      await service.stop()
    }
    isGood = runs.every(({ problems }) => problems.length === 0)
  } finally {
    await cluster.stop()
    if (isGood) await rm(cluster.dir, { recursive: true, force: true, maxRetries: 10 })
    else console.log(`The logs are in ${cluster.dir}.`)
  }
}

printTable(runs)
const problems = runs.flatMap(({ fault, problems }) => problems.map((problem) => `${fault}: ${problem}`))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

async function strikeOften(fault: Fault, cluster: Cluster, service: Service) {
  const times = Number(options.runs ?? (options.short ? 1 : fault.runs))
  for (let time = 1; time <= times; time++) {
    const findings = await strike(fault, cluster, service)
    const problems = whatIsWrong(fault, findings)
    runs.push({ fault: fault.name, title: fault.title, ...findings, problems })
    const { gapSeconds, acknowledged, failedRequests, lost, doubled } = findings
    console.log(
      `${fault.name} ${time}/${times}: gap ${gapSeconds.toFixed(1)} s, ${acknowledged} acknowledged, ${lost} lost, ` +
        `${doubled} doubled, ${failedRequests} failed ${JSON.stringify(findings.failures)} ${problems.join(' ')}`,
    )
    if (options.json) await writeFile(options.json, `${JSON.stringify(runs, null, 1)}\n`)
  }
}

async function strike(fault: Fault, cluster: Cluster, service: Service): Promise<Findings> {
  const traffic = await startTraffic(service)
  await pause(3_000)
  const struckAt = performance.now()
  await fault.play({ cluster, service, traffic, seconds: Number(options.seconds ?? fault.seconds ?? 0) })
  const healedAt = performance.now()
  await until('adds are acknowledged', async () => (traffic.seen.acknowledgedAt.at(-1) ?? 0) > healedAt)
  await until('the cluster is whole', cluster.isWhole, 120)
  await pause(1_000)
  await traffic.stop()
  return findOut(traffic, service, struckAt)
}
