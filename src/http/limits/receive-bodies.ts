// Receiving bodies. A device on a slow network may take minutes to send its backlog, as long as it keeps sending; a client that
// sends too slowly is cut off after ten seconds.
//
// - Node's `requestTimeout` is one time for every request. Instead, a sweep each second looks at the requests whose body is
//   not complete: after `FREE_MS` they must have sent `MIN_BYTES_PER_SECOND` on average, and none takes longer than `MAX_MS`.
// - A body is memory from its first byte until its request is answered, also while that waits for the database. It reserves
//   its Content-Length before it is read; one without a length reserves that of a small body, and that of the largest once
//   it has outgrown it. Beyond `MAX_LARGE_BYTES` in all large bodies are refused, beyond `MAX_BYTES` all are. A subject has at
//   most `MAX_LARGE_BYTES_EACH` of it, or one that sends large bodies slowly would block those of all others.
// - A body in pieces of a byte would take two hundred times its size, because each piece is a Buffer of its own, and a
//   microsecond or more for each. Pieces are joined as they arrive, and their number is bounded: a body of 4 MiB passes in
//   pieces of 210 bytes on average, and packets are larger.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import type {
  FastifyInstance,
  FastifyRequest,
  preParsingHookHandler,
  preValidationHookHandler,
  RequestPayload,
  RouteOptions,
} from 'fastify'
import { overloaded, Refusal } from '../../refusal.ts'
import { RETRY_AFTER_SECONDS } from '../answers/errors.ts'
import type { Caller } from '../tokens/tokens.ts'

const SWEEP_MS = 1_000
const FREE_MS = 10_000
const MIN_BYTES_PER_SECOND = 1_024
const MAX_MS = 600_000
const SMALL_BYTES = 64 * 1_024
const MAX_LARGE_BYTES = 64 * 1_024 * 1_024
/** Two of the largest bodies. */
const MAX_LARGE_BYTES_EACH = 8 * 1_024 * 1_024
const MAX_BYTES = 96 * 1_024 * 1_024
const BLOCK_BYTES = 16 * 1_024
const MAX_PIECES_OF_A_BLOCK = 200
const MAX_PIECES = 20_000

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Arriving = { beganAt: number; readBefore: number; response: ServerResponse }

export type BodySettings = {
  maxBodyBytes: number
  /** Answers a connection whose request is too slow, and closes it. */
  cut: (socket: Socket) => void
  now?: () => number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body that have arrived. */
    bodyBytes: number
    /** The bytes reserved for it, and those of them that count towards the limit of its sender. */
    reservedBytes: number
    largeBytes: number
  }
}

export function createBodyIntake({ maxBodyBytes, cut, now = () => performance.now() }: BodySettings) {
  const arriving = new Map<IncomingMessage, Arriving>()
  /** Bytes of large bodies by their sender. */
  const largeOf = new Map<string, number>()
  let reserved = 0

  /** Watches the bodies of requests, also of those that are refused without being read. */
  function guard(answer: Answer): Answer {
    return (request, response) => {
      if (hasBody(request)) {
        arriving.set(request, { beganAt: now(), readBefore: request.socket.bytesRead, response })
        response.once('close', () => {
          if (request.complete || request.socket.destroyed) arriving.delete(request)
        })
      }
      answer(request, response)
    }
  }

  function sweep() {
    for (const [request, { beganAt, readBefore, response }] of arriving) {
      const { socket, complete } = request
      const ms = now() - beganAt
      const isTooSlow =
        ms > MAX_MS || (ms > FREE_MS && socket.bytesRead - readBefore < (ms / 1_000) * MIN_BYTES_PER_SECOND)
      const isAnswering = response.headersSent && !response.writableFinished
      if (complete || socket.destroyed) arriving.delete(request)
      else if (isTooSlow && !isAnswering) end(request, response)
    }
  }

  function end(request: IncomingMessage, response: ServerResponse) {
    arriving.delete(request)
    if (response.headersSent) request.socket.destroy()
    else cut(request.socket)
  }

  function reserve(request: FastifyRequest, bytes: number) {
    const isLarge = bytes > SMALL_BYTES
    if (isLarge) mustBeFewOfSender(request, bytes)
    if (reserved + bytes > (isLarge ? MAX_LARGE_BYTES : MAX_BYTES)) throw overloaded()
    reserved += bytes
    request.reservedBytes += bytes
    if (isLarge) noteLarge(request, bytes)
  }

  function mustBeFewOfSender(request: FastifyRequest, bytes: number) {
    if ((largeOf.get(senderOf(request)) ?? 0) + bytes > MAX_LARGE_BYTES_EACH) throw tooManyAtOnce()
  }

  function noteLarge(request: FastifyRequest, bytes: number) {
    const sender = senderOf(request)
    const bytesOfSender = (largeOf.get(sender) ?? 0) + bytes
    if (bytesOfSender > 0) largeOf.set(sender, bytesOfSender)
    else largeOf.delete(sender)
    request.largeBytes += bytes
  }

  function releaseAllBut(bytes: number, request: FastifyRequest) {
    const released = request.reservedBytes - bytes
    reserved -= released
    request.reservedBytes = bytes
    if (request.largeBytes > 0) noteLarge(request, -Math.min(released, request.largeBytes))
  }

  /** The body as the parser gets it. */
  function receive(request: FastifyRequest, response: ServerResponse, body: NodeJS.ReadableStream) {
    const length = Number(request.headers['content-length'] ?? Number.NaN)
    // A longer one is refused unread by the parser.
    if (length > maxBodyBytes) return body
    reserve(request, Number.isNaN(length) ? SMALL_BYTES : length)
    response.once('close', () => releaseAllBut(0, request))
    if (!(length <= BLOCK_BYTES)) return body.pipe(joinPieces(request))
    request.bodyBytes = length
    let pieces = 0
    return body.on('data', () => {
      if (++pieces > MAX_PIECES_OF_A_BLOCK) end(request.raw, response)
    })
  }

  function joinPieces(request: FastifyRequest): Transform {
    let block = Buffer.allocUnsafe(BLOCK_BYTES)
    let filled = 0
    let pieces = 0

    function mustFit(bytes: number) {
      request.bodyBytes += bytes
      if (++pieces > MAX_PIECES) {
        throw new Refusal('BodyTooLarge', 'The body comes in too many small pieces. Send larger ones.')
      }
      if (request.bodyBytes > SMALL_BYTES && request.reservedBytes <= SMALL_BYTES) {
        reserve(request, maxBodyBytes - request.reservedBytes)
      }
    }
    return new Transform({
      transform(piece: Buffer, _encoding, done) {
        try {
          mustFit(piece.length)
        } catch (error) {
          // What is still to come is read and dropped.
          request.raw.unpipe(this).resume()
          return done(error as Error)
        }
        if (filled > 0 && filled + piece.length > BLOCK_BYTES) {
          this.push(block.subarray(0, filled))
          block = Buffer.allocUnsafe(BLOCK_BYTES)
          filled = 0
        }
        if (piece.length > BLOCK_BYTES) this.push(piece)
        else filled += piece.copy(block, filled)
        return done()
      },
      flush(done) {
        if (filled > 0) this.push(block.subarray(0, filled))
        done()
      },
    })
  }

  /** Calls `pause` when a body begins to be received and `resume` when it is complete. */
  function watch(
    app: FastifyInstance,
    { pause, resume }: Record<'pause' | 'resume', (request: FastifyRequest) => void>,
  ) {
    app.decorateRequest('bodyBytes', 0)
    app.decorateRequest('reservedBytes', 0)
    app.decorateRequest('largeBytes', 0)
    const beforeParsing: preParsingHookHandler = (request, reply, body, done) => {
      if (!hasBody(request.raw)) return done(null, body)
      pause(request)
      let received: NodeJS.ReadableStream
      try {
        received = receive(request, reply.raw, body)
      } catch (error) {
        return done(error as Error)
      }
      return done(null, received as RequestPayload)
    }
    const afterParsing: preValidationHookHandler = (request, _reply, done) => {
      // Of a body without a length more was reserved than it turned out to need.
      if (request.bodyBytes < request.reservedBytes) releaseAllBut(request.bodyBytes, request)
      resume(request)
      done()
    }
    app.addHook('onRoute', (route) => {
      if (!takesBody(route)) return
      route.preParsing = [beforeParsing, ...[route.preParsing ?? []].flat()]
      route.preValidation = [afterParsing, ...[route.preValidation ?? []].flat()]
    })
    const timer = setInterval(sweep, SWEEP_MS).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  }

  return { guard, watch, sweep }
}

/** Every path that reads a body needs a token; the address is for one that would not. */
const senderOf = ({ caller, ip }: { caller?: Caller; ip: string }) => caller?.subject ?? ip

function tooManyAtOnce(): Refusal {
  const message = 'Too many large bodies of yours are being received or stored. Send one after the other.'
  return new Refusal('RateLimited', message, { headers: { 'retry-after': RETRY_AFTER_SECONDS } })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether Fastify reads bodies of this route. Hooks of the others would only cost them time. */
export function takesBody({ method }: Pick<RouteOptions, 'method'>): boolean {
  return [method].flat().some((one) => one !== 'GET' && one !== 'HEAD')
}
