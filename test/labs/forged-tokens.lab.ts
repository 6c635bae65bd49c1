// A flood of forged tokens beside a database whose commits take 100 ms and which is away for a while: callers whose tokens are
// cached are served, each of them.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { slownessOfCores } from '../limits/cost.ts'
import { runLoad } from '../load/load.ts'
import { startLoadStage } from '../load/stage.ts'
import { attacksOn, beginAttack } from '../support/attacks.ts'
import { onServer, runSql } from '../support/harness.ts'
import { until } from '../support/until.ts'

const SECONDS = Number(process.env['FLOOD_SECONDS'] ?? 60)
const AWAY_MS = Number(process.env['AWAY_MS'] ?? 20_000)
const COMMIT_MS = 100

const directory = await mkdtemp(join(tmpdir(), 'rounds-'))
const postgres = await startThrowawayPostgres({}, directory)
// The database that is there at the end.
let present = postgres
after(async () => {
  await present.stop()
  await rm(directory, { recursive: true })
})
const { server, issuer, patients, ownerUrl } = await onServer(postgres.url, () => startLoadStage())
const callers = patients.slice(0, 20)
for (const { token } of callers) {
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await fetch(`${server.url}/casesheet/readings/types`, { headers })).status, 200)
}
await runSql(
  ownerUrl,
  `create function public.commit_slowly() returns trigger language plpgsql security definer as $$
  begin
    perform pg_sleep(${COMMIT_MS / 1_000});
    return null;
  end
  $$;
  create trigger commit_slowly after insert on casesheet.readings
  for each statement execute function public.commit_slowly();
  create trigger commit_slowly after insert on casesheet.access_log
  for each statement execute function public.commit_slowly()`,
)

/** As when another primary takes over: connections are cut, none can be made for a while, and the addresses stay. */
async function failOver() {
  await present.stop()
  await pause(AWAY_MS)
  present = await startThrowawayPostgres({}, directory)
}

async function countAdded(): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    ownerUrl,
    "select count(*)::int as count from casesheet.readings where added_by <> 'test'",
  )
  return row?.count ?? 0
}

test('cached callers are served through a flood of forged tokens, slow commits and a failover', async (t) => {
  const { 'forged tokens': flood } = await attacksOn({ url: server.url, issuer, token: '' })
  const stop = await beginAttack(server.url, flood ?? assert.fail())
  after(stop)
  const load = runLoad({
    url: server.url,
    patients: callers,
    connections: 63,
    seconds: SECONDS,
    ratePerSecond: 30,
    getShare: 0.5,
  })
  await until(async () => (await countAdded()) >= 20)
  await failOver()
  const figures = await load
  stop()
  const told = JSON.stringify({ ...figures, bySecond: undefined })
  t.diagnostic(told)
  assert.deepEqual([figures.others, figures.errors, figures.refused.count], [{}, [], 0], told)
  assert.equal(figures.accepted.count, figures.sent, told)
  // Those that waited for the database are answered soon after it is back.
  const atMostMs = AWAY_MS + 5_000 * slownessOfCores()
  assert.ok(figures.accepted.most - figures.lateness.most < atMostMs, told)
})

test('it stops with exit code 0', async () => {
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
  await issuer.stop()
})
