// Elements of an Observation that are kept as they are, in the field `fhir` of the reading: what was sent is divided into them and
// the rest, which becomes the other fields.
//
// What is kept is part of the reading, hence of its id. So what says nothing new is not kept: empty lists and elements, a category
// or code that repeats the one that Rounds writes, and words beside the code of a source's kind. An Observation that was stored
// before elements were kept is then the same reading when it is sent again.
import { newScan, scanValue } from '../../../http/json/scan-json.ts'
import { MAX_BODY_VALUES } from '../../../http/json/strict-json.ts'
import { GATEWAY_DEVICE, SOURCE_WORDS } from '../../casesheet/fhir-elements/fhir-elements.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { refuseAt } from '../refuse-at.ts'
import { LOINC, OBSERVATION_CATEGORY, READING_TYPE, SOURCE_KIND, URI } from '../systems.ts'
import { codeIn, codingsIn } from './codings.ts'
import type { Reading } from './reading-to-observation.ts'
import { TYPE_MAPPINGS } from './type-mapping.ts'
import { isIn, isKept } from './unkept.ts'

type Json = Readonly<Record<string, unknown>>

/** What was sent, in two parts; and where each kept item stood, by the JSON Pointer into the reading. */
type Divided = {
  kept: Record<string, unknown>
  rest: Json
  /** An identifier that is our own if it names the reading that is made of the rest. */
  maybeOwn: Json | undefined
  pathOf: Map<string, string>
  /** The places in what was sent of the items that are left in a list, by its path. */
  leftOf: Map<string, number[]>
}

const WHOLE = ['basedOn', 'encounter', 'issued', 'performer', 'note'] as const

export function divideKept(sent: Json, readingType: string): Divided {
  const kept: Record<string, unknown> = {}
  const rest: Record<string, unknown> = { ...sent }
  const pathOf = new Map<string, string>()
  const leftOf = new Map<string, number[]>()

  /** Keeps the items of a list that are to be kept. */
  function divide(
    name: string,
    list: unknown,
    isToKeep: (item: Json, index: number) => boolean,
    path: string,
  ): unknown[] {
    const left: unknown[] = []
    const places: number[] = []
    const taken: unknown[] = []
    for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof item !== 'object' || item === null || !isToKeep(item as Json, index)) {
        left.push(item)
        places.push(index)
      } else pathOf.set(`/fhir/${name}/${taken.push(item) - 1}`, `${path}[${index}]`)
    }
    leftOf.set(path, places)
    if (taken.length > 0) kept[name] = taken
    return left
  }
  function divideElement(name: string, isToKeep: (item: Json, index: number) => boolean) {
    if (!Array.isArray(sent[name])) return
    const left = divide(name, sent[name], isToKeep, `Observation.${name}`)
    if (left.length > 0 || kept[name] === undefined) rest[name] = left
    else delete rest[name]
  }
  function keep(name: string, value: unknown) {
    kept[name] = value
    pathOf.set(`/fhir/${name}`, `Observation.${name}`)
  }

  for (const name of WHOLE) {
    if (sent[name] === undefined || isEmptyList(sent[name])) continue
    keep(name, sent[name])
    delete rest[name]
  }
  divideElement('extension', isKeptExtension)
  const mapping = TYPE_MAPPINGS.get(readingType)
  const categories = [{ coding: [{ system: OBSERVATION_CATEGORY, code: mapping?.category }] }]
  divideElement('category', (item) => !(mapping && isIn(categories, item, 'category')))
  const ownCodes = mapping?.codingsIn(undefined) ?? [{ system: READING_TYPE, code: readingType }]
  const isOther = (item: Json) =>
    item['system'] !== LOINC && item['system'] !== READING_TYPE && !isIn(ownCodes, item, 'coding')
  const code: Json = Object(sent['code'])
  const codings = divide('code', code['coding'], isOther, 'Observation.code.coding')
  if (kept['code'] !== undefined) rest['code'] = { ...code, coding: codings }
  const identifiers: unknown = sent['identifier']
  const last: unknown = Array.isArray(identifiers) ? identifiers.at(-1) : undefined
  const maybeOwn = isLikeOurs(last) ? last : undefined
  divideElement('identifier', (item) => item !== maybeOwn && !isIn([{ system: URI }], item, 'identifier'))
  const method = keptMethod(sent['method'])
  if (method !== undefined) keep('method', method)
  if (method !== undefined || codeIn(sent['method'], SOURCE_KIND) !== undefined)
    rest['method'] = ownMethod(sent['method'])
  if (rest['method'] === undefined) delete rest['method']
  if (isElsewhere(sent['device'])) {
    keep('device', sent['device'])
    delete rest['device']
  }
  return { kept, rest, maybeOwn, pathOf, leftOf }
}

/** The path of something in the rest, as it was in what was sent. */
export function pathInSent(path: string, { leftOf }: Divided): string {
  return path.replace(/^([\w.]+)\[(\d+)\]/, (whole, list: string, index: string) => {
    const place = leftOf.get(list)?.[Number(index)]
    return place === undefined ? whole : `${list}[${place}]`
  })
}

/** All but those of Rounds, and but for the gateway that is the app of a source. */
function isKeptExtension({ url, valueReference }: Json): boolean {
  if (typeof url !== 'string' || url.startsWith('urn:rounds:')) return false
  return url !== GATEWAY_DEVICE || isElsewhere(valueReference)
}

/** A reference to what is not contained, or by an identifier alone. A name alone is the source's. */
function isElsewhere(reference: unknown): boolean {
  const { reference: literal, identifier, display }: Json = Object(reference)
  if (literal === undefined) return display === undefined && identifier !== undefined
  return typeof literal === 'string' && !literal.startsWith('#')
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

function isLikeOurs(identifier: unknown): identifier is Json {
  const { system, value, ...others }: Json = Object(identifier)
  return (
    (system === URI || system === undefined) &&
    String(value).startsWith('urn:uuid:') &&
    Object.keys(others).length === 0
  )
}

/**
 * What a method says beside the kind of a source. Words beside the code of that kind alone only repeat it, unless the code has the words
 * of Rounds as its display: then Rounds has written the method, and the text is what it kept.
 */
function keptMethod(method: unknown): unknown {
  const kind = codeIn(method, SOURCE_KIND)
  if (kind === undefined) return method
  const { coding: _coding, text, ...others }: Json = Object(method)
  const own: Json = { ...codingsIn(method).find(({ system }) => system === SOURCE_KIND) }
  const words = SOURCE_WORDS[kind as keyof typeof SOURCE_WORDS]
  const isTextApart = own['display'] === words && text !== words && text !== undefined && text !== ''
  if (!isTextApart && isKept(method, { coding: [own] }, 'method')) return undefined
  const further = codingsIn(method).filter((coding) => !isIn([own], coding, 'coding'))
  const kept = {
    ...others,
    ...(further.length > 0 ? { coding: further } : {}),
    ...(text === undefined || (further.length === 0 && text === words) ? {} : { text }),
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}

function ownMethod(method: unknown): unknown {
  const own = codingsIn(method).find(({ system }) => system === SOURCE_KIND)
  return own && { coding: [own] }
}

/** The reading with its kept elements; an identifier that turns out to be the sender's is one of them. */
export function withKept(
  reading: Reading,
  { kept, maybeOwn, rest }: Divided,
): { reading: Reading; rest: Json } {
  const whole = withElements(reading, kept)
  if (!maybeOwn || maybeOwn['value'] === `urn:uuid:${readingIdOf(whole)}`) return { reading: whole, rest }
  const identifiers = [...((kept['identifier'] as unknown[] | undefined) ?? []), maybeOwn]
  const { identifier: _identifier, ...others } = rest
  return { reading: withElements(reading, { ...kept, identifier: identifiers }), rest: others }
}

function withElements(reading: Reading, kept: Json): Reading {
  if (Object.keys(kept).length === 0) return reading
  if (reading['fhir'] !== undefined)
    throw refuseAt('Observation.extension', 'must not give the field fhir again')
  mustNotBeTooDeep(kept)
  return { ...reading, fhir: kept }
}

/** In a reading they lie one level deeper. */
function mustNotBeTooDeep(kept: Json) {
  const scan = newScan()
  const json = Buffer.from(JSON.stringify(kept))
  scanValue(json, { start: 0, depth: 1, maxCost: MAX_BODY_VALUES }, scan)
  if (scan.fault !== '') throw refuseAt('Observation', scan.fault)
}
