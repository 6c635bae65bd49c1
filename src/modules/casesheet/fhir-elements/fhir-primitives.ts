// The primitive types of FHIR R4 that elements of a reading may have, by their forms.

type Primitive = { isRight: (value: unknown) => boolean; wanted: string }

const matching = (form: RegExp, wanted: string): Primitive => ({
  isRight: (value) => typeof value === 'string' && form.test(value),
  wanted,
})

const wholeFrom = (min: number): Primitive => ({
  isRight: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= MAX_INTEGER,
  wanted: `must be a whole number from ${min} to ${MAX_INTEGER}`,
})

const MAX_INTEGER = 2_147_483_647

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/

const PRIMITIVES: Readonly<Record<string, Primitive>> = {
  string: {
    isRight: isFhirString,
    wanted: 'must be a text that FHIR allows: not blank, and without control characters',
  },
  uri: matching(/^[^\s\p{Cc}]+$/u, 'must be an address without blanks'),
  code: matching(/^[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$/u, 'must be a code without blanks at its ends'),
  id: { isRight: isId, wanted: 'must be 1 to 64 letters, digits, "-" or "."' },
  elementId: matching(/^[^\s\p{Cc}]+$/u, 'must be a text without blanks'),
  reference: {
    isRight: isReference,
    wanted: 'must be such as Encounter/1, an address or urn:uuid:…, and nothing that is contained',
  },
  identifierUse: matching(
    /^(?:usual|official|temp|secondary|old)$/,
    'must be usual, official, temp, secondary or old',
  ),
  comparator: matching(/^[<>]=?$/, 'must be <, <=, >= or >'),
  boolean: { isRight: (value) => typeof value === 'boolean', wanted: 'must be true or false' },
  decimal: { isRight: (value) => typeof value === 'number', wanted: 'must be a number' },
  integer: wholeFrom(-MAX_INTEGER - 1),
  positiveInt: wholeFrom(1),
  unsignedInt: wholeFrom(0),
  time: matching(
    /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/,
    'must be a time of day such as 08:30:00',
  ),
  date: { isRight: (value) => isDay(value, DATE), wanted: 'must be a date such as 2025-11-01' },
  dateTime: {
    isRight: (value) => isDay(value, DATE) || isDay(value, INSTANT),
    wanted: 'must be a date, or a time such as 2025-11-01T08:30:00Z',
  },
  instant: {
    isRight: (value) => isDay(value, INSTANT),
    wanted: 'must be a time with seconds and an offset, such as 2025-11-01T08:30:00Z',
  },
}

/** What is wrong with a value of this type. */
export function faultOfPrimitive(value: unknown, type: string): string | undefined {
  const { isRight, wanted } = PRIMITIVES[type] as Primitive
  return isRight(value) ? undefined : wanted
}

/** Whether one time is before another; of times that are not as exact as each other, none is. */
export function isBefore(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const areInstants = one.includes('T') && other.includes('T')
  return (areInstants || one.length === other.length) && Date.parse(one) < Date.parse(other)
}

/**
 * Whether a value is a text that FHIR allows: not blank, without control characters but tab and line ends, and without the kinds of
 * white space that its pattern leaves out.
 */
export function isFhirString(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[ \r\n\t\S]+$/.test(value) &&
    !/[^\P{Cc}\r\n\t]/u.test(value) &&
    value.trim() !== ''
  )
}

/** Whether a date of this form is in the calendar. */
function isDay(value: unknown, form: RegExp): boolean {
  const [, year = '', month = '01', day = '01'] = (typeof value === 'string' && form.exec(value)) || []
  if (year === '' || year === '0000') return false
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 64 && /^[A-Za-z0-9.-]+$/.test(value)
}

function isReference(value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (/^(?:https?:\/\/|urn:uuid:|urn:oid:)[^\s\p{Cc}]+$/u.test(value)) return true
  const [type = '', id, history = '_history', version = '1', ...others] = value.split('/')
  const isOfVersion = history === '_history' && isId(version) && others.length === 0
  return isTypeName(type) && isId(id) && isOfVersion
}

const isTypeName = (text: string) => /^[A-Z][A-Za-z]+$/.test(text)

/** The type of resource that a reference names, if it does: `Type/id`, also at the end of an address, with a version or without. */
export function typeNamedBy(reference: unknown): string | undefined {
  const parts = typeof reference === 'string' ? reference.split('/') : []
  const type = parts.at(parts.at(-2) === '_history' ? -4 : -2)
  return type !== undefined && isTypeName(type) && isId(parts.at(-1)) ? type : undefined
}
