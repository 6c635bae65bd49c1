// A process with a heap of 384 MiB, and everything hostile that one client can send: it survives each, and a caller who sends
// ordinary requests meanwhile is served quickly.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { slownessOfCores } from '../limits/cost.ts'
import { runLoad } from '../load/load.ts'
import { startLoadStage } from '../load/stage.ts'
import { attacksOn, beginAttack } from '../support/attacks.ts'
import { runSql } from '../support/harness.ts'

const SECONDS = 4
const MAX_MIB = 640
const slowness = slownessOfCores()
const stage = await startLoadStage({
  NODE_OPTIONS: '--max-old-space-size=384',
  RATE_LIMIT_PER_MINUTE: '600',
  RATE_LIMIT_BYTES_PER_MINUTE: '16777216',
  RATE_LIMIT_REFUSED_PER_MINUTE: '6000',
  CORS_ORIGINS: 'https://app.example',
})
const { server, issuer, patients, ownerUrl } = stage
const callers = patients.slice(0, 20)
const [hostile] = patients.slice(-1)
await runSql(
  ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select $1, to_timestamp(n), gen_random_uuid(), 'acme.n' || n, n, json_build_object('note', repeat('x', 60000)), 'test'
   from generate_series(1, 40) n`,
  [hostile?.uid],
)
// Their tokens are cached from here on: one that is new in the middle of a flood of forged ones may have to be sent again.
for (const { token } of callers) {
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await fetch(`${server.url}/casesheet/readings/types`, { headers })).status, 200)
}
const attacks = await attacksOn({ url: server.url, issuer, token: hostile?.token ?? '' })

for (const [name, attack] of Object.entries(attacks)) {
  test(`it serves others through ${name}`, async (t) => {
    const stop = await beginAttack(server.url, attack)
    after(stop)
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, server.memoryMiB())), 100)
    const figures = await runLoad({
      url: server.url,
      patients: callers,
      connections: 8,
      seconds: SECONDS,
      ratePerSecond: 50,
      getShare: 0.5,
    })
    clearInterval(watch)
    stop()
    const told = JSON.stringify({ ...figures, bySecond: undefined, mostMiB: Math.round(most) })
    t.diagnostic(told)
    assert.deepEqual([figures.others, figures.errors], [{}, []], told)
    if (!attack.isAsked) assert.equal(figures.refused.count, 0, told)
    assert.ok(figures.accepted.count > figures.sent / 4, told)
    // How late the load itself sent is what the machine, which runs the attack too, adds to every time.
    assert.ok(figures.accepted.p99 - figures.lateness.p99 < 500 * slowness, told)
    assert.ok(most < MAX_MIB, told)
    assert.equal(server.child.exitCode, null)
  })
}

test('after all of them it stops with exit code 0, and its log holds no fault', async () => {
  server.child.kill('SIGTERM')
  const { code, output } = await server.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /"level":(50|60)/)
  await issuer.stop()
})
