// No read that begins after a revocation was answered succeeds, at any process, whatever is cached and whatever else happens.
// `npm run lab models` has more of the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInterleavings } from './interleavings.ts'

const count = Number(process.env['INTERLEAVINGS'] ?? 250)
const seed = Number(process.env['GRANTS_SEED'] ?? Date.now() % 1_000_000)

test(`${count} interleavings of grants and reads at two processes (GRANTS_SEED=${seed})`, async (t) => {
  const { reads, succeeded, refused, writes, longestStreamMs } = await runInterleavings(count, seed)
  t.diagnostic(
    `${writes} writes, ${reads} reads: ${succeeded} succeeded, ${refused} were refused; ` +
      `a stream ended at most ${longestStreamMs.toFixed(0)} ms after its grant`,
  )
  // Reads that are all refused, or none of them, would prove little.
  assert.ok(succeeded > reads / 5 && refused > reads / 5)
})
