// A process as its primary sees it.
//
//   event                          from                 to
//   it says that it serves         starting             serving
//   it is told to stop             serving              leaving
//   its process and channel ended  each                 ended
//   it could not be forked         starting             ended
import cluster, { type Worker } from 'node:cluster'
import { CommandError } from '../../refusal.ts'
import { withinMs } from '../../time-limit.ts'
import type { AdminAnswer } from '../admin-port.ts'
import { type FromProcess, HAS_PRIMARY, type MetricsOfProcess, type ToProcess } from './messages.ts'

export type Ended = { code: number | null; signal: string | null }

export class Member {
  state: 'starting' | 'serving' | 'leaving' | 'ended' = 'starting'
  /** As of the last scrape, or of its end. */
  metrics: MetricsOfProcess = []
  readonly pid: number | undefined
  /** Where it serves. */
  readonly url: Promise<string>
  readonly ended: Promise<Ended>
  readonly #worker: Worker
  readonly #startedAt = performance.now()
  readonly #asked = new Map<number, (answer: AdminAnswer | undefined) => void>()
  #lastId = 0
  #failure: Error | undefined

  constructor() {
    const worker = cluster.fork({ [HAS_PRIMARY]: 'true' })
    const { promise: url, resolve, reject } = Promise.withResolvers<string>()
    this.#worker = worker
    this.pid = worker.process.pid
    this.url = url
    worker.on('message', (message: FromProcess) => {
      if ('started' in message) {
        this.state = 'serving'
        resolve(message.started.url)
      } else this.#hear(message)
    })
    this.ended = this.#untilEnded().then((ended) => {
      this.state = 'ended'
      for (const answer of this.#asked.values()) answer(undefined)
      const how = ended.signal ?? ended.code
      reject(this.#failure ?? new Error(`The process ended with ${how} before it served.`))
      return ended
    })
    // A process may end when nobody waits for its start any more.
    url.catch(() => {})
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  ageMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Nothing if it does not answer in time. */
  async ask(path: string, limitMs: number): Promise<AdminAnswer | undefined> {
    const id = ++this.#lastId
    const answered = new Promise<AdminAnswer | undefined>((answer) => this.#asked.set(id, answer))
    this.#tell({ ask: path, id })
    return withinMs(answered, limitMs, () => undefined).finally(() => this.#asked.delete(id))
  }

  announceStop(reason: string) {
    this.#tell({ announceStop: reason })
  }

  /** One that does not serve yet has nothing to finish. */
  stop(reason: string) {
    if (this.state === 'starting') this.kill()
    if (this.state === 'serving') this.state = 'leaving'
    this.#tell({ stop: reason })
  }

  kill() {
    this.#worker.process.kill('SIGKILL')
  }

  async #untilEnded(): Promise<Ended> {
    const worker = this.#worker
    const notForked = new Promise<Ended>((end) => {
      worker.on('error', (error) => {
        this.#failure ??= error
        // Nothing else is heard of it. One that has a pid is still to end.
        if (this.pid === undefined) end({ code: null, signal: null })
      })
    })
    const exited = new Promise<Ended>((end) => {
      worker.once('exit', (code, signal) => end({ code, signal }))
    })
    const disconnected = new Promise<void>((end) => worker.once('disconnect', end))
    // Both, because messages may arrive after the process has ended.
    return Promise.race([notForked, disconnected.then(() => exited)])
  }

  #tell(message: ToProcess) {
    // The answer to a process that has just ended is its end.
    if (this.#worker.isConnected()) this.#worker.send(message, () => {})
  }

  #hear(message: Exclude<FromProcess, { started: object }>) {
    if ('failed' in message) {
      const { text, isTheirs } = message.failed
      this.#failure = isTheirs ? new CommandError(text) : Object.assign(new Error(text), { stack: text })
    } else if ('lastCounts' in message) this.metrics = message.lastCounts
    else {
      if (message.metrics) this.metrics = message.metrics
      this.#asked.get(message.id)?.(message.answer)
    }
  }
}
