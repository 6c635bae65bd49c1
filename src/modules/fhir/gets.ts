// What answers GET: a read, a search, also by a form, and an operation, also by POST.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseOf } from '../../http/base-address.ts'
import { prefers } from '../../http/preferences.ts'
import { queryOf } from '../../http/request-head.ts'
import { mustAskForJson } from './answers/general-parameters.ts'
import { sendFhir } from './answers/send-fhir.ts'
import { readForms, readNoBodies } from './write/read-bodies.ts'

/** What is asked, and by which request. */
export type Asked = {
  request: FastifyRequest
  reply: FastifyReply
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
  const routeOf = (answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const form = typeof request.body === 'string' ? request.body : ''
    mustAskForJson(form)
    const asked = {
      request,
      reply,
      base: baseOf(request, basePath),
      params: request.params as Record<string, string>,
      query: `${queryOf(request.raw.url ?? '')}&${form}`,
      isStrict: prefers([request.headers.prefer ?? []].flat().join(), 'handling', 'strict'),
    }
    return sendFhir(reply, await answer(asked))
  }

  function serve(path: string, answer: Answer) {
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

  return { serve, serveSearch, serveOperation }
}
