// What is counted of deliveries by this process.
import type { Metrics } from '../../../metrics/metrics.ts'
import type { Outcome } from './note-outcome.ts'

/** An endpoint that has everything is noted as such every few seconds. */
const CAUGHT_UP_SECONDS = 15

export type DeliveryCounts = ReturnType<typeof createDeliveryCounts>

export function createDeliveryCounts({ counter, gauge }: Metrics, countWorking: () => number) {
  const attempts = { delivered: 0, failed: 0 }
  let changes = 0
  const counts = {
    /** Of the endpoints that this process holds and nobody has paused: how long ago the last of them had everything. */
    behindSeconds: 0,
    endpoints: { active: 0, paused: 0 },
    count(outcome: Outcome, sent: number) {
      attempts[outcome.kind === 'delivered' ? 'delivered' : 'failed']++
      if (outcome.kind === 'delivered') changes += sent
    },
  }
  for (const outcome of ['delivered', 'failed'] as const)
    counter(
      {
        name: 'rounds_webhook_attempts_total',
        help: 'Attempts to deliver a webhook.',
        labels: { outcome },
      },
      () => attempts[outcome],
    )
  for (const state of ['active', 'paused'] as const)
    gauge(
      {
        name: 'rounds_webhook_endpoints',
        help: 'Endpoints of webhooks that this process delivers to.',
        labels: { state },
      },
      () => counts.endpoints[state],
    )
  counter(
    { name: 'rounds_webhook_changes_total', help: 'Changes that were delivered by webhooks.' },
    () => changes,
  )
  gauge(
    {
      name: 'rounds_webhook_behind_seconds',
      help: 'How long the endpoint that is furthest behind has not had everything; 0 if all have.',
    },
    () => (counts.behindSeconds > CAUGHT_UP_SECONDS ? counts.behindSeconds : 0),
  )
  gauge({ name: 'rounds_webhook_in_flight', help: 'Webhooks that are being delivered.' }, countWorking)
  return counts
}
