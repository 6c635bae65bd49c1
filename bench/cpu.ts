// CPU time of processes, as Linux counts it: to the nanosecond for what runs, in ticks for what has ended.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Of a process with all its children, also those that have ended: PostgreSQL has one for each connection. */
export function cpuSecondsOf(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readStat(name)?.parent === pid)
  return cpuSecondsOfEach([pid, ...children.map(Number)]) + (readStat(String(pid))?.endedSeconds ?? 0)
}

/** Of each process by itself. */
export function cpuSecondsOfEach(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + secondsOfThreads(pid), 0)
}

export type MachineCpu = { busy: number; stolen: number }

/** Of the whole machine since it started, in ticks: what its programs used, and what a host with other machines withheld from them. */
export function cpuOfMachine(): MachineCpu {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).slice(1).map(Number) ?? []
  return { busy: user + nice + system + irq + softirq, stolen }
}

function secondsOfThreads(pid: number): number {
  try {
    const dir = `/proc/${pid}/task`
    return readdirSync(dir)
      .map((thread) => Number(readFileSync(`${dir}/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
      .reduce((sum, seconds) => sum + seconds, 0)
  } catch {
    return 0 // it ended meanwhile
  }
}

function readStat(pid: string): { parent: number; endedSeconds: number } | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = rest.split(' ').map(Number)
    return {
      parent: fields[1] ?? 0,
      endedSeconds: ((fields[13] ?? 0) + (fields[14] ?? 0)) / TICKS_PER_SECOND,
    }
  } catch {
    return undefined // it ended meanwhile
  }
}
