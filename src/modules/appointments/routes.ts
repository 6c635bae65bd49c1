import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'

export function appointmentsRoutes(_db: Db): FastifyPluginAsyncTypebox {
  return async (_app) => {}
}
