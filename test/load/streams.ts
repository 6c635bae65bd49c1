// Streams that another process holds, for tests of load.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import type { HeldStreams, Seen } from './hold-streams.ts'

export function holdStreams(held: HeldStreams) {
  const child = fork(join(import.meta.dirname, 'hold-streams.ts'), { stdio: 'inherit' })
  after(() => child.kill('SIGKILL'))
  child.send(held)

  /** What was seen; delays only since the last report. */
  async function report(): Promise<Seen> {
    child.send('report')
    const [seen] = (await once(child, 'message')) as [Seen]
    return seen
  }
  return { report, leave: () => void child.send('leave'), end: () => void child.kill('SIGKILL') }
}
