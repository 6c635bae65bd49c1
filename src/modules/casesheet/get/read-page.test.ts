import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FIELD_END, READING_END, readingsIn } from './print-readings.ts'
import { positionAt } from './read-page.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('the position of a stream that nobody reads keeps nothing else of its page', () => {
  const fields = ['acme.note', '1', '00000000-0000-4000-8000-000000000000', '2026-01-01', '2026-01-01']
  const listed = (page: number) =>
    // As the driver makes it of what it received: one text, with two bytes for each character.
    Buffer.from(
      Array.from({ length: 250 }, (_, n) =>
        [...fields, `{"note":"’${page}-${n}${'x'.repeat(1_000)}"}`].join(FIELD_END),
      ).join(READING_END),
    ).toString()
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const positions = Array.from({ length: 100 }, (_, page) => {
    const [reading] = readingsIn(listed(page), 250).slice(-1)
    return reading && positionAt(reading)
  })
  collectGarbage()
  const held = (process.memoryUsage().heapUsed - before) / positions.length
  assert.ok(held < 2_000, `${held.toFixed(0)} bytes are held for each of ${positions.length} positions`)
})
