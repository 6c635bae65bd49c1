// The HTTP server that every module stands on: limits on what a client may send and how long it may take, JSON read
// strictly, request ids, and a stop that fails no request. It knows no route.
import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import cors from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'
import { Refusal } from '../refusal.ts'
import {
  answerClientError,
  answerErrors,
  countRefusals,
  type ErrorFormatOf,
  refusalFrom,
  refuseUnknownPaths,
  sendRefusal,
} from './answers/errors.ts'
import { type Development, isLocalOrigin } from './development.ts'
import { type JsonLimits, MAX_VALUE_BYTES, parseInPieces, parseStrictJson } from './json/strict-json.ts'
import { compileQueryValidator } from './json/validation.ts'
import { AdmissionControl } from './limits/admission-control.ts'
import { createPipeline } from './limits/one-at-a-time.ts'
import { BodyIntake } from './limits/receive-bodies.ts'
import { stalledAfterMs } from './limits/stalled-connections.ts'
import { boundUnsentAnswers } from './limits/unsent-answers.ts'
import { reportAnswers } from './report-answers.ts'
import { isSentTwice, pathOf, queryOf, requestIdOf } from './request-head.ts'

const HEADERS_TIMEOUT_MS = 5_000
const MAX_BODY_BYTES = 4 * 1_024 * 1_024
/** Node's code for a request that did not arrive in time. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'

export type ServerSettings = {
  logger: FastifyBaseLogger
  metrics: Metrics
  trustProxy: string[]
  corsOrigins: string[]
  maxWhenBusy: number
  keepAliveMs: number
  requestDeadlineMs: number
  isKnown: (authorization: string) => boolean
  errorFormatOf: ErrorFormatOf
  /** How many requests only wait for the database. */
  countWaiting: () => number
  development?: Development | undefined
}

export type Server = Awaited<ReturnType<typeof createServer>>

export async function createServer(settings: ServerSettings) {
  const { logger, metrics, trustProxy, corsOrigins, maxWhenBusy, development } = settings
  const refusals = countRefusals(metrics)
  const answerBroken = (error: Error & { code?: string }, socket: Duplex) => {
    // The headers of a request that we do not read, because others of its connection are held, are not late.
    if (error.code === TOO_SLOW && pipeline.isHolding(socket)) return
    answerClientError(error, socket, { refusals, logger })
  }
  const admission = new AdmissionControl({
    maxWhenBusy,
    corsOrigins,
    refusals,
    isKnown: settings.isKnown,
    errorFormatOf: settings.errorFormatOf,
    countWaiting: settings.countWaiting,
    onRefused: (count) => logger.warn({ count }, 'overloaded: requests were refused by admission control'),
  })
  const pipeline = createPipeline(admission.refuse)
  const bodies = new BodyIntake({
    maxBodyBytes: MAX_BODY_BYTES,
    metrics,
    cut: (socket) =>
      answerBroken(Object.assign(new Error('The body is too slow.'), { code: TOO_SLOW }), socket),
  })
  // It is given no logger: it would make a child of it and two listeners for every request.
  const app = Fastify({
    // The built-in request log prints the URL, hence the patient.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    // From the outside in: one request of a connection at a time, its body watched, then admission control.
    serverFactory: (answer) =>
      createHttpServer(limitsOf(settings), pipeline.guard(bodies.guard(admission.guard(answer)))).setTimeout(
        stalledAfterMs(settings.requestDeadlineMs),
      ),
    clientErrorHandler: answerBroken,
    // An address that cannot be decoded meets no hook and no error handler.
    frameworkErrors: (error, request, reply) => void sendRefusal(refusalFrom(error), request, reply),
    schemaController: SCHEMA_CONTROLLER,
    // A request that arrives while the server stops is still served; its connection is closed after the answer.
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.log = logger
  // Lines of a request name its id themselves.
  app.setChildLoggerFactory(() => logger)
  app.removeAllContentTypeParsers()
  readJson(app)
  answerErrors(app, refusals, settings.errorFormatOf)
  // Node would end these in its own way: CONNECT, and expectations, which a server may ignore.
  app.server.on('connect', (_request, socket) => answerBroken(new Error('CONNECT'), socket))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  reportAnswers(app, { metrics, logsPaths: development !== undefined })
  app.decorateRequest('isKnown', false)
  app.decorate('admission', {
    pause: admission.end,
    resume: admission.begin,
    know: admission.know,
    refusedKnown: admission.refusedKnown,
  })
  app.addHook('onRequest', (request, reply, done) => {
    admission.begin(request)
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (app.isStopping) void reply.header('connection', 'close')
    mustBeUnambiguous(request)
    done()
  })
  if (development || corsOrigins.length > 0)
    await app.register(cors, { ...CORS, origin: originsAllowed(corsOrigins, development) })
  refuseUnknownPaths(app)
  bodies.watch(app, app.admission)
  app.addHook('onSend', (request, _reply, _payload, done) => {
    admission.end(request)
    done()
  })
  boundUnsentAnswers(app)
  closeIdleConnectionsOnStop(app, pipeline.isBusy)
  return app
}

function originsAllowed(corsOrigins: string[], development: Development | undefined) {
  if (!development) return corsOrigins
  return (origin = '', done: (error: null, isAllowed: boolean) => void) =>
    done(null, corsOrigins.includes(origin) || isLocalOrigin(origin, development))
}

const CORS = {
  methods: ['GET', 'POST'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'if-none-match',
    'last-event-id',
    'mcp-method',
    'mcp-name',
    'mcp-protocol-version',
    'prefer',
    'x-access-reason',
    'x-request-id',
  ],
  exposedHeaders: [
    'content-disposition',
    'etag',
    'link',
    'location',
    'preference-applied',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'x-limited-to',
    'x-next-cursor',
    'x-request-id',
  ],
  maxAge: 600,
  strictPreflight: false,
}

/** Bodies of these types are read as JSON; the limits are those of a reading unless others are given. */
export function readJson(app: FastifyInstance, limits?: JsonLimits, types = ['application/json']) {
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    try {
      mustBePlainUtf8(request)
      if (body.length > MAX_VALUE_BYTES) return parseInPieces(body, limits)
      return done(null, parseStrictJson(body, limits))
    } catch (error) {
      return done(error as Error)
    }
  })
}

/** `close()` alone would wait out the keep-alive time of connections that fall idle meanwhile. */
function closeIdleConnectionsOnStop(app: FastifyInstance, isBusy: (socket: Socket) => boolean) {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.decorate('isStopping', false)
  app.addHook('preClose', async () => {
    app.isStopping = true
    const headersEnd = performance.now() + HEADERS_TIMEOUT_MS
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
      if (performance.now() < headersEnd) return
      // Node takes a connection on which nothing was sent, such as a browser's preconnect, for a request under way, and no longer
      // looks at its time-outs while it closes.
      for (const socket of sockets) if (!isBusy(socket)) socket.destroy()
    }, 50).unref()
    app.server.once('close', () => clearInterval(timer))
  })
}

// Fastify's type names Ajv's own compiler here; what it calls is a function of { schema, httpPart }.
const SCHEMA_CONTROLLER = {
  compilersFactory: {
    buildValidator: () => compileQueryValidator,
    // Answers are made by their operation, not filtered through a schema that could drop a field.
    buildSerializer: () => () => (answer: unknown) => JSON.stringify(answer),
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

declare module 'fastify' {
  interface FastifyInstance {
    isStopping: boolean
    /** For a request that waits for its own client, so that it does not count as in work meanwhile. */
    admission: Record<'pause' | 'resume' | 'know', (request: FastifyRequest) => void> & {
      refusedKnown: () => number
    }
  }
  interface FastifyRequest {
    isKnown: boolean
  }
}

function limitsOf({ keepAliveMs }: ServerSettings) {
  return {
    headersTimeout: HEADERS_TIMEOUT_MS,
    // One time for every body, however long; src/http/limits/receive-bodies.ts has a rate instead.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: 8_192,
    // The limits are checked every second; Node's own interval is 30 s.
    connectionsCheckingInterval: 1_000,
    // Node would refuse a request without a Host in a shape of its own; `mustBeUnambiguous` does it in ours.
    requireHostHeader: false,
  }
}

export function mustBePlainUtf8({ headers }: FastifyRequest) {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset) || headers['content-encoding'] !== undefined) {
    throw new Refusal('UnsupportedMediaType', 'The body must be application/json in UTF-8, not compressed.')
  }
}

/** Refuses what a proxy and this server could interpret differently. */
function mustBeUnambiguous({ raw, headers }: FastifyRequest) {
  const hasNoHost = headers.host === undefined && raw.httpVersion === '1.1'
  if (hasNoHost || isSentTwice(raw, 'host')) {
    throw new Refusal('ValidationFailed', 'A request must have one Host header.')
  }
  const { url = '' } = raw
  const query = queryOf(url)
  // A fragment is never sent; the router would take it for a query, and others for a part of the path.
  if (url.includes('#') || (query.includes('%') && !isDecodable(query))) {
    throw new Refusal('ValidationFailed', 'The query string is not well-formed.')
  }
  // The router decodes escapes, and the rules of a proxy do not. No path of Rounds needs one.
  if (pathOf(url).includes('%')) {
    throw new Refusal('NotFound', 'There is nothing at this address: write paths without percent-encoding.')
  }
}

/** Whether the escapes of a query or a form are complete and of UTF-8, without a NUL, which PostgreSQL cannot hold in a text. */
export function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0')
  } catch {
    return false
  }
}
