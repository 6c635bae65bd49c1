// The streams that are open in this process: who watches which patient, and what they are still to be sent. All of them
// share one look at the database (watch-changes.ts), and changes are read for many of them in one statement.
//
// Everything here is bounded: streams for each subject and in all, changes that wait to be read, bytes that a slow reader has
// not taken. Beyond a bound a stream is cut, or gets the event `reset`, which says: read the range again.
import type { ServerResponse } from 'node:http'
import type { Db } from '../../../db/db.ts'
import { countEach } from '../../../metrics/metrics.ts'
import { Refusal } from '../../../refusal.ts'
import type { Reader } from '../access.ts'
import { countDelivered } from '../changes/count-delivered.ts'
import type { ChangeWatch, Key, Place } from '../changes/watch-changes.ts'
import { instantFrom } from '../epoch-time.ts'
import { createReadStreamed, type Due } from './read-streamed.ts'

const MAX_OF_SUBJECT = 20
const MAX_UNREAD_BYTES = 256 * 1_024
/** Of all streams together, beside one batch. Beyond it, those that have more unread than an even share are cut. */
const MAX_UNREAD_BYTES_IN_ALL = 64 * 1_024 * 1_024
/** Changes of one statement: at 64 KiB each, 6 MiB at most. */
const MAX_BATCH = 100
const MAX_DUE = 20_000
const HEARTBEAT_MS = 15_000
const TICK_MS = 1_000
/** Of the streams, in each second of an overload that lasts. */
const SHARE_CUT = 1 / 20
const OVERLOADED_TICKS = 3
const RETRY_MS = 3_000

export type StreamRequest = {
  patientUid: string
  reader: Reader
  expiresAtMs: number
  lastEventId: string | undefined
}

/** What was due to a stream before its last reset is not shown any more: `resets` tells. */
type Stream = StreamRequest & { response: ServerResponse; heardAt: number; resets: number }

type DueTo = Due & { stream: Stream; resets: number }

type Surroundings = {
  watch: ChangeWatch
  maxStreams: number
  now: () => number
  isOverloaded: () => boolean
  warn: (message: string) => void
}

export function createOpenStreams(db: Db, { watch, maxStreams, now, isOverloaded, warn }: Surroundings) {
  const readStreamed = createReadStreamed(db)
  const streams = new Set<Stream>()
  const streamsOf = new Map<string, Set<Stream>>()
  const countOf = new Map<string, number>()
  let due: DueTo[] = []
  let isReading = false
  let unlisten: Promise<() => void> | undefined
  let ticker: NodeJS.Timeout | undefined
  let overloadedTicks = 0
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

  function listen() {
    unlisten ??= watch
      .listen({
        onChanges: (keys) => keys.forEach(enqueue),
        onReset: () => streams.forEach(reset),
      })
      .catch((error: unknown) => {
        unlisten = undefined
        throw error
      })
    ticker ??= setInterval(tick, TICK_MS)
    return unlisten
  }

  function enqueue(key: Key) {
    for (const stream of streamsOf.get(key.patientUid) ?? []) enqueueFor(stream, key)
    if (due.length > 0 && !isReading) void readDue()
  }

  function enqueueFor(stream: Stream, key: Key) {
    if (due.length >= MAX_DUE) return reset(stream)
    due.push({ stream, reader: stream.reader, key, resets: stream.resets })
  }

  async function readDue() {
    isReading = true
    while (due.length > 0) {
      const batch = due.slice(0, MAX_BATCH)
      due = due.slice(MAX_BATCH)
      const open = batch.filter(({ stream, resets }) => streams.has(stream) && stream.resets === resets)
      try {
        await show(open)
        boundUnread()
      } catch (error) {
        warn(
          `Changes could not be read for streams: ${error instanceof Error ? error.message : String(error)}`,
        )
        for (const { stream } of open) reset(stream)
      }
    }
    isReading = false
  }

  async function show(batch: DueTo[]) {
    const readings = batch.filter(({ key }) => key.measuredAt !== undefined)
    const changes = readings.length > 0 ? await readStreamed(readings) : []
    const { timeline } = watch.place()
    for (const { stream } of batch)
      if (streams.has(stream) && stream.response.writableLength > MAX_UNREAD_BYTES) cutSlow(stream)
    let next = 0
    for (const { stream, key } of batch) {
      const id = eventIdOf({ timeline, ...key })
      if (key.measuredAt === undefined) {
        sendChange(stream, id, printErasure(key))
        continue
      }
      const change = changes[next++]
      if (change) sendChange(stream, id, change.json)
    }
  }

  function sendChange(stream: Stream, id: string, json: string) {
    if (streams.has(stream)) delivered.changes++
    send(stream, `id: ${id}\nevent: change\ndata: ${json}\n\n`)
  }

  function send(stream: Stream, text: string) {
    if (!streams.has(stream)) return
    stream.heardAt = now()
    stream.response.write(text)
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

  function boundUnread() {
    let unread = 0
    for (const { response } of streams) unread += response.writableLength
    if (unread <= MAX_UNREAD_BYTES_IN_ALL) return
    const share = MAX_UNREAD_BYTES_IN_ALL / streams.size
    for (const stream of streams) if (stream.response.writableLength > share) cutSlow(stream)
  }

  /** Says that changes may have been missed, and where the sequence stands. */
  function reset(stream: Stream) {
    stream.resets++
    send(stream, `id: ${eventIdOf(watch.place())}\nevent: reset\ndata: {}\n\n`)
  }

  function end(stream: Stream, reason: string, retryMs = RETRY_MS) {
    send(stream, `retry: ${retryMs}\nevent: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    stream.response.end()
    forget(stream)
  }

  function forget(stream: Stream) {
    if (!streams.delete(stream)) return
    const others = streamsOf.get(stream.patientUid)
    others?.delete(stream)
    if (others?.size === 0) streamsOf.delete(stream.patientUid)
    const count = (countOf.get(stream.reader.readBy) ?? 1) - 1
    if (count === 0) countOf.delete(stream.reader.readBy)
    else countOf.set(stream.reader.readBy, count)
    if (streams.size > 0) return
    void unlisten?.then((stop) => stop())
    unlisten = undefined
    clearInterval(ticker)
    ticker = undefined
  }

  function tick() {
    const at = now()
    overloadedTicks = isOverloaded() ? overloadedTicks + 1 : 0
    let toCut = overloadedTicks >= OVERLOADED_TICKS ? Math.ceil(streams.size * SHARE_CUT) : 0
    for (const stream of streams) {
      if (stream.expiresAtMs <= at) end(stream, 'expired')
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
    /** Shows the changes of a patient until the caller goes away. The head of the answer has been sent. */
    async open(request: StreamRequest, response: ServerResponse) {
      const stream: Stream = { ...request, response, heardAt: now(), resets: 0 }
      streams.add(stream)
      countOf.set(request.reader.readBy, (countOf.get(request.reader.readBy) ?? 0) + 1)
      response.once('close', () => forget(stream))
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
      if (missed === undefined) return reset(stream)
      for (const key of missed) enqueueFor(stream, key)
      if (due.length > 0 && !isReading) void readDue()
      return undefined
    },
    close() {
      for (const stream of streams) end(stream, 'stopping')
    },
  }
}

function printErasure({ patientUid, erasedAt = '' }: Key): string {
  return JSON.stringify({ state: 'erased', patientUid, erasedAt: instantFrom(erasedAt, 3) })
}

function eventIdOf({ timeline, xid, id }: Place & { timeline: number }): string {
  return `${timeline}.${xid}.${id}`
}

/** The place that the id of an event names; undefined where it is none of ours. */
function placeOf(eventId: string | undefined): (Place & { timeline: number }) | undefined {
  const [, timeline, xid, id] =
    /^(\d{1,9})\.(\d{1,18})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(eventId ?? '') ?? []
  return timeline && xid && id ? { timeline: Number(timeline), xid, id } : undefined
}
