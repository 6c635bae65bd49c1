// What one request costs: CPU of the server's event loop and of the database sessions that work for it. Linux counts the
// nanoseconds that a thread was on a core, so what other programs do meanwhile hardly shows.
import { readFileSync } from 'node:fs'
import type { Client } from 'pg'

export type Cpu = { loopMs: number; databaseMs: number }

/** Reads both clocks. A session that ended meanwhile keeps what it had. */
export function watchCpu(serverPid: number, owner: Client) {
  const sessions = new Map<number, number>()
  return async function read(): Promise<Cpu> {
    const { rows } = await owner.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name like 'rounds%' and datname = current_database()",
    )
    for (const { pid } of rows) {
      const spent = millisecondsOf(pid)
      if (spent !== undefined) sessions.set(pid, spent)
    }
    const databaseMs = [...sessions.values()].reduce((sum, spent) => sum + spent, 0)
    return { loopMs: millisecondsOf(serverPid) ?? 0, databaseMs }
  }
}

// What the loop below takes on a core of 3 GHz.
const REFERENCE_MS = 130

/**
 * How many times slower than that the cores of this machine are now, at least 1. Bounds are stretched by it: a shared core that
 * gives us a third of its time would else fail what holds everywhere.
 */
export function slownessOfCores(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    let sum = 0
    for (let n = 0; n < 1e8; n++) sum += n % 7
    const { user, system } = process.cpuUsage(before)
    return sum > 0 ? (user + system) / 1_000 : Infinity
  })
  return Math.max(1, Math.min(...times) / REFERENCE_MS)
}

/** The time that the main thread of a process was on a core. */
function millisecondsOf(pid: number): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}
