// Rules: what doctors want to be notified of. They exist where the service has switched alerts on.
import type { CallOptions } from './call.ts'
import { mustBeRule } from './check-arguments.ts'
import type {
  PreviewRuleAnswer,
  RemoveRuleAnswer,
  Rule,
  RulesAnswer,
  RulesQuery,
  RuleToPreview,
  RuleToRemove,
  RuleToSet,
  SetRuleAnswer,
} from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page.
const PAGE = 100

export type Rules = {
  /**
   * Sets a rule, for doctors with the permission manage. It may be repeated. With a `ruleId` it replaces that one. `RuleExists`: another
   * rule says the same.
   */
  set: (rule: RuleToSet, options?: CallOptions) => Promise<SetRuleAnswer>
  /** Removes a rule. It may be repeated. */
  remove: (rule: RuleToRemove, options?: CallOptions) => Promise<RemoveRuleAnswer>
  /**
   * With `patientUid`: the rules of one patient that are set now. Without it, and with the token of a doctor: those of all patients who
   * share with the doctor.
   */
  list: (query?: RulesQuery, options?: CallOptions) => Promise<RulesAnswer>
  /** All of them, page after page; `limit` is the size of a page. */
  each: (query?: RulesQuery, options?: CallOptions) => AsyncGenerator<Rule, void, undefined>
  /** What a rule would have done with the readings of the last days. Nothing is set; the patient sees that the doctor has read. */
  preview: (rule: RuleToPreview, options?: CallOptions) => Promise<PreviewRuleAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: { patientUid: string }, options?: CallOptions) => Promise<Answer>
}

export function createRules(care: string, { read, post }: Calls): Rules {
  const send = async <Answer>(path: string, rule: { patientUid: string }, options?: CallOptions) => {
    mustBeRule(rule)
    return post<Answer>(`${care}/rules/${path}`, rule, options)
  }
  const list = (query: RulesQuery = {}, options?: CallOptions) =>
    read<RulesAnswer>(`${care}/rules/list`, query, options)
  return {
    set: (rule, options) => send<SetRuleAnswer>('set', rule, options),
    remove: (rule, options) => send<RemoveRuleAnswer>('remove', rule, options),
    list,
    each: (query = {}, options) => eachOf((page) => list(page, options), query, PAGE),
    preview: (rule, options) => send<PreviewRuleAnswer>('preview', rule, options),
  }
}
