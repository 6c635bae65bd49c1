// Two processes that cache pages of one directory: what an import changes is seen in both, with and without announcements.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDirectory } from '../support/directory.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'
import { until } from '../support/until.ts'

const IMPORTS = 20
const PATHS = [
  'doctors/list',
  'doctors/list?q=number',
  'doctors/list?specialityId=s',
  'doctors/specialities/list',
]
/** Less than the time after which an import no longer waits for servers. */
const ANNOUNCED_MS = 3_000
/** The version is read every 2 s; the rest is for a busy machine. */
const WITHOUT_ANNOUNCEMENTS_MS = 6_000

const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
const settings = {
  DATABASE_URL: serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  RATE_LIMIT_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
}
const servers = [await serveInProcess(settings), await serveInProcess(settings)]
const headers = { authorization: `Bearer ${await issuer.token()}` }

async function ask({ url }: { url: string }, path: string): Promise<string> {
  const answer = await fetch(`${url}/appointments/${path}`, { headers })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return text
}

const nameOf = (number: number) => `Number ${number} (invented)`
const change = (number: number) =>
  fillDirectory(ownerUrl, {
    specialities: [{ title: nameOf(number), specialityId: 's' }],
    doctors: [{ doctorId: 'n', name: nameOf(number), specialities: [nameOf(number)] }],
  })
await change(0)

// Pages are asked for all the time, so that some are cached, and some being read, whenever an import commits.
const over = new AbortController()
const load = servers.map(async (server) => {
  for (let index = 0; !over.signal.aborted; index++) await ask(server, PATHS[index % PATHS.length] ?? '')
})

test('the next request after an import sees it, for every page, in every process', async () => {
  const tookMs: number[] = []
  for (let number = 1; number <= IMPORTS; number++) {
    const began = performance.now()
    await change(number)
    tookMs.push(performance.now() - began)
    for (const server of servers)
      for (const path of PATHS)
        assert.ok((await ask(server, path)).includes(nameOf(number)), `${server.url} ${path} ${number}`)
  }
  // One may be slow on a busy machine. If servers did not answer, all would be.
  assert.ok(Math.min(...tookMs) < ANNOUNCED_MS, 'imports waited for a server that does not answer')
})

test('an import ends although a server does not answer, and that one shows it when it goes on', async () => {
  const number = IMPORTS + 5
  await importBesideFrozenServer(number)
  await untilSeen(number)
})

test('an import waits also for a server that has not had an earlier change', async () => {
  const number = IMPORTS + 6
  await importBesideFrozenServer(number, 'update appointments.doctors set city = $$By hand$$')
  await untilSeen(number)
})

/** Asserts that the import has waited for the server, and that the other one shows it. */
async function importBesideFrozenServer(number: number, before = 'select') {
  const [first, frozen] = servers
  frozen?.child.kill('SIGSTOP')
  try {
    await runSql(ownerUrl, before)
    const began = performance.now()
    await change(number)
    assert.ok(performance.now() - began >= ANNOUNCED_MS, 'it did not wait for the server at all')
    if (first) assert.ok((await ask(first, 'doctors/list')).includes(nameOf(number)))
  } finally {
    frozen?.child.kill('SIGCONT')
  }
}

/** In every process, on every path. */
async function untilSeen(number: number) {
  for (const server of servers)
    for (const path of PATHS)
      await until(async () => (await ask(server, path)).includes(nameOf(number)), WITHOUT_ANNOUNCEMENTS_MS)
}

test('while connections that listen are lost again and again, an import is seen within seconds', async () => {
  for (let number = IMPORTS + 1; number <= IMPORTS + 3; number++) {
    // After the round before they may not be back yet.
    await until(async () => {
      const lost = await runSql(
        ownerUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'rounds listening' and datname = current_database()`,
      )
      return lost.length > 0
    })
    await change(number)
    await untilSeen(number)
  }
})

test('where no announcement ever comes, as behind some poolers, an import is seen within seconds', async () => {
  const number = IMPORTS + 4
  await runSql(
    ownerUrl,
    `create or replace function appointments.renew_directory_version() returns trigger
     language plpgsql security definer set search_path = pg_catalog as $$
     begin
       update appointments.directory set version = gen_random_uuid();
       return null;
     end
     $$`,
  )
  await change(number)
  await untilSeen(number)
})

test('no request failed meanwhile', async () => {
  over.abort()
  await Promise.all(load)
})
