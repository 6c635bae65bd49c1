// Conditional answers: a strong ETag of the very bytes, and 304 to a client that sends it. Lists need a token, hence `private`;
// `no-cache` lets a client cache them but revalidate each time.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

/** JSON that is ready to be sent, with its tag. */
export type TaggedAnswer<Body extends string | Buffer = string | Buffer> = { body: Body; etag: string }

export function withEtag<Body extends string | Buffer>(body: Body): TaggedAnswer<Body> {
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` }
}

export function sendUnlessHeld({ headers }: FastifyRequest, reply: FastifyReply, answer: TaggedAnswer) {
  void reply.header('etag', answer.etag).header('cache-control', 'private, no-cache')
  if (isHeld(headers['if-none-match'], answer.etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(answer.body)
}

/** The contract of the 304, for the `response` schema of a list. */
export function notModified(description: string) {
  return Type.Unsafe<undefined>({ type: 'null', description })
}

/** RFC 9110: a list of tags or `*`; `W/` does not matter in this comparison. */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag)
}
