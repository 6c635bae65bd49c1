// Whatever is sent, no answer is a fault of ours, each is as the OpenAPI document says, and no refused request changes data.
// For more of it:  npm run lab fuzz
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from '../fuzz/fuzz.ts'
import { startRounds, WITH_WEBHOOKS } from '../support/harness.ts'

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 5_000)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_115)
const rounds = await startRounds(WITH_WEBHOOKS)

test(`${requests} requests made by chance from the document (seed ${seed})`, async (t) => {
  const { seconds, statuses, longestMs } = await fuzz(rounds, { requests, seed })
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  t.diagnostic(`${seconds.toFixed(1)} s, ${Math.round(requests / seconds)} requests/s; ${counts.join(', ')}`)
  t.diagnostic(`the event loop took at most ${Math.round(longestMs)} ms of CPU without a pause`)
  // No request is expensive: this is time for many, and for the client and the judge, in the same loop.
  assert.ok(longestMs < 1_000, `${longestMs} ms`)
  // Requests that are all refused would prove little.
  assert.ok((statuses.get(200) ?? 0) > requests / 5)
  for (const status of [400, 401, 403, 404, 405, 415]) assert.ok(statuses.has(status), `no ${status}`)
  const errors = rounds
    .log()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line))
  assert.deepEqual(errors, [])
})
