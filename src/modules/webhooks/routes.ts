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
import { createListAttempts, listAttemptsContract } from './attempts/list-attempts.ts'
import { trimHourly } from './attempts/trim-attempts.ts'
import { createAddressRules } from './delivery/allowed-address.ts'
import { Delivery } from './delivery/deliver.ts'
import { createSecrets } from './delivery/secrets.ts'
import { createSender } from './delivery/send.ts'
import type { SendDeps } from './delivery/send-signed.ts'
import { type AddDeps, addEndpointContract, createAddEndpoint } from './endpoints/add-endpoint.ts'
import { Endpoint } from './endpoints/endpoint.ts'
import { createListEndpoints, listEndpointsContract } from './endpoints/list-endpoints.ts'
import { createPauses, pauseEndpointContract, resumeEndpointContract } from './endpoints/pause-endpoint.ts'
import { createRemoveEndpoint, removeEndpointContract } from './endpoints/remove-endpoint.ts'
import { createReplayEndpoint, replayEndpointContract } from './endpoints/replay-endpoint.ts'
import { createRotateSecret, rotateSecretContract } from './endpoints/rotate-secret.ts'
import { createSkipPage, skipPageContract } from './endpoints/skip-page.ts'
import { createTestEndpoint, testEndpointContract } from './endpoints/test-endpoint.ts'

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
    readingRoutes(app, db)
    const rules = createAddressRules(deps.networks)
    const secrets = createSecrets(deps.key)
    const sender = createSender({ rules, now: deps.now })
    const sending = { ...deps, rules, secrets, sender }
    changingRoutes(app, db, sending)
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

function readingRoutes(app: App, db: Db) {
  const listEndpoints = createListEndpoints(db)
  const listAttempts = createListAttempts(db)

  app.get(
    '/endpoints/list',
    { schema: listEndpointsContract, exposeHeadRoute: false },
    async ({ query, caller }, reply) => {
      void reply.header('cache-control', 'no-store')
      return listEndpoints(query, caller.subject)
    },
  )

  app.get(
    '/attempts/list',
    { schema: listAttemptsContract, exposeHeadRoute: false },
    async ({ query, caller }, reply) => {
      void reply.header('cache-control', 'no-store')
      return listAttempts(query, caller.subject)
    },
  )
}

function changingRoutes(app: App, db: Db, deps: AddDeps & SendDeps) {
  const { secrets, now } = deps
  const addEndpoint = createAddEndpoint(db, deps)
  const removeEndpoint = createRemoveEndpoint(db)
  const { pause, resume } = createPauses(db)
  const replayEndpoint = createReplayEndpoint(db, now)
  const skipPage = createSkipPage(db)
  const rotateSecret = createRotateSecret(db, secrets)
  const testEndpoint = createTestEndpoint(db, deps)
  const ofBody = {
    validatorCompiler: compileBodyValidator,
    onRequest: async (request: { query: unknown }) => mustHaveNoQuery(request),
  }

  app.post('/endpoints/add', { schema: addEndpointContract, ...ofBody }, async ({ body, caller }) =>
    addEndpoint(body, caller.subject),
  )
  app.post('/endpoints/remove', { schema: removeEndpointContract, ...ofBody }, async ({ body, caller }) =>
    removeEndpoint(body, caller.subject),
  )
  app.post('/endpoints/pause', { schema: pauseEndpointContract, ...ofBody }, async ({ body, caller }) =>
    pause(body, caller.subject),
  )
  app.post('/endpoints/resume', { schema: resumeEndpointContract, ...ofBody }, async ({ body, caller }) =>
    resume(body, caller.subject),
  )
  app.post('/endpoints/replay', { schema: replayEndpointContract, ...ofBody }, async ({ body, caller }) =>
    replayEndpoint(body, caller.subject),
  )
  app.post('/endpoints/skip', { schema: skipPageContract, ...ofBody }, async ({ body, caller }) =>
    skipPage(body, caller.subject),
  )
  app.post('/endpoints/test', { schema: testEndpointContract, ...ofBody }, async (request) => {
    const { body, caller } = request
    allowSilence(request, MAX_TEST_MS)
    // It waits for the receiver, and costs nothing meanwhile.
    app.admission.pause(request)
    try {
      return await testEndpoint(body, caller.subject)
    } finally {
      app.admission.resume(request)
    }
  })
  app.post(
    '/endpoints/rotate-secret',
    { schema: rotateSecretContract, ...ofBody },
    async ({ body, caller }) => rotateSecret(body, caller.subject),
  )
}

function mustBeAllowedToManageWebhooks(caller: Caller) {
  if (!caller.mayManageWebhooks) throw scopeMissing()
}

// A thousand ids of patients take more than other bodies may.
const BODY_LIMITS = { ...DEFAULT_LIMITS, listName: 'patientUids' }
