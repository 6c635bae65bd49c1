// What the primary and its processes say to each other.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { AdminAnswer } from '../admin-port.ts'

/** Set in the environment of a process that a primary started. */
export const HAS_PRIMARY = 'ROUNDS_HAS_PRIMARY'

export type MetricsOfProcess = MetricObjectWithValues<MetricValue<string>>[]

/** Whether its numbers only grow. */
export const isCount = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram'

/** `ask` is a path of the admin port; of /metrics the answer is numbers, to be summed. */
export type ToProcess = { announceStop: string } | { stop: string } | { ask: string; id: number }

/** `answer`: nothing if there is nothing at the path. */
export type Answered = { answer: AdminAnswer | undefined; metrics?: MetricsOfProcess }

export type FromProcess =
  | { started: { url: string } }
  /** Why it did not start or stop; `isTheirs`: what a person can fix. */
  | { failed: { text: string; isTheirs: boolean } }
  | ({ id: number } & Answered)
  /** Before it ends. */
  | { lastCounts: MetricsOfProcess }
