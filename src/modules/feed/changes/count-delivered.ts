// How many changes were delivered, by the operation that delivered them.
import type { Metrics } from '../../../metrics/metrics.ts'

export function countDelivered(metrics: Metrics, operation: 'readings/changes' | 'readings/stream') {
  const counts = { changes: 0 }
  metrics.counter(
    {
      name: 'rounds_changes_delivered_total',
      help: 'Changes of readings, and erasures, that were delivered.',
      labels: { operation },
    },
    () => counts.changes,
  )
  return counts
}
