// `Vary`, added to what other parts of the server have put there already (CORS: Origin).
import type { FastifyReply } from 'fastify'

export function varyBy(reply: FastifyReply, ...headers: string[]) {
  const already = reply.getHeader('vary')
  void reply.header('vary', [...(already === undefined ? [] : [already]), ...headers].join(', '))
}
