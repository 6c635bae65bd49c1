// Every failure is answered in one shape: refusals, internal errors, unknown paths, and requests so malformed that Node refuses
// them before any route is known.
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isOfMissingPartition, isTransient, originalCodeOf } from '../../db/database-errors.ts'
import { cannotServe, isNotMigrated } from '../../db/outage-causes.ts'
import { codeOf } from '../../error-code.ts'
import { countEach, type Metrics } from '../../metrics/metrics.ts'
import {
  clientDisconnected,
  databaseNotMigrated,
  databaseUnavailable,
  isRetryable,
  misdirected,
  PROXY_CODES,
  Refusal,
  type RefusalCode,
  STATUS_OF,
} from '../../refusal.ts'
import { pathOf } from '../request-head.ts'

/** What is wrong, field by field. */
export function fieldErrors(pointsWhere: string) {
  const FieldError = Type.Object({
    pointer: Type.String({ description: pointsWhere }),
    message: Type.String(),
  })
  return Type.Optional(Type.Array(FieldError))
}

export const ErrorAnswer = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.Enum([...Object.keys(STATUS_OF), ...PROXY_CODES], { type: 'string' }),
    message: Type.String({ description: 'A sentence for people. It never carries personal data.' }),
    requestId: Type.String({
      description: 'The x-request-id of this answer, to quote when asking for help.',
    }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later, unchanged.' }),
    errors: fieldErrors('JSON Pointer to the field; query parameters as /name.'),
    position: Type.Optional(
      Type.Object(
        {
          line: Type.Integer({ minimum: 1 }),
          column: Type.Integer({ minimum: 1, description: 'In characters.' }),
          byte: Type.Integer({ minimum: 0, description: 'Number of bytes before the fault.' }),
        },
        { description: 'Where a body that cannot be read as JSON without loss is at fault.' },
      ),
    ),
  },
  { $id: 'Error', additionalProperties: false },
)

export const RETRY_AFTER_SECONDS = '1'

type Refusals = Record<RefusalCode, number>

export function countRefusals(metrics: Metrics): Refusals {
  const about = { name: 'rounds_http_errors_total', help: 'Requests answered with an error.', label: 'code' }
  return countEach(metrics, about, Object.keys(STATUS_OF) as RefusalCode[])
}

declare module 'fastify' {
  interface FastifyInstance {
    refusals: Refusals
    errorFormatOf: ErrorFormatOf
    notFound: (request: FastifyRequest) => Refusal
  }
}

/** How failures are written. */
export type ErrorFormat = { contentType: string; print: (refusal: Refusal, requestId: string) => string }

/** The format at an address: that of an edge which speaks another protocol, else the one of `Error`. */
export type ErrorFormatOf = (url: string) => ErrorFormat

const OWN_FORMAT: ErrorFormat = {
  contentType: 'application/json; charset=utf-8',
  print: (refusal, requestId) => JSON.stringify(bodyOf(refusal, requestId)),
}

/** By the base path of each edge. It decides how a failure reads, and nothing else. */
export function errorFormatsBelow(formats: Record<string, ErrorFormat>): ErrorFormatOf {
  const bases = Object.entries(formats)
  if (bases.length === 0) return () => OWN_FORMAT
  return (url) => {
    const path = pathOf(url)
    const [, format] = bases.find(([base]) => path === base || path.startsWith(`${base}/`)) ?? []
    return format ?? OWN_FORMAT
  }
}

export function answerErrors(
  app: FastifyInstance,
  refusals: Refusals,
  errorFormatOf: ErrorFormatOf = errorFormatsBelow({}),
) {
  app.decorate('refusals', refusals)
  app.decorate('errorFormatOf', errorFormatOf)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = isCutOff(request, error) ? clientDisconnected() : refusalFrom(error)
    if (refusal.code === 'InternalError') logFault(request, error)
    return sendRefusal(refusal, request, reply)
  })
  // Fastify's own `hasRoute` reads a path as a pattern, and throws for some that callers may send.
  const methodsAt = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methodsAt.set(url, [...(methodsAt.get(url) ?? []), method].flat().toSorted())
  })
  app.decorate('notFound', ({ url, method }: FastifyRequest) => {
    const allowed = methodsAt.get(pathOf(url)) ?? []
    return allowed.length > 0 && !allowed.includes(method)
      ? new Refusal('MethodNotAllowed', `Use ${allowed.join(' or ')} here.`, {
          headers: { allow: allowed.join(', ') },
        })
      : new Refusal('NotFound', 'There is nothing at this address.')
  })
  app.setNotFoundHandler((request, reply) => sendRefusal(app.notFound(request), request, reply))
}

/** Before their body is read: anyone can send 4 MiB to an unknown path without a token. */
export function refuseUnknownPaths(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? app.notFound(request) : undefined))
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const status = STATUS_OF[refusal.code]
  request.server.refusals[refusal.code]++
  request.refusedWith = refusal
  if (status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS)
  // Fastify would close here, and a client that is still sending would meet a reset instead of this answer. Kept open,
  // Node reads and drops the rest of the body within the time a request may take.
  if (status === 413) void reply.removeHeader('connection')
  // A stream that failed before its first byte has left its headers behind, in Fastify and in Node.
  for (const header of ['content-encoding', 'content-disposition']) {
    void reply.removeHeader(header)
    if (!reply.raw.headersSent) reply.raw.removeHeader(header)
  }
  const { contentType, print } = request.server.errorFormatOf(request.raw.url ?? '')
  return reply
    .code(status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .headers(refusal.headers)
    .type(contentType)
    .send(print(refusal, request.id))
}

export function bodyOf({ code, message, errors, position }: Refusal, requestId: string) {
  return {
    status: 'error',
    code,
    message,
    requestId,
    retryable: isRetryable(code),
    ...(errors ? { errors } : {}),
    ...(position ? { position } : {}),
  }
}

const REFUSAL_OF_FASTIFY: Record<string, [RefusalCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UnsupportedMediaType', 'The body must be application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['BodyTooLarge', 'The body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'MalformedJson',
    'The body is not as long as its Content-Length says.',
  ],
  FST_ERR_BAD_URL: ['ValidationFailed', 'The address is not well-formed.'],
  FST_ERR_MAX_PARAM_LENGTH: ['NotFound', 'There is nothing at this address.'],
}

/** Whether the connection ended before the request was complete: nothing was begun, and no one can receive an answer. */
function isCutOff({ raw }: FastifyRequest, error: Error): boolean {
  return raw.destroyed && !raw.complete && codeOf(error) === 'ECONNRESET'
}

/** The refusal that reports an error to the caller. An unknown error is internal, and nothing of it is disclosed. */
export function refusalFrom(error: Error): Refusal {
  if (error instanceof Refusal) return error
  const known = REFUSAL_OF_FASTIFY[codeOf(error)]
  if (known) return new Refusal(...known)
  if (isOfMissingPartition(error)) return misdirected()
  if (isNotMigrated(error)) return databaseNotMigrated(codeOf(error))
  if (isTransient(error) || cannotServe(error)) return databaseUnavailable(originalCodeOf(error))
  return new Refusal(
    'InternalError',
    'Something went wrong on our side. Quote the request id when you report it.',
  )
}

/** What cut an answer off that had begun: its refusal cannot be sent any more, and is logged instead. */
export function logCut(request: FastifyRequest, error: Error) {
  const refusal = refusalFrom(error)
  request.refusedWith = refusal
  if (refusal.code === 'InternalError') logFault(request, error)
}

// Messages of errors may hold values of a row or a body, so only the kind and the place are logged.
function logFault(request: FastifyRequest, error: Error) {
  const at = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  request.log.error({ requestId: request.id, fault: error.name, code: codeOf(error), at }, 'a fault of ours')
}

/** How long a client has to read the answer before its connection is cut, also while it goes on sending. */
const LINGER_MS = 1_000

/**
 * Answers a request that Node could not read, in the one shape, and closes the connection. Closing our side alone would leave
 * it open for as long as the client sends.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Duplex,
  { refusals, logger }: { refusals: Refusals; logger: FastifyBaseLogger },
) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Refusal('HeadersTooLarge', 'The headers are too large.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Refusal('RequestTimeout', 'The request took too long to arrive.')
        : new Refusal('ValidationFailed', 'This is not a well-formed HTTP request.')
  const status = STATUS_OF[refusal.code]
  const requestId = crypto.randomUUID()
  refusals[refusal.code]++
  logger.info({ requestId, route: 'none', status })
  const body = JSON.stringify(bodyOf(refusal, requestId))
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  return socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      'cache-control: no-store\r\n' +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
