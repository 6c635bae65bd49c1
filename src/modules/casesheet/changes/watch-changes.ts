// One look at the database for all in this process who wait for changes: long requests of readings/changes and streams. It is
// repeated a few times a second, and only while there are any. It finds which readings changed and not what is in them: that
// is read, and logged, for those who may see it.
//
// There is no NOTIFY: its lock is held by each commit until the standby has it, and adds would wait for one another.
import type { Db } from '../../../db/db.ts'
import { charOf, FIELD_END, READING_END } from '../get/print-readings.ts'
import { LOWEST_ID } from '../reading-id.ts'
import type { FeedDelay, Horizon } from './feed-delay.ts'
import { TIMELINE } from './read-changes.ts'

const LOOK_EVERY_MS = 250
const MAX_KEYS = 5_000
/** How many of the last changes are known, so that a stream that was interrupted can go on behind its last event. */
const MAX_HISTORY = 10_000

/** Where a change stands in the sequence. */
export type Place = { xid: string; id: string }

/** A change: of a reading, whose instant finds it by its key, or an erasure. */
export type Key = Place & { patientUid: string } & (
    | { measuredAt: string; erasedAt?: undefined }
    | { measuredAt?: undefined; erasedAt: string }
  )

export type Listener = {
  onChanges: (keys: Key[]) => void
  /** The sequence began anew, after a failover: changes may have been missed. */
  onReset: () => void
}

export type ChangeWatch = ReturnType<typeof createChangeWatch>

type Row = Horizon & { timeline: number; keys: string | null }

export function createChangeWatch(db: Db, delay: FeedDelay, warn: (message: string) => void) {
  const listeners = new Set<Listener>()
  let beginning: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let timeline = 0
  let last: Place = { xid: '0', id: LOWEST_ID }
  let history: Key[] = []
  /** Behind this place, all changes are in the history. */
  let knownFrom: Place = last
  const closing = new AbortController()

  async function begin() {
    const [row] = await db.query<Row>({ name: 'last-changes', text: LAST_KEYS, values: [MAX_HISTORY] })
    history = keysFrom(row?.keys ?? null)
    timeline = row?.timeline ?? 0
    const start = { xid: '0', id: LOWEST_ID }
    last = history.at(-1) ?? start
    knownFrom = history.length < MAX_HISTORY ? start : (history[0] ?? start)
    lookAgain()
  }

  function lookAgain() {
    clearTimeout(timer)
    if (listeners.size > 0 && !closing.signal.aborted) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    else beginning = undefined
  }

  async function look() {
    try {
      const values = [last.xid, last.id, MAX_KEYS]
      const [row] = await db.query<Row>({ name: 'next-changes', text: NEXT_KEYS, values })
      if (row) delay.note(row)
      if (row && row.timeline !== timeline) {
        for (const { onReset } of listeners) onReset()
        return await begin()
      }
      const keys = keysFrom(row?.keys ?? null)
      if (keys.length > 0) remember(keys)
      for (const { onChanges } of listeners) if (keys.length > 0) onChanges(keys)
    } catch (error) {
      // The next look finds all that this one would have found.
      warn(`Changes could not be looked for: ${error instanceof Error ? error.message : String(error)}`)
    }
    lookAgain()
  }

  function remember(keys: Key[]) {
    last = keys.at(-1) ?? last
    const all = [...history, ...keys]
    const surplus = all.length - MAX_HISTORY
    if (surplus > 0) knownFrom = all[surplus - 1] ?? knownFrom
    history = surplus > 0 ? all.slice(surplus) : all
  }

  return {
    /** Resolves once every change that is committed from now on will be noticed. */
    async listen(listener: Listener): Promise<() => void> {
      listeners.add(listener)
      beginning ??= begin()
      try {
        await beginning
      } catch (error) {
        beginning = undefined
        listeners.delete(listener)
        throw error
      }
      return () => void listeners.delete(listener)
    },
    /** Where the sequence stands now. */
    place: () => ({ timeline, ...last }),
    /** The changes of a patient behind a place, or none if that lies too far back to know them all. */
    since(place: Place & { timeline: number }, patientUid: string): Key[] | undefined {
      if (place.timeline !== timeline || isBehind(knownFrom, place)) return undefined
      return history.filter((key) => key.patientUid === patientUid && isBehind(key, place))
    },
    /** Aborted when the server stops. */
    closed: closing.signal,
    close() {
      closing.abort()
      clearTimeout(timer)
    },
  }
}

/** Whether a change stands behind a place. */
function isBehind(change: Place, place: Place): boolean {
  const [a, b] = [BigInt(change.xid), BigInt(place.xid)]
  return a === b ? change.id > place.id : a > b
}

function keysFrom(listed: string | null): Key[] {
  if (listed === null) return []
  return listed.split(READING_END).map((item) => {
    const [xid = '', id = '', patientUid = '', measuredAt = '', erasedAt = ''] = item.split(FIELD_END)
    return { xid, id, patientUid, ...(erasedAt === '' ? { measuredAt } : { erasedAt }) }
  })
}

function keysOf(table: string, { id, columns, condition, order }: Record<string, string>): string {
  return `
      select changed_xid, ${id} as id, ${columns}
      from ${table}
      where changed_xid < (select horizon from place)
        ${condition}
      order by changed_xid ${order}, ${id} ${order}`
}

function keysText({ limit, order, after }: { limit: string; order: string; after: boolean }): string {
  const of = (table: string, id: string, columns: string) =>
    keysOf(table, {
      id,
      columns,
      order,
      condition: after ? `and (changed_xid, ${id}) > ($1::xid8, $2::uuid)` : '',
    })
  return `
    with place as materialized (
      select ${TIMELINE} as timeline, pg_snapshot_xmin(snapshot) as horizon, pg_snapshot_xmax(snapshot) as next_xid
      from (select pg_current_wal_insert_lsn() as lsn, pg_current_snapshot() as snapshot) as now
    ), changed as (
      (${of('casesheet.readings', 'reading_id', "patient_uid, measured_at::text, '' as erased_at")}
      limit ${limit})
      union all
      (${of('casesheet.erasure_notices', 'erasure_id', "coalesce(patient_uid, ''), '', at::text")}
      limit ${limit})
      order by changed_xid ${order}, id ${order}
      limit ${limit}
    )
    select timeline, horizon, next_xid, (
      select string_agg(
        concat_ws(${charOf(FIELD_END)}, changed_xid, id, patient_uid, measured_at, erased_at), ${charOf(READING_END)}
        order by changed_xid, id
      )
      from changed
    ) as keys
    from place`
}

const NEXT_KEYS = keysText({ limit: '$3::integer', order: 'asc', after: true })
const LAST_KEYS = keysText({ limit: '$1::integer', order: 'desc', after: false })
