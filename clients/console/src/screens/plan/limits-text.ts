// What a target has beside its range, in sentences: act limits, goals, and how often a value is expected.
import type { ReadingTypeEntry, Target } from '../../../../typescript/src/client.ts'
import { unitOfNumber } from '../../care/in-target.ts'
import { everyText, isoDurationMs } from '../../format/iso-duration.ts'
import { numberText } from '../../format/numbers.ts'
import { nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { words } from '../../words/words.ts'
import { ACT_SIDES, GOALS, type Goal } from './read-target-form.ts'

type Limits = Pick<Target, 'fields' | 'unit'>
type Field = Target['fields'][string]

/** Of a doctor's target; a patient's has only a range. */
export function limitsTexts(target: Limits & Pick<Target, 'expectEvery'>, entry: ReadingTypeEntry): string[] {
  const decided = [
    actText(target, entry),
    sidesText(target, { are: null, say: words.targetForm.noneOnPurposeOf }),
    sidesText(target, { are: undefined, say: words.targetForm.notSaidOf }),
  ].filter((text) => text !== '')
  return [
    words.targetForm.needsSomebody(decided.join('; ')),
    ...goalTexts(target),
    expectText(target.expectEvery),
  ]
}

/** Only what is a number, as of a published one. */
export function numbersTexts(limits: Limits, entry: ReadingTypeEntry): string[] {
  const act = actText(limits, entry)
  return [...(act === '' ? [] : [words.targetForm.needsSomebody(act)]), ...goalTexts(limits)]
}

const named = (field: string, text: string) => (field === 'value' ? text : `${nameWithin(field)} ${text}`)

/** "systolic below 90 or above 180 mmHg, diastolic above 110 mmHg" */
function actText({ fields, unit }: Limits, entry: ReadingTypeEntry): string {
  return Object.entries(fields)
    .flatMap(([name, field]) => {
      const sides = ACT_SIDES.flatMap((side) => {
        const limit = field[side]
        return typeof limit === 'number' ? [`${words.targetForm.sides[side]} ${numberText(limit)}`] : []
      })
      const sign = unitSign(unitOfNumber(name, unit, entry) ?? unit)
      return sides.length === 0 ? [] : [named(name, `${sides.join(words.targetForm.or)} ${sign}`)]
    })
    .join(', ')
}

/** "none on purpose: diastolic below" */
function sidesText(
  { fields }: Limits,
  { are, say }: { are: null | undefined; say: (sides: string) => string },
): string {
  const sides = Object.entries(fields).flatMap(([name, field]) =>
    ACT_SIDES.filter((side) => field[side] === are).map((side) => named(name, words.targetForm.sides[side])),
  )
  if (sides.length === 0) return ''
  return sides.length === ACT_SIDES.length * Object.keys(fields).length ? say('') : say(sides.join(', '))
}

/** "Goals: at least 70% in range, at most 4% below 70, at most 1% below 54 mg/dL" */
function goalTexts({ fields, unit }: Limits): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const goals = GOALS.flatMap((goal) => {
      const share = field.goals?.[goal]
      return share === undefined
        ? []
        : [words.targetForm.goal(percentText(share), WHERE[goal](field), goal === 'inRange')]
    })
    return goals.length === 0
      ? []
      : [words.targetForm.goalsOf(`${named(name, goals.join(', '))} ${unitSign(unit)}`)]
  })
}

const percentText = (share: number) => `${Number((share * 100).toPrecision(12))}%`
const textOf = (limit: number | undefined) => numberText(limit ?? 0)
const WHERE: Record<Goal, (field: Field) => string> = {
  inRange: () => words.targetForm.inRange,
  below: ({ low }) => words.targetForm.below(textOf(low)),
  farBelow: ({ farLow }) => words.targetForm.below(textOf(farLow)),
  above: ({ high }) => words.targetForm.above(textOf(high)),
  farAbove: ({ farHigh }) => words.targetForm.above(textOf(farHigh)),
}

/** Rarer than that, a month has fewer values than a mean needs. */
const MAX_JUDGED_MS = 4 * DAY_MS

export function expectText(every: string | null): string {
  if (every === null) return words.targetForm.noneExpected
  const isRare = isoDurationMs(every) > MAX_JUDGED_MS
  return words.targetForm.expected(everyText(every), isRare)
}
