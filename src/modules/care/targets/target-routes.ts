// {care_url}/targets/…
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { IsGone } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { sendUnlessHeld } from '../../../http/answers/etag.ts'
import { hasGone, mustBeDoctor } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { OF_BODY } from '../of-body.ts'
import { createListForAll, createListTargets, listTargetsContract } from './list-targets.ts'
import { listPresetsContract, PRESETS_ANSWER, TargetPreset } from './presets.ts'
import { createRemoveTarget, removeTargetContract } from './remove-target.ts'
import { createSetTarget, type Owner, ownerFor, refusePractice, setTargetContract } from './set-target.ts'
import { Target } from './target.ts'
import { mustNameType, termsIn } from './target-terms.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Deps = { operations: ReadingOperations; now: () => number }

export function targetRoutes(app: App, db: Db, { operations, now }: Deps) {
  for (const schema of [Target, TargetPreset]) app.addSchema(schema)
  const { refused, patientBytes, mustRead, mustManage } = operations
  const setTarget = createSetTarget(db, refused, now)
  const removeTarget = createRemoveTarget(db)
  const listTargets = createListTargets(db, now)
  const listForAll = createListForAll(db)

  app.get('/targets/presets', { schema: listPresetsContract }, async (request, reply) =>
    sendUnlessHeld(request, reply, PRESETS_ANSWER),
  )

  app.post('/targets/set', { schema: setTargetContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid, practiceId, readingType } = body
    if (patientUid === undefined)
      return forAll(request, (author, isGone) => setTarget(termsIn(body, 'doctor'), author, isGone))
    mustNameType(readingType)
    return mustManage({ request, patientUid, readingType }, (manager, isGone) => {
      const terms = termsIn(body, manager.doctorId === null ? 'patient' : 'doctor')
      const author = ownerFor(manager, patientUid, practiceId)
      return patientBytes.countWhile({ patientUids: [patientUid], bytes }, () =>
        setTarget(terms, author, isGone),
      )
    })
  })

  app.post('/targets/remove', { schema: removeTargetContract, ...OF_BODY }, async (request) => {
    const { patientUid, practiceId, readingType } = request.body
    mustNameType(readingType)
    if (patientUid === undefined)
      return forAll(request, (author, isGone) => removeTarget(readingType, author, isGone))
    // Not counted: there is no more to remove than was set.
    return mustManage({ request, patientUid, readingType }, (manager, isGone) =>
      removeTarget(readingType, ownerFor(manager, patientUid, practiceId), isGone),
    )
  })

  app.get(
    '/targets/list',
    { schema: listTargetsContract, exposeHeadRoute: false },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const { caller, query } = request
      if (query.patientUid === undefined && caller.doctorId !== undefined)
        return listForAll(mustBeDoctor(caller), caller.subject)
      return mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
        listTargets(patientUid, reader),
      )
    },
  )
}

/** What a doctor sets for all relies on no grant. Who shares with a practice nobody says, so no practice sets anything for all. */
export function forAll<T>(
  request: Pick<FastifyRequest, 'body' | 'caller' | 'raw'>,
  work: (author: Owner, isGone: IsGone) => Promise<T>,
): Promise<T> {
  const { subject: by, practiceIds } = request.caller
  const doctorId = mustBeDoctor(request.caller, 'change')
  if (Object(request.body).practiceId !== undefined) throw refusePractice()
  const author = { by, doctorId, practiceIds, practiceId: null, grantId: null, patientUid: null }
  return work(author, hasGone(request))
}
