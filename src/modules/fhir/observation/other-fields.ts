// Fields for which an Observation has no element of its own. A text, a number, true or false becomes a component whose code
// is the name of the field; everything else (lists, objects, null, texts that FHIR does not allow) the text of a JSON object
// in an extension.
import { isFhirString } from '../../casesheet/fhir-elements/fhir-primitives.ts'
import type { Component, Extension } from '../resources.ts'
import { FIELD, OTHER_FIELDS } from '../systems.ts'

/** A component takes thirty times the bytes of a short field. */
const MAX_COMPONENTS = 50

export type Fields = ReadonlyMap<string, unknown>

/** Fields as components, and those that cannot be one as an extension. */
export function writeOtherFields(fields: Fields): { components: Component[]; extension: Extension[] } {
  const components: Component[] = []
  const others: [name: string, value: unknown][] = []
  for (const [name, value] of fields) {
    const component = components.length < MAX_COMPONENTS ? componentOf(name, value) : undefined
    if (component) components.push(component)
    else others.push([name, value])
  }
  return { components, extension: others.length === 0 ? [] : [otherFieldsExtension(others)] }
}

/** As JSON in characters that FHIR allows in a text. */
export function otherFieldsExtension(fields: Iterable<readonly [string, unknown]>): Extension {
  const json = JSON.stringify(Object.fromEntries(fields))
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { url: OTHER_FIELDS, valueString: json.replace(/[^\S ]|\p{Cc}/gu, escaped) }
}

function componentOf(name: string, value: unknown): Component | undefined {
  if (!/^[A-Za-z][\w.-]{0,63}$/.test(name)) return undefined
  const code = { coding: [{ system: FIELD, code: name }] }
  if (typeof value === 'number') return { code, valueQuantity: { value } }
  if (typeof value === 'boolean') return { code, valueBoolean: value }
  return isFhirText(value) ? { code, valueString: value } : undefined
}

/** Whether a value is a text that FHIR allows, without white space at its ends, which some servers remove. */
export function isFhirText(value: unknown): value is string {
  return isFhirString(value) && value.trim() === value
}
