// `rounds serve` with PROCESSES above 1. The primary opens the port, which its processes share, serves their health and metrics, starts a
// process again that has ended, and on SIGHUP replaces them one by one. It has no connection to the database and reads no request.
import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServeConfig } from '../../config/config.ts'
import { CommandError } from '../../refusal.ts'
import { withinMs } from '../../time-limit.ts'
import { asListenError, openAdminPort } from '../admin-port.ts'
import type { Serving } from '../serve.ts'
import { stopWithinMs } from '../stop-limits.ts'
import { answersOfAll } from './answers-of-all.ts'
import { Member } from './member.ts'

/** A process that ends sooner than this has failed; the next one waits, up to the longest pause. */
const SOON_MS = 10_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** How long a replaced process serves on, so that its clients see an answer that ends their connection. */
const REPLACED_AFTER_MS = 5_000
/** How much longer than a process may take to stop the primary waits for it. */
const SLACK_MS = 5_000

type Log = (level: 'info' | 'warn', message: string, fields?: object) => void

/** The place of one process: its member changes. `settled`: its last start has succeeded or failed. */
type Place = { member?: Member | undefined; failures: number; settled?: Promise<unknown> }

/** From the signal on, no process is started. Nothing is returned if it came before one served. */
export async function servePrimary(
  config: ServeConfig,
  log: Log,
  signalled: Promise<string>,
): Promise<Serving | undefined> {
  // The processes accept from one queue. Where the primary hands connections over in turn, it leaves one open for ever when a
  // process is killed (docs/decisions/0035-several-processes.md).
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // Numbers that JSON has no word for are among the metrics.
  cluster.setupPrimary({ serialization: 'advanced' })
  const limitMs = stopWithinMs(config.requestDeadlineMs) + SLACK_MS
  const processes = new Processes(config.processes, { limitMs, log })
  void signalled.then(() => processes.startNoMore())
  const replaceAfterMs = Math.max(REPLACED_AFTER_MS, config.stopDelayMs)
  process.on('SIGHUP', () => processes.replaceAll(replaceAfterMs))
  // Alone, so that a mistake in the settings is reported once.
  const url = await processes.startFirst()
  if (url === undefined) return undefined
  try {
    const admin = await openAdminPort(config, processes.answers, (error) =>
      log('warn', 'the admin port could not answer', {
        fault: error instanceof Error ? error.name : 'unknown',
      }),
    )
    await processes.startOthers()
    return {
      url,
      adminUrl: admin.url,
      announceStop: (reason) => processes.announceStop(reason),
      async stop(reason = 'asked to') {
        try {
          await processes.stop(reason)
        } finally {
          await admin.close()
        }
      },
    }
  } catch (error) {
    await processes.stop('the start failed')
    throw asListenError(error)
  }
}

class Processes {
  readonly answers
  readonly #log: Log
  /** How long a process may take to stop. */
  readonly #limitMs: number
  readonly #first: Place = { failures: 0 }
  readonly #others: Place[]
  readonly #places: Place[]
  readonly #members = new Set<Member>()
  readonly #stopping = new AbortController()
  readonly #answersOfAll
  readonly #started = Promise.withResolvers<void>()
  #replacing = this.#started.promise

  constructor(wanted: number, { limitMs, log }: { limitMs: number; log: Log }) {
    this.#log = log
    this.#limitMs = limitMs
    this.#others = Array.from({ length: wanted - 1 }, () => ({ failures: 0 }))
    this.#places = [this.#first, ...this.#others]
    this.#answersOfAll = answersOfAll({
      wanted,
      serving: () => this.#places.flatMap(({ member }) => member ?? []),
      all: () => this.#members,
    })
    this.answers = this.#answersOfAll.answers
  }

  /** Where it serves, or nothing if no process is to be started any more. */
  async startFirst(): Promise<string | undefined> {
    try {
      const { url } = await this.#startIn(this.#first)
      void this.#keepFilled(this.#first)
      return await url
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined
      throw error
    }
  }

  async startOthers() {
    await Promise.all(this.#others.map((place) => this.#fill(place)))
    for (const place of this.#others) void this.#keepFilled(place)
    this.#started.resolve()
  }

  /** One that does not serve yet has nothing to finish. */
  startNoMore() {
    this.#stopping.abort()
    for (const member of this.#members) if (member.state === 'starting') member.kill()
  }

  announceStop(reason: string) {
    for (const member of this.#members) member.announceStop(reason)
  }

  async stop(reason: string) {
    this.startNoMore()
    const serving = [...this.#members].filter(({ state }) => state !== 'starting')
    for (const member of this.#members) member.stop(reason)
    const ended = Promise.all(serving.map(async (member) => ({ ...(await member.ended), member })))
    const all = await withinMs(ended, this.#limitMs, () => [])
    for (const member of this.#members) member.kill()
    const failed = all.find(({ code }) => code !== 0)
    if (failed)
      throw failed.member.failure ?? new CommandError('A process of Rounds failed while it stopped.')
    if (all.length < serving.length) throw new CommandError('A process of Rounds did not stop in time.')
  }

  /** Once all have started; the next one begins when the one before has ended. What cannot be replaced stays. */
  replaceAll(afterMs: number) {
    this.#replacing = this.#replaceInTurn(afterMs, this.#replacing)
  }

  async #replaceInTurn(afterMs: number, before: Promise<void>) {
    await before
    const { signal } = this.#stopping
    try {
      for (const place of this.#places) await this.#replace(place, afterMs)
      if (!signal.aborted) this.#log('info', 'every process was replaced')
    } catch (error) {
      if (!signal.aborted) this.#log('warn', `the processes were not replaced: ${messageOf(error)}`)
    }
  }

  async #replace(place: Place, afterMs: number) {
    // One that is being started may have read its settings already.
    await place.settled
    const before = place.member
    // One that could not start is new when it can.
    if (!before || this.#stopping.signal.aborted) return
    await this.#startIn(place)
    before.announceStop('SIGHUP')
    await withinMs(before.ended, afterMs, () => {})
    before.stop('SIGHUP')
    await withinMs(before.ended, this.#limitMs, () => before.kill())
    await before.ended
  }

  /** Only where no other start in this place is under way. */
  #startIn(place: Place): Promise<Member> {
    const started = this.#start().then((member) => (place.member = member))
    place.settled = Promise.allSettled([started])
    return started
  }

  async #start(): Promise<Member> {
    this.#stopping.signal.throwIfAborted()
    const member = new Member()
    this.#members.add(member)
    void member.ended.then(() => {
      this.#members.delete(member)
      return this.#answersOfAll.keepCountsOf(member)
    })
    await member.url
    return member
  }

  /** The member stays away where it cannot start. */
  async #fill(place: Place) {
    try {
      await this.#startIn(place)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      place.failures++
      this.#log('warn', `a process could not start: ${messageOf(error)}`)
    }
  }

  async #keepFilled(place: Place) {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // One that has ended may have been about to be replaced.
      await place.settled
      const { member } = place
      if (!member) {
        await pause(pauseAfter(place.failures), undefined, { signal }).catch(() => {})
        if (!signal.aborted) await this.#fill(place)
        continue
      }
      const ended = await member.ended
      // It was replaced.
      if (place.member !== member) continue
      place.member = undefined
      if (signal.aborted) return
      place.failures = member.ageMs() < SOON_MS ? place.failures + 1 : 0
      this.#log('warn', 'a process has ended: another one is started', { ended: member.pid, ...ended })
    }
  }
}

function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
