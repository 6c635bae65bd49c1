// `rounds cell join`: a new, empty database becomes a cell.
import { readDatabaseUrl } from '../../config/config.ts'
import type { Surroundings } from '../command.ts'

export async function join({ env }: Surroundings): Promise<string> {
  const { joinCells } = await import('../../modules/casesheet/cell/move/take-over.ts')
  await joinCells(readDatabaseUrl(env))
  return 'This database is a cell that serves no slots yet: "rounds cell move" brings it some.'
}
