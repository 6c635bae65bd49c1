// What the tests get instead of `node:test` while mutants are tried: it collects the tests of a file, and runs them in order
// until one fails. Hundreds of mutants are tried in one process this way, which saves its start for each.
import { mock } from 'node:test'

type Context = { mock: typeof mock; after: (act: () => unknown) => void; diagnostic: (text: string) => void }
type Act = (context: Context) => unknown

let collected: [title: string, act: Act][] = []
let atEnd: (() => unknown)[] = []

/** More than any test takes here, however busy the machine is. */
const MAX_WALL_MS = 120_000
const LOOK_EVERY_MS = 300

export function test(title: string, act: Act) {
  collected.push([title, act])
}

export function after(act: () => unknown) {
  atEnd.push(act)
}

/** The first of the collected tests that fails, if one does. */
export async function firstFailure(onStart: () => void): Promise<string | undefined> {
  const tests = collected
  collected = []
  let failed: string | undefined
  for (const [title, act] of tests) {
    onStart()
    if (failed === undefined && !(await passes(act))) failed = title
  }
  const last = atEnd
  atEnd = []
  for (const act of last) await act()
  return failed
}

async function passes(act: Act): Promise<boolean> {
  const cleanUps: (() => unknown)[] = []
  const { promise: isStuck, stop } = untilStuck()
  try {
    const context = { mock, after: (clean: () => unknown) => void cleanUps.push(clean), diagnostic() {} }
    return await Promise.race([Promise.resolve(act(context)).then(() => true), isStuck])
  } catch {
    return false
  } finally {
    stop()
    mock.timers.reset()
    mock.reset()
    for (const clean of cleanUps) await clean()
  }
}

/** Resolves to false when nothing is left that could end the test, as node:test finds an empty event loop. */
function untilStuck() {
  const { promise, resolve } = Promise.withResolvers<false>()
  const began = process.hrtime.bigint()
  let idleLooks = 0
  const look = () => {
    const isIdle = process.getActiveResourcesInfo().every((resource) => resource.startsWith('Pipe'))
    idleLooks = isIdle ? idleLooks + 1 : 0
    const tookMs = Number(process.hrtime.bigint() - began) / 1e6
    if (idleLooks > 2 || tookMs > MAX_WALL_MS) resolve(false)
  }
  const timer = realSetInterval(look, LOOK_EVERY_MS).unref()
  return { promise, stop: () => clearInterval(timer) }
}

// Some tests replace the timers of the process.
const { setInterval: realSetInterval } = globalThis
