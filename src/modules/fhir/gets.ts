// The table of addresses that answer GET. Each is a route; a GET entry of a batch is answered by the same table, so that both
// read, refuse and log alike.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseOf } from '../../http/base-address.ts'
import { prefers } from '../../http/preferences.ts'
import { pathOf, queryOf } from '../../http/request-head.ts'
import { isDecodable } from '../../http/server.ts'
import { Refusal } from '../../refusal.ts'
import { mustAskForJson } from './answers/general-parameters.ts'
import { sendFhir } from './answers/send-fhir.ts'
import { readForms, readNoBodies } from './write/read-bodies.ts'

/** What is asked, and by which request. */
export type Asked = {
  request: FastifyRequest
  /** Where headers of the answer go; those of an entry are dropped. */
  reply: Pick<FastifyReply, 'header'>
  base: string
  params: Readonly<Record<string, string>>
  /** The query of the address, and the form of a search. */
  query: string
  /** Whether parameters that are not known are refused. */
  isStrict: boolean
}

/** The resource, as JSON. */
type Answer = (asked: Asked) => Promise<string>

export type Gets = ReturnType<typeof createGets>

export const schema = { hide: true }
// No HEAD: it would read, and log, a search to answer nothing.
const UNLISTED = { schema, exposeHeadRoute: false }

export function createGets(app: FastifyInstance, basePath: string) {
  const known: { parts: string[]; answer: Answer }[] = []

  const routeOf = (answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const form = typeof request.body === 'string' ? request.body : ''
    mustAskForJson(form)
    const asked = {
      request,
      reply,
      base: baseOf(request, basePath),
      params: request.params as Record<string, string>,
      query: `${queryOf(request.raw.url ?? '')}&${form}`,
      isStrict: wantsStrictHandling(request),
    }
    return sendFhir(reply, await answer(asked))
  }

  function serve(path: string, answer: Answer) {
    known.push({ parts: path.slice(1).split('/'), answer })
    app.get(path, UNLISTED, routeOf(answer))
  }

  /** An operation that changes nothing may be called by POST as well. */
  function serveOperation(path: string, answer: Answer) {
    serve(path, answer)
    void app.register(async (posts) => {
      readNoBodies(posts)
      posts.post(path, { schema }, routeOf(answer))
    })
  }

  /** A search by the address, and by a form: addresses are logged by proxies, and a patient's id is in them. */
  function serveSearch(path: string, answer: Answer) {
    serve(path, answer)
    void app.register(async (forms) => {
      readForms(forms)
      forms.post(`${path}/_search`, { schema }, routeOf(answer))
    })
  }

  /** What a GET of this address, relative to the base, is answered with. */
  async function answerTo(address: string, request: FastifyRequest): Promise<string> {
    const query = queryOf(address)
    // As for the address of a request.
    if (address.includes('#') || !isDecodable(query))
      throw new Refusal('ValidationFailed', 'The query string is not well-formed.')
    mustAskForJson(query)
    const parts = pathOf(address).split('/')
    for (const { parts: pattern, answer } of known) {
      const params = paramsIn(pattern, parts)
      if (!params) continue
      const base = baseOf(request, basePath)
      return answer({
        request,
        reply: NO_HEADERS,
        base,
        params,
        query,
        isStrict: wantsStrictHandling(request),
      })
    }
    throw new Refusal('NotFound', 'There is nothing at this address.')
  }

  return { serve, serveSearch, serveOperation, answerTo }
}

const NO_HEADERS = { header: () => NO_HEADERS } as unknown as Asked['reply']

function wantsStrictHandling({ headers: { prefer } }: FastifyRequest): boolean {
  return prefers([prefer ?? []].flat().join(), 'handling', 'strict')
}

/** The parts of the pattern that begin with a colon; undefined where the address is another one. */
function paramsIn(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (name.startsWith(':') && /^[^$%][^%]{0,99}$/.test(part)) params[name.slice(1)] = part
    else if (name !== part) return undefined
  }
  return params
}
