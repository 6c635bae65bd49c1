// The webhooks module's table of contents: {webhooks_url}/endpoints/… and {webhooks_url}/attempts/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { DEFAULT_LIMITS } from '../../http/json/strict-json.ts'
import { mustHaveNoQuery } from '../../http/json/validation.ts'
import { allowSilence } from '../../http/limits/stalled-connections.ts'
import { readJson } from '../../http/server.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import { scopeMissing } from '../casesheet/access.ts'
import { compileBodyValidator } from '../casesheet/withdraw/withdraw-reading.ts'
import type { Feed } from '../feed/feed.ts'
import { Attempt } from './attempts/attempt.ts'
import { trimHourly } from './attempts/trim-attempts.ts'
import { createAddressRules } from './delivery/allowed-address.ts'
import { Delivery } from './delivery/deliver.ts'
import { createSecrets } from './delivery/secrets.ts'
import { createSender } from './delivery/send.ts'
import { Endpoint } from './endpoints/endpoint.ts'
import { createOperations, type Operations } from './operations.ts'

/** The receiver's 15 seconds, and two statements. */
const MAX_TEST_MS = 30_000

/** What the module needs beside the database. */
type Deps = {
  feed: Feed
  /** WEBHOOK_KEY, under which secrets are encrypted. */
  key: Buffer
  /** WEBHOOK_ALLOW_NETWORKS: addresses that are not public and may be called. */
  networks: string[]
  /** The longest time between two attempts, where it is not that of the schedule. */
  maxDelayMs?: number | undefined
  /** What messages name as their sender. */
  userAgent: string
  now: () => number
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function webhooksRoutes(db: Db, deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const schema of [Endpoint, Attempt]) app.addSchema(schema)
    app.removeContentTypeParser('application/json')
    readJson(app, BODY_LIMITS)
    app.addHook('onRequest', async ({ caller }) => mustBeAllowedToManageWebhooks(caller))
    const rules = createAddressRules(deps.networks)
    const secrets = createSecrets(deps.key)
    const sender = createSender({ rules, now: deps.now })
    const sending = { ...deps, rules, secrets, sender }
    const operations = createOperations(db, sending)
    readingRoutes(app, operations)
    changingRoutes(app, operations)
    let stopTrimming = () => {}
    let delivery: Delivery | undefined
    app.addHook('onListen', async () => {
      stopTrimming = trimHourly(db, deps.feed.warn)
      delivery = new Delivery(db, { ...sending, log: app.log })
    })
    // What is in flight may end while other requests are answered.
    let stopped: Promise<void> | undefined
    app.addHook('preClose', async () => {
      stopTrimming()
      stopped = delivery?.stop()
    })
    app.addHook('onClose', async () => {
      await stopped
      sender.close()
    })
  }
}

function readingRoutes(app: App, { list, attempts }: Operations) {
  app.get(
    '/endpoints/list',
    { schema: list.contract, exposeHeadRoute: false },
    async ({ query, caller }, reply) => {
      void reply.header('cache-control', 'no-store')
      return list.run(query, caller.subject)
    },
  )

  app.get(
    '/attempts/list',
    { schema: attempts.contract, exposeHeadRoute: false },
    async ({ query, caller }, reply) => {
      void reply.header('cache-control', 'no-store')
      return attempts.run(query, caller.subject)
    },
  )
}

function changingRoutes(app: App, operations: Operations) {
  const { add, remove, pause, resume, replay, skip, test, 'rotate-secret': rotate } = operations
  const ofBody = {
    validatorCompiler: compileBodyValidator,
    onRequest: async (request: { query: unknown }) => mustHaveNoQuery(request),
  }

  app.post('/endpoints/add', { schema: add.contract, ...ofBody }, async ({ body, caller }) =>
    add.run(body, caller.subject),
  )
  app.post('/endpoints/remove', { schema: remove.contract, ...ofBody }, async ({ body, caller }) =>
    remove.run(body, caller.subject),
  )
  app.post('/endpoints/pause', { schema: pause.contract, ...ofBody }, async ({ body, caller }) =>
    pause.run(body, caller.subject),
  )
  app.post('/endpoints/resume', { schema: resume.contract, ...ofBody }, async ({ body, caller }) =>
    resume.run(body, caller.subject),
  )
  app.post('/endpoints/replay', { schema: replay.contract, ...ofBody }, async ({ body, caller }) =>
    replay.run(body, caller.subject),
  )
  app.post('/endpoints/skip', { schema: skip.contract, ...ofBody }, async ({ body, caller }) =>
    skip.run(body, caller.subject),
  )
  app.post('/endpoints/test', { schema: test.contract, ...ofBody }, async (request) => {
    const { body, caller } = request
    allowSilence(request, MAX_TEST_MS)
    // It waits for the receiver, and costs nothing meanwhile.
    app.admission.pause(request)
    try {
      return await test.run(body, caller.subject)
    } finally {
      app.admission.resume(request)
    }
  })
  app.post('/endpoints/rotate-secret', { schema: rotate.contract, ...ofBody }, async ({ body, caller }) =>
    rotate.run(body, caller.subject),
  )
}

function mustBeAllowedToManageWebhooks(caller: Caller) {
  if (!caller.mayManageWebhooks) throw scopeMissing()
}

// A thousand ids of patients take more than other bodies may.
const BODY_LIMITS = { ...DEFAULT_LIMITS, listName: 'patientUids' }
