// `node bench/cells.ts`: adds a second through the router with one, two and three cells, each a PostgreSQL and a Rounds that may use a
// fixed share of a core. The router and the load have the rest of the machine, and must not be what limits. Needs root and the cpu
// controller of cgroups v1. Writes docs/cells.svg.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../src/db/migrate/migrate.ts'
import { CELL_NAMES, prepareRouter, ROUTER_FILE } from '../test/cells/haproxy-of-cells.ts'
import { findFreePort } from '../test/support/free-port.ts'
import { findProgram } from '../tools/dev/find-program.ts'
import { runSql } from '../tools/dev/run-sql.ts'
import { startThrowawayPostgres } from '../tools/dev/throwaway-postgres.ts'
import { drawCells } from './charts.ts'
import { cpuSecondsOf } from './cpu.ts'
import { loadsOn, writeTokens } from './http-loads.ts'
import { writeSizingFigures } from './sizing-file.ts'
import { setStage } from './stage.ts'

const SHARE = 0.2
const SECONDS = 8
const ROUNDS = 5
const WARM_UP_ROUNDS = 3
/** With fewer for each, a cell waits for requests where it should wait for its share. */
const CONNECTIONS_OF_CELL = 96
const SENDERS = 1_000
const GROUPS = '/sys/fs/cgroup/cpu'
const PERIOD_US = 20_000

const say = (text: string) => process.stdout.write(`${text}\n`)
const parentOf = (pid: string) => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return 0 // it has ended
  }
}

/** Lets these processes, and those they start, use a share of one core together. */
function confine(name: string, pids: number[]) {
  const group = join(GROUPS, name)
  mkdirSync(group)
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US))
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(PERIOD_US * SHARE))
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && pids.includes(parentOf(pid)))
  for (const pid of [...pids, ...children]) writeFileSync(join(group, 'cgroup.procs'), String(pid))
  return group
}

/** The periods in which some of a cell ran, and those of them in which it had used up its share. */
function periodsOf(group: string): { all: number; usedUp: number } {
  const counts = new Map(
    readFileSync(join(group, 'cpu.stat'), 'utf8')
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
  return { all: Number(counts.get('nr_periods')), usedUp: Number(counts.get('nr_throttled')) }
}

const stage = await setStage()
const tokens = await writeTokens(stage, SENDERS)
const groups: string[] = []
const databases: Awaited<ReturnType<typeof startThrowawayPostgres>>[] = []
let haproxy: ChildProcess | undefined
try {
  const cells: { url: string; adminUrl: string; ownerUrl: string; pid: number; postgresPid: number }[] = []
  for (const _ of CELL_NAMES) {
    const postgres = await startThrowawayPostgres({
      fsync: 'on',
      synchronous_commit: 'on',
      max_wal_size: '4GB',
    })
    databases.push(postgres)
    await migrate(postgres.url)
    const adminPort = await findFreePort()
    const server = await stage.startServer(['src/cli.ts', 'serve'], {
      DATABASE_URL: postgres.url,
      ADMIN_PORT: String(adminPort),
      // A cell that has used up its share looks overloaded; its clients shall wait.
      MAX_REQUESTS_WHEN_BUSY: '1000',
    })
    await stage.introduceTokens(server.url, tokens.senders)
    cells.push({
      url: server.url,
      pid: server.pid,
      adminUrl: `http://127.0.0.1:${adminPort}`,
      ownerUrl: postgres.url,
      postgresPid: postgres.pid,
    })
  }
  // In its share of a core a process would compile its code for minutes. This is also what the router costs at full load.
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    const { perSecond, routerUs } = await measure(CELL_NAMES.length)
    say(
      `${CELL_NAMES.length} cells with the whole machine: ${Math.round(perSecond)} adds a second, ${Math.round(routerUs)} µs of CPU of the router for each`,
    )
    writeSizingFigures('router', 'node bench/cells.ts', { micros: Math.round(routerUs) })
  }
  for (const [index, { pid, postgresPid }] of cells.entries())
    groups.push(confine(`rounds-bench-cell-${process.pid}-${index}`, [pid, postgresPid]))

  const rates: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of [1, 2, 3]) {
      const { perSecond, routerUs, usedUp } = await measure(count)
      rates[count - 1] = [...(rates[count - 1] ?? []), perSecond]
      say(
        `${count} of ${CELL_NAMES.length} cells: ${Math.round(perSecond)} adds a second, ${Math.round(routerUs)} µs of CPU of the router for each; periods in which a cell used up its share: ${usedUp.map((share) => share.toFixed(2)).join(', ')}`,
      )
    }
  }
  const medians = rates.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0)
  say(medians.map((rate, index) => `${index + 1}: ${Math.round(rate)}`).join(', '))
  const note = `Each cell has ${SHARE} of a core; medians of ${ROUNDS} rounds of ${SECONDS} s on two cores.`
  writeFileSync(join(import.meta.dirname, '../docs/cells.svg'), drawCells(medians, note))

  /** With the slots divided between that many cells. */
  async function measure(count: number) {
    const cellOf = (slot: number) => Math.floor((slot * count) / 4_096)
    for (const [index, { ownerUrl }] of cells.entries()) {
      const slots = Array.from({ length: 4_096 }, (_, slot) => slot).filter((slot) => cellOf(slot) === index)
      const range = slots.length === 0 ? '{}' : `{[${slots[0]},${(slots.at(-1) ?? 0) + 1})}`
      await runSql(ownerUrl, 'update casesheet.cell set open_slots = $1', [range])
    }
    const [directory] = cells
    if (!directory) throw new Error('There is no cell.')
    const port = await findFreePort()
    const dir = join(stage.dir, `router-${port}`)
    mkdirSync(dir)
    const settings = { ROUNDS_ADDRESS_REQUESTS: '100000000', ROUNDS_ADDRESS_ERRORS: '100000000' }
    const { environment } = prepareRouter(dir, { cells, directory, cellOf, port, settings })
    haproxy = spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', ROUTER_FILE], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: join(import.meta.dirname, '..'),
    })
    const url = `http://127.0.0.1:${port}`
    // A cell is asked for its health twice before it gets requests.
    await new Promise((resume) => setTimeout(resume, 3_000))
    const before = groups.map(periodsOf)
    const { perSecond } = await loadsOn(tokens, stage.postgresPid).add(
      { url, pid: haproxy.pid ?? 0 },
      CONNECTIONS_OF_CELL * count,
    )(SECONDS)
    const usedUp = groups.slice(0, count).map((group, index) => {
      const [was, is] = [before[index], periodsOf(group)]
      return (is.usedUp - (was?.usedUp ?? 0)) / (is.all - (was?.all ?? 0))
    })
    // What it did before, for the health of the cells, is next to nothing.
    const routerUs = (cpuSecondsOf(haproxy.pid ?? 0) / (perSecond * SECONDS)) * 1e6
    haproxy.kill('SIGTERM')
    return { perSecond, routerUs, usedUp }
  }
} finally {
  haproxy?.kill('SIGKILL')
  await stage.strike()
  for (const postgres of databases) await postgres.stop()
  for (const group of groups) rmdirSync(group)
}
