// The answer to a search of any type: the query as it was understood, what was found, and the parameters of the result.
import { linksOf } from '../answers/addresses.ts'
import { SERVED, type ServedType } from '../answers/served.ts'
import type { Asked } from '../gets.ts'
import { type Found, printSearchset } from './bundle.ts'
import { isCountWanted, type Sent, searchQueryFrom } from './search-query.ts'

/** What was found, and the search as it was understood, where that is more than what was sent. */
type FoundFor = Found & { sent?: readonly Sent[] }

export function searchAnswer(
  type: ServedType,
  find: (sent: readonly Sent[], asked: Asked) => Promise<FoundFor>,
) {
  return async (asked: Asked): Promise<string> => {
    const { sent, ignored } = searchQueryFrom(asked.query, SERVED[type], asked.isStrict)
    const { entries, nextCursor, limitedTo, sent: understood = sent } = await find(sent, asked)
    const address = `${asked.base}/${type}`
    if (!isCountWanted(sent)) {
      const links = linksOf(address, understood, nextCursor)
      return printSearchset({ links, entries, ignored, limitedTo })
    }
    const links = linksOf(address, understood, null)
    const total = nextCursor === null ? entries.length : 'not counted'
    return printSearchset({ links, entries: [], ignored, limitedTo, total })
  }
}
