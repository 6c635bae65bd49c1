// The end of a command. Node waits for every handle that is left, such as a socket whose connect never ended, and was seen to spin in
// its clean-up when none was left. So what is left is cut after a while, and the clean-up is skipped. Until then others may
// finish, such as the exporter of deploy/monitoring/traces.mjs.
import type { Writable } from 'node:stream'
import { withinMs } from '../time-limit.ts'
import type { Say } from './json-lines.ts'

/** A person may look at a part of the output for long, in a pager. */
const TAKEN_WITHIN_MS = 600_000
const LEFT_WITHIN_MS = 5_000

/** The process ends soon after this, with `process.exitCode`, or with 1 where its output was not taken. */
export async function endProcess(say: Say) {
  process.once('exit', (code) => process.exit(code))
  const taken = Promise.all([process.stdout, process.stderr].map(untilTaken))
  await withinMs(taken, TAKEN_WITHIN_MS, () => process.exit(1))
  setTimeout(cutWhatIsLeft, LEFT_WITHIN_MS, say).unref()
}

/** Names kinds of handles and requests, and nothing of what they carry. */
function cutWhatIsLeft(say: Say) {
  const left = process.getActiveResourcesInfo().join(', ')
  say('warn', `The process ends although something was left: ${left}.`)
  process.exit()
}

/** Also where the reader has disconnected. */
function untilTaken(stream: Writable): Promise<void> {
  return new Promise((done) => {
    stream.on('error', () => done())
    if (stream.destroyed || stream.writableLength === 0) done()
    else stream.write('', () => done())
  })
}
