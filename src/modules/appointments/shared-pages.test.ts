// Pages that requests share are those of each request, and no subject has more than its share of them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { fillDirectory } from '../../../test/support/directory.ts'
import { assertRefused, runSql, startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'

const SPECIALITIES = Array.from({ length: 30 }, (_, index) => `Invented ${index}`)
/** Ten of the first doctors by name, and the last one: a page of ten is full, and there is one more beyond those it looked at. */
const isIrish = (index: number) => (index % 26 === 0 && index < 260) || index === 11
const rounds = await startRounds({ RATE_LIMIT_PER_MINUTE: '1000000' })
await fillDirectory(rounds.ownerUrl, {
  specialities: SPECIALITIES.map((title) => ({ title, specialityId: title.toLowerCase().replace(' ', '-') })),
  doctors: Array.from({ length: 300 }, (_, index) => ({
    doctorId: `doctor-${index}`,
    name: `Dr. ${String.fromCharCode(65 + ((index * 7) % 26))} ${index} (invented)`,
    specialities: [SPECIALITIES[index % 30] ?? ''],
    languages: [index % 2 === 0 ? 'en' : 'cy', ...(isIrish(index) ? ['ga'] : [])],
    city: `Invented City ${index % 4}`,
  })),
})
const list = (query: Record<string, string>, token: string) =>
  rounds.call(`/appointments/doctors/list?${new URLSearchParams(query).toString()}`, { token })

const queries = [
  ...SPECIALITIES.map((_, index) => ({ specialityId: `invented-${index}` })),
  ...[0, 1, 2, 3].map((index) => ({ city: `Invented City ${index}` })),
  { language: 'en' },
  { language: 'cy' },
  { language: 'mi' },
  { language: 'ga' },
  {},
]

/** Until `letGo` is called, pages wait for the version that they are read with. */
async function holdPages(): Promise<{ letGo: () => Promise<unknown> }> {
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin; lock table appointments.directory in access exclusive mode')
  return { letGo: () => holder.query('commit') }
}

test('a subject has at most 20 pages under way, of whatever kind and size, and others none the fewer', async () => {
  const { letGo } = await holdPages()
  const [greedy, other] = [await rounds.token({ sub: 'greedy' }), await rounds.token({ sub: 'other' })]
  const asked = queries.flatMap((query) =>
    [10, 20].map((limit) => list({ ...query, limit: String(limit) }, greedy)),
  )
  let refused = 0
  for (const answer of asked) void answer.then(({ status }) => (refused += status === 429 ? 1 : 0))
  await until(async () => refused === asked.length - 20)
  const page = list({ limit: '50' }, other)
  await letGo()
  for (const answer of await Promise.all(asked)) {
    if (answer.status !== 200) assertRefused(answer, 429, 'RateLimited')
  }
  assert.equal(refused, asked.length - 20)
  assert.equal((await page).status, 200)
})

test('pages that are read together are those that each request would have read alone', async () => {
  const { letGo } = await holdPages()
  const asked = queries.flatMap((query) =>
    [10, 20, 50, 100].map(async (limit) => {
      const token = await rounds.token({ sub: `${JSON.stringify(query)} ${limit}` })
      return { query, limit, shared: await list({ ...query, limit: String(limit) }, token) }
    }),
  )
  await until(async () => {
    const [row] = await runSql<{ waiting: number }>(
      rounds.ownerUrl,
      "select count(*)::int as waiting from pg_locks where not granted and relation = 'appointments.directory'::regclass",
    )
    return (row?.waiting ?? 0) > 0
  })
  await letGo()
  const token = await rounds.token()
  for (const { query, limit, shared } of await Promise.all(asked)) {
    // A page of this size has a statement of its own.
    const alone = await list({ ...query, limit: '1000' }, token)
    assert.equal(shared.status, 200)
    assert.deepEqual(shared.json.data, alone.json.data.slice(0, limit))
    assert.equal(shared.json.nextCursor === null, alone.json.data.length <= limit)
  }
})
