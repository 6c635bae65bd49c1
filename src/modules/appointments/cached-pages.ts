// Answers about the directory (pages of doctors, the specialities) that were requested before, cached as bytes. They are the same for every caller and change by an import
// only, which gives the directory a new version in its own transaction and announces it. A page is read together with its
// version, in one snapshot, and only pages of the present version are cached.
//
// An announcement can get lost, and a connection pooler may pass none on: the version is also read every few seconds. While
// the database cannot be reached, cached pages are still served.
import type { Db } from '../../db/db.ts'
import type { TaggedAnswer } from '../../http/answers/etag.ts'

const CHANNEL = 'appointments_directory'
const READ_VERSION_MS = 2_000
const MAX_BYTES = 32 * 1_024 * 1_024
/** A larger page is not cached: it would take the place of hundreds of ordinary ones. */
const MAX_PAGE_BYTES = 4 * 1_024 * 1_024
/** What a page takes beside its body and its key, at most. */
const ENTRY_BYTES = 1_024

/** A page, and the version of the directory that it shows. */
export type VersionedPage = { answer: TaggedAnswer; version: string }

export type CachedPages = ReturnType<typeof cachePages>

export function cachePages(db: Db, onFailure: (error: unknown) => void) {
  /** In the order of their last use. */
  const pages = new Map<string, TaggedAnswer>()
  /** Reads under way, which later callers of the same page share. */
  const reads = new Map<string, Promise<TaggedAnswer>>()
  let version: string | undefined
  let isOutdated = false
  let readingVersion: Promise<void> | undefined
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

  function keep(key: string, answer: TaggedAnswer) {
    const size = sizeOf(key, answer)
    if (answer.body.length > MAX_PAGE_BYTES || pages.has(key)) return
    pages.set(key, answer)
    bytes += size
    for (const [oldest, page] of pages) {
      if (bytes <= MAX_BYTES) return
      pages.delete(oldest)
      bytes -= sizeOf(oldest, page)
    }
  }

  /** One at a time, so that the last one to answer is the last one that was sent; repeated if it was asked for meanwhile. */
  function readVersion() {
    isOutdated = true
    readingVersion ??= readVersionWhileOutdated()
      .catch(onFailure)
      .finally(() => {
        readingVersion = undefined
      })
  }

  async function readVersionWhileOutdated() {
    while (isOutdated) {
      isOutdated = false
      const [row] = await db.query<{ version: string }>({
        name: 'directory-version',
        text: 'select version from appointments.directory',
        values: [],
      })
      if (row?.version === version) continue
      version = row?.version
      drop()
    }
  }

  async function readPage(key: string, read: () => Promise<VersionedPage>): Promise<TaggedAnswer> {
    const page = await read()
    if (page.version === version) keep(key, page.answer)
    else readVersion()
    return page.answer
  }

  const stopListening = db.listen(CHANNEL, readVersion)
  const timer = setInterval(readVersion, READ_VERSION_MS).unref()
  return {
    /** The page of a key, cached or read. */
    async page(key: string, read: () => Promise<VersionedPage>): Promise<TaggedAnswer> {
      const cached = pages.get(key)
      if (cached) {
        counts.hits++
        pages.delete(key)
        pages.set(key, cached)
        return cached
      }
      counts.misses++
      const underWay = reads.get(key)
      if (underWay) return underWay
      const reading = readPage(key, read).finally(() => {
        if (reads.get(key) === reading) reads.delete(key)
      })
      reads.set(key, reading)
      return reading
    },
    async stop() {
      clearInterval(timer)
      await stopListening()
    },
  }
}

function sizeOf(key: string, { body }: TaggedAnswer): number {
  return body.length + 2 * key.length + ENTRY_BYTES
}
