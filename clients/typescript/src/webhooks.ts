// Webhooks: other systems that the service calls with changes. For services and staff with the scope webhooks:manage.
import type { CallOptions } from './call.ts'
import { mustBeEndpoint } from './check-arguments.ts'
import type {
  AddEndpointAnswer,
  Attempt,
  AttemptsAnswer,
  AttemptsQuery,
  Endpoint,
  EndpointAnswer,
  EndpointNamed,
  EndpointsAnswer,
  EndpointsQuery,
  EndpointToAdd,
  EndpointToReplay,
  EndpointToRotate,
  EndpointToSkip,
  RemoveEndpointAnswer,
  RotateSecretAnswer,
  TestEndpointAnswer,
} from './contract.ts'
import { eachOf } from './each-of.ts'
import { wasNotBegun } from './retry.ts'

// The largest page of endpoints, and one of attempts.
const PAGE = 100

export type Webhooks = {
  /** The secret is in this answer only. `EndpointExists`: there is one with this url. */
  add: (endpoint: EndpointToAdd, options?: CallOptions) => Promise<AddEndpointAnswer>
  /** It may be repeated. */
  remove: (endpoint: EndpointNamed, options?: CallOptions) => Promise<RemoveEndpointAnswer>
  /** Sends a message now, and says what became of it. */
  test: (endpoint: EndpointNamed, options?: CallOptions) => Promise<TestEndpointAnswer>
  /** Nothing is sent until it is resumed, and nothing is lost. It may be repeated. */
  pause: (endpoint: EndpointNamed, options?: CallOptions) => Promise<EndpointAnswer>
  /** It may be repeated. */
  resume: (endpoint: EndpointNamed, options?: CallOptions) => Promise<EndpointAnswer>
  /** Sends changes again, since a time or from the beginning. */
  replay: (endpoint: EndpointToReplay, options?: CallOptions) => Promise<EndpointAnswer>
  /** Passes the page of this message, if the last attempt was one of it and failed. It may be repeated. */
  skip: (endpoint: EndpointToSkip, options?: CallOptions) => Promise<EndpointAnswer>
  /** A new secret, in this answer only; the one before stays valid for `overlapHours`. */
  rotateSecret: (endpoint: EndpointToRotate, options?: CallOptions) => Promise<RotateSecretAnswer>
  list: (query?: EndpointsQuery, options?: CallOptions) => Promise<EndpointsAnswer>
  /** All endpoints, page after page; `limit` is the size of a page. */
  each: (query?: EndpointsQuery, options?: CallOptions) => AsyncGenerator<Endpoint, void, undefined>
  /** What became of attempts to deliver to an endpoint, newest first. */
  attempts: (query: AttemptsQuery, options?: CallOptions) => Promise<AttemptsAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  eachAttempt: (query: AttemptsQuery, options?: CallOptions) => AsyncGenerator<Attempt, void, undefined>
}

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: object, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: object, options?: CallOptions) => Promise<Answer>
}

export function createWebhooks(webhooks: string, { read, post }: Calls): Webhooks {
  const send = async <Answer>(path: string, endpoint: object, options?: CallOptions) => {
    mustBeEndpoint(endpoint)
    return post<Answer>(`${webhooks}/endpoints/${path}`, endpoint, options)
  }
  // A secret that was made and did not arrive would be lost, and a test or a replay happen twice.
  const sendOnce = <Answer>(path: string, endpoint: object, options?: CallOptions) =>
    send<Answer>(path, endpoint, { mayRepeat: wasNotBegun, ...options })
  const list = (query: EndpointsQuery = {}, options?: CallOptions) =>
    read<EndpointsAnswer>(`${webhooks}/endpoints/list`, query, options)
  const attempts = (query: AttemptsQuery, options?: CallOptions) =>
    read<AttemptsAnswer>(`${webhooks}/attempts/list`, query, options)
  return {
    add: (endpoint, options) => sendOnce<AddEndpointAnswer>('add', endpoint, options),
    remove: (endpoint, options) => send<RemoveEndpointAnswer>('remove', endpoint, options),
    test: (endpoint, options) => sendOnce<TestEndpointAnswer>('test', endpoint, options),
    pause: (endpoint, options) => send<EndpointAnswer>('pause', endpoint, options),
    resume: (endpoint, options) => send<EndpointAnswer>('resume', endpoint, options),
    replay: (endpoint, options) => sendOnce<EndpointAnswer>('replay', endpoint, options),
    skip: (endpoint, options) => send<EndpointAnswer>('skip', endpoint, options),
    rotateSecret: (endpoint, options) => sendOnce<RotateSecretAnswer>('rotate-secret', endpoint, options),
    list,
    each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE),
    attempts,
    eachAttempt: (query, options) => eachOf((page) => attempts(page, options), query, PAGE),
  }
}
