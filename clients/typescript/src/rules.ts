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
import { listAllCells, type Merged, mustBeWhole } from './list-of-cells.ts'

// The largest page, and the one without a limit.
const PAGE = 100

export type Rules = {
  /**
   * Sets a rule, for doctors with the permission manage. It may be repeated. With a `ruleId`, or with the `template` of a rule, it
   * replaces that one. `RuleExists`: another rule says the same.
   */
  set: (rule: RuleToSet, options?: CallOptions) => Promise<SetRuleAnswer>
  /** Removes a rule. It may be repeated. */
  remove: (rule: RuleToRemove, options?: CallOptions) => Promise<RemoveRuleAnswer>
  /**
   * With `patientUid`: the rules of one patient that are set now. Without it, and with the token of a doctor: those of all patients who
   * share with the doctor. Where patients are divided between cells, each cell is asked; `cells.missing` then says whose rules are not in
   * the answer.
   */
  list: (query?: RulesQuery, options?: CallOptions) => Promise<Merged<RulesAnswer>>
  /** All of them, page after page; `limit` is the size of a page. It fails where the patients of a cell are missing. */
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

export function createRules(addressIn: (cell: string | undefined) => string, { read, post }: Calls): Rules {
  const care = addressIn(undefined)
  const send = async <Answer>(path: string, rule: { patientUid: string }, options?: CallOptions) => {
    mustBeRule(rule)
    return post<Answer>(`${care}/rules/${path}`, rule, options)
  }
  const list = async (query: RulesQuery = {}, options?: CallOptions) =>
    query.patientUid === undefined
      ? listAllCells<RulesQuery, RulesAnswer>(
          {
            limit: PAGE,
            ask: (cell, asked, callOptions) => read(`${addressIn(cell)}/rules/list`, asked, callOptions),
          },
          query,
          options,
        )
      : read<RulesAnswer>(`${care}/rules/list`, query, options)
  return {
    set: (rule, options) => send<SetRuleAnswer>('set', rule, options),
    remove: (rule, options) => send<RemoveRuleAnswer>('remove', rule, options),
    list,
    each: (query = {}, options) =>
      eachOf(async (page) => mustBeWhole(await list(page, options)), query, PAGE),
    preview: (rule, options) => send<PreviewRuleAnswer>('preview', rule, options),
  }
}
