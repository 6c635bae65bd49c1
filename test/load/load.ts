// Loads for tests: what to send, where, and how the process that sends it is run.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures } from './figures.ts'

export type Load = {
  url: string
  /** `fields` are what they add, as JSON without braces; else a heart rate. */
  patients: { uid: string; token: string; firstS: number; fields?: string }[]
  connections: number
  seconds: number
  /** Without it each connection sends when its last answer has come. */
  ratePerSecond?: number
  /** How many of the requests are gets; the others are adds. */
  getShare: number
  /** Readings are added from this time on, a millisecond apart. */
  startMs: number
}

let startMs = Date.parse('2031-01-01T00:00:00Z')

/** Every load adds readings of a time of its own, so that none is there already; one that names a time sees to that itself. */
export async function runLoad(load: Omit<Load, 'startMs'> & { startMs?: number }): Promise<Figures> {
  startMs += 10_000_000
  const child = fork(join(import.meta.dirname, 'run-load.ts'), { stdio: 'inherit' })
  const ended = once(child, 'exit')
  child.send({ startMs, ...load } satisfies Load)
  const answer = await Promise.race([once(child, 'message'), ended])
  if (child.exitCode !== null && typeof answer[0] !== 'object') throw new Error('The load ended early.')
  await ended
  return answer[0] as Figures
}
