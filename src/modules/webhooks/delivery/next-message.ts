// The next message of an endpoint: its page of changes, the access-log rows of that page and the end of it, in one statement.
//
// A page has one type of event; it is cut where the type changes, so that the order is that of the sequence. Changes that the
// endpoint does not get are walked over. Where the page ends is stored with the endpoint before it is sent. A repeated attempt reads
// the page again up to there: a patient who was erased meanwhile is no longer in it, and the same content has the same webhook-id.
// The access log is written once for each page, not for each attempt.
//
// An endpoint that gets few of the changes would walk over all the others. So where it had everything, and the watch has reported what
// changed since, the readings are found by their keys instead. Erasures and grants are few, and are found by walking in any case.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { READING_END } from '../../casesheet/get/print-readings.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import type { ReadingKey } from '../../feed/changes/change-history.ts'
import { printChanges, printThin } from '../../feed/changes/print-changes.ts'
import type { SeenPosition } from '../../feed/followers/advance.ts'
import type { FollowerPosition } from '../../feed/followers/hold-followers.ts'
import { BY_KEYS, BY_WALKING } from './message-statement.ts'
import { type EndpointRow, endpointOf, type Held, type Sendable } from './sendable.ts'

const WITHIN_MS = 10_000

export type Message = Sendable & {
  /** From where to where the position moves when it is delivered. */
  from: FollowerPosition
  to: FollowerPosition
  hasMore: boolean
  /** When it was read, by the clock of the database. */
  readAt: string
}

/** The keys of all readings for the endpoint behind its position, up to a place. It was replayed `replays` times when they were collected. */
export type Reported = { upTo: SeenPosition; keys: readonly ReadingKey[]; replays: number }

/** `notDue`: another process holds the endpoint, or it is paused, or it is not time yet. `nothing`: no change up to `position`. */
export type Next =
  | { kind: 'message'; message: Message }
  | { kind: 'nothing'; position: FollowerPosition; hasMore: boolean }
  | { kind: 'notDue' }

type Row = EndpointRow & {
  is_of_this_database: boolean
  generation: string
  feed_generation: string
  xid: string
  id: string
  to_xid: string
  to_id: string
  event: Sendable['event'] | null
  items: string | null
  changes: number
  at: string | null
  has_more: boolean
  read_at: string
}

export function createNextMessage(db: Db) {
  async function read(
    statement: { name: string; text: string },
    held: Held,
    others: unknown[],
  ): Promise<Next> {
    const { name, endpointId, processId, readBy } = held
    const values = [name, processId, endpointId, readBy, ...others]
    const [row] = await db.query<Row>({ ...statement, values }, { on: 'follow', withinMs: WITHIN_MS })
    if (!row) return { kind: 'notDue' }
    if (!row.is_of_this_database) throw new Error(COPIED)
    return nextFrom(row)
  }
  return {
    next: (held: Held) => read({ name: 'next-webhook', text: BY_WALKING }, held, []),
    /** `notDue` also where the keys do not say everything: a page is in flight, or the endpoint was moved. */
    nextReported: (held: Held, { upTo, keys, replays }: Reported) =>
      read({ name: 'next-reported-webhook', text: BY_KEYS }, held, [
        upTo.generation,
        upTo.timeline,
        upTo.xid,
        upTo.id,
        replays,
        textArray(keys.map(({ patientUid }) => patientUid)),
        plainArray(keys.map(({ measuredAt }) => `"${measuredAt}"`)),
        plainArray(keys.map(({ id }) => id)),
        plainArray(keys.map(({ xid }) => xid)),
      ]),
  }
}

const COPIED = 'The tables were copied from another database, and "rounds migrate" has not been run since.'

function nextFrom(row: Row): Next {
  const { generation, xid, id, has_more: hasMore } = row
  const of = { ...endpointOf(row), from: { generation, xid, id }, readAt: row.read_at }
  if (row.feed_generation !== generation) {
    const to = { generation: row.feed_generation, xid: '0', id: LOWEST_ID }
    const body = JSON.stringify({
      type: 'feed.reset',
      timestamp: new Date().toISOString(),
      data: { reason: RESET_SENTENCE },
    })
    const message = {
      ...of,
      event: 'feed.reset' as const,
      body,
      changes: 0,
      place: placeOf(to),
      to,
      hasMore: true,
    }
    return { kind: 'message', message }
  }
  const to = { generation, xid: row.to_xid, id: row.to_id }
  if (row.event === null || row.items === null) return { kind: 'nothing', position: to, hasMore }
  const { event, changes } = row
  const body = bodyOf(event, row.at ?? '', printItems(row, row.items))
  return { kind: 'message', message: { ...of, event, body, changes, place: placeOf(to), to, hasMore } }
}

const placeOf = ({ generation, xid, id }: FollowerPosition) => `${generation}.${xid}.${id}`

const RESET_SENTENCE =
  'The sequence of changes begins anew, because the database was restored or copied. Discard what you hold: everything follows.'

/** `at` is that of the newest change, so that the body depends on nothing but what is stored. */
function bodyOf(event: Sendable['event'], at: string, items: string): string {
  return `{"type":"${event}","timestamp":"${instantFrom(at, 3)}","data":{"changes":[${items}]}}`
}

function printItems({ event, is_thin }: Row, items: string): string {
  if (event !== 'readings.changed' && event !== 'patient.erased') return items.split(READING_END).join()
  const printed = is_thin ? printChanges(items, printThin) : printChanges(items)
  return printed.map(({ json }) => json).join()
}
