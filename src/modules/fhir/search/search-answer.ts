// The answer to a search of any type: the query as it was understood, what was found, and the parameters of the result.
import { Refusal } from '../../../refusal.ts'
import { linksOf } from '../answers/addresses.ts'
import { SERVED, type ServedType } from '../answers/served.ts'
import type { Asked } from '../gets.ts'
import { type Found, printSearchset } from './bundle.ts'
import { keepElements, wantedElementsIn, wantedElementsInQuery } from './elements.ts'
import { isCountWanted, type Sent, searchQueryFrom } from './search-query.ts'

/** What was found, and the search as it was understood, where that is more than what was sent. */
type FoundFor = Found & { sent?: readonly Sent[] }

export function searchAnswer(
  type: ServedType,
  find: (sent: readonly Sent[], asked: Asked) => Promise<FoundFor>,
) {
  return async (asked: Asked): Promise<string> => {
    const { sent, ignored } = searchQueryFrom(asked.query, SERVED[type], asked.isStrict)
    const wanted = wantedElementsIn(sent)
    const { entries, nextCursor, limitedTo, sent: understood = sent } = await find(sent, asked)
    const address = `${asked.base}/${type}`
    if (isCountWanted(sent)) {
      const total = nextCursor === null ? entries.length : 'not counted'
      return printSearchset({
        links: linksOf(address, understood, null),
        entries: [],
        ignored,
        limitedTo,
        total,
      })
    }
    const links = linksOf(address, understood, nextCursor)
    const shown = wanted ? entries.map((entry) => keepElements(entry, wanted)) : entries
    return printSearchset({ links, entries: shown, ignored, limitedTo })
  }
}

/** The answer to a read of one resource, with the elements that are wanted of it. */
export function printRead(resource: object, query: string): string {
  const text = JSON.stringify(resource)
  const wanted = wantedElementsInQuery(query)
  return wanted ? keepElements({ fullUrl: '', text }, wanted).text : text
}

/** The same search where the path names the patient: Patient/{id}/Observation. */
export const ofPatientInPath =
  (answer: (asked: Asked) => Promise<string>) =>
  async (asked: Asked): Promise<string> => {
    const id = asked.params['id'] ?? ''
    if (id === '') throw new Refusal('NotFound', 'There is no such Patient: its id is empty.')
    return answer({ ...asked, query: `${asked.query}&patient=${encodeURIComponent(id)}` })
  }
