// {care_url}/rules/…: what doctors want to be notified of. Only where alerts are on.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { mustBeDoctor } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { OF_BODY } from '../of-body.ts'
import { createListRules, createListRulesOfDoctor, listRulesContract } from './list-rules.ts'
import { createPreviewRule, previewRuleContract, RulePreview } from './preview-rule.ts'
import { createRemoveRule, removeRuleContract } from './remove-rule.ts'
import { Rule } from './rule.ts'
import { ruleTermsIn } from './rule-terms.ts'
import { createSetRule, setRuleContract } from './set-rule.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

type Deps = { operations: ReadingOperations; now: () => number }

export function ruleRoutes(app: App, db: Db, { operations, now }: Deps) {
  const { summaries, refused, patientBytes, mustRead, mustManageAsDoctor } = operations
  const setRule = createSetRule(db, refused)
  const removeRule = createRemoveRule(db)
  const listRules = createListRules(db)
  const listRulesOfDoctor = createListRulesOfDoctor(db)
  const previewRule = createPreviewRule(summaries, now)
  for (const schema of [Rule, RulePreview]) app.addSchema(schema)

  app.post('/rules/set', { schema: setRuleContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid } = body
    const terms = ruleTermsIn(body)
    return mustManageAsDoctor({ request, patientUid, readingType: terms.readingType }, (doctor, isGone) =>
      patientBytes.countWhile({ patientUids: [patientUid], bytes }, () =>
        setRule(body, terms, doctor, isGone),
      ),
    )
  })

  app.post('/rules/remove', { schema: removeRuleContract, ...OF_BODY }, async (request) => {
    const { body } = request
    // Not counted: there is no more to remove than was set.
    return mustManageAsDoctor({ request, patientUid: body.patientUid }, (doctor, isGone) =>
      removeRule(body, doctor, isGone),
    )
  })

  app.post('/rules/preview', { schema: previewRuleContract, ...OF_BODY }, async (request, reply) => {
    const { body, caller, id: requestId } = request
    const { patientUid } = body
    void reply.header('cache-control', 'no-store')
    const terms = ruleTermsIn(body)
    // It shows readings: an app that may only change something sees none.
    mustBeDoctor(caller)
    return mustManageAsDoctor({ request, patientUid, readingType: terms.readingType }, (doctor, isGone) =>
      previewRule(body, terms, { doctor, requestId, isGone }),
    )
  })

  app.get('/rules/list', { schema: listRulesContract, exposeHeadRoute: false }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const { caller, query } = request
    if (query.patientUid === undefined && caller.doctorId !== undefined)
      return listRulesOfDoctor(query, { doctorId: mustBeDoctor(caller), subject: caller.subject })
    return mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
      listRules({ ...query, patientUid }, reader),
    )
  })
}
