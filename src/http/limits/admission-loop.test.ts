// What admission control reads of the event loop of its process, with the clock and the utilisation in the hands of the test.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { AdmissionControl } from './admission-control.ts'

type Times = { idle: number; active: number }

test('a busy event loop limits the requests in work, and each idle sample since the last lifts the limit', async (t) => {
  const passed = { idle: 0, active: 0 }
  t.mock.method(performance, 'now', () => passed.idle + passed.active)
  t.mock.method(performance, 'eventLoopUtilization', (to: Times = passed, from = { idle: 0, active: 0 }) => {
    const [idle, active] = [to.idle - from.idle, to.active - from.active]
    return { idle, active, utilization: active / (idle + active) }
  })
  const control = new AdmissionControl({
    maxWhenBusy: 4,
    corsOrigins: [],
    refusals: { Overloaded: 0 },
    onRefused: () => {},
  })
  for (let count = 0; count < 100; count++) control.begin({ isKnown: false })

  /** The status of a request in an iteration that takes as long. */
  async function statusIn({ idle, active }: Times): Promise<number> {
    let status = 200
    const response = {
      writeHead(code: number) {
        status = code
        return response
      },
      end() {},
    }
    const request = { method: 'GET', headers: { authorization: 'Bearer x' } } as IncomingMessage
    control.guard(() => {})(request, response as unknown as ServerResponse)
    passed.idle += idle
    passed.active += active
    await new Promise((resume) => setImmediate(resume))
    return status
  }
  const statuses: number[] = []
  for (let busy = 0; busy < 3; busy++) statuses.push(await statusIn({ idle: 0, active: 1_000 }))
  assert.deepEqual(statuses, [200, 200, 503])
  // From 49, by a tenth and one each.
  let idleSamples = 0
  while ((await statusIn({ idle: 9, active: 1 })) === 503) assert.ok(++idleSamples < 100)
  assert.equal(idleSamples, 7)
})
