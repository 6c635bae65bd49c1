// Targets: what a patient's readings are compared with, by whom it was set, and the published ones that may be chosen.
import type { CallOptions } from './call.ts'
import type { TargetPresetsAnswer } from './contract.ts'

export type Targets = {
  /** The published targets that a person may choose, each with its source. */
  presets: (options?: CallOptions) => Promise<TargetPresetsAnswer>
}

type Calls = { read: <Answer>(path: string, query: object, options?: CallOptions) => Promise<Answer> }

export function createTargets(care: string, { read }: Calls): Targets {
  return {
    presets: (options) => read<TargetPresetsAnswer>(`${care}/targets/presets`, {}, options),
  }
}
