// A process that tries mutants: it is sent one at a time, loads the tests anew with the mutant in the place of its source file,
// which stays as it is on the disk, and answers which test failed. Properties of fast-check start from one seed, so that a
// mutant that is killed today is killed tomorrow.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { firstFailure } from './collect-tests.ts'

/** A test that takes more CPU time is taken for endless. It is CPU time, so that a busy machine kills no mutant. */
export type Task = { source?: string; mutated?: string; tests: string[]; maxCpuMs: number }
export type Verdict = { failed?: string; slowestMs: number }

const rootUrl = pathToFileURL(join(import.meta.dirname, '../..', '/')).href
const collectUrl = new URL('collect-tests.ts', import.meta.url).href

let task: Task = { tests: [], maxCpuMs: 0 }
let generation = 0
const stripped = new Map<string, string>()

const isOurs = (url: string) => url.startsWith(rootUrl) && !url.includes('/node_modules/')

registerHooks({
  // Each mutant has modules of its own, because those that import it must be made anew as well.
  resolve(specifier, context, nextResolve) {
    if (generation === 0) return nextResolve(specifier, context)
    const parent = context.parentURL ?? ''
    if (specifier === 'node:test' && isOurs(parent) && !parent.startsWith(collectUrl)) {
      return { url: collectUrl, format: 'module-typescript', shortCircuit: true }
    }
    const resolved = nextResolve(specifier, context)
    return isOurs(resolved.url) ? { ...resolved, url: `${resolved.url}?mutant=${generation}` } : resolved
  },
  load(url, context, nextLoad) {
    const [plain = ''] = url.split('?mutant=')
    if (plain === url) return nextLoad(url, context)
    return { format: 'module', source: textFor(plain), shortCircuit: true }
  },
})

function textFor(url: string): string {
  if (task.source && url === rootUrl + task.source) return stripTypeScriptTypes(task.mutated ?? '')
  const text = stripped.get(url) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
  stripped.set(url, text)
  return text
}

/** The first test that failed, if one did. */
async function tryOut(): Promise<string | undefined> {
  for (const file of task.tests) {
    try {
      await import(`${rootUrl}${file}`)
    } catch (error) {
      return `${file} could not be loaded: ${String(error)}`
    }
    const failed = await firstFailure(restartWatch)
    if (failed !== undefined) return failed
  }
  return undefined
}

// What a mutant leaves behind may fail when the next one is tried.
process.on('disconnect', () => process.exit())
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
fc.configureGlobal({ seed: 1 })

// A thread of its own, because an endless loop lets nothing else run in this one.
const watched = new Float64Array(new SharedArrayBuffer(8))
const watchdog = `
  const { workerData: watched } = require('node:worker_threads')
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    if ((user + system) / 1000 > watched[0]) process.kill(process.pid, 'SIGKILL')
  }, 200)`
watched[0] = Infinity
new Worker(watchdog, { eval: true, workerData: watched }).unref()

let testBeganAt = 0
let slowestMs = 0

function restartWatch() {
  const { user, system } = process.cpuUsage()
  const cpuMs = (user + system) / 1_000
  slowestMs = Math.max(slowestMs, cpuMs - testBeganAt)
  testBeganAt = cpuMs
  watched[0] = cpuMs + task.maxCpuMs
}

async function judge(message: Task) {
  task = message
  generation++
  restartWatch()
  slowestMs = 0
  const failed = await tryOut()
  restartWatch()
  process.send?.({ ...(failed !== undefined && { failed }), slowestMs } satisfies Verdict)
}

process.on('message', (message: Task) => void judge(message))
