// The care module's table of contents: {care_url}/targets/… and {care_url}/reports/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/db.ts'
import { sendUnlessHeld } from '../../http/answers/etag.ts'
import type { ReadingOperations } from '../casesheet/reading-operations.ts'
import { listPresetsContract, PRESETS_ANSWER, TargetPreset } from './targets/presets.ts'

/** What the module needs beside the database. */
type Deps = { operations: ReadingOperations; now: () => number }

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export function careRoutes(_db: Db, _deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addSchema(TargetPreset)
    targetRoutes(app)
  }
}

function targetRoutes(app: App) {
  app.get('/targets/presets', { schema: listPresetsContract }, async (request, reply) =>
    sendUnlessHeld(request, reply, PRESETS_ANSWER),
  )
}
