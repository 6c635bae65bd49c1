// What is told of the statements of one kind: those that requests of one sort share, or `other` for all that go alone.
import { SECONDS } from '../metrics/histogram.ts'
import type { Metrics } from '../metrics/metrics.ts'

export type StatementsWatch = {
  /** A statement for so many requests goes out, the first of which stood in line for so long. */
  sent: (requests: number, waitedMs: number) => void
  answered: (tookMs: number) => void
  repeated: () => void
}

/** `blocked`: how many requests wait for a lock of another transaction, of statements that may. */
type Watched = { kind: string; waiting: () => number; blocked?: () => number }

export function watchStatements(metrics: Metrics, { kind, waiting, blocked }: Watched): StatementsWatch {
  let repeats = 0
  metrics.counter(
    {
      name: 'rounds_statement_repeats_total',
      help: 'Statements sent again because the connection or the primary went away.',
      labels: { kind },
    },
    () => repeats,
  )
  metrics.gauge(
    { name: 'rounds_line_requests', help: 'Requests that stand in line for a statement.', labels: { kind } },
    waiting,
  )
  if (blocked) {
    metrics.gauge(
      {
        name: 'rounds_blocked_requests',
        help: 'Requests that wait for a row that another transaction holds locked.',
        labels: { kind },
      },
      blocked,
    )
  }
  const requestsOf = metrics
    .histogram({
      name: 'rounds_statement_requests',
      help: 'Requests that share a statement.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    })
    .series({ kind })
  const wait = metrics
    .histogram({
      name: 'rounds_statement_wait_seconds',
      help: 'How long the first request of a statement stood in line.',
      buckets: SECONDS,
    })
    .series({ kind })
  const duration = metrics
    .histogram({
      name: 'rounds_statement_duration_seconds',
      help: 'From sending a statement, with the wait for a connection, to its rows. Failed ones are left out.',
      buckets: SECONDS,
    })
    .series({ kind })
  return {
    sent(requests, waitedMs) {
      requestsOf.observe(requests)
      wait.observe(waitedMs / 1_000)
    },
    answered: (tookMs) => duration.observe(tookMs / 1_000),
    repeated: () => void repeats++,
  }
}
