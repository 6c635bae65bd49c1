// What a target has beside its range, in sentences: act limits, goals, and how often a value is expected.
import type { ReadingTypeEntry, Target } from '../../../../typescript/src/client.ts'
import { unitOfNumber } from '../../care/in-target.ts'
import { isoDurationMs, isoDurationText } from '../../format/iso-duration.ts'
import { numberText } from '../../format/numbers.ts'
import { nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { ACT_SIDES, type ActSide, GOALS, type Goal } from './read-target-form.ts'

type Limits = Pick<Target, 'fields' | 'unit'>
type Field = Target['fields'][string]

/** Of a doctor's target; a patient's has only a range. */
export function limitsTexts(target: Limits & Pick<Target, 'expectEvery'>, entry: ReadingTypeEntry): string[] {
  const decided = [
    actText(target, entry),
    sidesText(target, { are: null, words: 'none on purpose' }),
    sidesText(target, { are: undefined, words: 'not said' }),
  ].filter((text) => text !== '')
  return [`Needs somebody now: ${decided.join('; ')}`, ...goalTexts(target), expectText(target.expectEvery)]
}

/** Only what is a number, as of a published one. */
export function numbersTexts(limits: Limits, entry: ReadingTypeEntry): string[] {
  const act = actText(limits, entry)
  return [...(act === '' ? [] : [`Needs somebody now: ${act}`]), ...goalTexts(limits)]
}

const SIDE_WORDS: Record<ActSide, string> = { actBelow: 'below', actAbove: 'above' }
const named = (field: string, text: string) => (field === 'value' ? text : `${nameWithin(field)} ${text}`)

/** "systolic below 90 or above 180 mmHg, diastolic above 110 mmHg" */
function actText({ fields, unit }: Limits, entry: ReadingTypeEntry): string {
  return Object.entries(fields)
    .flatMap(([name, field]) => {
      const sides = ACT_SIDES.flatMap((side) => {
        const limit = field[side]
        return typeof limit === 'number' ? [`${SIDE_WORDS[side]} ${numberText(limit)}`] : []
      })
      const sign = unitSign(unitOfNumber(name, unit, entry) ?? unit)
      return sides.length === 0 ? [] : [named(name, `${sides.join(' or ')} ${sign}`)]
    })
    .join(', ')
}

/** "none on purpose: diastolic below" */
function sidesText({ fields }: Limits, { are, words }: { are: null | undefined; words: string }): string {
  const sides = Object.entries(fields).flatMap(([name, field]) =>
    ACT_SIDES.filter((side) => field[side] === are).map((side) => named(name, SIDE_WORDS[side])),
  )
  if (sides.length === 0) return ''
  return sides.length === ACT_SIDES.length * Object.keys(fields).length
    ? words
    : `${words}: ${sides.join(', ')}`
}

/** "Goals: at least 70% in range, at most 4% below 70, at most 1% below 54 mg/dL" */
function goalTexts({ fields, unit }: Limits): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const goals = GOALS.flatMap((goal) => {
      const share = field.goals?.[goal]
      return share === undefined
        ? []
        : [`${goal === 'inRange' ? 'at least' : 'at most'} ${percentText(share)} ${WHERE[goal](field)}`]
    })
    return goals.length === 0 ? [] : [`Goals: ${named(name, goals.join(', '))} ${unitSign(unit)}`]
  })
}

const percentText = (share: number) => `${Number((share * 100).toPrecision(12))}%`
const textOf = (limit: number | undefined) => numberText(limit ?? 0)
const WHERE: Record<Goal, (field: Field) => string> = {
  inRange: () => 'in range',
  below: ({ low }) => `below ${textOf(low)}`,
  farBelow: ({ farLow }) => `below ${textOf(farLow)}`,
  above: ({ high }) => `above ${textOf(high)}`,
  farAbove: ({ farHigh }) => `above ${textOf(farHigh)}`,
}

/** Rarer than that, a month has fewer values than a mean needs. */
const MAX_JUDGED_MS = 4 * DAY_MS

export function expectText(every: string | null): string {
  if (every === null) return 'No value is expected'
  const isRare = isoDurationMs(every) > MAX_JUDGED_MS
  return `A value is expected every ${everyText(every)}${isRare ? ': too rare to be judged' : ''}`
}

/** "day", "3 days". */
export const everyText = (every: string) => isoDurationText(every).replace(/^1 (\w+)$/, '$1')
