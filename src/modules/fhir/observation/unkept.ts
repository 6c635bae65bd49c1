// What of an Observation would be lost: it is compared with what Rounds would send back of the reading that it became.
// Whatever was sent must be there again. Left aside is what carries nothing: an id and a version, which the server gives; which
// system passed it on, and how that one files it (`meta.source`, `meta.tag`), which another system says otherwise;
// displays and texts beside a code, which repeat it; the name of a unit beside its code; the display of the patient; which
// kind of name a device's is; and a narrative that was generated from the rest.
import type { FieldError } from '../../../refusal.ts'
import { printable } from '../answers/printable.ts'
import type { Component, Observation } from '../resources.ts'
import { OTHER_FIELDS, URI } from '../systems.ts'
import { codingsIn } from './codings.ts'
import { isSymptomName, symptomName } from './symptoms.ts'

type Json = Record<string, unknown>

/** Elements that repeat what stands beside them, by the element that they stand in, and whether it does. */
const REPEATING: Readonly<
  Record<string, { names: readonly string[]; isBeside: (element: Json) => boolean }>
> = {
  coding: { names: ['display', 'version', 'userSelected'], isBeside: hasCode },
  category: { names: ['text'], isBeside: hasCoding },
  code: { names: ['text'], isBeside: hasCoding },
  subject: { names: ['display', 'type'], isBeside: () => true },
  method: { names: ['text'], isBeside: hasCoding },
  device: { names: ['display'], isBeside: hasReference },
  valueReference: { names: ['display'], isBeside: hasReference },
  deviceName: { names: ['type'], isBeside: () => true },
  valueQuantity: { names: ['unit'], isBeside: hasCode },
  // What was read exactly when the reading was made.
  effectivePeriod: { names: ['start', 'end'], isBeside: () => true },
}

/** What a server gives. */
const META_LEFT_ASIDE = new Set(['versionId', 'lastUpdated', 'profile', 'source'])
/** The tag of a resource from which elements were left out. */
const SUBSETTED = 'SUBSETTED'

const LOST = 'cannot be kept here: leave it out'
/** Elements that change what the rest says: whoever left them out would store something else. */
const MODIFIERS = new Set(['comparator', 'modifierExtension', 'implicitRules'])
const LOST_MODIFIER = 'cannot be kept here, and the rest means something else without it'
const IN_EXTENSION = `must be sent in the extension ${OTHER_FIELDS}`

/** What is compared with: what would be sent back, the reading's id, and the field that each component became. */
type Kept = {
  written: Observation
  readingId: () => string
  fieldNames: readonly string[]
  fieldNameOf: (code: unknown) => string | undefined
}

/** Where something stands that may be missing. */
type Place = { name: string; parent?: Place; index?: number }

const OBSERVATION: Place = { name: 'Observation' }

function pathOf({ name, parent, index }: Place): string {
  const own = index === undefined ? printable(name) : `${printable(name)}[${index}]`
  return parent ? `${pathOf(parent)}.${own}` : own
}

/** At most `maxFound` places. */
export function unkeptIn(sent: Json, kept: Kept, maxFound: number): FieldError[] {
  const { written, readingId, fieldNames } = kept
  const found: FieldError[] = []
  for (const name of Object.keys(sent)) {
    const value = sent[name]
    if (isLeftAside(name, sent)) continue
    const place = { name, parent: OBSERVATION }
    if (name === 'meta') compareMeta(value, place)
    else if (name === 'identifier') compareIdentifiers(value, place)
    else if (name === 'extension') compare(value, keptExtensions(value, written), place)
    else if (name === 'contained') compareContained(value)
    else if (name === 'component') compareComponents(value)
    else compare(value, (written as Json)[name], place)
    if (found.length >= maxFound) break
  }
  return found

  function lose(place: Place, message = lostMessage(place.name)) {
    found.push({ pointer: pathOf(place), message })
  }

  function compareMeta(meta: unknown, parent: Place) {
    if (!isObject(meta)) return lose(parent)
    for (const name of Object.keys(meta)) {
      const isLeft =
        name === 'tag'
          ? isListOfTags(meta[name])
          : META_LEFT_ASIDE.has(name) && [meta[name]].flat().every(isText)
      if (!isLeft && found.length < maxFound) lose({ name, parent })
    }
  }

  /** The reading's own id, as the server would give it. */
  function compareIdentifiers(identifiers: unknown, place: Place) {
    const list: unknown[] = Array.isArray(identifiers) ? identifiers : [identifiers]
    const own = list.length > 0 ? [{ system: URI, value: `urn:uuid:${readingId()}` }] : []
    compareLists(list, own, place)
  }

  function compareContained(contained: unknown) {
    const list: unknown[] = Array.isArray(contained) ? contained : [contained]
    for (const [index, one] of list.entries()) {
      const own = written.contained?.find(({ id }) => id === Object(one).id)
      compare(one, own, { name: 'contained', parent: OBSERVATION, index })
    }
  }

  function compareComponents(components: unknown) {
    const list: unknown[] = Array.isArray(components) ? components : []
    const ofField = writtenComponents(kept)
    let inExtension: ReadonlySet<string> | undefined
    for (const [index, component] of list.entries()) {
      const place = { name: 'component', parent: OBSERVATION, index }
      const name = fieldNames[index] ?? ''
      const keptComponent = keptOf(component, name, ofField.get(name))
      if (!keptComponent && (inExtension ??= namesInExtension(written)).has(name)) lose(place, IN_EXTENSION)
      else compare(component, keptComponent, place)
      if (found.length >= maxFound) return
    }
  }

  /** Looks for the places only where something is missing: most Observations are kept whole. */
  function compare(one: unknown, other: unknown, place: Place) {
    if (found.length >= maxFound || isKept(one, other, place.name)) return
    if (Array.isArray(one)) return compareLists(one, other, place)
    if (!isObject(one) || !isObject(other)) return lose(place, messageFor(place.name, other))
    for (const name of Object.keys(one)) {
      if (!isRepeating(place.name, name, one)) compare(one[name], other[name], { name, parent: place })
    }
  }

  function compareLists(items: unknown[], other: unknown, place: Place) {
    for (const [index, item] of items.entries()) {
      if (found.length >= maxFound) return
      if (!isIn(other, item, place.name)) lose({ ...place, index })
    }
  }
}

/** What is kept of a component, of which `own` would be sent back: of one that is a symptom also its other fields. */
function keptOf(component: unknown, name: string, own: Component | undefined): unknown {
  if (!own || !isSymptomName(name)) return own
  return { ...own, extension: otherFieldsIn(Object(component).extension) }
}

/** Each component that would be sent back, by the name of its field. */
function writtenComponents({ written, fieldNameOf }: Kept): Map<string, Component> {
  let symptoms = 0
  return new Map(
    (written.component ?? []).map((component) => {
      const name = fieldNameOf(component.code) ?? ''
      return [name === 'symptom' ? symptomName(symptoms++) : name, component]
    }),
  )
}

/** Whether all of a value is in the other. Each item of a list must be among those of the other, in any order. */
export function isKept(one: unknown, other: unknown, name: string): boolean {
  if (Array.isArray(one)) return one.every((item) => isIn(other, item, name))
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  for (const key of Object.keys(one)) {
    if (!isRepeating(name, key, one) && !isKept(one[key], other[key], key)) return false
  }
  return true
}

export function isIn(list: unknown, item: unknown, name: string): boolean {
  return Array.isArray(list) && list.some((candidate) => isKept(item, candidate, name))
}

/** Whether a key of an element only repeats what stands beside it, which is compared itself. */
function isRepeating(name: string, key: string, element: Json): boolean {
  const repeating = Object.hasOwn(REPEATING, name) ? REPEATING[name] : undefined
  return (
    repeating?.names.includes(key) === true && isTextOrBoolean(element[key]) && repeating.isBeside(element)
  )
}

function hasCode({ code }: { code?: unknown }): boolean {
  return code !== undefined
}

function hasReference({ reference }: Json): boolean {
  return reference !== undefined
}

function hasCoding(concept: Json): boolean {
  return codingsIn(concept).some(hasCode)
}

/** What the server gives, what was read exactly when the reading was made, and a narrative that repeats the rest. */
function isLeftAside(name: string, { id, effectivePeriod, text }: Json): boolean {
  if (name === 'id') return isText(id)
  if (name === 'effectiveDateTime') return effectivePeriod === undefined
  return name === 'text' && isGenerated(text)
}

/** The extensions whose fields have been read one by one, where they are read at all. */
function otherFieldsIn(extension: unknown): unknown[] {
  return Array.isArray(extension) ? extension.filter((one) => Object(one).url === OTHER_FIELDS) : []
}

/** Those, and the ones that would be sent back. */
function keptExtensions(extension: unknown, written: Observation): unknown[] {
  return [...otherFieldsIn(extension), ...(written.extension ?? [])]
}

/** The fields that would be sent back in an extension: those that cannot be a component, and those beyond its maximum. */
function namesInExtension({ extension }: Observation): ReadonlySet<string> {
  const others = extension?.find(({ url }) => url === OTHER_FIELDS)
  const json = others?.['valueString']
  return new Set(typeof json === 'string' ? Object.keys(Object(JSON.parse(json))) : [])
}

/** What is right, where it is a code and no value of a patient. */
function messageFor(name: string, right: unknown): string {
  return ['code', 'system', 'status'].includes(name) && typeof right === 'string'
    ? `must be ${right}`
    : lostMessage(name)
}

function lostMessage(name: string): string {
  return MODIFIERS.has(name) ? LOST_MODIFIER : LOST
}

/** None of which says that the Observation is not whole. */
function isListOfTags(tags: unknown): boolean {
  return Array.isArray(tags) && tags.every((tag) => isObject(tag) && tag['code'] !== SUBSETTED)
}

function isGenerated(narrative: unknown): boolean {
  return isObject(narrative) && narrative['status'] === 'generated'
}

const isTextOrBoolean = (value: unknown) => typeof value === 'boolean' || isText(value)
const isText = (value: unknown) => typeof value === 'string'

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
