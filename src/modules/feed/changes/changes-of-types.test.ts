// readings/changes of some types: the others are left out and walked over, erasures always come.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { metricOf } from '../../../../test/support/event-stream.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { BY, runPatientCommand } from '../../../../test/support/patient-with-history.ts'
import { until } from '../../../../test/support/until.ts'
import { openConnections } from '../../../db/connections.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { changesStatement } from './read-changes.ts'

const rounds = await startRounds()
const service = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })

type Page = {
  data: { state: string; patientUid?: string; reading?: Record<string, unknown> }[]
  nextCursor: string
  hasMore: boolean
}

async function changes(query: string, token = service): Promise<Page> {
  const { status, text } = await rounds.call(`/casesheet/readings/changes?${query}`, { token })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Page
}

const here = async () => (await changes('start=now')).nextCursor

/** All that is shown from a cursor on, page by page, once the last reading of all, of the type acme.end, is. */
async function follow(from: string, query: string) {
  let cursor = from
  const data: Page['data'] = []
  const pages: Page[] = []
  await until(async () => {
    const page = await changes(`cursor=${cursor}&readingType=acme.end&${query}`)
    pages.push(page)
    data.push(...page.data)
    cursor = page.nextCursor
    return data.some(({ reading }) => reading?.['readingType'] === 'acme.end')
  })
  const shown = data.filter(({ reading }) => reading?.['readingType'] !== 'acme.end')
  return { shown, pages, cursor }
}

test('only readings of the types are given, in order, and the cursor moves past the others', async () => {
  const cursor = await here()
  const { addAt, accessLog, patientUid } = await newPatient(rounds)
  for (let part = 0; part < 10; part++)
    await addAt(
      [part * 10, part * 10 + 1, part * 10 + 2, part * 10 + 3],
      ['acme.a', 'acme.b', 'acme.c', 'acme.d'],
    )
  await addAt([1_000], ['acme.end'])
  const all = await follow(
    cursor,
    'readingType=acme.a&readingType=acme.b&readingType=acme.c&readingType=acme.d',
  )
  assert.equal(all.shown.length, 40)
  const isAsked = (types: string[]) => (change: Page['data'][number]) =>
    types.includes(String(change.reading?.['readingType']))
  for (const limit of [1, 3, 1_000]) {
    const { shown, cursor: end } = await follow(
      cursor,
      `readingType=acme.b&readingType=acme.d&limit=${limit}`,
    )
    assert.deepEqual(shown, all.shown.filter(isAsked(['acme.b', 'acme.d'])))
    assert.deepEqual((await changes(`cursor=${end}`)).data, [], 'nothing is left behind the cursor')
  }
  // Pages that hold nothing of the types say that there is more.
  const rare = await follow(cursor, 'readingType=acme.never&limit=5')
  assert.ok(rare.pages.length > 5 && rare.shown.length === 0)
  assert.ok(rare.pages.slice(0, 5).every(({ data, hasMore }) => data.length === 0 && hasMore))
  const logged = (await accessLog()).filter(
    ({ ['operation']: operation }) => operation === 'readings/changes',
  )
  const [typesLogged] = logged.slice(-1).map(({ reading_types: types }) => types)
  assert.deepEqual(typesLogged, ['acme.end', 'acme.never'], `what was asked of ${patientUid}`)
})

test('what is left out is not logged as read', async () => {
  const cursor = await here()
  const { addAt, accessLog } = await newPatient(rounds)
  await addAt([1], ['acme.quiet'])
  const other = await newPatient(rounds)
  await other.addAt([1], ['acme.end'])
  await follow(cursor, 'readingType=acme.loud')
  assert.deepEqual(await accessLog(), [])
})

test('an erasure comes whatever the types are', async () => {
  const cursor = await here()
  const { addAt, patientUid } = await newPatient(rounds)
  await addAt([1], ['acme.quiet'])
  const { code, output } = await runPatientCommand(['erase', patientUid, ...BY, '--yes'], rounds.ownerUrl)
  assert.equal(code, 0, output)
  await (await newPatient(rounds)).addAt([1], ['acme.end'])
  const { shown } = await follow(cursor, 'readingType=acme.loud')
  assert.deepEqual(
    shown.map(({ state, patientUid: erased }) => [state, erased]),
    [['erased', patientUid]],
  )
})

test('a request that waits is not woken by other types, and is by its own', async () => {
  const cursor = await here()
  const waiting = () => metricOf(rounds.adminUrl, 'rounds_changes_long_polls')
  const token = await rounds.token({ sub: 'loud', scope: 'readings:changes' })
  // Every page that moves the cursor updates this row of its subject.
  const delivered = () =>
    runSql(
      rounds.ownerUrl,
      "select lsn::text, xmin::text from casesheet.feed_deliveries where read_by = 'loud'",
    )
  const { addAt } = await newPatient(rounds)
  let isAnswered = false
  const held = changes(`cursor=${cursor}&wait=30&readingType=acme.loud`, token).finally(
    () => (isAnswered = true),
  )
  await until(async () => (await waiting()) === 1)
  const before = await delivered()
  await addAt([1, 2, 3], ['acme.quiet'])
  // Another request, of all types, is woken by the same look at the database.
  await until(async () => (await changes(`cursor=${cursor}&wait=1`)).data.length === 3)
  await changes(`cursor=${await here()}&wait=1`)
  assert.deepEqual([isAnswered, await delivered()], [false, before])
  await addAt([5], ['acme.loud'])
  assert.deepEqual(
    (await held).data.map(({ reading }) => reading?.['timestamp']),
    [5],
  )
})

test('types are checked as in readings/get', async () => {
  const call = (query: string) => rounds.call(`/casesheet/readings/changes?${query}`, { token: service })
  assertRefused(await call('readingType='), 400, 'ValidationFailed')
  assertRefused(
    await call(Array.from({ length: 51 }, (_, n) => `readingType=acme.t${n}`).join('&')),
    400,
    'ValidationFailed',
  )
  const fifty = Array.from({ length: 50 }, (_, n) => `readingType=${'x'.repeat(60)}.${n}`).join('&')
  assert.equal((await call(fifty)).status, 200)
})

test('a page of a rare type costs no more than any other, in the sessions of production', async () => {
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n % 5000, to_timestamp(n), gen_random_uuid(), case when n % 10000 = 0 then 'acme.rare' else 'heartRate' end, n, '{}', 'test'
     from generate_series(1, 60000) n`,
  )
  await runSql(rounds.ownerUrl, 'analyze casesheet.readings')
  const pools = openConnections({
    url: rounds.serveUrl,
    poolSize: 20,
    warn: () => {},
    metrics: createMetrics(),
  })
  after(() => Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end())))
  const session = await pools.feed.connect()
  try {
    const blocksOf = async (readingTypes: string[] | null) => {
      const request = {
        start: 'beginning',
        limit: 1_000,
        readingTypes,
        readBy: 'test',
        requestId: 'test',
      } as const
      const { text, values } = changesStatement(request)
      const literals = values.map((value) => (value === null ? 'null' : session.escapeLiteral(String(value))))
      await session.query(`begin; prepare page as ${text}`)
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute page(${literals.join(', ')})`,
      )
      await session.query('rollback; deallocate page')
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.ok(/Index Scan using readings_\d+_changed_xid/.test(plan), plan.slice(0, 500))
      assert.ok(!/Seq Scan on readings_/.test(plan), plan.slice(0, 500))
      return { blocks: Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1]), plan }
    }
    const [all, rare] = [await blocksOf(null), await blocksOf(['acme.rare'])]
    assert.ok(rare.blocks <= all.blocks, `${rare.blocks} and not ${all.blocks} blocks\n${rare.plan}`)
  } finally {
    session.release()
  }
})
