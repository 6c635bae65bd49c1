// Health and metrics of several processes as one.
import { AggregatorRegistry, collectDefaultMetrics } from 'prom-client'
import { createMetrics } from '../../metrics/metrics.ts'
import type { AdminAnswer, AdminAnswers } from '../admin-port.ts'
import type { Member } from './member.ts'
import { isCount, type MetricsOfProcess } from './messages.ts'

/** A check of a process takes up to a second. */
const ANSWER_WITHIN_MS = 1_500

type Members = {
  wanted: number
  /** Those that serve and are not being replaced. */
  serving: () => Member[]
  /** Those that have not ended. */
  all: () => Iterable<Member>
}

export function answersOfAll({ wanted, serving, all }: Members) {
  const metrics = createMetrics()
  collectDefaultMetrics({ register: metrics.registry })
  metrics.gauge(
    { name: 'rounds_processes', help: 'Processes that serve, of those that PROCESSES asks for.' },
    () => serving().length,
  )
  /** What ended processes have counted: without it, the sums would fall. */
  let ofEnded: MetricsOfProcess = []

  const askEach = (path: string) => Promise.all(serving().map((member) => member.ask(path, ANSWER_WITHIN_MS)))

  async function readiness(path: string): Promise<AdminAnswer> {
    return readinessOf(await askEach(path), wanted)
  }
  async function liveness(): Promise<AdminAnswer> {
    const isAlive = (await askEach('/livez')).every((answer) => answer?.status === 200)
    return asJson(isAlive ? 200 : 503, { status: isAlive ? 'ok' : 'unavailable' })
  }
  async function sum(): Promise<AdminAnswer> {
    await Promise.all(Array.from(all(), (member) => member.ask('/metrics', 2 * ANSWER_WITHIN_MS)))
    const ofPrimary = await metrics.registry.getMetricsAsJSON()
    // Read at one time: a process that has ended meanwhile counts among the ended ones, and only there.
    const registry = sumOf([ofEnded, ofPrimary, ...Array.from(all(), (member) => member.metrics)])
    return { status: 200, type: registry.contentType, body: await registry.metrics() }
  }
  const answers: AdminAnswers = {
    '/livez': liveness,
    '/readyz': () => readiness('/readyz'),
    '/readyz/directory': () => readiness('/readyz/directory'),
    '/metrics': sum,
  }
  return {
    answers,
    /** To be called when a member has ended, and is no longer among all. */
    async keepCountsOf(member: Member) {
      // At once, so that no scrape misses them; summed, so that they stay few.
      ofEnded = [...ofEnded, ...member.metrics.filter(isCount)]
      ofEnded = await sumOf([ofEnded]).getMetricsAsJSON()
    },
  }
}

function sumOf(ofProcesses: MetricsOfProcess[]) {
  return AggregatorRegistry.aggregate(
    ofProcesses.map((metrics) =>
      metrics.map((metric) => ({ ...metric, aggregator: ELSE[metric.aggregator] ?? metric.aggregator })),
    ),
  )
}

/** Of event loops that lag, the worst counts; and the service is as old as its oldest process. */
const ELSE: Record<string, string> = { average: 'max', omit: 'min' }

type Found = {
  checks: Record<string, boolean>
  unavailable?: Record<string, { seconds: number; code?: string }>
}

/** Ready if each that serves is; a process that is being started again is only reported. */
function readinessOf(answers: (AdminAnswer | undefined)[], wanted: number): AdminAnswer {
  const given = answers.filter((answer) => answer !== undefined)
  const checks: Record<string, boolean> = { processes: given.length === wanted }
  const unavailable: NonNullable<Found['unavailable']> = {}
  for (const { body } of given) {
    const found = JSON.parse(body) as Found
    for (const [check, is] of Object.entries(found.checks)) checks[check] = is && (checks[check] ?? true)
    for (const [check, outage] of Object.entries(found.unavailable ?? {}))
      if (outage.seconds >= (unavailable[check]?.seconds ?? 0)) unavailable[check] = outage
  }
  const isReady = answers.length > 0 && answers.every((answer) => answer?.status === 200)
  return asJson(isReady ? 200 : 503, {
    status: isReady ? 'ok' : 'unavailable',
    checks,
    ...(Object.keys(unavailable).length > 0 && { unavailable }),
  })
}

function asJson(status: number, body: object): AdminAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}
