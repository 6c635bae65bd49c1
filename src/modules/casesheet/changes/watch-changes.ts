// One look at the database for all in this process who wait for changes: long requests of readings/changes and streams. It is
// repeated a few times a second, and only while there are any. It finds which readings changed and not what is in them: that
// is read, and logged, for those who may see it.
//
// There is no NOTIFY: its lock is held by each commit until the standby has it, and adds would wait for one another.
import type { Db } from '../../../db/db.ts'
import type { Cell } from '../cell/cell.ts'
import { charOf, FIELD_END, READING_END } from '../get/print-readings.ts'
import { LOWEST_ID } from '../reading-id.ts'
import type { FeedDelay, Horizon } from './feed-delay.ts'
import { TIMELINE } from './read-changes.ts'

const LOOK_EVERY_MS = 250
const MAX_KEYS = 5_000
/**
 * How many of the last changes are known, so that a stream that was interrupted can go on behind its last event: 15 MB, or 100 s
 * at 500 changes a second.
 */
const MAX_HISTORY = 50_000
/** How many of them are read when the first stream is opened. */
const FIRST_HISTORY = 10_000

/** Which sequence it is, and which history of it. */
export type History = { generation: string; timeline: number }

/** Where a change stands in the sequence. */
export type Place = { xid: string; id: string }

/** A change: of a reading, whose instant finds it by its key, or an erasure. */
export type Key = Place & { patientUid: string } & (
    | { measuredAt: string; erasedAt?: undefined }
    | { measuredAt?: undefined; erasedAt: string }
  )

export type Listener = {
  onChanges: (keys: Key[]) => void
  /** The sequence began anew, after a failover or a restore: changes may have been missed. */
  onReset: () => void
}

export type ChangeWatch = ReturnType<typeof createChangeWatch>

type Row = Horizon & { generation: string; timeline: number; cell_version: string; keys: string | null }

type Surroundings = {
  cell: Cell
  delay: FeedDelay
  warn: (error: unknown, message: string) => void
}

export function createChangeWatch(db: Db, { cell, delay, warn }: Surroundings) {
  const listeners = new Set<Listener>()
  let beginning: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let generation = ''
  let timeline = 0
  let last: Place = { xid: '0', id: LOWEST_ID }
  let history: Key[] = []
  /** Behind this place, all changes are in the history. */
  let knownFrom: Place = last
  const closing = new AbortController()

  async function begin() {
    if (!(await goOn())) await beginAnew()
    lookAgain()
  }

  /** Whether all changes since the last look are known: a client that asks again and again does not need the history each time. */
  async function goOn(): Promise<boolean> {
    if (timeline === 0) return false
    const row = await nextKeys()
    const keys = keysFrom(row?.keys ?? null)
    if (!row || isOtherHistory(row) || keys.length === MAX_KEYS) return false
    remember(keys)
    return true
  }

  async function beginAnew() {
    const [row] = await db.query<Row>({ name: 'last-changes', text: LAST_KEYS, values: [FIRST_HISTORY] })
    history = keysFrom(row?.keys ?? null)
    generation = row?.generation ?? ''
    timeline = row?.timeline ?? 0
    const start = { xid: '0', id: LOWEST_ID }
    last = history.at(-1) ?? start
    knownFrom = history.length < FIRST_HISTORY ? start : (history[0] ?? start)
  }

  /**
   * Whether what was seen before may be lost. A cluster that was set back to a copy has no new timeline; what it has lost is no
   * longer below its horizon, and "rounds migrate --restored" begins a new generation.
   */
  function isOtherHistory(row: Row): boolean {
    if (row.timeline !== timeline || row.generation !== generation) return true
    return BigInt(last.xid) >= BigInt(row.horizon)
  }

  async function nextKeys(): Promise<Row | undefined> {
    const values = [last.xid, last.id, MAX_KEYS]
    const [row] = await db.query<Row>({ name: 'next-changes', text: NEXT_KEYS, values })
    if (row) delay.note(row)
    // Streams of patients who were moved to another cell are ended, also where nothing changes any more.
    if (row && row.cell_version !== cell.version()) await cell.read()
    return row
  }

  function lookAgain(afterMs = LOOK_EVERY_MS) {
    clearTimeout(timer)
    if (listeners.size > 0 && !closing.signal.aborted) timer = setTimeout(() => void look(), afterMs)
    else beginning = undefined
  }

  async function look() {
    let isFull = false
    try {
      const row = await nextKeys()
      if (row && isOtherHistory(row)) {
        // Only then: a listener that reads again at once must not miss what is committed before this has found its place.
        await beginAnew()
        for (const listener of listeners) reset(listener)
        return lookAgain()
      }
      const keys = keysFrom(row?.keys ?? null)
      isFull = keys.length === MAX_KEYS
      if (keys.length > 0) remember(keys)
      for (const listener of listeners) if (keys.length > 0) passOn(keys, listener)
    } catch (error) {
      // The next look finds all that this one would have found.
      warn(error, 'changes could not be looked for')
    }
    lookAgain(isFull ? 0 : LOOK_EVERY_MS)
  }

  // Neither throws: the next look begins behind these changes, and other listeners must get them all the same.
  function passOn(keys: Key[], listener: Listener) {
    try {
      listener.onChanges(keys)
    } catch (error) {
      warn(error, 'a listener failed on changes, and is reset')
      reset(listener)
    }
  }

  function reset({ onReset }: Listener) {
    try {
      onReset()
    } catch (error) {
      warn(error, 'a listener failed on a reset')
    }
  }

  function remember(keys: Key[]) {
    last = keys.at(-1) ?? last
    const all = [...history, ...keys]
    const surplus = all.length - MAX_HISTORY
    if (surplus > 0) knownFrom = all[surplus - 1] ?? knownFrom
    history = surplus > 0 ? all.slice(surplus) : all
  }

  /** How many changes of the history, which is in order, stand behind a place. */
  function countBehind(place: Place): number {
    let [low, high] = [0, history.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const key = history[middle]
      if (key && isBehind(key, place)) high = middle
      else low = middle + 1
    }
    return history.length - low
  }

  return {
    /** Resolves once every change that is committed from now on will be noticed. */
    async listen(listener: Listener): Promise<() => void> {
      listeners.add(listener)
      beginning ??= begin()
      const mine = beginning
      try {
        await mine
      } catch (error) {
        // Another one may have begun meanwhile, and there must be no two.
        if (beginning === mine) beginning = undefined
        listeners.delete(listener)
        throw error
      }
      return () => void listeners.delete(listener)
    },
    /** Where the sequence stands now. */
    place: () => ({ generation, timeline, ...last }),
    /** The changes of a patient behind a place, or none if that lies too far back to know them all. */
    since(place: History & Place, patientUid: string): Key[] | undefined {
      const isOther = place.timeline !== timeline || !generation.startsWith(place.generation)
      if (isOther || isBehind(knownFrom, place)) return undefined
      const first = history.length - countBehind(place)
      return history.slice(first).filter((key) => key.patientUid === patientUid)
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
      select (select generation from casesheet.feed) as generation, (select version from casesheet.cell) as cell_version,
        ${TIMELINE} as timeline, pg_snapshot_xmin(snapshot) as horizon, pg_snapshot_xmax(snapshot) as next_xid
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
    select generation, cell_version, timeline, horizon, next_xid, (
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
