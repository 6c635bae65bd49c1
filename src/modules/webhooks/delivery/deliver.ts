// Delivers messages to the endpoints that this process holds, one message at a time for each. An endpoint is in one state:
//
//   from     to       when
//   –        due      this process took the endpoint
//   idle     due      a change or an alert came for it, or it was replayed
//   due      working  a slot is free
//   working  due      there is more, or a change came meanwhile, or an event of an alert was delivered
//   working  idle     it has everything
//   working  waiting  the attempt failed, or the endpoint is paused
//   waiting  due      the time of the next attempt has come, or it was resumed or replayed
//   each     –        another process holds the endpoint, or it was removed
//
// Events of alerts come first: they are looked for before each page of changes.
//
// What is stored decides: every attempt reads the endpoint, its place and its page anew. So a process that acts on an outdated state
// sends nothing, or sends the page in flight once more.
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Feed } from '../../feed/feed.ts'
import { moveIdle, type SeenPosition } from '../../feed/followers/advance.ts'
import { type FollowerPosition, type Holder, holdFollowers } from '../../feed/followers/hold-followers.ts'
import { FOLLOWER_PREFIX } from '../endpoints/endpoint.ts'
import { type Changed, changedFor, together } from './changed-readings.ts'
import { createDeliveryCounts, type DeliveryCounts } from './delivery-counts.ts'
import { createFilter, type Filter } from './filter.ts'
import { type AlertMessage, createNextAlert } from './next-alert.ts'
import { createNextMessage, type Message, type Next } from './next-message.ts'
import { noteOutcome, type Outcome, type Sent } from './note-outcome.ts'
import { type SendDeps, type SignedAttempt, sendSigned } from './send-signed.ts'
import type { Held } from './sendable.ts'
import { messageIdOf } from './signature.ts'

/**
 * Attempts at a time. Endpoints whose last attempt failed, or was slow and by this process, or that never succeeded, have half of them, so
 * that they cannot hold up the others.
 */
const MAX_WORKING = 64
const MAX_HINDERED = MAX_WORKING / 2
const SLOW_MS = 2_000
/** Positions of endpoints that have nothing to do move this seldom: a process that takes one over walks over a few seconds. */
const MOVE_IDLE_EVERY_MS = 5_000
/** From one message to the next, once an endpoint has everything. What changes meanwhile comes in one message instead of several. */
const REST_MS = 400
/** How often events of alerts are looked for. */
const LOOK_FOR_ALERTS_EVERY_MS = 250
/** After a failure of ours. */
const TRY_AGAIN_MS = 1_000
const STOP_WITHIN_MS = 5_000
/** Each may name a thousand patients; other requests are answered in between. */
const LOAD_AT_ONCE = 10

type State =
  | { name: 'idle'; position: FollowerPosition }
  | { name: 'due'; changed: Changed }
  | { name: 'working'; dueAgain: Changed | undefined }
  | { name: 'waiting'; timer: NodeJS.Timeout | undefined }

type Endpoint = {
  name: string
  endpointId: string
  host: string
  filter: Filter
  state: State
  /** Whether the last attempt did, of this process or another one. */
  hasSucceeded: boolean
  /** How long the last attempt of this process took; 0 before the first. */
  tookMs: number
  replays: number
  /** When the last attempt began, and until when the next one is put off. */
  startedAt: number
  restsUntil: number
  /** Of failures of ours in a row the first is logged. */
  hasWarned: boolean
}

type Deps = SendDeps & {
  feed: Feed
  log: FastifyBaseLogger
  /** The longest time between two attempts, where it is not that of the schedule. */
  maxDelayMs?: number | undefined
}

type StateRow = {
  endpoint_id: string
  is_due: boolean
  replays: number
  behind_seconds: number
  is_active: boolean
}

/** As what an attempt is made, and for which changes the endpoint was due. */
type Under = { held: Held; lease: AbortSignal; changed: Changed }

export class Delivery {
  readonly #db: Db
  readonly #deps: Deps
  readonly #holder: Holder
  readonly #counts: DeliveryCounts
  readonly #messages: ReturnType<typeof createNextMessage>
  readonly #nextAlert: ReturnType<typeof createNextAlert>
  /** By the name of the follower. */
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #working = new Set<Promise<void>>()
  #unlisten: (() => void) | undefined
  #held: ReadonlySet<string> = new Set()
  /** While the endpoints are read. */
  #refreshed: Promise<unknown> | undefined
  /** It is tried again each second: of failures in a row the first is logged. */
  #hasWarned = false
  /** Up to here, every endpoint was woken if a change was for it. */
  #seen: SeenPosition | undefined
  #movedIdleAt = performance.now()
  #laterTimer: NodeJS.Timeout | undefined
  #alertTimer: NodeJS.Timeout | undefined
  /** While events of alerts are looked for. */
  #alertsFound: Promise<void> | undefined
  #isStopping = false

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#deps = deps
    this.#messages = createNextMessage(db)
    this.#nextAlert = createNextAlert(db)
    this.#counts = createDeliveryCounts(db.metrics, () => this.#inState('working').length)
    this.#holder = holdFollowers(db, {
      prefix: FOLLOWER_PREFIX,
      onHeld: (names) => this.#onHeld(names),
      idleOf: (names) => names.filter((name) => this.#endpoints.get(name)?.state.name !== 'working'),
      warn: deps.feed.warn,
    })
    this.#lookForAlerts()
  }

  /** Begins nothing more. What is in flight may end; another process then takes the endpoints at once. */
  async stop() {
    this.#isStopping = true
    clearTimeout(this.#laterTimer)
    clearTimeout(this.#alertTimer)
    this.#unlisten?.()
    await Promise.race([Promise.all(this.#working), pause(STOP_WITHIN_MS, undefined, { ref: false })])
    this.#deps.sender.close()
    await Promise.all([...this.#working, this.#refreshed, this.#alertsFound])
    for (const endpoint of this.#endpoints.values()) this.#forget(endpoint)
    await this.#holder.stop()
  }

  /** After each renewal of the lease, which does not wait for what is read here. */
  #onHeld(names: string[]) {
    this.#held = new Set(names)
    for (const endpoint of this.#endpoints.values())
      if (!this.#held.has(endpoint.name)) this.#forget(endpoint)
    if (this.#isStopping) return
    this.#refreshed ??= this.#refresh()
      .then(() => (this.#hasWarned = false))
      .catch((error: unknown) => this.#warnOnce(error, 'the endpoints of webhooks could not be read'))
      .finally(() => (this.#refreshed = undefined))
  }

  async #refresh() {
    const added = [...this.#held].filter((name) => !this.#endpoints.has(name))
    for (let at = 0; at < added.length; at += LOAD_AT_ONCE)
      await this.#load(added.slice(at, at + LOAD_AT_ONCE))
    await this.#follow()
    await this.#readStates()
    if (performance.now() - this.#movedIdleAt > MOVE_IDLE_EVERY_MS) await this.#moveIdle()
    this.#begin()
  }

  async #load(names: string[]) {
    const ids = names.map((name) => name.slice(FOLLOWER_PREFIX.length))
    const rows = await this.#query<
      { endpoint_id: string; url: string; has_succeeded: boolean; replays: number } & Parameters<
        typeof createFilter
      >[0]
    >('load-endpoints', LOAD_ENDPOINTS, [textArray(ids)])
    for (const { endpoint_id: endpointId, url, has_succeeded, replays, ...filter } of rows) {
      const name = `${FOLLOWER_PREFIX}${endpointId}`
      // Given up meanwhile.
      if (!this.#held.has(name)) continue
      this.#endpoints.set(name, {
        name,
        endpointId,
        host: new URL(url).host,
        filter: createFilter(filter),
        state: { name: 'due', changed: 'all' },
        hasSucceeded: has_succeeded,
        tookMs: 0,
        replays,
        startedAt: 0,
        restsUntil: 0,
        hasWarned: false,
      })
    }
  }

  /** Looks for changes only while there are endpoints. */
  async #follow() {
    if (this.#endpoints.size === 0) {
      this.#unlisten?.()
      this.#unlisten = undefined
    } else if (!this.#unlisten && !this.#isStopping) {
      this.#unlisten = await this.#deps.feed.watch.listen({
        onChanges: (keys, kinds) => {
          const patients = new Set(keys.map(({ patientUid }) => patientUid))
          this.#wake(({ filter }) =>
            filter.mayWantChanges({ patients, kinds }) ? changedFor(filter, keys) : undefined,
          )
        },
        onGrants: (patientUids) => {
          const patients = new Set(patientUids)
          this.#wake(({ filter }) => (filter.wantsGrants(patients) ? changedFor(filter, []) : undefined))
        },
        onReset: () => this.#wake(() => 'all'),
      })
      // What was committed before is not reported.
      this.#wake(() => 'all')
    }
  }

  /** Again and again. Those that are not idle look themselves. */
  #lookForAlerts() {
    this.#alertTimer = setTimeout(() => {
      this.#alertsFound = this.#findAlerts()
        .catch((error: unknown) => this.#warnOnce(error, 'events of alerts could not be looked for'))
        .finally(() => {
          if (!this.#isStopping) this.#lookForAlerts()
        })
    }, LOOK_FOR_ALERTS_EVERY_MS)
  }

  async #findAlerts() {
    const idle = this.#inState('idle').filter(({ filter }) => filter.wantsAlerts)
    if (idle.length === 0) return
    const ids = textArray(idle.map(({ endpointId }) => endpointId))
    const found = await this.#query<{ endpoint_id: string }>('pending-alerts', PENDING_ALERTS, [ids])
    const pending = new Set(found.map(({ endpoint_id }) => endpoint_id))
    for (const endpoint of idle)
      if (pending.has(endpoint.endpointId) && endpoint.state.name === 'idle') this.#makeDue(endpoint, [])
    this.#begin()
  }

  async #readStates() {
    const ids = [...this.#endpoints.values()].map(({ endpointId }) => endpointId)
    const rows = await this.#query<StateRow>('endpoint-states', ENDPOINT_STATES, [
      textArray(ids),
      FOLLOWER_PREFIX,
    ])
    for (const row of rows) {
      const endpoint = this.#endpoints.get(`${FOLLOWER_PREFIX}${row.endpoint_id}`)
      if (!endpoint) continue
      const isReplayed = endpoint.replays !== row.replays
      endpoint.replays = row.replays
      const isDue = row.is_active && row.is_due
      if (isDue && (endpoint.state.name === 'waiting' || isReplayed)) this.#makeDue(endpoint)
      // What is replayed while it is paused must not wait for the next change.
      else if (!isDue && endpoint.state.name === 'idle') this.#wait(endpoint)
    }
    const active = rows.filter((row) => row.is_active)
    this.#counts.behindSeconds = Math.max(0, ...rows.map(({ behind_seconds }) => behind_seconds))
    this.#counts.endpoints = { active: active.length, paused: rows.length - active.length }
  }

  /** There is nothing for them up to what was seen. */
  async #moveIdle() {
    this.#movedIdleAt = performance.now()
    if (!this.#seen) return
    const { generation, xid, id } = this.#seen
    const to = { generation, xid, id }
    const idle = [...this.#endpoints.values()].flatMap(({ name, state }) =>
      state.name === 'idle' && state.position.generation === generation
        ? [{ name, state, position: state.position }]
        : [],
    )
    if (idle.length === 0) return
    const { processId } = this.#holder
    const moved = new Set(await moveIdle(this.#db, idle, { processId, to: this.#seen }))
    for (const { name, state, position } of idle)
      if (moved.has(name) && isBefore(position, to)) state.position = to
  }

  #wake(changedOf: (endpoint: Endpoint) => Changed | undefined) {
    this.#seen = this.#deps.feed.watch.place()
    // One that becomes due moves to the end, and must not be met again.
    for (const endpoint of Array.from(this.#endpoints.values())) {
      const changed = endpoint.state.name === 'waiting' ? undefined : changedOf(endpoint)
      if (changed !== undefined) this.#makeDue(endpoint, changed)
    }
    this.#begin()
  }

  #makeDue(endpoint: Endpoint, changed: Changed = 'all') {
    const { state } = endpoint
    if (state.name === 'waiting') clearTimeout(state.timer)
    if (state.name === 'working') state.dueAgain = together(state.dueAgain, changed)
    else if (state.name === 'due') state.changed = together(state.changed, changed)
    else this.#queue(endpoint, changed)
  }

  /** At the end of the queue, which is the order of the map. */
  #queue(endpoint: Endpoint, changed: Changed) {
    endpoint.state = { name: 'due', changed }
    this.#endpoints.delete(endpoint.name)
    this.#endpoints.set(endpoint.name, endpoint)
  }

  #inState(name: State['name']): Endpoint[] {
    return [...this.#endpoints.values()].filter(({ state }) => state.name === name)
  }

  #begin() {
    if (this.#isStopping || this.#holder.lease().aborted) return
    let working = this.#inState('working').length
    let hindered = this.#inState('working').filter(isHindered).length
    for (const endpoint of this.#inState('due')) {
      if (working >= MAX_WORKING) return
      if (isHindered(endpoint) && hindered >= MAX_HINDERED) continue
      if (endpoint.restsUntil > performance.now()) {
        this.#beginLater()
        continue
      }
      working++
      if (isHindered(endpoint)) hindered++
      this.#start(endpoint)
    }
  }

  /** When a rest may be over. */
  #beginLater() {
    this.#laterTimer ??= setTimeout(() => {
      this.#laterTimer = undefined
      this.#begin()
    }, REST_MS / 4)
  }

  #start(endpoint: Endpoint) {
    endpoint.startedAt = performance.now()
    const changed = endpoint.state.name === 'due' ? endpoint.state.changed : 'all'
    endpoint.state = { name: 'working', dueAgain: undefined }
    const work = this.#step(endpoint, changed)
      .catch((error: unknown) => {
        this.#warn(endpoint, error, 'a webhook could not be prepared')
        this.#wait(endpoint, TRY_AGAIN_MS)
      })
      .finally(() => {
        this.#working.delete(work)
        this.#begin()
      })
    this.#working.add(work)
  }

  async #step(endpoint: Endpoint, changed: Changed) {
    const { name, endpointId, host } = endpoint
    const held = { name, endpointId, processId: this.#holder.processId, readBy: `webhook ${host}` }
    // What is read under a lease is sent under this one: with the next, another process may have sent what comes behind.
    const lease = this.#holder.lease()
    const alert = endpoint.filter.wantsAlerts ? await this.#nextAlert(held) : undefined
    if (alert) return this.#deliver(endpoint, { held, lease, changed }, alert)
    const next = await this.#read(held, endpoint, changed)
    endpoint.hasWarned = false
    if (next.kind === 'message') await this.#deliver(endpoint, { held, lease, changed }, next.message)
    else this.#rest(endpoint, next)
  }

  async #read(held: Held, { replays }: Endpoint, changed: Changed): Promise<Next> {
    if (changed !== 'all' && this.#seen) {
      const next = await this.#messages.nextReported(held, { upTo: this.#seen, keys: changed, replays })
      if (next.kind !== 'notDue') return next
    }
    return this.#messages.next(held)
  }

  #rest(endpoint: Endpoint, next: Exclude<Next, { kind: 'message' }>) {
    if (next.kind === 'notDue') this.#wait(endpoint)
    else this.#ended(endpoint, next)
  }

  async #deliver(endpoint: Endpoint, under: Under, message: Message | AlertMessage) {
    const { endpointId } = endpoint
    const messageId = messageIdOf(
      { endpointId, replays: message.replays, place: message.place },
      message.body,
    )
    const attempt = await this.#send(endpoint, { ...message, messageId }, under.lease)
    if (attempt === 'stopped') return this.#wait(endpoint, TRY_AGAIN_MS)
    endpoint.tookMs = attempt.durationMs
    const sent = { message, messageId, attempt, maxDelayMs: this.#deps.maxDelayMs }
    const outcome = await this.#note(endpoint, under, sent)
    this.#counts.count(outcome, message.changes)
    this.#report(endpoint, message, outcome)
    endpoint.hasSucceeded = outcome.kind === 'delivered'
    if (outcome.kind !== 'delivered')
      this.#wait(endpoint, outcome.kind === 'failed' ? outcome.delayMs : undefined)
    else if ('alert' in message) this.#goOn(endpoint, under.changed)
    else this.#ended(endpoint, { position: message.to, hasMore: message.hasMore || !outcome.isMoved })
  }

  /** `stopped`: this process stops, or may no longer hold the endpoint, so the attempt says nothing about the receiver. */
  async #send(
    { endpointId }: Endpoint,
    { url, body, secrets, messageId }: (Message | AlertMessage) & { messageId: string },
    signal: AbortSignal,
  ): Promise<SignedAttempt | 'stopped'> {
    if (this.#holder.lease() !== signal) return 'stopped'
    const attempt = await sendSigned({ endpointId, url, secrets }, { messageId, body, signal }, this.#deps)
    const isClosed = attempt.kind === 'failed' && attempt.error === 'closed'
    return isClosed && (signal.aborted || this.#isStopping) ? 'stopped' : attempt
  }

  /** The receiver was called: from now on, storing what became of it is repeated, and not the call. */
  async #note(endpoint: Endpoint, { held, lease }: Under, sent: Sent): Promise<Outcome> {
    for (;;) {
      try {
        return await noteOutcome(this.#db, held, sent)
      } catch (error) {
        this.#warn(endpoint, error, 'the outcome of a webhook could not be stored')
        if (lease.aborted || this.#isStopping) throw error
        await pause(TRY_AGAIN_MS)
      }
    }
  }

  /** An attempt has ended well, or there was nothing to deliver. */
  #ended(endpoint: Endpoint, { position, hasMore }: { position: FollowerPosition; hasMore: boolean }) {
    const { state } = endpoint
    const dueAgain = hasMore ? 'all' : state.name === 'working' ? state.dueAgain : undefined
    if (this.#endpoints.get(endpoint.name) !== endpoint) return
    endpoint.state = { name: 'idle', position }
    endpoint.restsUntil = hasMore ? 0 : endpoint.startedAt + REST_MS
    if (dueAgain) this.#makeDue(endpoint, dueAgain)
  }

  /** An event of an alert was delivered. What the endpoint was due for is still to come. */
  #goOn(endpoint: Endpoint, changed: Changed) {
    const { state } = endpoint
    if (this.#endpoints.get(endpoint.name) !== endpoint || state.name !== 'working') return
    this.#queue(endpoint, together(state.dueAgain, changed))
  }

  /** Until the time is over, or until what is stored says that it is due. */
  #wait(endpoint: Endpoint, ms?: number) {
    if (this.#endpoints.get(endpoint.name) !== endpoint) return
    const timer =
      ms === undefined
        ? undefined
        : setTimeout(() => {
            this.#makeDue(endpoint)
            this.#begin()
          }, ms).unref()
    endpoint.state = { name: 'waiting', timer }
  }

  #forget(endpoint: Endpoint) {
    if (endpoint.state.name === 'waiting') clearTimeout(endpoint.state.timer)
    this.#endpoints.delete(endpoint.name)
  }

  #warnOnce(error: unknown, message: string) {
    if (!this.#hasWarned) this.#deps.feed.warn(error, message)
    this.#hasWarned = true
  }

  #warn(endpoint: Endpoint, error: unknown, message: string) {
    const { endpointId, host } = endpoint
    if (!endpoint.hasWarned) this.#deps.feed.warn(error, message, { endpointId, host })
    endpoint.hasWarned = true
  }

  /** The first failure of several, and the end of them. */
  #report({ endpointId, host }: Endpoint, { failures, event }: Message | AlertMessage, outcome: Outcome) {
    const { log } = this.#deps
    if (outcome.kind === 'delivered' && failures > 0)
      log.info({ endpointId, host, failures }, 'a webhook is delivered again')
    if (outcome.kind === 'failed' && outcome.error === 'key')
      log.error(
        { endpointId, host },
        'a webhook cannot be signed: its secret was stored under another WEBHOOK_KEY',
      )
    else if (outcome.kind === 'failed' && failures === 0)
      log.warn(
        { endpointId, host, event, error: outcome.error },
        'a webhook could not be delivered: it is repeated',
      )
    if (outcome.kind === 'paused')
      log.warn({ endpointId, host }, 'a webhook is paused: its receiver answered 410 Gone')
  }

  #query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.#db.query<Row>({ name, text, values }, { on: 'follow', withinMs: 2_500 })
  }
}

const isHindered = ({ hasSucceeded, tookMs }: Endpoint) => !hasSucceeded || tookMs > SLOW_MS

function isBefore(one: FollowerPosition, other: FollowerPosition): boolean {
  const [a, b] = [BigInt(one.xid), BigInt(other.xid)]
  return a === b ? one.id < other.id : a < b
}

const LOAD_ENDPOINTS = `
  select endpoint_id, url, has_succeeded, replays, events, reading_types, patient_uids
  from webhooks.endpoints
  where endpoint_id = any ($1::uuid[])`

const PENDING_ALERTS = `
  select id::text as endpoint_id
  from unnest($1::uuid[]) as held (id)
  where exists (
    select
    from casesheet.alert_deliveries
    where endpoint_id = held.id
      and is_pending
  )`

const ENDPOINT_STATES = `
  select endpoint_id, state = 'active' as is_active, next_attempt_at <= now() as is_due, replays,
    -- One that its receiver paused counts too: nobody here has asked for it.
    case when paused_because = 'asked' then 0 else extract(epoch from now() - caught_up_at) end::float8 as behind_seconds
  from webhooks.endpoints
  join casesheet.followers on name = $2::text || endpoint_id
  where endpoint_id = any ($1::uuid[])`
