// Receiving bodies. A device on a slow network may take minutes to send its backlog, as long as it keeps sending; a client that
// sends too slowly is cut off after ten seconds.
//
// - Node's `requestTimeout` is one time for every request. Instead, a sweep each second looks at the requests whose body is
//   not complete: after `FREE_MS` they must have sent `MIN_BYTES_PER_SECOND` on average, and none takes longer than `MAX_MS`.
// - A body is memory from its first byte until its request is answered, also while that waits for the database. So what counts
//   is one set of open bodies: a body enters it with its Content-Length before it is read, and leaves it when the response is
//   closed. Beyond `MAX_LARGE_BYTES` in all large bodies are refused, beyond `MAX_BYTES` all are. A subject has at most
//   `MAX_LARGE_BYTES_EACH`, or one that sends large bodies slowly would block those of all others.
// - A body without a length counts as what has arrived, in blocks of `BLOCK_BYTES`: some HTTP libraries send every body like
//   this, and if each counted as the largest, a subject could send two at a time.
// - A head that is refused (token, route, rate) enters no body, or callers without a token could fill the set.
// - The rest of a body that is refused is read and dropped, so that its connection can be used again.
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
import type { Metrics } from '../../metrics/metrics.ts'
import { overloaded, Refusal } from '../../refusal.ts'
import { RETRY_AFTER_SECONDS } from '../answers/errors.ts'
import type { Caller } from '../tokens/tokens.ts'
import { whenClosed } from '../when-closed.ts'

const SWEEP_MS = 1_000
const FREE_MS = 10_000
const MIN_BYTES_PER_SECOND = 1_024
const MAX_MS = 600_000
const SMALL_BYTES = 64 * 1_024
const MAX_LARGE_BYTES = 64 * 1_024 * 1_024
/** Two of the largest bodies. */
const MAX_LARGE_BYTES_EACH = 8 * 1_024 * 1_024
const MAX_BYTES = 96 * 1_024 * 1_024
/** So many small bodies fit beside as many large ones as there may be. */
const SMALL_BODIES_THAT_FIT = (MAX_BYTES - MAX_LARGE_BYTES) / SMALL_BYTES
const BLOCK_BYTES = 16 * 1_024
const MAX_PIECES_OF_A_BLOCK = 200
const MAX_PIECES = 20_000

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Watched = { beganAt: number; readBefore: number; response: ServerResponse }
/** `bytes`: what it may take in memory. */
type OpenBody = { sender: string; bytes: number }

export type BodySettings = {
  maxBodyBytes: number
  metrics: Metrics
  /** Answers a connection whose request is too slow, and closes it. */
  cut: (socket: Socket) => void
  now?: () => number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body that have arrived. */
    bodyBytes: number
  }
}

export class BodyIntake {
  readonly #settings: Required<BodySettings>
  readonly #watched = new Map<IncomingMessage, Watched>()
  readonly #open = new Set<OpenBody>()

  constructor(settings: BodySettings) {
    this.#settings = { now: () => performance.now(), ...settings }
    settings.metrics.gauge(
      { name: 'rounds_body_bytes', help: 'Bytes of bodies whose requests have not been answered yet.' },
      () => Array.from(this.#open, ({ bytes }) => bytes).reduce((sum, bytes) => sum + bytes, 0),
    )
  }

  /** Watches the bodies of requests, also of those that are refused without being read. */
  guard(answer: Answer): Answer {
    return (request, response) => {
      if (hasBody(request)) {
        const beganAt = this.#settings.now()
        this.#watched.set(request, { beganAt, readBefore: request.socket.bytesRead, response })
        response.on('close', () => {
          if (request.complete || request.socket.destroyed) this.#watched.delete(request)
          if (!request.readableEnded) request.unpipe().resume()
        })
      }
      answer(request, response)
    }
  }

  sweep() {
    for (const [request, { beganAt, readBefore, response }] of this.#watched) {
      const { socket, complete } = request
      const ms = this.#settings.now() - beganAt
      const isTooSlow =
        ms > MAX_MS || (ms > FREE_MS && socket.bytesRead - readBefore < (ms / 1_000) * MIN_BYTES_PER_SECOND)
      const isAnswering = response.headersSent && !response.writableFinished
      if (complete || socket.destroyed) this.#watched.delete(request)
      else if (isTooSlow && !isAnswering) this.#cutOff(request, response)
    }
  }

  #cutOff(request: IncomingMessage, response: ServerResponse) {
    this.#watched.delete(request)
    if (response.headersSent) request.socket.destroy()
    else this.#settings.cut(request.socket)
  }

  /** The body as the parser gets it. */
  #receive(request: FastifyRequest, response: ServerResponse, body: NodeJS.ReadableStream) {
    const length = Number(request.headers['content-length'] ?? Number.NaN)
    // A longer one is refused unread by the parser.
    if (length > this.#settings.maxBodyBytes) return body
    const open = { sender: senderOf(request), bytes: Number.isNaN(length) ? BLOCK_BYTES : length }
    this.#mustFit(open, open.bytes)
    this.#open.add(open)
    whenClosed(response, () => this.#open.delete(open))
    // Nothing reads it after a refusal, and an error without a listener would end the process.
    if (!(length <= BLOCK_BYTES)) return body.pipe(this.#joinPieces(request, open)).on('error', () => {})
    request.bodyBytes = length
    let pieces = 0
    return body.on('data', () => {
      if (++pieces > MAX_PIECES_OF_A_BLOCK) this.#cutOff(request.raw, response)
    })
  }

  #joinPieces(request: FastifyRequest, open: OpenBody): Transform {
    let pieces = 0
    return joinPieces((bytes) => {
      request.bodyBytes += bytes
      if (++pieces > MAX_PIECES) {
        throw new Refusal('BodyTooLarge', 'The body comes in too many small pieces. Send larger ones.')
      }
      if (request.bodyBytes <= open.bytes) return
      const grown = Math.ceil(request.bodyBytes / BLOCK_BYTES) * BLOCK_BYTES
      this.#mustFit(open, grown)
      open.bytes = grown
    })
  }

  /** Refuses a body that would exceed a limit, if it took so many bytes beside all others. */
  #mustFit(body: OpenBody, bytes: number) {
    const isLarge = bytes > SMALL_BYTES
    // The sum over 500 bodies takes 10 µs.
    if (!isLarge && this.#open.size < SMALL_BODIES_THAT_FIT) return
    let [all, ofSender] = [bytes, bytes]
    for (const other of this.#open) {
      if (other === body) continue
      all += other.bytes
      if (isLarge && other.bytes > SMALL_BYTES && other.sender === body.sender) ofSender += other.bytes
    }
    if (isLarge && ofSender > MAX_LARGE_BYTES_EACH) throw tooManyAtOnce()
    if (all > (isLarge ? MAX_LARGE_BYTES : MAX_BYTES)) throw overloaded()
  }

  /** Calls `pause` when a body begins to be received and `resume` when it is complete. */
  watch(
    app: FastifyInstance,
    { pause, resume }: Record<'pause' | 'resume', (request: FastifyRequest) => void>,
  ) {
    app.decorateRequest('bodyBytes', 0)
    const beforeParsing: preParsingHookHandler = (request, reply, body, done) => {
      if (!hasBody(request.raw)) return done(null, body)
      pause(request)
      let received: NodeJS.ReadableStream
      try {
        received = this.#receive(request, reply.raw, body)
      } catch (error) {
        return done(error as Error)
      }
      return done(null, received as RequestPayload)
    }
    const afterParsing: preValidationHookHandler = (request, _reply, done) => {
      resume(request)
      done()
    }
    app.addHook('onRoute', (route) => {
      if (!takesBody(route)) return
      route.preParsing = [beforeParsing, ...[route.preParsing ?? []].flat()]
      route.preValidation = [afterParsing, ...[route.preValidation ?? []].flat()]
    })
    const timer = setInterval(() => this.sweep(), SWEEP_MS).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  }
}

/** Calls `mustFit` with the length of each piece before it is taken. */
function joinPieces(mustFit: (bytes: number) => void): Transform {
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let filled = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      try {
        mustFit(piece.length)
      } catch (error) {
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
