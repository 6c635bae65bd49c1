// Readings as a rule sees them: the values of its field in its unit, symptoms, or only that there was a reading.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { conversionBetween, convert } from '../../casesheet/catalogue/units.ts'
import type { Terms } from '../rules/rule.ts'
import { isStrange } from '../status/beyond.ts'
import { comparedIn } from '../unit-sql.ts'
import { type Micros, SECOND } from './micros.ts'

/** A reading as the database has it, with what rules look at. */
export type ReadReading = {
  id: string
  /** When it counts: when it was measured, never later than its arrival; with an impossible time, when it arrived. */
  at: Micros
  measuredAt: Micros
  receivedAt: Micros
  /** The fields that were asked for, as they were sent. */
  values: Readonly<Record<string, number>>
  unit: string | null
  outOfRange: string | null
  symptoms: readonly { symptom: string; severity: string }[] | null
}

export type Mark = 'low' | 'high'
export type Seen = {
  id: string
  at: Micros
  measuredAt: Micros
  receivedAt: Micros
  /** In the unit of the rule; null of a sensor's mark, of a symptom, and where only the reading counts. */
  value: number | null
  outOfRange?: Mark
  symptom?: string
  severity?: string
}

/** In microseconds, by the rule of status/beyond.ts. */
export const countedAt = (measuredAt: Micros, receivedAt: Micros): Micros =>
  isImpossible({ measuredAt, receivedAt }) ? receivedAt : Math.min(measuredAt, receivedAt)

const isImpossible = ({ measuredAt, receivedAt }: Pick<Seen, 'measuredAt' | 'receivedAt'>) =>
  isStrange({ measuredAt: measuredAt / 1_000, receivedAt: receivedAt / 1_000 })

type Looked = { readingType: string; field: string | null; terms: Terms }

/** Nothing where the rule sees nothing in the reading. */
export function seenOf({ readingType, field, terms }: Looked, reading: ReadReading): Seen[] {
  const { id, at, measuredAt, receivedAt, symptoms, outOfRange } = reading
  const times = { id, at, measuredAt, receivedAt }
  if (terms.missing) return [{ ...times, value: null }]
  if (terms.symptom) return (symptoms ?? []).map((symptom) => ({ ...times, value: null, ...symptom }))
  if (field === 'value' && (outOfRange === 'low' || outOfRange === 'high'))
    return [{ ...times, value: null, outOfRange }]
  const sent = field === null ? undefined : reading.values[field]
  const type = CATALOGUE[readingType]
  if (field === null || sent === undefined || !type) return []
  const ownUnit = type.quantities[field]?.unit
  if (ownUnit) return [{ ...times, value: sent }]
  const from = type.units.find((unit) => unit === (reading.unit ?? type.units[0]))
  if (!from) return []
  const value =
    from === terms.unit ? sent : comparedIn(terms.unit, convert(sent, conversionBetween(from, terms.unit)))
  return [{ ...times, value }]
}

/** One measurement counts once (status/counted.ts): of those that are equal in the same second, the first that arrived. */
export function countedOnce(seen: readonly Seen[]): Seen[] {
  const first = new Map<string, Seen>()
  for (const each of seen) {
    const { id, value, outOfRange, symptom, severity } = each
    const what =
      value?.toPrecision(9) ?? outOfRange ?? (symptom === undefined ? id : `${symptom} ${severity}`)
    const key = `${Math.floor(namedTime(each) / SECOND)} ${what}`
    const other = first.get(key)
    if (!other || isBefore(each, other)) first.set(key, each)
  }
  return [...first.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id)))
}

/** A clock that stands names the same time for different measurements: these are told apart by their arrival. */
const namedTime = (seen: Seen) => (isImpossible(seen) ? seen.receivedAt : seen.measuredAt)

const isBefore = (a: Seen, b: Seen) =>
  a.receivedAt < b.receivedAt || (a.receivedAt === b.receivedAt && a.id < b.id)
