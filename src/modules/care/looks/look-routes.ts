// {care_url}/reviews/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { OF_BODY } from '../of-body.ts'
import { addLookContract, createAddLook } from './add-look.ts'
import { Look } from './look.ts'
import { createUndoLook, undoLookContract } from './undo-look.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Deps = { operations: ReadingOperations; now: () => number }

export function lookRoutes(app: App, db: Db, { operations, now }: Deps) {
  app.addSchema(Look)
  const { refused, patientBytes, mustReadAsDoctor } = operations
  const addLook = createAddLook(db, { refused, now })
  const undoLook = createUndoLook(db)

  app.post('/reviews/add', { schema: addLookContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid } = body
    return mustReadAsDoctor({ request, patientUid }, (doctor, isGone) =>
      patientBytes.countWhile({ patientUids: [patientUid], bytes }, () => addLook(body, doctor, isGone)),
    )
  })

  app.post('/reviews/undo', { schema: undoLookContract, ...OF_BODY }, async (request) => {
    const { body } = request
    // Not counted: there is no more to take back than was added.
    return mustReadAsDoctor({ request, patientUid: body.patientUid }, (doctor, isGone) =>
      undoLook(body, doctor, isGone),
    )
  })
}
