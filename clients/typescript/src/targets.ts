// Targets: what a patient's readings are compared with, by whom it was set, and the published ones that may be chosen.
import type { CallOptions } from './call.ts'
import { mustBeTarget } from './check-arguments.ts'
import type {
  RemoveTargetAnswer,
  SetTargetAnswer,
  TargetChange,
  TargetHistoryAnswer,
  TargetHistoryQuery,
  TargetPresetsAnswer,
  TargetsAnswer,
  TargetsQuery,
  TargetToRemove,
  TargetToSet,
} from './contract.ts'
import { eachOf } from './each-of.ts'

// The largest page of the history.
const PAGE = 100

export type Targets = {
  /**
   * Sets one target, or all those of a preset. For the patient, carers, and doctors with the permission manage. It may be repeated;
   * another target for the same field replaces the one before.
   */
  set: (target: TargetToSet, options?: CallOptions) => Promise<SetTargetAnswer>
  /** Removes the target of a field, or those of all fields of a type. It may be repeated. */
  remove: (target: TargetToRemove, options?: CallOptions) => Promise<RemoveTargetAnswer>
  /** Those that are set now. */
  list: (query?: TargetsQuery, options?: CallOptions) => Promise<TargetsAnswer>
  /** Who set or removed targets, newest first. */
  history: (query?: TargetHistoryQuery, options?: CallOptions) => Promise<TargetHistoryAnswer>
  /** All of the history, page after page; `limit` is the size of a page. */
  eachChange: (
    query?: TargetHistoryQuery,
    options?: CallOptions,
  ) => AsyncGenerator<TargetChange, void, undefined>
  /** The published targets that a person may choose, each with its source. */
  presets: (options?: CallOptions) => Promise<TargetPresetsAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: { patientUid: string }, options?: CallOptions) => Promise<Answer>
}

export function createTargets(care: string, { read, post }: Calls): Targets {
  const send = async <Answer>(path: string, target: { patientUid: string }, options?: CallOptions) => {
    mustBeTarget(target)
    return post<Answer>(`${care}/targets/${path}`, target, options)
  }
  const history = (query: TargetHistoryQuery = {}, options?: CallOptions) =>
    read<TargetHistoryAnswer>(`${care}/targets/history`, query, options)
  return {
    set: (target, options) => send<SetTargetAnswer>('set', target, options),
    remove: (target, options) => send<RemoveTargetAnswer>('remove', target, options),
    list: (query = {}, options) => read<TargetsAnswer>(`${care}/targets/list`, query, options),
    history,
    eachChange: (query = {}, options) => eachOf((page) => history(page, options), query, PAGE),
    presets: (options) => read<TargetPresetsAnswer>(`${care}/targets/presets`, {}, options),
  }
}
