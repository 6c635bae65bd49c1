// Answers about the directory (pages of doctors, the specialities) that were requested before, cached as bytes. They are the same
// for every caller and change by an import only, which gives the directory a new version in its own transaction and announces
// it. A page is read together with its version, in one snapshot, and only pages of the present version are cached.
//
// After an announcement, and after a page of another version, requests wait until the version has been read: a process that has
// answered from a version never answers from an earlier one. An import ends when every process that
// listens has had its announcement. That can get lost, and a connection pooler may pass none on: the version is also read
// every few seconds. Where it cannot be read, cached pages are still served.
import type { Db } from '../../db/db.ts'
import type { TaggedAnswer } from '../../http/answers/etag.ts'
import { countEach } from '../../metrics/metrics.ts'
import { Refusal } from '../../refusal.ts'

const CHANNEL = 'appointments_directory'
// A process that listens holds an advisory lock of the version that it knows of, shared. An import takes those of all other
// versions, and gets each when no process holds it any more: a process releases it when the announcement has arrived.
const LOCKS_OF_VERSIONS = 706_910
const LOCK_OF_VERSION = '(hashtextextended(version::text, 0) & 2147483647)::integer'
const HOLD_VERSION = `
  select pg_advisory_unlock_all(), pg_advisory_lock_shared(${LOCKS_OF_VERSIONS}, ${LOCK_OF_VERSION})
  from appointments.directory`
export const TAKE_OTHER_VERSIONS = `
  select pg_advisory_xact_lock(${LOCKS_OF_VERSIONS}, held.version)
  from (
    select distinct objid::bigint::integer as version
    from pg_locks
    where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${LOCKS_OF_VERSIONS}
      and objsubid = 2
      and granted
    order by version
  ) as held
  where held.version <> (select ${LOCK_OF_VERSION} from appointments.directory)`
const READ_VERSION_MS = 2_000
const MAX_BYTES = 32 * 1_024 * 1_024
/** A larger page is not cached: it would take the place of hundreds of ordinary ones. */
const MAX_PAGE_BYTES = 4 * 1_024 * 1_024
/** What a page takes beside its body and its key, at most. */
const ENTRY_BYTES = 1_024

/** A read that was refused later than this may have waited until its deadline. */
const SOON_MS = 1_000

type Page = TaggedAnswer<Buffer>

/** A page, and the version of the directory that it shows. */
export type VersionedPage = { answer: Page; version: string }

/**
 * What is known of the version of the directory:
 *
 *   state       what it means                                       cached pages
 *   read        the version was read, and nothing speaks against it  are served
 *   rereading   the timer reads it again                             are served
 *   confirming  the directory has probably changed: it is read       wait for the read
 *
 *   from        to          when
 *   read        rereading   a few seconds have passed
 *   each        confirming  an announcement came, or a page of another version was read
 *   both others read        the read ended, well or not, and nothing was announced since it was sent
 */
export class CachedPages {
  readonly #db: Db
  readonly #onFailure: (error: unknown) => void
  /** In the order of their last use. */
  readonly #pages = new Map<string, Page>()
  #bytes = 0
  /** Reads under way, which later requests for the same page share. */
  readonly #reads = new Map<string, Promise<Page>>()
  #version: string | undefined
  #state: 'read' | 'rereading' | 'confirming' = 'read'
  #readingVersion: Promise<void> | undefined
  /** Whether the version was asked for since the read under way was sent. */
  #isOutdated = false
  #hasFailed = false
  readonly #counts: Record<'hit' | 'miss', number>
  readonly #stopListening: () => Promise<void>
  readonly #timer: NodeJS.Timeout

  constructor(db: Db, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#onFailure = onFailure
    this.#stopListening = db.listen(CHANNEL, () => this.#confirmVersion(), HOLD_VERSION)
    this.#timer = setInterval(() => this.#rereadVersion(), READ_VERSION_MS).unref()
    this.#counts = countEach(
      db.metrics,
      {
        name: 'rounds_directory_cache_requests_total',
        help: 'Requested pages of the directory, by whether they were in the cache.',
        label: 'outcome',
      },
      ['hit', 'miss'],
    )
    db.metrics.gauge(
      { name: 'rounds_directory_cache_bytes', help: 'Memory that cached pages of the directory take.' },
      () => this.#bytes,
    )
  }

  /** The page of a key, if it is cached and the directory is not known to have changed. */
  cached(key: string): Page | undefined {
    const page = this.#state === 'confirming' ? undefined : this.#pages.get(key)
    if (page) {
      this.#counts.hit++
      this.#pages.delete(key)
      this.#pages.set(key, page)
    }
    return page
  }

  /** The page of a key that `cached` does not have at once. */
  async read(key: string, readPage: () => Promise<VersionedPage>): Promise<Page> {
    if (this.#state === 'confirming') {
      await this.#readingVersion
      const confirmed = this.cached(key)
      if (confirmed) return confirmed
    }
    this.#counts.miss++
    const underWay = this.#reads.get(key)
    const askedAt = performance.now()
    try {
      return await (underWay ?? this.#begin(key, readPage))
    } catch (error) {
      const isOfAnother = underWay !== undefined && performance.now() - askedAt < SOON_MS
      if (!isOfAnother || !isRefusedForItsNumber(error)) throw error
      return this.#reads.get(key) ?? this.#begin(key, readPage)
    }
  }

  async stop() {
    clearInterval(this.#timer)
    await this.#stopListening()
  }

  #begin(key: string, readPage: () => Promise<VersionedPage>): Promise<Page> {
    const reading = this.#readAndKeep(key, readPage).finally(() => {
      if (this.#reads.get(key) === reading) this.#reads.delete(key)
    })
    this.#reads.set(key, reading)
    return reading
  }

  async #readAndKeep(key: string, readPage: () => Promise<VersionedPage>): Promise<Page> {
    const page = await readPage()
    if (page.version === this.#version) this.#keep(key, page.answer)
    else this.#confirmVersion()
    return page.answer
  }

  #keep(key: string, { body, etag }: Page) {
    if (body.length > MAX_PAGE_BYTES || this.#pages.has(key)) return
    const page = { body: inMemoryOfItsOwn(body), etag }
    this.#pages.set(key, page)
    this.#bytes += sizeOf(key, page)
    for (const [oldest, evicted] of this.#pages) {
      if (this.#bytes <= MAX_BYTES) return
      this.#pages.delete(oldest)
      this.#bytes -= sizeOf(oldest, evicted)
    }
  }

  #drop() {
    this.#pages.clear()
    this.#reads.clear()
    this.#bytes = 0
  }

  #confirmVersion() {
    this.#state = 'confirming'
    this.#readVersion()
  }

  /**
   * A read that takes longer than this is not repeated for it: in an outage each would fail and begin the next, and requests
   * would wait for that instead of being served what is cached.
   */
  #rereadVersion() {
    if (this.#state !== 'read') return
    this.#state = 'rereading'
    this.#readVersion()
  }

  /** One at a time, so that the last one to answer is the last one that was sent; repeated if it was asked for meanwhile. */
  #readVersion() {
    this.#isOutdated = true
    this.#readingVersion ??= this.#readVersionWhileOutdated().finally(() => {
      this.#readingVersion = undefined
      this.#state = 'read'
      // It was asked for after the last look, before this.
      if (this.#isOutdated) this.#confirmVersion()
    })
  }

  async #readVersionWhileOutdated() {
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false
        const [row] = await this.#db.query<{ version: string }>({
          name: 'directory-version',
          text: 'select version from appointments.directory',
          values: [],
        })
        this.#hasFailed = false
        if (row?.version === this.#version) continue
        this.#version = row?.version
        this.#drop()
      }
    } catch (error) {
      // Once for each time that it begins to fail, not every few seconds.
      if (!this.#hasFailed) this.#onFailure(error)
      this.#hasFailed = true
    }
  }
}

/** Whether a read was refused because its subject has too many: no reason to refuse another subject that waits for the page. */
function isRefusedForItsNumber(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'RateLimited' || error.code === 'Overloaded')
}

function sizeOf(key: string, { body }: Page): number {
  return body.length + 2 * key.length + ENTRY_BYTES
}

/** Node puts small buffers into blocks of several; a page of 100 bytes would keep its whole block. */
function inMemoryOfItsOwn(body: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}
