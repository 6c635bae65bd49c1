// The image with the memory of a pod, and everything hostile that test/limits has, all at once, beside clients that ask for
// the largest answers and read none of them. V8's heap is what the image makes of the limit.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addCases } from '../limits/add-cases.ts'
import { introduceCallers } from '../limits/case.ts'
import { readCases } from '../limits/read-cases.ts'
import { setLimitsStage } from '../limits/stage.ts'
import { surviveAll } from '../limits/survive.ts'
import { attacksOn, beginAttack } from '../support/attacks.ts'
import { metricOf } from '../support/event-stream.ts'
import { docker, IMAGE, MEMORY_MIB } from './container.ts'

const ATTACK_MS = 3_000

process.env['TEST_IMAGE'] = IMAGE
const stage = await setLimitsStage({
  RATE_LIMIT_PER_MINUTE: '1000000000',
  RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
  PATIENT_BYTES_PER_DAY: '1000000000000',
})
after(() => stage.strike())
const callers = await introduceCallers(stage)
const cases = [...addCases(callers), ...readCases(callers)]

test('the heap is bounded by the limit of the container, and the rest is left for buffers', () => {
  const limits = ['-p', 'v8.getHeapStatistics().heap_size_limit / 2 ** 20']
  const [, option = ''] = JSON.parse(
    docker('inspect', '--format={{json .Config.Entrypoint}}', IMAGE),
  ) as string[]
  const heapMiB = (...args: string[]) =>
    Number(docker('run', '--rm', ...args, '--entrypoint=node', IMAGE, option, ...limits))
  const pod = heapMiB('--memory', `${MEMORY_MIB}m`)
  assert.ok(pod > 0.5 * MEMORY_MIB && pod < 0.75 * MEMORY_MIB, `${pod} MiB`)
  assert.ok(heapMiB('--memory', '1024m') > 1.8 * pod)
})

test('the limit of the container is a metric', async () => {
  assert.equal(await metricOf(stage.server.adminUrl, 'rounds_memory_limit_bytes'), MEMORY_MIB * 1_024 * 1_024)
})

test('it survives all of them at once, and others are served', async (t) => {
  const { calls, residentMiB } = await surviveAll(stage, cases)
  t.diagnostic(`${calls} ordinary calls, ${residentMiB.toFixed(0)} MiB resident of ${MEMORY_MIB}`)
  assert.ok(calls > 0)
  assert.equal(stage.server.child.exitCode, null)
  await mustServe()
})

const attacks = await attacksOn({
  url: stage.server.url,
  issuer: stage.issuer,
  token: await stage.issuer.token({ patientUid: 'large', sub: 'attacker' }),
})
for (const [name, attack] of Object.entries(attacks)) {
  test(`it survives ${name}`, async (t) => {
    const stop = await beginAttack(stage.server.url, attack)
    await pause(ATTACK_MS)
    t.diagnostic(`${stage.server.memoryMiB().toFixed(0)} MiB resident of ${MEMORY_MIB}`)
    stop()
    await mustServe()
  })
}

test('its peak is below the limit', (t) => {
  const peak = stage.server.memoryMiB('VmHWM')
  t.diagnostic(`${peak.toFixed(0)} MiB at most of ${MEMORY_MIB}`)
  assert.ok(peak > 0 && peak < MEMORY_MIB, `${peak} MiB`)
})

/** An ordinary caller is answered, by the process that was started, as soon as it has got rid of what it was sent. */
async function mustServe() {
  const headers = await stage.bearer({ patientUid: 'usual', sub: 'usual' })
  const ask = () => fetch(`${stage.server.url}/casesheet/readings/get?limit=20`, { headers })
  let answer = await ask()
  for (const until = Date.now() + 30_000; answer.status === 503 && Date.now() < until; answer = await ask())
    await pause(200)
  assert.equal(answer.status, 200)
  assert.equal(stage.server.child.exitCode, null)
}
