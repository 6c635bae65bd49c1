// Which types of readings a search for codes and categories can find: the others are not read. Whether an Observation matches
// is decided by its own codes, since the code of a glucose depends on its unit.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { READING_TYPE_FORM } from '../../casesheet/reading.ts'
import type { Coding } from '../resources.ts'
import { matches, type Token } from '../search/token.ts'
import { OBSERVATION_CATEGORY, READING_TYPE } from '../systems.ts'
import { TYPE_MAPPINGS } from './type-mapping.ts'

/** The types to read; null for all. */
export type WantedTypes = ReadonlySet<string> | null

/** Every code that an Observation of a type may have. */
const CODINGS_OF: ReadonlyMap<string, readonly Coding[]> = new Map(
  [...TYPE_MAPPINGS].map(([name, { codingsIn }]) => [
    name,
    (CATALOGUE[name]?.units ?? [undefined]).flatMap((unit) => codingsIn(unit)),
  ]),
)

export function typesWithCode(tokens: readonly Token[]): WantedTypes {
  const types = new Set<string>()
  for (const token of tokens) {
    const { system, code } = token
    const isOwn = system === undefined || system === READING_TYPE
    // Every Observation has a code of this system.
    if (system === READING_TYPE && code === undefined) return null
    if (isOwn && code !== undefined && READING_TYPE_FORM.test(code)) types.add(code)
    for (const [name, codings] of CODINGS_OF) {
      if (codings.some((coding) => matches(token, coding))) types.add(name)
    }
  }
  return types
}

export function typesInCategory(tokens: readonly Token[]): WantedTypes {
  const found = [...TYPE_MAPPINGS].filter(([, { category }]) =>
    tokens.some((token) => matches(token, { system: OBSERVATION_CATEGORY, code: category })),
  )
  return new Set(found.map(([name]) => name))
}

export function bothOf(one: WantedTypes, other: WantedTypes): WantedTypes {
  if (one === null || other === null) return one ?? other
  return new Set([...one].filter((type) => other.has(type)))
}
