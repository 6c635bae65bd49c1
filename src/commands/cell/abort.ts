// `rounds cell abort`: what is asked, and what is printed where the new cell can be reached, cannot, or is lost.
import { readDatabaseUrl } from '../../config/config.ts'
import { printSlotRange } from '../../modules/cells/slot-range.ts'
import type { Deps } from '../command.ts'
import { showProgress } from '../progress.ts'
import { type Options, readTarget } from './options.ts'

export async function abort(options: Options, { env, errors }: Deps): Promise<string> {
  const sourceUrl = readDatabaseUrl(env)
  const targetUrl = readTarget(options, env)
  const { lost = false } = options
  const { abortMove } = await import('../../modules/cells/move/abort-move.ts')
  const progress = showProgress(errors)
  const { range, isCopyRemoved, isServing } = await abortMove({
    sourceUrl,
    targetUrl,
    isLost: lost,
    onProgress: progress.show,
  }).finally(progress.end)
  const serves = `this cell ${isServing ? 'serves' : 'no longer serves'} slots ${printSlotRange(range)}`
  if (isCopyRemoved) return `The move was aborted: ${serves}, and the copy in the other one was removed.`
  return `The move was aborted: ${serves}. ${lost ? LOST : UNREACHABLE}`
}

const LOST = "Never start the other cell again, and see to it that the router's map leads these slots here."
const UNREACHABLE =
  'The other cell cannot be reached and still holds a copy: run the same command again when it is back.'
