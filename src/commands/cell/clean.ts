// `rounds cell clean`: asks for confirmation, and prints what was deleted.
import { readDatabaseUrl } from '../../config/config.ts'
import { printSlotRange } from '../../modules/cells/slot-range.ts'
import { type Deps, readWholeNumber } from '../command.ts'
import { mustBeConfirmed } from '../confirm.ts'
import { showProgress } from '../progress.ts'
import type { Options } from './options.ts'

const DEFAULT_AFTER_HOURS = 24

export async function clean(options: Options, { env, ...terminal }: Deps): Promise<string> {
  const databaseUrl = readDatabaseUrl(env)
  const hours =
    readWholeNumber(options['after-hours'], { name: '--after-hours', min: 0, max: 10_000 }) ??
    DEFAULT_AFTER_HOURS
  const { cleanMoved, findMoved } = await import('../../modules/cells/move/clean-moved.ts')
  const moves = await findMoved(databaseUrl, new Date(Date.now() - hours * 3_600_000))
  if (moves.length === 0) return `Nothing was moved more than ${hours} hours ago and is still here.`
  const slots = moves.map(({ range }) => printSlotRange(range)).join(', ')
  if (!options.yes)
    await mustBeConfirmed(
      `What this cell holds of slots ${slots} will be deleted for good.`,
      'delete',
      terminal,
    )
  const progress = showProgress(terminal.errors)
  const cleaned = await cleanMoved({ databaseUrl, moves, onProgress: progress.show }).finally(progress.end)
  return cleaned
    .map(
      ({ range, deleted }) =>
        `Slots ${printSlotRange(range)}: deleted ${deleted['casesheet.readings']} readings, ${deleted['casesheet.grants']} grants, ${deleted['casesheet.targets']} targets, ${deleted['casesheet.reviews']} reviews, ${deleted['casesheet.rules']} rules, ${deleted['casesheet.alerts']} alerts and ${deleted['casesheet.access_log']} entries of the access log.`,
    )
    .join('\n')
}
