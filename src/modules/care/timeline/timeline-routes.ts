// {care_url}/timeline
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { createReadTimeline, timelineContract } from './read-timeline.ts'
import { TimelineEntry } from './timeline-entry.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function timelineRoutes(app: App, db: Db, { mustRead }: ReadingOperations) {
  app.addSchema(TimelineEntry)
  const readTimeline = createReadTimeline(db)

  app.get('/timeline', { schema: timelineContract, exposeHeadRoute: false }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return mustRead({ request, reply, named: request.query.patientUid }, ({ patientUid, reader }) =>
      readTimeline({ ...request.query, patientUid }, reader),
    )
  })
}
