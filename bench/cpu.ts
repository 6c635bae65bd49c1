// CPU time of processes, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Of a process with all its children. */
export function cpuSecondsOf(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(name))
  const own = (stat: Stat) => stat.pid === pid || stat.parent === pid
  return stats.filter(own).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND
}

/** Of each process by itself. */
export function cpuSecondsOfEach(pids: number[]): number {
  return (
    pids.flatMap((pid) => readStat(String(pid))).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND
  )
}

export type MachineCpu = { busy: number; stolen: number }

/** Of the whole machine since it started, in ticks: what its programs used, and what a host with other machines withheld from them. */
export function cpuOfMachine(): MachineCpu {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).slice(1).map(Number) ?? []
  return { busy: user + nice + system + irq + softirq, stolen }
}

type Stat = { pid: number; parent: number; ticks: number }

function readStat(pid: string): Stat[] {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = rest.split(' ').map(Number)
    return [{ pid: Number(pid), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) }]
  } catch {
    return [] // it ended meanwhile
  }
}
