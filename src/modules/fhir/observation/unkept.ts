// What of an Observation would be lost: it is compared with what Rounds would send back of the reading that it became.
// Whatever was sent must be there again. Left aside is what carries nothing: an id and a version, which the server gives;
// displays and texts beside a code, which repeat it; the name of a unit beside its code; and a narrative that was generated
// from the rest.
import type { FieldError } from '../../../refusal.ts'
import type { Observation } from '../resources.ts'
import { OTHER_FIELDS, URI } from '../systems.ts'
import { symptomName } from './symptoms.ts'

type Json = Record<string, unknown>

const MAX_FOUND = 20

/** Elements that repeat a code or a unit, by the element that they stand in. */
const REPEATING: Readonly<Record<string, ReadonlySet<string>>> = {
  coding: new Set(['display']),
  category: new Set(['text']),
  code: new Set(['text']),
  subject: new Set(['display', 'type']),
  valueQuantity: new Set(['unit']),
}

/** What the server gives, and what was read exactly when the reading was made. */
const LEFT_ASIDE = new Set(['id', 'effectiveDateTime'])
const META_LEFT_ASIDE = new Set(['versionId', 'lastUpdated', 'profile'])
const PERIOD_LEFT_ASIDE = new Set(['start', 'end'])

const LOST = 'cannot be kept here: leave it out'

/** What is compared with: what would be sent back, the reading's id, and the field that each component became. */
type Kept = {
  written: Observation
  readingId: () => string
  fieldNames: readonly string[]
  fieldNameOf: (code: unknown) => string | undefined
}

export function unkeptIn(sent: Json, { written, readingId, fieldNames, fieldNameOf }: Kept): FieldError[] {
  const found: FieldError[] = []
  for (const [name, value] of Object.entries(sent)) {
    const path = `Observation.${name}`
    if (LEFT_ASIDE.has(name) || (name === 'text' && isGenerated(value))) continue
    if (name === 'meta') compareMeta(value)
    else if (name === 'identifier') compareIdentifiers(value)
    else if (name === 'component') compareComponents(value)
    else compare(value, (written as Json)[name], { path, name })
    if (found.length >= MAX_FOUND) break
  }
  return found

  function compareMeta(meta: unknown) {
    for (const name of Object.keys(Object(meta))) {
      if (!META_LEFT_ASIDE.has(name)) found.push({ pointer: `Observation.meta.${name}`, message: LOST })
    }
  }

  /** The reading's own id, as the server would give it. */
  function compareIdentifiers(identifiers: unknown) {
    const list: unknown[] = Array.isArray(identifiers) ? identifiers : [identifiers]
    const own = list.length > 0 ? [{ system: URI, value: `urn:uuid:${readingId()}` }] : []
    compareLists(list, own, { path: 'Observation.identifier', name: 'identifier' })
  }

  function compareComponents(components: unknown) {
    const list: unknown[] = Array.isArray(components) ? components : []
    const ofField = new Map(writtenComponents())
    for (const [index, component] of list.entries()) {
      const path = `Observation.component[${index}]`
      compare(component, ofField.get(fieldNames[index] ?? ''), { path, name: 'component' })
      if (found.length >= MAX_FOUND) return
    }
  }

  /** Each component that would be sent back, by the name of its field. */
  function writtenComponents(): [name: string, component: unknown][] {
    let symptoms = 0
    return (written.component ?? []).map((component) => {
      const name = fieldNameOf(component.code) ?? ''
      return [name === 'symptom' ? symptomName(symptoms++) : name, component]
    })
  }

  function compare(one: unknown, other: unknown, { path, name }: { path: string; name: string }) {
    if (found.length >= MAX_FOUND) return
    if (Array.isArray(one)) return compareLists(one, other, { path, name })
    if (!isObject(one) || !isObject(other)) {
      if (!Object.is(one, other)) found.push({ pointer: path, message: messageFor(name, other) })
      return
    }
    for (const [key, value] of Object.entries(one)) {
      if (REPEATING[name]?.has(key) || (name === 'effectivePeriod' && PERIOD_LEFT_ASIDE.has(key))) continue
      compare(value, other[key], { path: `${path}.${key}`, name: key })
    }
  }

  /** Each item of a list must be among those of the other, in any order. */
  function compareLists(items: unknown[], other: unknown, { path, name }: { path: string; name: string }) {
    const others: unknown[] = Array.isArray(other) ? other : []
    for (const [index, item] of items.entries()) {
      // Its fields have been read one by one.
      if (name === 'extension' && Object(item).url === OTHER_FIELDS) continue
      const before = found.length
      const isThere = others.some((candidate) => {
        compare(item, candidate, { path, name })
        return found.splice(before).length === 0
      })
      if (!isThere) found.push({ pointer: `${path}[${index}]`, message: LOST })
    }
  }
}

/** What is right, where it is a code and no value of a patient. */
function messageFor(name: string, right: unknown): string {
  return ['code', 'system', 'status'].includes(name) && typeof right === 'string' ? `must be ${right}` : LOST
}

function isGenerated(narrative: unknown): boolean {
  return isObject(narrative) && narrative['status'] === 'generated'
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
