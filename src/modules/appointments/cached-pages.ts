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

type Page = TaggedAnswer<Buffer>

/** A page, and the version of the directory that it shows. */
export type VersionedPage = { answer: Page; version: string }

export function cachePages(db: Db, onFailure: (error: unknown) => void) {
  /** In the order of their last use. */
  const pages = new Map<string, Page>()
  /** Reads under way, which later requests for the same page share. */
  const reads = new Map<string, Promise<Page>>()
  let version: string | undefined
  let isOutdated = false
  let hasFailed = false
  let readingVersion: Promise<void> | undefined
  /** The same read, where the directory has probably changed: requests wait for it. */
  let confirming: Promise<void> | undefined
  let bytes = 0
  const counts = { hits: 0, misses: 0 }
  const help = 'Pages of the directory that were requested, by whether they were cached.'
  const name = 'rounds_directory_pages_total'
  db.metrics.counter({ name, help, labels: { cached: 'yes' } }, () => counts.hits)
  db.metrics.counter({ name, help, labels: { cached: 'no' } }, () => counts.misses)
  db.metrics.gauge(
    { name: 'rounds_directory_cache_bytes', help: 'Memory that cached pages of the directory take.' },
    () => bytes,
  )

  function drop() {
    pages.clear()
    reads.clear()
    bytes = 0
  }

  function keep(key: string, { body, etag }: Page) {
    if (body.length > MAX_PAGE_BYTES || pages.has(key)) return
    const page = { body: inMemoryOfItsOwn(body), etag }
    pages.set(key, page)
    bytes += sizeOf(key, page)
    for (const [oldest, evicted] of pages) {
      if (bytes <= MAX_BYTES) return
      pages.delete(oldest)
      bytes -= sizeOf(oldest, evicted)
    }
  }

  /** One at a time, so that the last one to answer is the last one that was sent; repeated if it was asked for meanwhile. */
  function readVersion(): Promise<void> {
    isOutdated = true
    readingVersion ??= readVersionWhileOutdated().finally(() => {
      readingVersion = undefined
      confirming = undefined
      // It was asked for after the last look, before this.
      if (isOutdated) confirmVersion()
    })
    return readingVersion
  }

  async function readVersionWhileOutdated() {
    try {
      while (isOutdated) {
        isOutdated = false
        const [row] = await db.query<{ version: string }>({
          name: 'directory-version',
          text: 'select version from appointments.directory',
          values: [],
        })
        hasFailed = false
        if (row?.version === version) continue
        version = row?.version
        drop()
      }
    } catch (error) {
      // Once for each time that it begins to fail, not every few seconds.
      if (!hasFailed) onFailure(error)
      hasFailed = true
    }
  }

  /**
   * A read that takes longer than this is not repeated for it: in an outage each would fail and begin the next, and requests
   * would wait for that instead of being served what is cached.
   */
  function readVersionUnlessReading() {
    if (!readingVersion) void readVersion()
  }

  function confirmVersion() {
    confirming = readVersion()
  }

  async function readAndKeep(key: string, readPage: () => Promise<VersionedPage>): Promise<Page> {
    const page = await readPage()
    if (page.version === version) keep(key, page.answer)
    else confirmVersion()
    return page.answer
  }

  const stopListening = db.listen(CHANNEL, confirmVersion, HOLD_VERSION)
  const timer = setInterval(readVersionUnlessReading, READ_VERSION_MS).unref()

  /** The page of a key, if it is cached and the directory is not known to have changed. */
  function cached(key: string): Page | undefined {
    const page = confirming ? undefined : pages.get(key)
    if (page) {
      counts.hits++
      pages.delete(key)
      pages.set(key, page)
    }
    return page
  }

  /** The page of a key that `cached` does not have at once. */
  async function read(key: string, readPage: () => Promise<VersionedPage>): Promise<Page> {
    if (confirming) {
      await confirming
      const confirmed = cached(key)
      if (confirmed) return confirmed
    }
    counts.misses++
    const underWay = reads.get(key)
    if (underWay) return underWay
    const reading = readAndKeep(key, readPage).finally(() => {
      if (reads.get(key) === reading) reads.delete(key)
    })
    reads.set(key, reading)
    return reading
  }

  return {
    cached,
    read,
    async stop() {
      clearInterval(timer)
      await stopListening()
    },
  }
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
