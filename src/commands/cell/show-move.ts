// The progress of a move, on the terminal.
import type { SlotsMove } from '../../modules/cells/move/move-slots.ts'
import { type Output, showProgress } from '../progress.ts'
import { sayWaiting } from '../waiting.ts'

type Callbacks = Required<Pick<SlotsMove, 'signal' | 'onProgress' | 'onStep' | 'onWaiting'>>
type MoveStep = Parameters<SlotsMove['onStep']>[0]

export function showMove(output: Output, signal: AbortSignal) {
  const progress = showProgress(output)
  const startedAt = Date.now()
  let closedAt = 0
  let switchedInMs = 0
  let isTakingOver = false
  signal.addEventListener('abort', () => progress.say(isTakingOver ? TAKING_OVER : 'Stopping.'))
  const callbacks: Callbacks = {
    signal,
    onProgress({ copied, expected }) {
      const seconds = (Date.now() - startedAt) / 1_000
      progress.show({ stage: 'copying', ...shareOf(copied, expected, seconds) })
    },
    onStep(step) {
      if (step === 'closed') closedAt = Date.now()
      if (step === 'opened' && closedAt > 0) switchedInMs = Date.now() - closedAt
      if (step === 'checked' || step === 'opened') isTakingOver = true
      progress.show({ stage: STAGE_OF[step] })
    },
    onWaiting: sayWaiting(progress.say),
  }
  return { callbacks, say: progress.say, end: progress.end, switchedInMs: () => switchedInMs }
}

const TAKING_OVER = 'The new cell is taking over the slots: the move is brought to its end first.'

const STAGE_OF: Record<MoveStep, string> = {
  recorded: 'preparing',
  prepared: 'preparing',
  replicating: 'copying',
  copied: 'comparing',
  compared: 'closing the slots',
  closed: 'closing the slots',
  ended: 'waiting for the new cell',
  confirmed: 'comparing what changed',
  checked: 'opening the slots',
  opened: 'changing the map',
  mapped: 'finishing',
  moved: 'tidying up',
  finished: 'done',
}

function shareOf(copied: number, expected: number, seconds: number) {
  const rate = copied / Math.max(seconds, 0.001)
  const left = rate > 0 ? Math.ceil((expected - copied) / rate) : undefined
  const details = `${Math.round(rate)} rows a second${left === undefined ? '' : `, about ${left} s left`}`
  return { share: expected === 0 ? 1 : copied / expected, details }
}
