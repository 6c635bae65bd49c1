// The OpenAPI document of all modules, from the app as it is wired, without listening, a database or an issuer.
import { pino } from 'pino'
import { readServeConfig } from '../../src/config/config.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { buildApp } from '../../src/server/app.ts'

export async function printApi(): Promise<string> {
  const config = readServeConfig({
    DATABASE_URL: 'postgres://nowhere.invalid/none',
    AUTH_ISSUER: 'https://nowhere.invalid',
    AUTH_AUDIENCE: 'none',
    MODULES: 'appointments,casesheet,care,webhooks',
    ALERTS: 'on',
    WEBHOOK_KEY: Buffer.alloc(32).toString('base64'),
  })
  const notHere = async () => {
    throw new Error('The document is made without a database and without an issuer.')
  }
  const app = await buildApp(config, {
    db: {
      query: notHere,
      attempt: notHere,
      maxWaiting: 0,
      maxWhenBusy: 0,
      deadlineMs: 0,
      metrics: createMetrics(),
      queues: new Set(),
      listen: () => async () => undefined,
      end: async () => undefined,
    },
    tokens: {
      recall: () => undefined,
      isCached: () => false,
      verify: notHere,
      keysAreKnown: () => false,
      refreshKeys: notHere,
      close: () => undefined,
    },
    logger: pino({ level: 'silent' }),
    now: Date.now,
  })
  await app.ready()
  const document = JSON.stringify(app.swagger())
  await app.close()
  return document
}
