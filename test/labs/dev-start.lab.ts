// How long a newcomer waits for `rounds dev`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDev, temporaryDirectory } from '../support/dev.ts'

test('the first start of rounds dev takes less than 15 seconds', async (t) => {
  const dev = await startDev({ TMPDIR: temporaryDirectory(), PG_BIN: process.env['PG_BIN'] ?? '' }, [
    '--port',
    '0',
  ])
  t.diagnostic(`${dev.startMs} ms`)
  dev.child.kill('SIGINT')
  await dev.ended
  assert.ok(dev.startMs < 15_000, `${dev.startMs} ms`)
})
