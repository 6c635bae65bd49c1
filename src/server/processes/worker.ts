// One of several processes. It stops when its primary says so, or is gone. Signals to the group of processes reach the primary too,
// so it ignores them.
import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { readServeConfig } from '../../config/config.ts'
import { CommandError } from '../../refusal.ts'
import { serve } from '../serve.ts'
import {
  type Answered,
  type FromProcess,
  isCount,
  type MetricsOfProcess,
  type ToProcess,
} from './messages.ts'
import { shareOf } from './share.ts'

/** What the primary can ask, once it serves. */
type Answering = (path: string) => Promise<Answered>

export async function serveForPrimary(env: NodeJS.ProcessEnv) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  const primary = listenToPrimary()
  let metrics: Registry | undefined
  try {
    const { url, announceStop, stop } = await serve(shareOf(readServeConfig(env)), {
      ofSeveral: {
        pid: process.pid,
        async openAdmin({ answers, registry }) {
          metrics = registry
          primary.answerWith(async (path) =>
            path === '/metrics'
              ? { answer: undefined, metrics: await registry.getMetricsAsJSON() }
              : { answer: await answers[path]?.() },
          )
          return { url: '', close: async () => {} }
        },
      },
    })
    primary.answerBeforeEnd()
    await tell({ started: { url } })
    void primary.announced.then(announceStop)
    await stop(await primary.stopped)
  } catch (error) {
    const isTheirs = error instanceof CommandError
    const text = error instanceof Error ? (isTheirs ? error.message : error.stack) : undefined
    await tell({ failed: { text: text ?? String(error), isTheirs } })
    process.exitCode = 1
  }
  if (metrics) await tell({ lastCounts: await countsOf(metrics) })
  if (!process.connected) return
  // Without this, Node ends a process that has lost its primary with 0.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.disconnect()
}

/** What remains of a process. Gauges do not, and some of them would ask the database. */
async function countsOf(registry: Registry): Promise<MetricsOfProcess> {
  const counted = registry.getMetricsAsArray().filter((metric) => isCount(metric))
  const metrics = await Promise.all(counted.map(async ({ name }) => registry.getSingleMetric(name)?.get()))
  return metrics.filter((metric) => metric !== undefined)
}

function listenToPrimary() {
  const announced = Promise.withResolvers<string>()
  const stopped = Promise.withResolvers<string>()
  let answering: Answering = async () => ({ answer: undefined })
  process.on('message', (message: ToProcess) => {
    if ('announceStop' in message) announced.resolve(message.announceStop)
    else if ('stop' in message) stopped.resolve(message.stop)
    else void answering(message.ask).then((answer) => tell({ id: message.id, ...answer }))
  })
  return {
    announced: announced.promise,
    stopped: stopped.promise,
    answerWith: (answer: Answering) => void (answering = answer),
    /** Node ends a process at once that loses its primary. From here on, requests in flight are answered first. */
    answerBeforeEnd() {
      cluster.worker?.on('disconnect', () => {
        if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
        stopped.resolve('the primary is gone')
      })
    },
  }
}

/** Once it is sent, or cannot be. */
function tell(message: FromProcess): Promise<void> {
  return new Promise((done) => {
    if (process.connected && process.send) process.send(message, () => done())
    else done()
  })
}
