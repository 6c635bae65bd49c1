// `fhir` of a reading: elements of the Observation that it was sent as, for which a reading has no field of its own. They are kept
// as they are, and given back in the Observation that is written of it. So they must have the shapes of FHIR R4, however the
// reading was sent: else what leaves would not be valid.
import { type FieldError, MAX_ERRORS, pointerPart } from '../../../refusal.ts'
import { faultOfPrimitive, isBefore, typeNamedBy } from './fhir-primitives.ts'

type Extended = { id?: string; extension?: FhirExtension[] }
type FhirExtension = Extended & { url: string } & Record<`value${string}`, unknown>
type FhirReference = Extended & {
  reference?: string
  type?: string
  identifier?: FhirIdentifier
  display?: string
}
type FhirIdentifier = Extended & {
  use?: 'usual' | 'official' | 'temp' | 'secondary' | 'old'
  type?: FhirConcept
  system?: string
  value?: string
  period?: Extended & { start?: string; end?: string }
  assigner?: FhirReference
}
type FhirCoding = Extended & {
  system?: string
  version?: string
  code?: string
  display?: string
  userSelected?: boolean
}
export type FhirConcept = Extended & { coding?: FhirCoding[]; text?: string }
export type FhirAnnotation = Extended & {
  authorReference?: FhirReference
  authorString?: string
  time?: string
  text: string
}

export type FhirElements = {
  extension?: FhirExtension[]
  identifier?: FhirIdentifier[]
  basedOn?: FhirReference[]
  /** Beside the category that Rounds writes. */
  category?: FhirConcept[]
  /** Codes beside those that Rounds writes. */
  code?: FhirCoding[]
  encounter?: FhirReference
  issued?: string
  performer?: FhirReference[]
  note?: FhirAnnotation[]
  /** Beside the kind of the source. */
  method?: FhirConcept
  /** Of a Device elsewhere. */
  device?: FhirReference
}

/** The words that Rounds writes for each kind of source. */
export const SOURCE_WORDS: Readonly<Record<'device' | 'manual' | 'import', string>> = {
  device: 'Sent by a device',
  manual: 'Typed in by a person',
  import: 'Imported',
}

/** An extension of R4: the device or app that passed an Observation on. */
export const GATEWAY_DEVICE = 'http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice'
const OWN_NAMES = 'urn:rounds:'
const LOINC = 'http://loinc.org'

/** The type of each element: `*` behind it for a list, `!` before it where it is required, in brackets what a Reference may name. */
type Shape = Readonly<Record<string, string>>

const SHAPES: Readonly<Record<string, Shape>> = {
  Elements: {
    extension: 'Extension*',
    identifier: 'Identifier*',
    basedOn:
      'Reference(CarePlan DeviceRequest ImmunizationRecommendation MedicationRequest NutritionOrder ServiceRequest)*',
    category: 'CodeableConcept*',
    code: 'Coding*',
    encounter: 'Reference(Encounter)',
    issued: 'instant',
    performer: 'Reference(Practitioner PractitionerRole Organization CareTeam Patient RelatedPerson)*',
    note: 'Annotation*',
    method: 'CodeableConcept',
    device: 'Reference(Device DeviceMetric)',
  },
  Identifier: {
    use: 'identifierUse',
    type: 'CodeableConcept',
    system: 'uri',
    value: 'string',
    period: 'Period',
    assigner: 'Reference(Organization)',
  },
  Reference: { reference: 'reference', type: 'uri', identifier: 'Identifier', display: 'string' },
  Coding: { system: 'uri', version: 'string', code: 'code', display: 'string', userSelected: 'boolean' },
  CodeableConcept: { coding: 'Coding*', text: 'string' },
  Period: { start: 'dateTime', end: 'dateTime' },
  Quantity: { value: 'decimal', comparator: 'comparator', unit: 'string', system: 'uri', code: 'code' },
  Annotation: {
    authorReference: 'Reference(Practitioner Patient RelatedPerson Organization)',
    authorString: 'string',
    time: 'dateTime',
    text: '!string',
  },
  Extension: {
    url: '!uri',
    valueBoolean: 'boolean',
    valueCode: 'code',
    valueDate: 'date',
    valueDateTime: 'dateTime',
    valueDecimal: 'decimal',
    valueId: 'id',
    valueInstant: 'instant',
    valueInteger: 'integer',
    valueMarkdown: 'string',
    valuePositiveInt: 'positiveInt',
    valueString: 'string',
    valueTime: 'time',
    valueUnsignedInt: 'unsignedInt',
    valueUri: 'uri',
    valueUrl: 'uri',
    valueCanonical: 'uri',
    valueAnnotation: 'Annotation',
    valueCodeableConcept: 'CodeableConcept',
    valueCoding: 'Coding',
    valueIdentifier: 'Identifier',
    valuePeriod: 'Period',
    valueQuantity: 'Quantity',
    valueReference: 'Reference',
  },
}

/** What every element may have, but for the elements together. */
const EXTENDED: Shape = { id: 'elementId', extension: 'Extension*' }

const LOST = 'cannot be kept here: leave it out'

/** What is wrong with `fhir` of a reading. Pointers are into the reading. */
export function checkFhirElements(fhir: unknown, source: unknown): FieldError[] {
  const errors: FieldError[] = []
  checkElement(fhir, 'Elements', '/fhir', errors)
  if (errors.length === 0) checkBesideOwn(fhir as FhirElements, source, errors)
  return errors.slice(0, MAX_ERRORS)
}

/** What would not come back as it is, because Rounds writes the same itself. */
function checkBesideOwn(
  { extension, code, method, device }: FhirElements,
  source: unknown,
  errors: FieldError[],
) {
  const refuse = (pointer: string, message: string) => errors.push({ pointer: `/fhir/${pointer}`, message })
  for (const [index, one] of extension?.entries() ?? []) {
    const { reference }: { reference?: unknown } = Object(one['valueReference'])
    if (one.url === GATEWAY_DEVICE && reference === undefined)
      refuse(`extension/${index}`, 'must refer to a Device elsewhere: source has the name of an app')
  }
  for (const [index, { system }] of code?.entries() ?? []) {
    if (system === LOINC || system?.startsWith(OWN_NAMES))
      refuse(`code/${index}`, 'must be of another system than LOINC: readingType says what is written')
  }
  if (method?.coding?.some(({ system }) => system?.startsWith(OWN_NAMES)))
    refuse('method', 'must not have a code of Rounds: source has the kind')
  if (method && !method.coding && Object.values(SOURCE_WORDS).some((words) => words === method.text))
    refuse('method', 'must not be the words of a source: source has the kind')
  if (!device) return
  if (device.reference === undefined && (device.identifier === undefined || device.display !== undefined))
    refuse(
      'device',
      'must refer to a Device elsewhere, or have an identifier alone: source has the name of a device',
    )
  else if (Object(source).device !== undefined) refuse('device', 'must be left out where source has a device')
}

function checkElement(value: unknown, type: string, at: string, errors: FieldError[]) {
  const [name = '', targets] = type.split(/[()]/, 2)
  const shape = SHAPES[name]
  if (!shape) {
    const fault = faultOfPrimitive(value, name)
    if (fault !== undefined) errors.push({ pointer: at, message: fault })
    return
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    Object.keys(value).length === 0
  ) {
    errors.push({ pointer: at, message: 'must be an object that is not empty' })
    return
  }
  const elements = value as Readonly<Record<string, unknown>>
  const known = name === 'Elements' ? shape : { ...EXTENDED, ...shape }
  for (const [key, one] of Object.entries(elements)) {
    if (errors.length >= MAX_ERRORS) return
    const wanted = Object.hasOwn(known, key) ? known[key] : undefined
    const place = `${at}${pointerPart(key)}`
    if (wanted === undefined) errors.push({ pointer: place, message: LOST })
    else checkOneOrList(one, wanted.replace('!', ''), place, errors)
  }
  for (const [key, wanted] of Object.entries(shape)) {
    if (wanted.startsWith('!') && !Object.hasOwn(elements, key))
      errors.push({ pointer: `${at}/${key}`, message: 'is required' })
  }
  const fault = faultOf(name, elements, targets)
  if (fault !== undefined) errors.push({ pointer: at, message: fault })
}

function checkOneOrList(value: unknown, type: string, at: string, errors: FieldError[]) {
  if (!type.endsWith('*')) return checkElement(value, type, at, errors)
  if (!Array.isArray(value) || value.length === 0) {
    errors.push({ pointer: at, message: 'must be a list that is not empty' })
    return
  }
  for (const [index, item] of value.entries()) {
    if (errors.length >= MAX_ERRORS) return
    checkElement(item, type.slice(0, -1), `${at}/${index}`, errors)
  }
}

/** What is wrong with an element as a whole. */
function faultOf(
  type: string,
  elements: Readonly<Record<string, unknown>>,
  targets?: string,
): string | undefined {
  if (type === 'Extension') return faultOfExtension(elements)
  if (type === 'Reference')
    return targets === undefined ? undefined : faultOfTarget(elements, targets.split(' '))
  if (type === 'Annotation' && 'authorReference' in elements && 'authorString' in elements)
    return 'must not have two authors'
  if (type === 'Quantity' && 'code' in elements && !('system' in elements))
    return 'must have the system of its code'
  if (type === 'Period' && isBefore(elements['end'], elements['start']))
    return 'must not end before it starts'
  return undefined
}

function faultOfExtension(elements: Readonly<Record<string, unknown>>): string | undefined {
  const { url } = elements
  if (typeof url === 'string' && url.startsWith(OWN_NAMES)) return 'must not be one of Rounds'
  const values = Object.keys(elements).filter((key) => key === 'extension' || key.startsWith('value'))
  return values.length === 1 ? undefined : 'must have one value, or extensions and no value'
}

function faultOfTarget({ reference, type }: Readonly<Record<string, unknown>>, targets: string[]) {
  const named = [typeNamedBy(reference), type]
  return named.every((one) => one === undefined || targets.some((target) => target === one))
    ? undefined
    : `must refer to one of ${targets.join(', ')}`
}
