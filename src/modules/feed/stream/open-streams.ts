// The streams that are open in this process: what they are sent, and what is still due to them. All of them share one look at
// the database (watch-changes.ts), and changes are read for many of them in one statement. Their states and their number are in
// stream-set.ts, what is due to them in due-changes.ts.
//
// Everything here is bounded: the number of streams, changes that wait to be read, bytes that a slow reader has not taken
// (unread-events.ts). Beyond a bound a stream is cut, or gets the event `reset`, which says: read the range again.
//
// Overload: streams are ended, a few each second, only while admission control refuses requests with verified tokens, in each
// of the last seconds. A busy event loop, a slow database or a flood of forged tokens alone ends none.
//
// Doctors: a change is shown only where the statement that read it has found the grant. A grant that was revoked, was changed or
// has expired ends the stream within two seconds (check-grants.ts); the client comes back, and is refused or gets what is shared now.
//
// While the database is away, heartbeats go on and changes wait; nothing is reset.
import type { ServerResponse } from 'node:http'
import type { Db } from '../../../db/db.ts'
import type { SigningKey } from '../../../http/tokens/issuer-keys.ts'
import { whenClosed } from '../../../http/when-closed.ts'
import { countEach } from '../../../metrics/metrics.ts'
import { clientDisconnected } from '../../../refusal.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { Reader } from '../../casesheet/reader.ts'
import type { Key } from '../changes/change-history.ts'
import { countDelivered } from '../changes/count-delivered.ts'
import type { FeedDelay } from '../changes/feed-delay.ts'
import { eventIdOf, placeOfEvent } from '../changes/feed-position.ts'
import type { ChangeWatch } from '../changes/watch-changes.ts'
import { createGrantCheck } from './check-grants.ts'
import { DueChanges, type DueTo, isWanted } from './due-changes.ts'
import { createReadStreamed } from './read-streamed.ts'
import { createStreamSet, type StreamState } from './stream-set.ts'
import { createUnreadEvents } from './unread-events.ts'

/** From when on a stream says that changes are held back by a transaction that stays open. */
const DELAYED_FROM_S = 3
export const HEARTBEAT_MS = 15_000
const TICK_MS = 1_000
/** Of the streams, in each second of an overload that lasts. */
const SHARE_CUT = 1 / 20
const OVERLOADED_TICKS = 3
const RETRY_MS = 3_000
/** How long a client has to take the end of its stream, before its connection is cut. It must not hold up a stop. */
const END_WITHIN_MS = 2_000

export type StreamRequest = {
  patientUid: string
  reader: Reader
  expiresAtMs: number
  /** Of its token. */
  signingKey: SigningKey
  lastEventId: string | undefined
}

type Stream = StreamRequest & {
  state: StreamState
  response: ServerResponse
  heardAt: number
  resets: number
  waiting: number
  /** Whether the client was told that changes are held back, and not yet that they no longer are. */
  isDelayed: boolean
}

type Deps = {
  watch: ChangeWatch
  delay: FeedDelay
  maxStreams: number
  now: () => number
  /** How many requests with verified tokens admission control has refused so far. */
  refusedRequests: () => number
  warn: (error: unknown, message: string) => void
}

/**
 *   from       to         when
 *   idle       listening  the first stream has begun: changes are looked for, and the clock ticks
 *   listening  idle       the last stream has ended, or changes cannot be looked for
 */
type Mode = { name: 'idle' } | { name: 'listening'; unlisten: Promise<() => void>; ticker: NodeJS.Timeout }

const IDLE: Mode = { name: 'idle' }

export class OpenStreams {
  readonly #deps: Deps
  readonly #readStreamed: ReturnType<typeof createReadStreamed>
  readonly #streams: ReturnType<typeof createStreamSet<Stream>>
  readonly #grants: ReturnType<typeof createGrantCheck>
  readonly #due: DueChanges<Stream>
  readonly #unread = createUnreadEvents<Stream>((stream) => this.#cutSlow(stream))
  readonly #delivered: ReturnType<typeof countDelivered>
  readonly #cut: Record<'slow' | 'overloaded' | 'grant', number>
  #mode: Mode = IDLE
  #isStopping = false
  #refusedBefore: number
  #overloadedTicks = 0

  constructor(db: Db, deps: Deps) {
    this.#deps = deps
    this.#readStreamed = createReadStreamed(db)
    this.#grants = createGrantCheck(db, deps.warn)
    this.#streams = createStreamSet<Stream>(deps.maxStreams)
    this.#due = new DueChanges<Stream>({
      show: (batch) => this.#showDue(batch),
      reset: (stream) => this.#reset(stream),
      warn: deps.warn,
    })
    this.#refusedBefore = deps.refusedRequests()
    this.#delivered = countDelivered(db.metrics, 'readings/stream')
    this.#cut = countEach(
      db.metrics,
      {
        name: 'rounds_streams_aborted_total',
        help: 'Streams that the server closed because the client read too slowly, the process was overloaded, or the grant of the doctor was revoked, was changed or has expired.',
        label: 'reason',
      },
      ['slow', 'overloaded', 'grant'],
    )
    db.metrics.gauge(
      { name: 'rounds_streams', help: 'Streams of changes that are open.' },
      () => this.#streams.all.size,
    )
    db.metrics.gauge(
      { name: 'rounds_streams_limit', help: 'Maximum number of open streams (MAX_STREAMS).' },
      () => deps.maxStreams,
    )
    db.metrics.gauge(
      { name: 'rounds_streams_buffered_bytes', help: 'Bytes of events that clients have not read yet.' },
      this.#unread.countBytes,
    )
  }

  /**
   * Counts a stream in, before anything is awaited for it, and answers with `begin`, which sends nothing yet, once a doctor's grant
   * is known to hold. It ends by itself when the client leaves.
   */
  async open(request: StreamRequest, response: ServerResponse, begin: () => void) {
    const { now } = this.#deps
    const stream: Stream = {
      ...request,
      state: 'admitted',
      response,
      heardAt: now(),
      resets: 0,
      waiting: 0,
      isDelayed: false,
    }
    this.#streams.admit(stream)
    whenClosed(response, () => this.#forget(stream))
    try {
      await this.#grants.mustHold(stream)
      mustNotHaveEnded(stream)
      begin()
      this.#streams.begin(stream)
    } catch (error) {
      this.#forget(stream)
      throw error
    }
    await this.#show(stream)
  }

  close() {
    this.#isStopping = true
    for (const stream of this.#streams.all) if (isAnswered(stream)) this.#end(stream, 'stopping')
  }

  /** Shows the changes of a patient until the stream ends. The head of the answer is sent with the first event. */
  async #show(stream: Stream) {
    const { watch } = this.#deps
    if (this.#isStopping) return this.#end(stream, 'stopping')
    try {
      await this.#listen()
    } catch {
      return this.#end(stream, 'unavailable')
    }
    if (stream.state === 'ended') return
    // From here to the end nothing else runs, so that no change is missed or shown twice.
    this.#streams.open(stream)
    const { patientUid, lastEventId } = stream
    const from = placeOfEvent(lastEventId)
    const missed = lastEventId === undefined ? [] : from && watch.since(from, patientUid)
    // What was missed brings its own ids: one that was ahead of it would let it be lost.
    const id = missed?.length === 0 ? `id: ${eventIdOf(watch.place())}\n` : ''
    this.#send(stream, `retry: ${RETRY_MS}\n${id}event: open\ndata: ${openingOf(stream)}\n\n`)
    // Streams that are opened at once do not send their heartbeats at once.
    stream.heardAt -= Math.random() * HEARTBEAT_MS
    if (!missed?.every((key) => this.#due.add(stream, key))) return this.#due.resetAll(new Set([stream]))
    this.#due.read()
  }

  async #listen() {
    if (this.#mode.name === 'idle') {
      const unlisten = this.#deps.watch.listen({
        onChanges: (keys) => this.#enqueue(keys),
        onReset: () => this.#streams.all.forEach((stream) => this.#reset(stream)),
      })
      this.#mode = { name: 'listening', unlisten, ticker: setInterval(() => this.#tick(), TICK_MS) }
    }
    const mode = this.#mode
    try {
      await mode.unlisten
    } catch (error) {
      if (this.#mode === mode) this.#stopListening()
      throw error
    }
  }

  #stopListening() {
    if (this.#mode.name === 'idle') return
    const { unlisten, ticker } = this.#mode
    this.#mode = IDLE
    clearInterval(ticker)
    void unlisten.then(
      (stop) => stop(),
      () => {},
    )
  }

  #enqueue(keys: Key[]) {
    const surplus = new Set<Stream>()
    for (const key of keys) {
      for (const stream of this.#streams.openOf(key.patientUid)) {
        if (!this.#due.add(stream, key)) surplus.add(stream)
      }
    }
    this.#due.resetAll(surplus)
    this.#due.read()
  }

  async #showDue(batch: DueTo<Stream>[]) {
    const { watch } = this.#deps
    const readings = batch.filter(({ key }) => key.measuredAt !== undefined)
    const changes = readings.length > 0 ? await this.#readStreamed(readings) : []
    const { generation, timeline } = watch.place()
    for (const { stream } of batch) {
      if (stream.state === 'open' && this.#unread.isSlow(stream)) this.#cutSlow(stream)
    }
    let next = 0
    for (const each of batch) {
      const { stream, key } = each
      const isErasure = key.measuredAt === undefined
      const change = isErasure ? { json: printErasure(key) } : changes[next++]
      // It may have been reset meanwhile.
      if (!change || !isWanted(each)) continue
      // An erasure takes the grants along.
      if (change === 'not-granted' || (isErasure && stream.reader.grantId !== null)) {
        this.#endWithGrant(stream)
        continue
      }
      this.#delivered.changes++
      const id = eventIdOf({ generation, timeline, ...key })
      this.#send(stream, `id: ${id}\nevent: change\ndata: ${change.json}\n\n`)
    }
    this.#unread.bound()
  }

  #send(stream: Stream, text: string) {
    if (!isAnswered(stream)) return
    stream.heardAt = this.#deps.now()
    stream.response.write(text)
    this.#unread.note(stream)
  }

  /**
   * A reader that has not taken what it was sent before is cut; it comes back with the id of its last event. Not in the middle of a
   * batch: several large readings that are added at once are more than the bound, for every reader.
   */
  #cutSlow(stream: Stream) {
    this.#cut.slow++
    stream.response.destroy()
    this.#forget(stream)
  }

  /** Says that changes may have been missed, and where the sequence stands. */
  #reset(stream: Stream) {
    if (stream.state !== 'open') return
    stream.resets++
    stream.waiting = 0
    this.#send(stream, `id: ${eventIdOf(this.#deps.watch.place())}\nevent: reset\ndata: {}\n\n`)
  }

  #end(stream: Stream, reason: string, retryMs = RETRY_MS) {
    this.#send(stream, `retry: ${retryMs}\nevent: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    const { response } = stream
    const cutLate = setTimeout(() => response.destroy(), END_WITHIN_MS).unref()
    response.once('close', () => clearTimeout(cutLate)).end()
    this.#forget(stream)
  }

  #endWithGrant(stream: Stream) {
    if (!isAnswered(stream)) return
    this.#cut.grant++
    this.#end(stream, 'grantChanged')
  }

  #forget(stream: Stream) {
    if (!this.#streams.end(stream)) return
    this.#unread.forget(stream)
    if (this.#streams.all.size === 0) this.#stopListening()
  }

  #tick() {
    const { now } = this.#deps
    const at = now()
    void this.#grants.check(this.#streams.all, (stream) => this.#endWithGrant(stream))
    let toCut = this.#countToCut()
    for (const stream of this.#streams.all) {
      if (!isAnswered(stream)) continue
      if (stream.expiresAtMs <= at) this.#end(stream, 'expired')
      else if (!stream.signingKey.isTrusted()) this.#end(stream, 'keyWithdrawn')
      // Apart from each other, so that they do not come back at once.
      else if (toCut-- > 0) {
        this.#cut.overloaded++
        this.#end(stream, 'overloaded', 5_000 + Math.round(Math.random() * 25_000))
      } else this.#sendDelayOrHeartbeat(stream, at - stream.heardAt >= HEARTBEAT_MS)
    }
  }

  /** How many streams are to end now because the overload lasts. */
  #countToCut(): number {
    const refused = this.#deps.refusedRequests()
    this.#overloadedTicks = refused > this.#refusedBefore ? this.#overloadedTicks + 1 : 0
    this.#refusedBefore = refused
    return this.#overloadedTicks >= OVERLOADED_TICKS ? Math.ceil(this.#streams.all.size * SHARE_CUT) : 0
  }

  /** A client that hears nothing of changes can tell "nothing has changed" from "changes are late". */
  #sendDelayOrHeartbeat(stream: Stream, isHeartbeatDue: boolean) {
    const heldBackSeconds = this.#deps.delay.heldBackSeconds()
    // Unknown while the database is away: then it stays as it is.
    const isDelayed = heldBackSeconds === undefined ? stream.isDelayed : heldBackSeconds >= DELAYED_FROM_S
    if (heldBackSeconds !== undefined && (isDelayed !== stream.isDelayed || (isDelayed && isHeartbeatDue))) {
      stream.isDelayed = isDelayed
      const data = JSON.stringify({ heldBackSeconds: isDelayed ? heldBackSeconds : 0 })
      this.#send(stream, `event: delay\ndata: ${data}\n\n`)
    } else if (isHeartbeatDue) this.#send(stream, ': still here\n\n')
  }
}

/** Whether its answer has begun, so that events can be sent. */
const isAnswered = ({ state }: Stream) => state === 'begun' || state === 'open'

/** What the first event says. */
function openingOf({ reader: { limitedTo } }: Stream): string {
  return JSON.stringify(limitedTo === null ? {} : { limitedTo })
}

function mustNotHaveEnded({ state }: Stream) {
  if (state === 'ended') throw clientDisconnected()
}

function printErasure({ patientUid, erasedAt = '' }: Key): string {
  return JSON.stringify({ state: 'erased', patientUid, erasedAt: instantFrom(erasedAt, 3) })
}
