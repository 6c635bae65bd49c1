// Which pages are cached when the directory changes while they are being read.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, runSql } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import { connectDb } from '../../db/db.ts'
import { withEtag } from '../../http/answers/etag.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { CachedPages, type VersionedPage } from './cached-pages.ts'

const { ownerUrl, serveUrl } = await createDatabase()
const db = connectDb({
  url: serveUrl,
  poolSize: 5,
  maxWaiting: 10,
  maxWhenBusy: 10,
  deadlineMs: 10_000,
  warn: assert.fail,
  metrics: createMetrics(),
})
const pages = new CachedPages(db, (error) => assert.fail(String(error)))
after(async () => {
  await pages.stop()
  await db.end()
})

const pageOf = (text: string, version: string): VersionedPage => ({
  answer: withEtag(Buffer.from(text)),
  version,
})
async function presentVersion(): Promise<string> {
  const [row] = await runSql<{ version: string }>(ownerUrl, 'select version from appointments.directory')
  return row?.version ?? assert.fail()
}
/** Until the cache knows the version: a page of it is cached then. */
async function untilKnown(version: string) {
  await until(async () => {
    await pages.read(version, async () => pageOf('', version))
    return pages.cached(version) !== undefined
  })
}
const change = () => runSql(ownerUrl, 'update appointments.doctors set name = name')

test('a page that was read before a change is not cached after it', async () => {
  const before = await presentVersion()
  await untilKnown(before)
  const slow = Promise.withResolvers<VersionedPage>()
  const first = pages.read('page', () => slow.promise)
  await change()
  const changed = await presentVersion()
  assert.notEqual(changed, before)
  await untilKnown(changed)
  slow.resolve(pageOf('old', before))
  assert.equal((await first).body.toString(), 'old', 'its own request began before the change')
  await untilKnown(changed)
  assert.equal(pages.cached('page'), undefined)
  const second = await pages.read('page', async () => pageOf('new', changed))
  assert.equal(second.body.toString(), 'new')
  assert.equal(pages.cached('page')?.body.toString(), 'new')
})

test('a request after a change does not share a read from before it', async () => {
  const before = await presentVersion()
  await untilKnown(before)
  const slow = Promise.withResolvers<VersionedPage>()
  const first = pages.read('shared', () => slow.promise)
  const sharing = pages.read('shared', () => assert.fail('it is read already'))
  await change()
  const changed = await presentVersion()
  await untilKnown(changed)
  const second = await pages.read('shared', async () => pageOf('new', changed))
  assert.equal(second.body.toString(), 'new')
  slow.resolve(pageOf('old', before))
  assert.deepEqual([(await first).body.toString(), (await sharing).body.toString()], ['old', 'old'])
  await untilKnown(changed)
  assert.equal(pages.cached('shared')?.body.toString(), 'new')
})

test('after a page of another version, requests wait until the version has been read', async () => {
  const version = await presentVersion()
  await untilKnown(version)
  await pages.read('kept', async () => pageOf('old', version))
  assert.ok(pages.cached('kept'))
  await pages.read('other', async () => pageOf('new', 'a later one'))
  assert.equal(pages.cached('kept'), undefined, 'requests wait until the version has been read')
  const answer = await pages.read('kept', () => assert.fail('it has not changed after all'))
  assert.equal(answer.body.toString(), 'old')
})

test('a failed read is not cached, and no later request shares it', async () => {
  await untilKnown(await presentVersion())
  await assert.rejects(
    pages.read('failing', () => Promise.reject(new Error('no'))),
    /no/,
  )
  const answer = await pages.read('failing', async () => pageOf('yes', await presentVersion()))
  assert.equal(answer.body.toString(), 'yes')
})

test('a cached page has memory of its own, however small it is', async () => {
  const version = await presentVersion()
  await untilKnown(version)
  await pages.read('small', async () => pageOf('[]', version))
  assert.equal(pages.cached('small')?.body.buffer.byteLength, 2)
})
