// What a request to set or to try a rule says, and what no rule can be.
import { type Static, Type } from 'typebox'
import { type FieldError, refuseFields } from '../../../refusal.ts'
import { limitsText, type Range } from '../../casesheet/catalogue/limits.ts'
import { PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { FieldName, fieldNamed, rangeNamed, typeNamed } from '../measured-field.ts'
import { durationMs } from './duration.ts'
import {
  type Bound,
  CONDITIONS,
  DURATIONS,
  KINDS,
  mustBeDuration,
  RuleLabel,
  RuleSeverity,
  type Severity,
  type Terms,
} from './rule.ts'

/** What a rule says, and of whom. */
export const RULE_OF_BODY = {
  patientUid: Type.Optional(
    Type.String({
      ...PatientUid,
      description: 'The patient. Without it, the rule holds for all who share with the permission manage.',
    }),
  ),
  readingType: Type.String({
    ...ReadingType,
    description: 'A type of the catalogue; symptom for a rule of symptoms.',
  }),
  field: Type.Optional(FieldName),
  unit: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Unit of the numbers, in UCUM. May be left out if there is one.',
      examples: ['mm[Hg]'],
      'x-mustBe': 'a unit',
    }),
  ),
  severity: RuleSeverity,
  label: Type.Optional(RuleLabel),
  ...CONDITIONS,
}

const RuleOfBody = Type.Object(RULE_OF_BODY)
type RuleOfBody = Static<typeof RuleOfBody>

/** A rule as it is stored, without whose it is and for whom. */
export type RuleTerms = {
  readingType: string
  field: string | null
  severity: Severity
  label: string | null
  terms: Terms
}

/** Refuses what no rule can be. */
export function ruleTermsIn(body: RuleOfBody): RuleTerms {
  const errors = [...errorsOfKind(body), ...errorsOfDurations(body)]
  if (errors.length > 0) throw refuseFields(errors)
  const { readingType, severity, label = null, symptom, missing } = body
  if (symptom) {
    if (readingType !== 'symptom')
      throw refuseFields([{ pointer: '/readingType', message: 'must be symptom where symptom is given' }])
    return { readingType, field: null, severity, label, terms: { symptom } }
  }
  const { value: type, error } = typeNamed(readingType)
  if (error) throw refuseFields([error])
  if (missing) return { readingType, field: null, severity, label, terms: { missing } }
  const { value: field, error: fieldError } = fieldNamed(type, body.field)
  if (fieldError) throw refuseFields([fieldError])
  const { value: range, error: unitError } = rangeNamed(type, field, body.unit)
  if (unitError) throw refuseFields([unitError])
  return { readingType, field, severity, label, terms: measuredTerms(body, range) }
}

const NOT_BESIDE = {
  value: [],
  change: ['clear'],
  missing: ['field', 'unit', 'clear'],
  symptom: ['field', 'unit', 'clear'],
} as const

function errorsOfKind(body: RuleOfBody): FieldError[] {
  const [kind, ...others] = KINDS.filter((name) => body[name] !== undefined)
  if (kind === undefined)
    return [{ pointer: '/value', message: 'is required, or one of change, missing, symptom' }]
  return [...others, ...NOT_BESIDE[kind].filter((name) => body[name] !== undefined)].map((name) => ({
    pointer: `/${name}`,
    message: `must be left out where ${kind} is given`,
  }))
}

function errorsOfDurations({ value, change, missing }: RuleOfBody): FieldError[] {
  const { times = 1, within } = value ?? {}
  const errors: FieldError[] = []
  if (times > 1 && within === undefined)
    errors.push({ pointer: '/value/within', message: 'is required where times is above 1' })
  if (times === 1 && within !== undefined)
    errors.push({ pointer: '/value/within', message: 'must be left out where times is 1' })
  const said = [
    ['within', '/value/within', within],
    ['within', '/change/within', change?.within],
    ['for', '/missing/for', missing?.for],
  ] as const
  for (const [name, pointer, text] of said) {
    const [least, most] = DURATIONS[name]
    if (text !== undefined && (durationMs(text) < durationMs(least) || durationMs(text) > durationMs(most)))
      errors.push({ pointer, message: `must be ${mustBeDuration(name)}` })
  }
  return errors
}

/** Of a value or a change. */
function measuredTerms({ value, change, clear }: RuleOfBody, range: Range): Terms {
  const { unit } = range
  if (change) {
    mustChangeBy(change.by, range)
    return { unit, change }
  }
  const bound = boundIn('/value', value ?? {}, range)
  const { times = 1, within } = value ?? {}
  return {
    unit,
    value: { ...bound, times, ...(within !== undefined && { within }) },
    ...(clear && { clear: clearIn(clear, bound, range) }),
  }
}

/** Two values of the type cannot differ by more than all of its range. */
function mustChangeBy(by: number, { possible: [least, most], unit }: Range) {
  const widest = Number((most - least).toFixed(2))
  if (by !== 0 && Math.abs(by) <= widest) return
  const message = `must be from ${limitsText([-widest, widest], unit)}, and not 0`
  throw refuseFields([{ pointer: '/change/by', message }])
}

type Sides = { above?: number; below?: number }

/** No reading can be beyond the end of what is possible: such a rule would never hold. */
function boundIn(pointer: string, { above, below }: Sides, { possible: [least, most], unit }: Range): Bound {
  if (above !== undefined && below !== undefined)
    throw refuseFields([{ pointer: `${pointer}/below`, message: 'must be left out where above is given' }])
  if (above !== undefined) {
    if (above >= least && above < most) return { above }
    const message = `must be at least ${least} and less than ${most} ${unit}`
    throw refuseFields([{ pointer: `${pointer}/above`, message }])
  }
  if (below === undefined)
    throw refuseFields([{ pointer: `${pointer}/above`, message: 'is required unless below is given' }])
  if (below > least && below <= most) return { below }
  const message = `must be greater than ${least} and at most ${most} ${unit}`
  throw refuseFields([{ pointer: `${pointer}/below`, message }])
}

/** The bound at which an alert ends is on the other side of the rule's, or the same. */
function clearIn(clear: Sides, bound: Bound, range: Range): Bound {
  const isAbove = bound.above !== undefined
  const [meant, other] = isAbove ? (['below', 'above'] as const) : (['above', 'below'] as const)
  if (clear[other] !== undefined)
    throw refuseFields([
      { pointer: `/clear/${other}`, message: `must be left out where the rule looks ${other}` },
    ])
  if (clear[meant] === undefined)
    throw refuseFields([{ pointer: `/clear/${meant}`, message: 'is required in clear' }])
  const found = boundIn('/clear', clear, range)
  const isReached = isAbove ? (found.below ?? 0) <= bound.above : (found.above ?? 0) >= (bound.below ?? 0)
  if (isReached) return found
  const message = `must be at ${isAbove ? 'most' : 'least'} the bound of the rule`
  throw refuseFields([{ pointer: `/clear/${meant}`, message }])
}
