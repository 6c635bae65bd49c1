// One look at the database for all in this process who wait for changes: long requests of readings/changes, streams and followers. It is
// repeated a few times a second, and only while there are any. It finds which readings changed and not what is in them: that
// is read, and logged, for those who may see it.
//
// There is no NOTIFY: its lock is held by each commit until the standby has it, and adds would wait for one another.
import type { Db } from '../../../db/db.ts'
import { charOf, FIELD_END, READING_END } from '../../casesheet/get/print-readings.ts'
import { ChangeHistory, type History, type Key, type Place, START } from './change-history.ts'
import type { FeedDelay, Horizon } from './feed-delay.ts'
import { TIMELINE } from './read-changes.ts'

const LOOK_EVERY_MS = 250
const MAX_KEYS = 5_000
/** How many of the last changes are read when the first stream is opened. */
const FIRST_HISTORY = 10_000

/** The kind of change that an erasure is; that of a reading is its type. */
export const ERASURE = ''

export type Listener = {
  /** With the kinds of these changes, each once. */
  onChanges: (keys: Key[], kinds: ReadonlySet<string>) => void
  /** Of these patients. Grants stand in the same sequence; requests and streams do not show them. */
  onGrants?: (patientUids: string[]) => void
  /** The sequence began anew, after a failover or a restore: changes may have been missed. */
  onReset: () => void
}

type Row = Horizon & { keys: string | null }

type Deps = {
  delay: FeedDelay
  warn: (error: unknown, message: string) => void
}

/**
 * `begun` is the first look since the watch was idle: every listener waits for it.
 *
 *   from     to       when
 *   idle     looking  the first listener came
 *   looking  idle     the first look failed, or the last listener has left, or the server stops
 */
type State = { name: 'idle' } | { name: 'looking'; begun: Promise<void> }

const IDLE: State = { name: 'idle' }

export class ChangeWatch {
  readonly #db: Db
  readonly #deps: Deps
  readonly #listeners = new Set<Listener>()
  readonly #closing = new AbortController()
  #state: State = IDLE
  /** Stays while the watch is idle: a client that asks again and again does not need it read each time. */
  #history: ChangeHistory | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, deps: Deps) {
    this.#db = db
    this.#deps = deps
  }

  /** Resolves once every change that is committed from now on will be noticed. */
  async listen(listener: Listener): Promise<() => void> {
    this.#listeners.add(listener)
    const state =
      this.#state.name === 'idle' ? { name: 'looking' as const, begun: this.#begin() } : this.#state
    this.#state = state
    try {
      await state.begun
    } catch (error) {
      // Another one may have begun meanwhile, and there must be no two.
      if (this.#state === state) this.#state = IDLE
      this.#listeners.delete(listener)
      throw error
    }
    return () => void this.#listeners.delete(listener)
  }

  /** Where the sequence stands now. */
  place(): History & Place {
    return this.#history?.place ?? { generation: '', timeline: 0, ...START }
  }

  /** The changes of a patient behind a place, or none if that lies too far back to know them all. */
  since(place: History & Place, patientUid: string): Key[] | undefined {
    return this.#history?.since(place, patientUid)
  }

  /** Aborted when the server stops. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  close() {
    this.#closing.abort()
    clearTimeout(this.#timer)
  }

  async #begin() {
    if (!(await this.#goOn())) await this.#beginAnew()
    this.#lookAgain()
  }

  /** Whether all changes since the last look are known. */
  async #goOn(): Promise<boolean> {
    if (!this.#history) return false
    const row = await this.#nextKeys()
    const { keys, last, count } = keysFrom(row?.keys ?? null)
    if (!row || this.#isOtherHistory(row) || count === MAX_KEYS) return false
    this.#history = this.#history.with(keys, last)
    return true
  }

  async #beginAnew() {
    const [row] = await this.#db.query<Row>({
      name: 'last-changes',
      text: LAST_KEYS,
      values: [FIRST_HISTORY],
    })
    const { keys, first = START, last = START, count } = keysFrom(row?.keys ?? null)
    const history = { generation: row?.generation ?? '', timeline: row?.timeline ?? 0 }
    this.#history = new ChangeHistory(history, keys, count < FIRST_HISTORY ? START : first, last)
  }

  /**
   * Whether what was seen before may be lost. A cluster that was set back to a copy has no new timeline; what it has lost is no
   * longer below its horizon, and "rounds migrate --restored" begins a new generation.
   */
  #isOtherHistory(row: Row): boolean {
    const { timeline, generation, xid } = this.place()
    if (row.timeline !== timeline || row.generation !== generation) return true
    return BigInt(xid) >= BigInt(row.horizon)
  }

  async #nextKeys(): Promise<Row | undefined> {
    const { delay } = this.#deps
    const { xid, id } = this.place()
    const values = [xid, id, MAX_KEYS]
    const [row] = await this.#db.query<Row>({ name: 'next-changes', text: NEXT_KEYS, values })
    if (row) delay.note(row)
    return row
  }

  #lookAgain(afterMs = LOOK_EVERY_MS) {
    clearTimeout(this.#timer)
    if (this.#listeners.size > 0 && !this.closed.aborted)
      this.#timer = setTimeout(() => void this.#look(), afterMs)
    else this.#state = IDLE
  }

  async #look() {
    let isFull = false
    try {
      const row = await this.#nextKeys()
      if (row && this.#isOtherHistory(row)) {
        // Only then: a listener that reads again at once must not miss what is committed before this has found its place.
        await this.#beginAnew()
        for (const listener of this.#listeners) this.#reset(listener)
        return this.#lookAgain()
      }
      const seen = keysFrom(row?.keys ?? null)
      isFull = seen.count === MAX_KEYS
      if (seen.count > 0) this.#passOn(seen)
    } catch (error) {
      // The next look finds all that this one would have found.
      this.#deps.warn(error, 'changes could not be looked for')
    }
    this.#lookAgain(isFull ? 0 : LOOK_EVERY_MS)
  }

  // Neither throws: the next look begins behind these changes, and other listeners must get them all the same.
  #passOn({ keys, last, grantsOf }: Seen) {
    this.#history = this.#history?.with(keys, last)
    const kinds = new Set(keys.map((key) => (key.erasedAt === undefined ? key.readingType : ERASURE)))
    for (const listener of this.#listeners) {
      try {
        if (keys.length > 0) listener.onChanges(keys, kinds)
        if (grantsOf.length > 0) listener.onGrants?.(grantsOf)
      } catch (error) {
        this.#deps.warn(error, 'a listener failed on changes, and is reset')
        this.#reset(listener)
      }
    }
  }

  #reset({ onReset }: Listener) {
    try {
      onReset()
    } catch (error) {
      this.#deps.warn(error, 'a listener failed on a reset')
    }
  }
}

/** The changes of a look: those of readings and the erasures, and the patients of grants that changed. */
type Seen = {
  keys: Key[]
  grantsOf: string[]
  first: Place | undefined
  last: Place | undefined
  count: number
}

const GRANT = 'grant'

function keysFrom(listed: string | null): Seen {
  const items = listed === null ? [] : listed.split(READING_END)
  const all = items.map((item) => {
    const [xid = '', id = '', patientUid = '', readingType = '', measuredAt = '', other = ''] =
      item.split(FIELD_END)
    return { xid, id, patientUid, readingType, measuredAt, other }
  })
  return {
    keys: all
      .filter(({ other }) => other !== GRANT)
      .map(({ readingType, measuredAt, other: erasedAt, ...key }) => ({
        ...key,
        ...(erasedAt === '' ? { readingType, measuredAt } : { erasedAt }),
      })),
    grantsOf: all.filter(({ other }) => other === GRANT).map(({ patientUid }) => patientUid),
    first: all[0],
    last: all.at(-1),
    count: all.length,
  }
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
      select (select generation from casesheet.feed) as generation, ${TIMELINE} as timeline,
        pg_snapshot_xmin(snapshot) as horizon, pg_snapshot_xmax(snapshot) as next_xid
      from (select pg_current_wal_insert_lsn() as lsn, pg_current_snapshot() as snapshot) as now
    ), changed as (
      (${of('casesheet.readings', 'reading_id', "patient_uid, reading_type, measured_at::text, '' as other")}
      limit ${limit})
      union all
      (${of('casesheet.erasure_notices', 'erasure_id', "coalesce(patient_uid, ''), '', '', at::text")}
      limit ${limit})
      union all
      (${of('casesheet.grants', 'grant_id', `patient_uid, '', '', '${GRANT}'`)}
      limit ${limit})
      order by changed_xid ${order}, id ${order}
      limit ${limit}
    )
    select generation, timeline, horizon, next_xid, (
      select string_agg(
        concat_ws(${charOf(FIELD_END)}, changed_xid, id, patient_uid, reading_type, measured_at, other), ${charOf(READING_END)}
        order by changed_xid, id
      )
      from changed
    ) as keys
    from place`
}

const NEXT_KEYS = keysText({ limit: '$3::integer', order: 'asc', after: true })
const LAST_KEYS = keysText({ limit: '$1::integer', order: 'desc', after: false })
