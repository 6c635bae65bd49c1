// One attempt to deliver a message: a POST whose time, answer and destination are bounded. Whatever a receiver does, the result is an
// Attempt; nothing is thrown, and nothing of the body or of the URL's path is logged.
//
// An answer is complete when its body has ended, or is larger than MAX_ANSWER_BYTES. A status 2xx counts only with a complete answer, because a receiver
// that closes early may not have stored anything. Any other status counts as soon as it was read.
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { codeOf } from '../../../error-code.ts'
import { type AddressRules, hostOf } from './allowed-address.ts'
import { ConnectionFailure, createConnect } from './checked-connection.ts'
import type { Resolve } from './look-up.ts'
import { parseRetryAfter } from './schedule.ts'

const MAX_ANSWER_BYTES = 64 * 1_024
const MAX_HEADER_BYTES = 16 * 1_024
/** Answers 1xx before the real one. */
const MAX_INTERIM_ANSWERS = 16

export type SendError = 'timeout' | 'refused' | 'dns' | 'tls' | 'address' | 'closed'

export type Attempt =
  | { kind: 'answered'; status: number; retryAfterMs?: number; durationMs: number }
  | { kind: 'failed'; error: SendError; durationMs: number }

export type Sender = ReturnType<typeof createSender>

type Post = { url: string; headers: Record<string, string>; body: string | Buffer; signal?: AbortSignal }

type SenderOptions = {
  rules: AddressRules
  /** For the whole attempt, from DNS to the end of the answer. */
  timeoutMs?: number
  /** How long a connection stays open without a request. */
  idleMs?: number
  /** Connections that stay open without a request, to all receivers. */
  maxIdle?: number
  resolve?: Resolve
  ca?: string
  now?: () => number
}

/** `stale`: the receiver had closed an idle connection, and the request was sent into it. */
type Outcome = { status: number; retryAfter: string | undefined } | SendError | 'stale'

type PostOptions = RequestOptions & { agent: HttpAgent; stop: AbortSignal }

export function createSender(options: SenderOptions) {
  const { rules, timeoutMs = 15_000, now = Date.now } = options
  const agents = createAgents(options)
  const running = new Set<AbortController>()
  let isClosed = false

  async function outcomeOf({ url, headers, body }: Post, stop: AbortSignal): Promise<Outcome> {
    const target = new URL(url)
    const isTls = target.protocol === 'https:'
    const post: PostOptions = {
      method: 'POST',
      host: hostOf(target),
      port: target.port === '' ? (isTls ? 443 : 80) : Number(target.port),
      path: `${target.pathname}${target.search}`,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: isTls ? agents.https : agents.http,
      maxHeaderSize: MAX_HEADER_BYTES,
      stop,
    }
    const start = () => (isTls ? requestHttps(post) : requestHttp(post))
    const outcome = await postOnce(start, body, stop)
    if (outcome !== 'stale') return outcome
    // The others to this receiver are likely closed too. A second request is safe: deliveries are at least once.
    for (const idle of post.agent.freeSockets[post.agent.getName(post)] ?? []) idle.destroy()
    return postOnce(start, body, stop)
  }

  /** Within its time, and until the caller or `close` stops it. */
  async function boundedOutcomeOf(post: Post): Promise<Outcome> {
    const stop = new AbortController()
    const cancel = () => stop.abort('closed')
    const timer = setTimeout(() => stop.abort('timeout'), timeoutMs)
    post.signal?.addEventListener('abort', cancel)
    running.add(stop)
    try {
      return await outcomeOf(post, stop.signal)
    } finally {
      running.delete(stop)
      post.signal?.removeEventListener('abort', cancel)
      clearTimeout(timer)
    }
  }

  return {
    async send(post: Post): Promise<Attempt> {
      const startedAt = performance.now()
      if (rules.refuseUrl(post.url) !== undefined) return { kind: 'failed', error: 'address', durationMs: 0 }
      if (isClosed || post.signal?.aborted) return { kind: 'failed', error: 'closed', durationMs: 0 }
      const outcome = await boundedOutcomeOf(post)
      const durationMs = Math.round(performance.now() - startedAt)
      if (outcome === 'stale') return { kind: 'failed', error: 'closed', durationMs }
      if (typeof outcome === 'string') return { kind: 'failed', error: outcome, durationMs }
      const retryAfterMs = parseRetryAfter(outcome.retryAfter, now())
      const asked = retryAfterMs === undefined ? {} : { retryAfterMs }
      return { kind: 'answered', status: outcome.status, ...asked, durationMs }
    },

    /** Ends all attempts and connections. */
    close() {
      isClosed = true
      for (const stop of running) stop.abort('closed')
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Connections are kept while they are used, each for the host and port that it was made for. */
function createAgents({ rules, resolve, ca, idleMs = 30_000, maxIdle = 256 }: SenderOptions) {
  const connect = createConnect({ rules, resolve, ca })
  const settings = { keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdle }
  const agents = { http: new HttpAgent(settings), https: new HttpsAgent(settings) }
  const countIdle = () =>
    [agents.http, agents.https]
      .flatMap(({ freeSockets }) => Object.values(freeSockets))
      .reduce((count, sockets) => count + (sockets?.length ?? 0), 0)

  for (const agent of [agents.http, agents.https]) {
    agent.createConnection = (options, handOver) => {
      const { host, port, stop } = options as { host: string; port: number; stop: AbortSignal }
      connect({ isTls: agent === agents.https, host, port }, stop).then(
        (socket) => handOver?.(null, socket),
        // The agent reads no socket where there is an error.
        (error: Error) => (handOver as ((error: Error) => void) | undefined)?.(error),
      )
      return undefined
    }
    // Node keeps the socket if this is true, which its types do not say.
    const keepAlive = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean
    agent.keepSocketAlive = (socket) => countIdle() < maxIdle && keepAlive(socket)
  }
  return agents
}

function postOnce(start: () => ClientRequest, body: string | Buffer, stop: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  if (stop.aborted) return Promise.resolve(stop.reason as SendError)
  const request = start()
  let answer: { status: number; retryAfter: string | undefined } | undefined
  let interimAnswers = 0
  let bytesBefore = 0

  /** Only the first outcome counts. The connection cannot be used again, because it is not known what comes next on it. */
  const end = (outcome: Outcome) => {
    resolve(outcome)
    request.destroy()
  }
  /** Ends before the answer is complete. */
  const endEarly = (error: SendError) => end(answer && !isSuccess(answer.status) ? answer : error)
  const stopNow = () => endEarly(stop.reason as SendError)
  stop.addEventListener('abort', stopNow)

  request.on('socket', (socket) => (bytesBefore = socket.bytesRead))
  request.on('information', () => {
    interimAnswers += 1
    if (interimAnswers > MAX_INTERIM_ANSWERS) endEarly('closed')
  })
  request.on('response', (response) => {
    const { statusCode: status = 0, headers } = response
    const complete = { status, retryAfter: headers['retry-after'] }
    answer = complete
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) end(complete)
    })
    // A receiver may answer before it has read the whole message. It need not read the rest.
    response.on('end', () => (request.writableFinished ? resolve(complete) : end(complete)))
    // The request closes too, and says so.
    response.on('error', () => undefined)
  })
  request.on('error', (error) => {
    const isUnanswered = answer === undefined && request.socket?.bytesRead === bytesBefore
    const isReset = ['ECONNRESET', 'EPIPE'].includes(codeOf(error))
    if (request.reusedSocket && isUnanswered && isReset) end('stale')
    else endEarly(errorOf(error))
  })
  // Also after an upgrade to another protocol, which nobody asked for.
  request.on('close', () => endEarly('closed'))
  request.end(body)
  return promise.finally(() => stop.removeEventListener('abort', stopNow))
}

const isSuccess = (status: number) => status >= 200 && status < 300

function errorOf(error: Error): SendError {
  if (error instanceof ConnectionFailure) return error.kind
  // TLS 1.3 reports after the handshake that a receiver wants a certificate of ours.
  return codeOf(error).startsWith('ERR_SSL') || codeOf(error) === 'EPROTO' ? 'tls' : 'closed'
}
