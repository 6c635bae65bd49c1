// Which readings have changed for an endpoint since it had everything, as the watch reports them.
import type { Key, ReadingKey } from '../../feed/changes/change-history.ts'
import type { Filter } from './filter.ts'

/** More changes than this are found faster by walking. */
const MAX_KEYS = 200

/** What changed for an endpoint since it had everything: the readings, by their keys. `all`: that is not known. */
export type Changed = readonly ReadingKey[] | 'all'

/** An endpoint that gets all readings finds them faster by walking. */
export function changedFor(filter: Filter, keys: readonly Key[]): Changed | undefined {
  if (!filter.isSelective) return 'all'
  const wanted = keys.filter(filter.wantsChange)
  if (wanted.length === 0 && keys.length > 0) return undefined
  return bounded(wanted.filter((key) => key.erasedAt === undefined))
}

export const together = (first: Changed | undefined, second: Changed): Changed =>
  first === undefined ? second : first === 'all' || second === 'all' ? 'all' : bounded([...first, ...second])

const bounded = (keys: ReadingKey[]): Changed => (keys.length > MAX_KEYS ? 'all' : keys)
