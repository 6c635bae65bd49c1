// The options of `rounds cell`, of which each verb takes some.
import { ConfigError } from '../../config/config.ts'
import type { Deps } from '../command.ts'

export type Options = {
  slots?: string | undefined
  to?: string | undefined
  via?: string | undefined
  limit?: string | undefined
  map?: string | undefined
  as?: string | undefined
  router?: string[] | undefined
  'map-by-hand'?: boolean | undefined
  'dry-run'?: boolean | undefined
  json?: boolean | undefined
  lost?: boolean | undefined
  'after-hours'?: string | undefined
  yes?: boolean | undefined
}

export function readTarget({ to }: Options, env: Deps['env']): string {
  const target = to ?? env['CELL_TO']
  if (target && URL.canParse(target)) return target
  throw new ConfigError('--to, or CELL_TO, must be the postgres:// address of the new cell.')
}
