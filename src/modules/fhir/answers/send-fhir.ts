import type { FastifyReply } from 'fastify'
import { FHIR_JSON } from './operation-outcome.ts'

export async function sendFhir(reply: FastifyReply, text: string) {
  return reply.type(FHIR_JSON).header('cache-control', 'no-store').send(text)
}
