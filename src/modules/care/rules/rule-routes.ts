// {care_url}/rules/…: what doctors want to be notified of. They may be seen and removed where alerts are off too.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { hasGone, mustBeDoctor } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { OF_BODY } from '../of-body.ts'
import { forAll } from '../targets/target-routes.ts'
import { createListForAll, createListRules, listRulesContract } from './list-rules.ts'
import { createPreviewRule, previewRuleContract, RulePreview } from './preview-rule.ts'
import { createRemoveRule, removeRuleContract } from './remove-rule.ts'
import { Rule } from './rule.ts'
import { ruleTermsIn } from './rule-terms.ts'
import { createSetRule, setRuleContract } from './set-rule.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

type Deps = { operations: ReadingOperations; alerts: boolean; now: () => number }

export function ruleRoutes(app: App, db: Db, { operations, alerts, now }: Deps) {
  const { refused, patientBytes, mustRead, mustManageAsDoctor } = operations
  const setRule = createSetRule(db, refused)
  const removeRule = createRemoveRule(db)
  const listRules = createListRules(db)
  const listForAll = createListForAll(db)
  const previewRule = createPreviewRule(db, now)
  for (const schema of [Rule, RulePreview]) app.addSchema(schema)

  app.post('/rules/set', { schema: setRuleContract, ...OF_BODY }, async (request) => {
    const { body, bodyBytes: bytes } = request
    const { patientUid, ruleId } = body
    const rule = ruleTermsIn(body)
    if (!alerts) throw new Refusal('AlertsAreOff', 'No rule is evaluated here: alerts are switched off.')
    if (patientUid === undefined)
      return forAll(request, (author, isGone) => setRule(rule, ruleId, author, isGone))
    const { readingType } = rule
    return mustManageAsDoctor({ request, patientUid, readingType }, (doctor, isGone) =>
      patientBytes.countWhile({ patientUids: [patientUid], bytes }, () =>
        setRule(rule, ruleId, { ...doctor, patientUid }, isGone),
      ),
    )
  })

  app.post('/rules/remove', { schema: removeRuleContract, ...OF_BODY }, async (request) => {
    const { body, caller } = request
    const doctorId = mustBeDoctor(caller, 'change')
    return removeRule({ ...body, by: caller.subject, doctorId }, hasGone(request))
  })

  app.post('/rules/preview', { schema: previewRuleContract, ...OF_BODY }, async (request, reply) => {
    const { body, caller, id: requestId } = request
    const { patientUid = null } = body
    void reply.header('cache-control', 'no-store')
    const rule = ruleTermsIn(body)
    // It shows readings: an app that may only change something sees none.
    const asking = { patientUid, doctorId: mustBeDoctor(caller), by: caller.subject, requestId }
    if (patientUid === null) return previewRule(rule, asking)
    return mustManageAsDoctor({ request, patientUid, readingType: rule.readingType }, () =>
      previewRule(rule, asking),
    )
  })

  app.get('/rules/list', { schema: listRulesContract, exposeHeadRoute: false }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const { caller, query } = request
    if (query.patientUid === undefined && caller.doctorId !== undefined)
      return listForAll(mustBeDoctor(caller), caller.subject)
    return mustRead({ request, reply, named: query.patientUid }, ({ patientUid, reader }) =>
      listRules(patientUid, reader),
    )
  })
}
