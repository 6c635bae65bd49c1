// The catalogue as the service serves it, without a server.
import { READING_TYPES } from '../../../src/modules/casesheet/catalogue/list-catalogue.ts'
import type { ReadingTypeEntry, ReadingTypesAnswer } from '../../typescript/src/client.ts'
import { catalogueOf } from '../src/format/reading-text.ts'

const { data } = JSON.parse(String(READING_TYPES.body)) as ReadingTypesAnswer

export const catalogue = catalogueOf(data)

export function entryOf(readingType: string): ReadingTypeEntry {
  const entry = catalogue.get(readingType)
  if (!entry) throw new Error(`The catalogue has no ${readingType}.`)
  return entry
}
