// `_elements`: a resource with the elements that were asked for, those that R4 requires, and a tag that says so.
import type { Entry } from './bundle.ts'
import { onlyText, type Sent, searchQueryFrom } from './search-query.ts'

const SUBSETTED = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }

/** The elements without which a resource would not be valid. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Observation: ['status', 'code'],
  Consent: ['status', 'scope', 'category', 'policyRule'],
}
const ALWAYS = new Set(['resourceType', 'id'])

/** With or without the type before them; undefined where all are wanted. */
export function wantedElementsIn(sent: readonly Sent[]): ReadonlySet<string> | undefined {
  const text = onlyText(sent, '_elements')
  if (text === undefined) return undefined
  return new Set(
    text.split(',').map(
      (name) =>
        name
          .trim()
          .replace(/^[A-Z]\w*\./, '')
          .split('.', 1)[0] ?? '',
    ),
  )
}

export function wantedElementsInQuery(query: string): ReadonlySet<string> | undefined {
  if (!query.includes('_elements')) return undefined
  return wantedElementsIn(searchQueryFrom(query, { parameters: [], sorts: [] }, false).sent)
}

export function keepElements({ fullUrl, text }: Entry, wanted: ReadonlySet<string>): Entry {
  const resource = JSON.parse(text) as Record<string, unknown> & { resourceType: string }
  const required = REQUIRED[resource.resourceType] ?? []
  const { meta, contained, ...elements } = resource
  const kept = Object.fromEntries(
    Object.entries(elements).filter(
      ([name]) =>
        ALWAYS.has(name) ||
        [nameOf(name), choiceOf(name)].some((one) => wanted.has(one) || required.includes(one)),
    ),
  )
  const { lastUpdated }: { lastUpdated?: unknown } = Object(meta)
  const { resourceType, id, ...rest } = kept
  const referred = containedIn(contained).filter((one) => isReferredTo(one, rest))
  const subset = {
    resourceType,
    id,
    // What is left may not fulfil the profiles.
    meta: { ...(lastUpdated === undefined ? {} : { lastUpdated }), tag: [SUBSETTED] },
    ...(referred.length > 0 ? { contained: referred } : {}),
    ...rest,
  }
  return { fullUrl, text: JSON.stringify(subset) }
}

/** Extensions of a primitive belong to it. */
const nameOf = (name: string) => name.replace(/^_/, '')

/** `value` for `valueQuantity`, and `effective` for `effectiveDateTime`. */
const choiceOf = (name: string) => /^_?(value|effective)(?=[A-Z])/.exec(name)?.[1] ?? name

function containedIn(contained: unknown): { id: string }[] {
  return Array.isArray(contained) ? contained : []
}

/** A resource must not contain what it does not refer to. */
function isReferredTo({ id }: { id: string }, rest: object): boolean {
  return JSON.stringify(rest).includes(`"reference":"#${id}"`)
}
