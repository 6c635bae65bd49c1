// The steps of a move, as its test must see them.
import type { MoveStep } from '../../src/modules/cells/move/move-slots.ts'

/** Before the new cell serves the slots: a move can be aborted after each of these. */
export const STEPS_BEFORE_OPENING: MoveStep[] = [
  'recorded',
  'prepared',
  'replicating',
  'copied',
  'compared',
  'closed',
  'ended',
  'confirmed',
  'checked',
]
export const STEPS: MoveStep[] = [...STEPS_BEFORE_OPENING, 'opened', 'mapped', 'moved', 'finished']
