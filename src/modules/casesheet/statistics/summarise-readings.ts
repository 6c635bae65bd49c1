// What the readings of each bucket amount to. One measurement counts once: of the values of a field in one second that are equal, one is
// counted, and so is one of the readings that are equal in all that they must have.
import { runInPieces } from '../../../http/json/pieces.ts'
import { refuseFields } from '../../../refusal.ts'
import type { CatalogueType } from '../catalogue/catalogue.ts'
import { conversionBetween, convert, type Unit } from '../catalogue/units.ts'
import { FIELD_END, READING_END } from '../get/print-readings.ts'
import { digitsOf, OfSecond } from './of-second.ts'

/** Maximum number of fields of a bucket: a type outside the catalogue may bring any. */
const MAX_FIELDS = 50

/** A type of the catalogue, and the unit that its values are wanted in. */
export type Measured = { type: CatalogueType; unit: Unit }

type Field = [name: string, value: number]
/** Its fields that are numbers; and what tells it apart where it has none. */
type Measurement = { fields: Field[]; other: unknown }

type Listed = {
  /** Each reading as the second in which it was measured and its fields, in order of time. */
  readings: string | null
  /** Where the buckets begin, and where the last one ends, in epoch seconds. */
  starts: number[]
  /** Null for a type that is not in the catalogue: then every number that stands in a reading by itself is a field. */
  measured: Measured | null
}

/** Calls back with each bucket, in order: how many readings count, and its fields as JSON without braces. */
export async function summariseReadings(
  { readings, starts, measured }: Listed,
  onBucket: (nth: number, count: number, fields: string) => void,
) {
  const listed = readings ?? ''
  const [mark, read] = measured ? [FIELD_END, readerOf(measured)] : ['{', readNumbers]
  await runInPieces(eachBucket())

  function* eachBucket() {
    const isNew = createIsNew()
    let reading = readingAt(listed, 0, mark)
    let isShared = false
    let walked = 0
    for (let nth = 0; nth < starts.length - 1; nth++) {
      const end = starts[nth + 1] as number
      const numbers = new Map<string, number[]>()
      let count = 0
      while (reading.second < end) {
        const { second } = reading
        const { fields, other } = read(listed.slice(reading.begin, reading.end))
        reading = readingAt(listed, reading.end + 1, mark)
        isShared ||= reading.second === second
        const counted = isShared ? fields.filter((field) => isNew(second, inDigits(field))) : fields
        if (!isShared || isNew(second, whatIsMeasured(fields, measured) ?? { other })) count++
        for (const field of counted) addTo(numbers, field)
        isShared = reading.second === second
        if (++walked % STEP === 0) yield
      }
      onBucket(nth, count, printFields(numbers))
      yield
    }
  }
}

/** The clock is looked at after so many. */
const STEP = 50

/** Where its fields begin, at the mark, and end. Behind the last one the second is NaN, which is before and after none. */
function readingAt(listed: string, start: number, mark: string) {
  const begin = listed.indexOf(mark, start)
  const next = listed.indexOf(READING_END, start)
  const second = begin === -1 ? Number.NaN : Number(listed.slice(start, begin))
  return { second, begin, end: next === -1 ? listed.length : next }
}

/** Whether none in the same second was equal: a value of a field, or what a reading measured. */
function createIsNew() {
  const ofSecond = new OfSecond<true>()
  return (second: number, one: object) =>
    ofSecond.earlier(second * 1_000, JSON.stringify(one), true) === undefined
}

const inDigits = ([name, value]: Field) => [name, digitsOf(value)]

/** One that was sent again may say more. Undefined where it has no number that it must have. */
function whatIsMeasured(fields: Field[], measured: Measured | null): object | undefined {
  const required = fields.filter(([name]) => !measured?.type.quantities[name]?.isOptional)
  return required.length > 0 ? required.map(inDigits) : undefined
}

/** The quantities of the catalogue, brought from the reading's unit to the one that is wanted. */
function readerOf({ type: { quantities, units }, unit: wanted }: Measured) {
  const known = Object.entries(quantities)
  const [first] = units
  const conversions = new Map(units.map((unit) => [JSON.stringify(unit), conversionBetween(unit, wanted)]))
  for (const missing of ['', 'null']) conversions.set(missing, conversionBetween(first, wanted))
  return (text: string): Measurement => {
    // Behind the mark the unit and each quantity, as they are written in JSON.
    const written = text.split(FIELD_END)
    const conversion = conversions.get(written[1] ?? '')
    const fields: Field[] = []
    for (const [nth, [name, { unit: ownUnit }]] of known.entries()) {
      const value = written[nth + 2] ? Number(written[nth + 2]) : Number.NaN
      if (!isSummable(value)) continue
      if (ownUnit) fields.push([name, value])
      else if (conversion) fields.push([name, convert(value, conversion)])
    }
    return { fields, other: text }
  }
}

/** Every number that stands in a reading by itself. Without any, its symptoms tell it apart, or else all of it. */
function readNumbers(text: string): Measurement {
  const details: Record<string, unknown> = JSON.parse(text)
  const fields = Object.entries(details).filter((field): field is Field => isSummable(field[1]))
  return { fields, other: details['symptoms'] ?? details }
}

/** Numbers with exponents of three digits are left out: their sums could not be held. */
const isSummable = (value: unknown): value is number =>
  typeof value === 'number' && (value === 0 || (Math.abs(value) < 1e100 && Math.abs(value) >= 1e-99))

function addTo(numbers: Map<string, number[]>, [name, value]: Field) {
  const ofField = numbers.get(name)
  if (ofField) ofField.push(value)
  else if (numbers.size < MAX_FIELDS) numbers.set(name, [value])
  else {
    const message = `must be one whose readings have at most ${MAX_FIELDS} fields that are numbers`
    throw refuseFields([{ pointer: '/readingType', message }])
  }
}

function printFields(numbers: Map<string, number[]>): string {
  const names = [...numbers.keys()].sort()
  return names
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(summaryOf(numbers.get(name) ?? []))}`)
    .join()
}

function summaryOf(values: number[]) {
  const sorted = Float64Array.from(values).sort()
  const at = (place: number) => sorted[place] ?? 0
  // As percentile_cont of SQL does.
  const percentile = (share: number) => {
    const place = share * (values.length - 1)
    const below = at(Math.floor(place))
    return below + (place - Math.floor(place)) * (at(Math.ceil(place)) - below)
  }
  return {
    count: values.length,
    min: at(0),
    max: at(values.length - 1),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    p50: percentile(0.5),
    p95: percentile(0.95),
    first: values[0],
    last: values.at(-1),
  }
}
