// Three times as many requests as it can carry, at a constant rate, whatever becomes of them. This form holds on any
// machine, however busy; "npm run lab overload" has the figures that need a quiet one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureOverload } from '../load/overload.ts'
import { startLoadStage } from '../load/stage.ts'

// On a machine with much memory V8 lets its heap grow before it collects: 120 MiB more in these seconds, nearly all of it garbage.
// So the heap is bounded here to what the service needs, and must last.
const stage = await startLoadStage({ NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=160' })

test('at three times its capacity it serves what it can, refuses the rest properly, and is itself again at once', async () => {
  const { capacityPerSecond, normal, overload, after, memoryMiB } = await measureOverload(stage, {
    capacity: 3,
    normal: 4,
    overload: 8,
    after: 5,
  })
  const told = JSON.stringify({ capacityPerSecond, normal, overload, after, memoryMiB })
  // Every request had an answer: 200, or 429 or 503 with Retry-After. No connection was cut.
  for (const { accepted, refused, sent, others, errors } of [normal, overload, after]) {
    assert.deepEqual([others, errors], [{}, []], told)
    assert.equal(accepted.count + refused.count, sent, told)
  }
  assert.ok(overload.refused.count > overload.sent / 4, told)
  assert.ok(overload.accepted.count / overload.seconds > capacityPerSecond / 20, told)
  assert.ok(memoryMiB.most - memoryMiB.before < 64, told)
  // Within the five seconds there is one in which all are served, as fast as before.
  const normalAgain = after.bySecond.some(
    ({ count, p99 }) => count >= 0.99 * (after.sent / after.seconds) && p99 <= 2 * normal.accepted.p99,
  )
  assert.ok(normalAgain, told)
})

test('what was refused is counted, and told in the log once a second and not for each', async () => {
  stage.server.child.kill('SIGTERM')
  const { code, output } = await stage.server.ended
  assert.equal(code, 0)
  const lines = output.split('\n').filter((line) => line.includes('requests were refused'))
  assert.ok(lines.length > 0 && lines.length < 30, output)
  assert.match(lines[0] ?? '', /"count":\d+/)
  await stage.issuer.stop()
})
