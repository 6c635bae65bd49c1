// Targets: what readings are compared with, each with its author, and the published limits that a form may offer.
import type { CallOptions } from './call.ts'
import { mustBeTarget } from './check-arguments.ts'
import type {
  RemoveTargetAnswer,
  SetTargetAnswer,
  TargetPresetsAnswer,
  TargetsAnswer,
  TargetsQuery,
  TargetToRemove,
  TargetToSet,
} from './contract.ts'

export type Targets = {
  /**
   * Sets the target of a type for a patient; without `patientUid` a doctor's for all who share with the permission manage. It may be
   * repeated. Another one of the same author replaces it; nobody's replaces that of another author.
   */
  set: (target: TargetToSet, options?: CallOptions) => Promise<SetTargetAnswer>
  /** Removes the own target of a type. It may be repeated. */
  remove: (target: TargetToRemove, options?: CallOptions) => Promise<RemoveTargetAnswer>
  /** Those of all authors for a patient; without `patientUid` a doctor's for all. Readings are compared with those that have `judges`. */
  list: (query?: TargetsQuery, options?: CallOptions) => Promise<TargetsAnswer>
  /** The published limits that a form may offer, each with its source. */
  presets: (options?: CallOptions) => Promise<TargetPresetsAnswer>
}

type AnyQuery = object & { patientUid?: string | undefined }

/** How the client sends a query and a body. */
type Calls = {
  read: <Answer>(path: string, query: AnyQuery, options?: CallOptions) => Promise<Answer>
  post: <Answer>(path: string, body: AnyQuery, options?: CallOptions) => Promise<Answer>
}

export function createTargets(care: string, { read, post }: Calls): Targets {
  const send = async <Answer>(path: string, target: AnyQuery, options?: CallOptions) => {
    mustBeTarget(target)
    return post<Answer>(`${care}/targets/${path}`, target, options)
  }
  return {
    set: (target, options) => send<SetTargetAnswer>('set', target, options),
    remove: (target, options) => send<RemoveTargetAnswer>('remove', target, options),
    list: (query = {}, options) => read<TargetsAnswer>(`${care}/targets/list`, query, options),
    presets: (options) => read<TargetPresetsAnswer>(`${care}/targets/presets`, {}, options),
  }
}
