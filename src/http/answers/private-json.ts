// JSON about a patient that comes as text, and that must not be cached.
import type { FastifyReply } from 'fastify'

export async function sendPrivateJson(reply: FastifyReply, text: Promise<string>) {
  void reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
  return reply.send(await text)
}
