// Rules: what doctors want to be notified of. `AlertsAreOff`: the service evaluates none, so none can be set.
import type { CallOptions } from './call.ts'
import { mustBeRule } from './check-arguments.ts'
import type {
  PreviewRuleAnswer,
  RemoveRuleAnswer,
  RulesAnswer,
  RulesQuery,
  RuleToPreview,
  RuleToRemove,
  RuleToSet,
  SetRuleAnswer,
} from './contract.ts'

export type Rules = {
  /**
   * Sets a rule for a patient; without `patientUid` for all who share with the permission manage. It may be repeated. With a `ruleId` it
   * replaces that one. `RuleExists`: the doctor has the same one already.
   */
  set: (rule: RuleToSet, options?: CallOptions) => Promise<SetRuleAnswer>
  /** Removes an own rule. It may be repeated. */
  remove: (rule: RuleToRemove, options?: CallOptions) => Promise<RemoveRuleAnswer>
  /** All rules about a patient; without `patientUid` a doctor's own for all. */
  list: (query?: RulesQuery, options?: CallOptions) => Promise<RulesAnswer>
  /** What a rule would have done with the readings of the last 90 days. Nothing is set; patients see that the doctor has read. */
  preview: (rule: RuleToPreview, options?: CallOptions) => Promise<PreviewRuleAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: AnyQuery, options?: CallOptions) => Promise<Answer>
}

export function createRules(care: string, { read, post }: Calls): Rules {
  const send = async <Answer>(path: string, rule: AnyQuery, options?: CallOptions) => {
    mustBeRule(rule)
    return post<Answer>(`${care}/rules/${path}`, rule, options)
  }
  return {
    set: (rule, options) => send<SetRuleAnswer>('set', rule, options),
    remove: (rule, options) => send<RemoveRuleAnswer>('remove', rule, options),
    list: (query = {}, options) => read<RulesAnswer>(`${care}/rules/list`, query, options),
    preview: (rule, options) => send<PreviewRuleAnswer>('preview', rule, options),
  }
}
