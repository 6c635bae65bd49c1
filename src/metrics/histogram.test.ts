import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createHistogram } from './histogram.ts'

test('each bucket counts what is at most its bound, and series are kept apart', async () => {
  const { series, metric } = createHistogram({ name: 'took', help: 'How long.', buckets: [0.1, 1] })
  const registry = new Registry()
  registry.registerMetric(metric)
  for (const value of [0.05, 0.1, 0.5, 1.5, 7]) series({ kind: 'a' }).observe(value)
  series({ kind: 'b' })
  assert.equal(
    await registry.metrics(),
    `# HELP took How long.
# TYPE took histogram
took_bucket{kind="a",le="0.1"} 2
took_bucket{kind="a",le="1"} 3
took_bucket{kind="a",le="+Inf"} 5
took_sum{kind="a"} 9.15
took_count{kind="a"} 5
took_bucket{kind="b",le="0.1"} 0
took_bucket{kind="b",le="1"} 0
took_bucket{kind="b",le="+Inf"} 0
took_sum{kind="b"} 0
took_count{kind="b"} 0
`,
  )
})
