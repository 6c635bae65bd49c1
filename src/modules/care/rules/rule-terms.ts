// What a request to set or to try a rule says. What is left out of `clear` is written in, so that a stored rule says all that it means.
import { type Static, Type } from 'typebox'
import { type FieldError, refuseFields } from '../../../refusal.ts'
import { limitsText, type Range } from '../../casesheet/catalogue/limits.ts'
import { ONE_VISIBLE_LINE, PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { FieldName, fieldNamed, rangeNamed, typeNamed } from '../measured-field.ts'
import { DURATION_FORM, durationMs } from './duration.ts'
import {
  type Bound,
  type ClearBound,
  EXAMPLE_RULE,
  type InARow,
  type RuleTerms,
  SEVERITIES,
  type Throughout,
} from './rule.ts'

const MAX_LABEL_CHARS = 100
const MAX_COUNT = 10
const DEFAULT_MAX_AGE = 'P1D'
/** How many readings in a row resolve an alert of a rule that looks at a time. */
const COUNT_AFTER_TIME = 2

/** The shortest and the longest duration of each name. */
const DURATIONS = {
  sustainedFor: ['PT10M', 'P1D'],
  within: ['PT10M', 'P30D'],
  missingFor: ['PT1H', 'P30D'],
  maxAge: ['PT5M', 'P30D'],
} as const
type DurationName = keyof typeof DURATIONS

const mustBeDuration = ([least, most]: readonly [string, string]) =>
  `a duration in days, hours and minutes from ${least} to ${most}, such as ${least}`

const duration = (name: DurationName, description: string) =>
  Type.String({
    pattern: DURATION_FORM,
    description: `${description} From ${DURATIONS[name].join(' to ')}.`,
    examples: [DURATIONS[name][1]],
    'x-mustBe': mustBeDuration(DURATIONS[name]),
  })

const bound = (description: string) =>
  Type.Optional(Type.Number({ description, examples: [130], 'x-mustBe': 'a number' }))

const countFrom = (least: number, description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: least,
      maximum: MAX_COUNT,
      description,
      examples: [3],
      'x-mustBe': `a whole number from ${least} to ${MAX_COUNT}`,
    }),
  )

const SIDES = { above: bound('Values greater than this one.'), below: bound('Values less than this one.') }
const CLOSED = { additionalProperties: false } as const

/** What a rule says, and of whom. */
export const TERMS_OF_BODY = {
  patientUid: PatientUid,
  readingType: Type.String({ ...ReadingType, description: 'A type of the catalogue.' }),
  field: Type.Optional(FieldName),
  unit: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Unit of the bounds, in UCUM. May be left out if there is one.',
      examples: [EXAMPLE_RULE.unit],
      'x-mustBe': 'a unit',
    }),
  ),
  severity: Type.Enum([...SEVERITIES], {
    type: 'string',
    description: 'How much it matters.',
    examples: [EXAMPLE_RULE.severity],
    'x-mustBe': `one of ${SEVERITIES.join(', ')}`,
  }),
  threshold: Type.Optional(
    Type.Object(SIDES, {
      ...CLOSED,
      description: 'Holds at every reading beyond the bound: above or below.',
    }),
  ),
  sustained: Type.Optional(
    Type.Object(
      {
        ...SIDES,
        count: countFrom(2, 'So many of the last readings are beyond, the newest one too.'),
        of: countFrom(2, 'Of how many. Not less than count.'),
        for: Type.Optional(duration('sustainedFor', 'All readings of this time are beyond.')),
      },
      { ...CLOSED, description: 'Holds if readings stay beyond the bound: count and of, or for.' },
    ),
  ),
  change: Type.Optional(
    Type.Object(
      {
        by: Type.Number({
          description:
            'So much above the lowest value of the time before; if it is negative, below the highest.',
          examples: [2],
          'x-mustBe': 'a number other than 0',
        }),
        within: duration('within', 'The time before the reading.'),
      },
      CLOSED,
    ),
  ),
  missing: Type.Optional(
    Type.Object(
      { for: duration('missingFor', 'For so long no reading of the type was measured.') },
      { ...CLOSED, description: 'Beside it stand no field, unit, clear and maxAge.' },
    ),
  ),
  clear: Type.Optional(
    Type.Object(
      {
        ...SIDES,
        atMost: bound('Values no greater than this one.'),
        atLeast: bound('Values no less than this one.'),
        count: countFrom(1, 'So many readings in a row.'),
      },
      {
        ...CLOSED,
        description:
          'When an alert resolves. Default: with readings that are not beyond the bound, one; with sustained count of them, or two.',
      },
    ),
  ),
  maxAge: Type.Optional(
    duration(
      'maxAge',
      `Alerts by readings that arrive later are recorded, and not announced. Default: ${DEFAULT_MAX_AGE}.`,
    ),
  ),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_LABEL_CHARS,
      pattern: ONE_VISIBLE_LINE,
      description: 'A text beside it, such as why it was chosen.',
      examples: [EXAMPLE_RULE.label],
      'x-mustBe': `a text of 1 to ${MAX_LABEL_CHARS} characters on one line, without control characters`,
    }),
  ),
}

const TermsBody = Type.Object(TERMS_OF_BODY)
export type TermsBody = Static<typeof TermsBody>

/** Refuses what no rule can be. */
export function ruleTermsIn(body: TermsBody): RuleTerms {
  const errors = [...errorsOfCondition(body), ...errorsOfDurations(body)]
  const { value: type, error: typeError } = typeNamed(body.readingType)
  if (typeError) throw refuseFields([typeError, ...errors])
  if (errors.length > 0) throw refuseFields(errors)
  const { readingType, severity, missing, label } = body
  const basics = {
    readingType,
    severity,
    ...(label !== undefined && { label }),
  }
  if (missing) return { ...basics, missing }
  const { value: field, error: fieldError } = fieldNamed(type, body.field)
  if (fieldError) throw refuseFields([fieldError])
  const { value: range, error: unitWrong } = rangeNamed(type, field, body.unit)
  if (unitWrong) throw refuseFields([unitWrong])
  const measured = { ...basics, field, unit: range.unit, maxAge: body.maxAge ?? DEFAULT_MAX_AGE }
  return { ...measured, ...measuredCondition(body, range) }
}

const CONDITIONS = ['threshold', 'sustained', 'change', 'missing'] as const
const NOT_WITH_MISSING = ['field', 'unit', 'clear', 'maxAge'] as const

function errorsOfCondition(body: TermsBody): FieldError[] {
  const [first, ...others] = CONDITIONS.filter((name) => body[name] !== undefined)
  if (first === undefined)
    return [{ pointer: '/threshold', message: 'is required, or one of sustained, change, missing' }]
  if (others.length > 0)
    return others.map((name) => ({
      pointer: `/${name}`,
      message: `must be left out where ${first} is given`,
    }))
  if (first !== 'missing') return []
  return NOT_WITH_MISSING.filter((name) => body[name] !== undefined).map((name) => ({
    pointer: `/${name}`,
    message: 'must be left out where missing is given',
  }))
}

function errorsOfDurations({ sustained, change, missing, maxAge }: TermsBody) {
  const errors: FieldError[] = []
  const mustBeWithin = (name: DurationName, pointer: string, text: string | undefined) => {
    if (text === undefined) return
    const [least, most] = DURATIONS[name]
    const length = durationMs(text)
    if (length < durationMs(least) || length > durationMs(most))
      errors.push({ pointer, message: `must be ${mustBeDuration(DURATIONS[name])}` })
  }
  mustBeWithin('sustainedFor', '/sustained/for', sustained?.for)
  mustBeWithin('within', '/change/within', change?.within)
  mustBeWithin('missingFor', '/missing/for', missing?.for)
  mustBeWithin('maxAge', '/maxAge', maxAge)
  return errors
}

/** Of one of threshold, sustained and change. */
function measuredCondition({ threshold, sustained, change, clear }: TermsBody, range: Range) {
  if (change) {
    mustChangeBy(change.by, range)
    return { change, clear: clearAfterChange(clear) }
  }
  if (sustained) {
    const side = boundIn('/sustained', sustained, range)
    const stays = howLong(sustained)
    const byDefault = stays.count ?? COUNT_AFTER_TIME
    return { sustained: { ...side, ...stays }, clear: clearIn(clear, { side, range, byDefault }) }
  }
  const side = boundIn('/threshold', threshold ?? {}, range)
  return { threshold: side, clear: clearIn(clear, { side, range, byDefault: 1 }) }
}

/** Two values of the type cannot differ by more than all of its range. */
function mustChangeBy(by: number, { possible: [least, most], unit }: Range) {
  const widest = Number((most - least).toFixed(2))
  if (by !== 0 && Math.abs(by) <= widest) return
  const message = `must be from ${limitsText([-widest, widest], unit)}, and not 0`
  throw refuseFields([{ pointer: '/change/by', message }])
}

/** No reading can be beyond the end of what is possible: such a rule would never hold. */
function boundIn(
  pointer: string,
  { above, below }: { above?: number; below?: number },
  { possible: [least, most], unit }: Range,
): Bound {
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

type Sustained = NonNullable<TermsBody['sustained']>

function howLong({ count, of, for: time }: Sustained): InARow | Throughout {
  if (time !== undefined) {
    const beside = (['count', 'of'] as const).filter((name) => (name === 'count' ? count : of) !== undefined)
    if (beside.length === 0) return { for: time }
    throw refuseFields(
      beside.map((name) => ({
        pointer: `/sustained/${name}`,
        message: 'must be left out where for is given',
      })),
    )
  }
  if (count === undefined)
    throw refuseFields([{ pointer: '/sustained/count', message: 'is required unless for is given' }])
  if (of === undefined)
    throw refuseFields([{ pointer: '/sustained/of', message: 'is required where count is given' }])
  if (of < count) throw refuseFields([{ pointer: '/sustained/of', message: 'must not be less than count' }])
  return { count, of }
}

type Clear = TermsBody['clear']
const CLEAR_BOUNDS = ['below', 'above', 'atMost', 'atLeast'] as const

function clearAfterChange(clear: Clear): { count: number } {
  const errors = CLEAR_BOUNDS.filter((name) => clear?.[name] !== undefined).map((name) => ({
    pointer: `/clear/${name}`,
    message: 'must be left out where change is given',
  }))
  if (errors.length > 0) throw refuseFields(errors)
  return { count: clear?.count ?? 1 }
}

/** The bound at which an alert resolves is that of the rule, or one on its other side, which readings can reach. */
function clearIn(
  clear: Clear,
  { side, range, byDefault }: { side: Bound; range: Range; byDefault: number },
): ClearBound & { count: number } {
  const count = clear?.count ?? byDefault
  const isAbove = side.above !== undefined
  const [strict, inclusive] = isAbove ? (['below', 'atMost'] as const) : (['above', 'atLeast'] as const)
  const misplaced = CLEAR_BOUNDS.filter(
    (name) => clear?.[name] !== undefined && name !== strict && name !== inclusive,
  )
  if (misplaced.length > 0)
    throw refuseFields(
      misplaced.map((name) => ({
        pointer: `/clear/${name}`,
        message: `must be left out of a rule for values ${isAbove ? 'above' : 'below'} a bound: ${strict} is meant`,
      })),
    )
  const [atStrict, atInclusive] = [clear?.[strict], clear?.[inclusive]]
  if (atStrict !== undefined && atInclusive !== undefined)
    throw refuseFields([
      { pointer: `/clear/${inclusive}`, message: `must be left out where ${strict} is given` },
    ])
  if (atStrict !== undefined) mustBeReached({ name: strict, value: atStrict, side, range })
  if (atInclusive !== undefined) mustBeReached({ name: inclusive, value: atInclusive, side, range })
  if (isAbove)
    return atStrict === undefined ? { atMost: atInclusive ?? side.above, count } : { below: atStrict, count }
  return atStrict === undefined ? { atLeast: atInclusive ?? side.below, count } : { above: atStrict, count }
}

type Reached = { name: (typeof CLEAR_BOUNDS)[number]; value: number; side: Bound; range: Range }

/** An alert that no reading can resolve would stay open for ever. */
function mustBeReached({ name, value, side, range: { possible, unit } }: Reached) {
  const [least, most] = possible
  const isStrict = name === 'below' || name === 'above'
  const [from, to] = side.above === undefined ? [side.below, most] : [least, side.above]
  const isReached =
    value >= from && value <= to && !(isStrict && value === (side.above === undefined ? most : least))
  if (isReached) return
  const words =
    side.above === undefined
      ? `must be at least ${from} and ${isStrict ? 'less than' : 'at most'} ${to} ${unit}`
      : `must be ${isStrict ? 'greater than' : 'at least'} ${from} and at most ${to} ${unit}`
  throw refuseFields([{ pointer: `/clear/${name}`, message: words }])
}
