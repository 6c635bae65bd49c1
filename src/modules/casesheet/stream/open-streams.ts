// The streams that are open in this process: who watches which patient, and what they are still to be sent. All of them
// share one look at the database (watch-changes.ts), and changes are read for many of them in one statement.
//
// Everything here is bounded: streams for each subject and in all, changes that wait to be read, bytes that a slow reader has
// not taken (unread-events.ts). Beyond a bound a stream is cut, or gets the event `reset`, which says: read the range again.
//
// Overload: streams are ended, a few each second, only while admission control refuses requests with verified tokens, in each
// of the last seconds. A busy event loop, a slow database or a flood of forged tokens alone ends none.
//
// Cells: a patient whose slot is closing is not read. What was due gets `reset` instead, and once another cell serves the patient, the
// stream is ended, so that the client comes back and is led there.
//
// While the database is away, heartbeats go on and changes wait; nothing is reset.
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { mayRepeat } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { countEach } from '../../../metrics/metrics.ts'
import { Refusal } from '../../../refusal.ts'
import type { Reader } from '../access.ts'
import type { Cell } from '../cell/cell.ts'
import { countDelivered } from '../changes/count-delivered.ts'
import type { ChangeWatch, Key } from '../changes/watch-changes.ts'
import { instantFrom } from '../epoch-time.ts'
import { eventIdOf, placeOf } from './event-id.ts'
import { createReadStreamed, type Due } from './read-streamed.ts'
import { createUnreadEvents } from './unread-events.ts'

const MAX_OF_SUBJECT = 20
/** Changes of one statement: at 64 KiB each, 6 MiB at most. */
const MAX_BATCH = 100
const MAX_DUE = 20_000
/** Changes that wait for one stream. More of them are read faster as a range, and must not delay other streams. */
const MAX_DUE_OF_STREAM = 200
export const HEARTBEAT_MS = 15_000
const TICK_MS = 1_000
/** Of the streams, in each second of an overload that lasts. */
const SHARE_CUT = 1 / 20
const OVERLOADED_TICKS = 3
const RETRY_MS = 3_000
/** How long a client has to take the end of its stream, before its connection is cut. It must not hold up a stop. */
const END_WITHIN_MS = 2_000
const READ_AGAIN_MS = 500
/** Apart from each other, as after an overload: a move ends many streams at once. */
const MOVED_RETRY_MS = 1_000

export type StreamRequest = {
  patientUid: string
  reader: Reader
  expiresAtMs: number
  lastEventId: string | undefined
}

/** What was due to a stream before its last reset is not shown any more: `resets` tells. `waiting` is how many are due. */
type Stream = StreamRequest & { response: ServerResponse; heardAt: number; resets: number; waiting: number }

type DueTo = Due & { stream: Stream; resets: number }

type Surroundings = {
  cell: Cell
  watch: ChangeWatch
  maxStreams: number
  now: () => number
  /** How many requests with verified tokens admission control has refused so far. */
  refusedRequests: () => number
  warn: (error: unknown, message: string) => void
}

export function createOpenStreams(
  db: Db,
  { cell, watch, maxStreams, now, refusedRequests, warn }: Surroundings,
) {
  const readStreamed = createReadStreamed(db, cell)
  const streams = new Set<Stream>()
  const streamsOf = new Map<string, Set<Stream>>()
  const countOf = new Map<string, number>()
  let due: DueTo[] = []
  let isStopping = false
  let isReading = false
  let unlisten: Promise<() => void> | undefined
  let ticker: NodeJS.Timeout | undefined
  let refusedBefore = refusedRequests()
  let overloadedTicks = 0
  const unread = createUnreadEvents<Stream>(cutSlow)
  const delivered = countDelivered(db.metrics, 'readings/stream')
  const cut = countEach(
    db.metrics,
    { name: 'rounds_streams_cut_total', help: 'Streams that the server ended early.', label: 'reason' },
    ['slow', 'overloaded'],
  )
  db.metrics.gauge({ name: 'rounds_streams', help: 'Streams of changes that are open.' }, () => streams.size)
  db.metrics.gauge(
    { name: 'rounds_streams_limit', help: 'Maximum number of open streams (MAX_STREAMS).' },
    () => maxStreams,
  )

  db.metrics.gauge(
    { name: 'rounds_streams_unread_bytes', help: 'Bytes of events that clients have not taken yet.' },
    unread.countBytes,
  )

  function listen() {
    unlisten ??= watch
      .listen({
        onChanges: enqueue,
        onReset: () => streams.forEach(reset),
      })
      .catch((error: unknown) => {
        unlisten = undefined
        throw error
      })
    ticker ??= setInterval(tick, TICK_MS)
    return unlisten
  }

  function enqueue(keys: Key[]) {
    const surplus = new Set<Stream>()
    for (const key of keys) {
      for (const stream of streamsOf.get(key.patientUid) ?? [])
        if (!enqueueFor(stream, key)) surplus.add(stream)
    }
    resetAll(surplus)
    if (due.length > 0 && !isReading) void readDue()
  }

  /** Whether there was room for it. */
  function enqueueFor(stream: Stream, key: Key): boolean {
    if (due.length >= MAX_DUE || stream.waiting >= MAX_DUE_OF_STREAM) return false
    stream.waiting++
    due.push({ stream, reader: stream.reader, key, resets: stream.resets })
    return true
  }

  function resetAll(some: Set<Stream>) {
    if (some.size === 0) return
    some.forEach(reset)
    due = due.filter(isWanted)
  }

  const isWanted = ({ stream, resets }: DueTo) => streams.has(stream) && stream.resets === resets

  async function readDue() {
    isReading = true
    while (due.length > 0) {
      const batch = due.slice(0, MAX_BATCH).filter(isWanted)
      due = due.slice(MAX_BATCH)
      try {
        await show(batch)
        for (const { stream, resets } of batch) if (stream.resets === resets) stream.waiting--
        unread.bound()
      } catch (error) {
        warn(error, 'changes could not be read for streams')
        if (error instanceof Refusal || mayRepeat(error)) {
          due = [...batch, ...due]
          await pause(READ_AGAIN_MS)
        } else resetAll(new Set(batch.map(({ stream }) => stream)))
      }
    }
    isReading = false
  }

  async function show(all: DueTo[]) {
    const { batch, changes } = await cell.decide(() => readThoseOpen(all))
    const { generation, timeline } = watch.place()
    for (const { stream } of batch) if (streams.has(stream) && unread.isSlow(stream)) cutSlow(stream)
    let next = 0
    for (const each of batch) {
      const { stream, key } = each
      const change = key.measuredAt === undefined ? { json: printErasure(key) } : changes[next++]
      // It may have been reset meanwhile.
      if (change && isWanted(each))
        sendChange(stream, eventIdOf({ generation, timeline, ...key }), change.json)
    }
  }

  /** The changes that may be shown here, and the readings among them. */
  async function readThoseOpen(all: DueTo[]) {
    if (!cell.areOpen(all.map(({ stream }) => stream))) {
      await cell.read()
      resetAll(new Set(all.map(({ stream }) => stream).filter((stream) => !cell.areOpen([stream]))))
    }
    const batch = all.filter(({ stream }) => cell.areOpen([stream]))
    const readings = batch.filter(({ key }) => key.measuredAt !== undefined)
    return { batch, changes: readings.length > 0 ? await readStreamed(readings) : [] }
  }

  function sendChange(stream: Stream, id: string, json: string) {
    delivered.changes++
    send(stream, `id: ${id}\nevent: change\ndata: ${json}\n\n`)
  }

  function send(stream: Stream, text: string) {
    if (!streams.has(stream)) return
    stream.heardAt = now()
    stream.response.write(text)
    unread.note(stream)
  }

  /**
   * A reader that has not taken what it was sent before is cut; it comes back with the id of its last event. Not in the middle of a
   * batch: several large readings that are added at once are more than the bound, for every reader.
   */
  function cutSlow(stream: Stream) {
    cut.slow++
    stream.response.destroy()
    forget(stream)
  }

  /** Says that changes may have been missed, and where the sequence stands. */
  function reset(stream: Stream) {
    stream.resets++
    stream.waiting = 0
    send(stream, `id: ${eventIdOf(watch.place())}\nevent: reset\ndata: {}\n\n`)
  }

  function end(stream: Stream, reason: string, retryMs = RETRY_MS) {
    send(stream, `retry: ${retryMs}\nevent: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    const { response } = stream
    const cutLate = setTimeout(() => response.destroy(), END_WITHIN_MS).unref()
    response.once('close', () => clearTimeout(cutLate)).end()
    forget(stream)
  }

  function forget(stream: Stream) {
    if (!streams.delete(stream)) return
    unread.forget(stream)
    const others = streamsOf.get(stream.patientUid)
    others?.delete(stream)
    if (others?.size === 0) streamsOf.delete(stream.patientUid)
    const count = (countOf.get(stream.reader.readBy) ?? 1) - 1
    if (count === 0) countOf.delete(stream.reader.readBy)
    else countOf.set(stream.reader.readBy, count)
    if (streams.size > 0) return
    void unlisten?.then(
      (stop) => stop(),
      () => {},
    )
    unlisten = undefined
    clearInterval(ticker)
    ticker = undefined
  }

  function tick() {
    const at = now()
    const refused = refusedRequests()
    overloadedTicks = refused > refusedBefore ? overloadedTicks + 1 : 0
    refusedBefore = refused
    let toCut = overloadedTicks >= OVERLOADED_TICKS ? Math.ceil(streams.size * SHARE_CUT) : 0
    for (const stream of streams) {
      if (stream.expiresAtMs <= at) end(stream, 'expired')
      else if (cell.isElsewhere(stream))
        end(stream, 'moved', Math.round(MOVED_RETRY_MS * (1 + Math.random())))
      // Apart from each other, so that they do not come back at once.
      else if (toCut-- > 0) {
        cut.overloaded++
        end(stream, 'overloaded', 5_000 + Math.round(Math.random() * 25_000))
      } else if (at - stream.heardAt >= HEARTBEAT_MS) send(stream, ': still here\n\n')
    }
  }

  function mustHaveRoom({ readBy }: Reader) {
    if (streams.size >= maxStreams)
      throw new Refusal('Overloaded', 'Too many streams are open already. Try again shortly.')
    if ((countOf.get(readBy) ?? 0) >= MAX_OF_SUBJECT)
      throw new Refusal(
        'RateLimited',
        `At most ${MAX_OF_SUBJECT} streams of one subject are served. Close others first.`,
        {
          headers: { 'retry-after': '10' },
        },
      )
  }

  return {
    mustHaveRoom,
    /** Shows the changes of a patient until the client leaves. The head of the answer is sent with the first event. */
    async open(request: StreamRequest, response: ServerResponse) {
      const stream: Stream = { ...request, response, heardAt: now(), resets: 0, waiting: 0 }
      streams.add(stream)
      countOf.set(request.reader.readBy, (countOf.get(request.reader.readBy) ?? 0) + 1)
      response.once('close', () => forget(stream))
      if (isStopping) return end(stream, 'stopping')
      try {
        await listen()
      } catch {
        return end(stream, 'unavailable')
      }
      if (!streams.has(stream)) return undefined
      // From here to the end nothing else runs, so that no change is missed or shown twice.
      const others = streamsOf.get(request.patientUid) ?? new Set()
      streamsOf.set(request.patientUid, others.add(stream))
      const from = placeOf(request.lastEventId)
      const missed = request.lastEventId === undefined ? [] : from && watch.since(from, request.patientUid)
      // What was missed brings its own ids: one that was ahead of it would let it be lost.
      const id = missed?.length === 0 ? `id: ${eventIdOf(watch.place())}\n` : ''
      send(stream, `retry: ${RETRY_MS}\n${id}event: open\ndata: {}\n\n`)
      // Streams that are opened at once do not send their heartbeats at once.
      stream.heardAt -= Math.random() * HEARTBEAT_MS
      if (!missed?.every((key) => enqueueFor(stream, key))) return resetAll(new Set([stream]))
      if (due.length > 0 && !isReading) void readDue()
      return undefined
    },
    close() {
      isStopping = true
      for (const stream of streams) end(stream, 'stopping')
    },
  }
}

function printErasure({ patientUid, erasedAt = '' }: Key): string {
  return JSON.stringify({ state: 'erased', patientUid, erasedAt: instantFrom(erasedAt, 3) })
}
