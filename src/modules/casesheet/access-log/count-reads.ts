// How much of patients is read, by operation, in the terms of the access log. A statement that had to be repeated after its
// commit has left rows there that are not counted here.
import type { Metrics } from '../../../metrics/metrics.ts'

export type Reads = { rows: number; readings: number }

export function countReads(metrics: Metrics, operation: string): Reads {
  const reads = { rows: 0, readings: 0 }
  const labels = { operation }
  metrics.counter(
    { name: 'rounds_access_log_rows_total', help: 'Rows written to the access log.', labels },
    () => reads.rows,
  )
  metrics.counter(
    {
      name: 'rounds_readings_read_total',
      help: 'Readings that were read, as the access log counts them.',
      labels,
    },
    () => reads.readings,
  )
  return reads
}
