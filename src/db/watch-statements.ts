// Metrics of the statements of one kind: those that requests of one sort share, or `other` for all that are sent alone.
import { SECONDS } from '../metrics/histogram.ts'
import type { Metrics } from '../metrics/metrics.ts'

export type StatementsWatch = {
  /** A statement is sent for this number of requests, of which the first was queued for `waitedMs`. */
  sent: (requests: number, waitedMs: number) => void
  answered: (tookMs: number) => void
  retried: () => void
}

/** `blocked`: how many requests wait for a row lock of another transaction, for kinds that can. */
type Watched = { kind: string; waiting: () => number; blocked?: () => number }

export function watchStatements(metrics: Metrics, { kind, waiting, blocked }: Watched): StatementsWatch {
  let retries = 0
  metrics.counter(
    {
      name: 'rounds_statement_retries_total',
      help: 'Statements sent again because the connection or the primary was lost.',
      labels: { kind },
    },
    () => retries,
  )
  metrics.gauge(
    { name: 'rounds_queue_requests', help: 'Requests queued for a statement.', labels: { kind } },
    waiting,
  )
  if (blocked) {
    metrics.gauge(
      {
        name: 'rounds_blocked_requests',
        help: 'Requests that wait for a row lock of another transaction.',
        labels: { kind },
      },
      blocked,
    )
  }
  const requestsOf = metrics
    .histogram({
      name: 'rounds_statement_batch_size',
      help: 'Number of requests that share a statement.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    })
    .series({ kind })
  const wait = metrics
    .histogram({
      name: 'rounds_queue_wait_seconds',
      help: 'Time for which the first request of a statement was queued.',
      buckets: SECONDS,
    })
    .series({ kind })
  const duration = metrics
    .histogram({
      name: 'rounds_statement_duration_seconds',
      help: 'Time from sending a statement to its rows, including the wait for a connection. Failed statements are not counted.',
      buckets: SECONDS,
    })
    .series({ kind })
  return {
    sent(requests, waitedMs) {
      requestsOf.observe(requests)
      wait.observe(waitedMs / 1_000)
    },
    answered: (tookMs) => duration.observe(tookMs / 1_000),
    retried: () => void retries++,
  }
}
