import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'

const PATH = '/appointments/doctors/list'
const rounds = await startRounds()
const { ownerUrl } = rounds
/** A second process on the same database. */
const second = await startRounds({ DATABASE_URL: rounds.serveUrl })
await fillDirectory(ownerUrl, {
  specialities: [{ title: 'Cardiology', specialityId: 'cardio' }],
  doctors: [{ doctorId: 'asha', name: 'Dr. Asha Rao (invented)', specialities: ['Cardiology'] }],
})

async function list({ call, token }: typeof rounds, query = '') {
  const { status, json, headers, text } = await call(`${PATH}${query}`, { token: await token() })
  assert.equal(status, 200, text)
  return { text, etag: headers.get('etag'), names: json.data.map(({ name }) => String(name)) }
}

async function metric({ adminUrl }: typeof rounds, name: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? assert.fail(name))
}
const hits = () => metric(rounds, 'rounds_directory_cache_requests_total{outcome="hit"}')

/** Asks until the page comes from memory. The version is not known yet when the first page is read. */
async function untilCached(query: string) {
  await until(async () => {
    const before = await hits()
    await list(rounds, query)
    return (await hits()) > before
  })
}

test('a page that was requested before comes from memory, byte for byte', async () => {
  const read = await list(rounds, '?limit=7')
  await untilCached('?limit=7')
  const before = await hits()
  assert.deepEqual(await list(rounds, '?limit=7'), read)
  assert.equal(await hits(), before + 1)
  const held = await rounds.call(`${PATH}?limit=7`, {
    token: await rounds.token(),
    headers: { 'if-none-match': String(read.etag) },
  })
  assert.deepEqual([held.status, held.text], [304, ''])
})

test('pages that differ in any parameter are different pages', async () => {
  const queries = ['', '?limit=1', '?q=asha', '?q=zoe', '?city=Pune', '?language=en', '?specialityId=cardio']
  const first = new Map<string, string>()
  for (const query of queries) {
    await untilCached(query)
    first.set(query, (await list(second, query)).text)
  }
  for (const query of queries) assert.equal((await list(rounds, query)).text, first.get(query), query)
})

test('what is refused is not cached as an answer', async () => {
  for (let again = 0; again < 2; again++) {
    const { status } = await rounds.call(`${PATH}?language=!`, { token: await rounds.token() })
    assert.equal(status, 400)
  }
})

test('the next request after an import sees it, in every process', async () => {
  for (let number = 1; number <= 20; number++) {
    for (const server of [rounds, second]) await list(server)
    const name = `Dr. Number ${number} (invented)`
    await fillDirectory(ownerUrl, { specialities: [], doctors: [{ doctorId: 'n', name, specialities: [] }] })
    for (const server of [rounds, second]) assert.ok((await list(server)).names.includes(name), name)
  }
})

test('a changed title of a speciality is seen on the pages of its doctors', async () => {
  await untilCached('?q=asha')
  await fillDirectory(ownerUrl, {
    specialities: [{ title: 'Heart', specialityId: 'cardio' }],
    doctors: [],
  })
  assert.match((await list(rounds, '?q=asha')).text, /"title":"Heart"/)
})

test('a change whose announcement was lost is seen within seconds', async () => {
  await untilCached('?q=asha')
  await runSql(
    ownerUrl,
    `begin;
     set local session_replication_role = replica;
     update appointments.doctors set name = 'Dr. Asha Unannounced (invented)' where doctor_id = 'asha';
     update appointments.directory set version = gen_random_uuid();
     commit`,
  )
  await until(async () => (await list(rounds, '?q=asha')).text.includes('Unannounced'), 6_000)
})

test('memory is bounded, whatever is asked for', async () => {
  await fillDirectory(ownerUrl, {
    specialities: [],
    doctors: Array.from({ length: 600 }, (_, index) => ({
      doctorId: `wide-${index}`,
      name: `Dr. Wide ${index} ${'w'.repeat(150)} (invented)`,
      specialities: [],
      qualifications: [`${index} ${'q'.repeat(150)}`, 'p'.repeat(150)],
    })),
  })
  const queries = Array.from({ length: 100 }, (_, index) => `?limit=${500 + index}`)
  for (const query of queries) await list(rounds, query)
  const bytes = await metric(rounds, 'rounds_directory_cache_bytes')
  assert.ok(bytes > 16 * 1_024 * 1_024 && bytes <= 32 * 1_024 * 1_024, `${bytes} bytes`)
  const before = await hits()
  await list(rounds, queries.at(-1))
  assert.equal(await hits(), before + 1, 'the newest is there')
  await list(rounds, queries[0])
  assert.equal(await hits(), before + 1, 'the oldest is not')
})
