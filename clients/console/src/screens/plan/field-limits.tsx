// The limits of one number of a target: from which value to which, and of a doctor beyond which a single value needs somebody now, and
// which shares are to be reached.
import { Fragment } from 'preact'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { words } from '../../words/words.ts'
import type { NumberField } from '../add/form-of.ts'
import {
  ACT_SIDES,
  type ActChoice,
  type ActSide,
  type Goal,
  type TargetMistakes,
  type TypedField,
} from './read-target-form.ts'

type Props = {
  field: NumberField
  /** The only one of the type, which needs no name. */
  isAlone: boolean
  isDoctor: boolean
  asksGoals: boolean
  unit: string
  typed: TypedField
  mistakes: TargetMistakes
  onChange: (typed: TypedField) => void
}

export function FieldLimits(props: Props) {
  const { field, isAlone, isDoctor, asksGoals, typed, onChange } = props
  const sign = unitSign(field.unitOf(props.unit))
  return (
    <div class="target-limits" role="group" aria-label={nameOf(field.name)}>
      {!isAlone && <strong>{nameOf(field.name)}</strong>}
      <div class="target-field">
        <Amount {...props} sign={sign} place="low" label={words.targetForm.atLeast} text={typed.bounds.low} />
        <Amount
          {...props}
          sign={sign}
          place="high"
          label={words.targetForm.atMost}
          text={typed.bounds.high}
        />
      </div>
      {isDoctor &&
        ACT_SIDES.map((side) => (
          <ActLimit
            key={side}
            {...props}
            side={side}
            sign={sign}
            onAct={(act) => onChange({ ...typed, acts: { ...typed.acts, [side]: act } })}
          />
        ))}
      {isDoctor && asksGoals && <Goals {...props} sign={sign} />}
    </div>
  )
}

type AmountProps = Props & { place: string; label: string; sign: string; text: string }

/** `place`: "low", "actBelow", "goals inRange". */
function Amount({ field, place, label, sign, text, typed, mistakes, onChange }: AmountProps) {
  const set = (value: string) => {
    const [first = '', goal] = place.split(' ')
    if (goal !== undefined) return onChange({ ...typed, goals: { ...typed.goals, [goal]: value } })
    if (first in typed.bounds) return onChange({ ...typed, bounds: { ...typed.bounds, [first]: value } })
    return onChange({ ...typed, acts: { ...typed.acts, [first]: { choice: 'number', text: value } } })
  }
  return (
    <TextField
      label={label}
      mistake={mistakes[`${field.name} ${place}`]}
      value={text}
      unit={sign}
      isNumber
      set={set}
    />
  )
}

const actChoices = (): [ActChoice, string][] => [
  ['number', words.targetForm.aNumber],
  ['none', words.targetForm.noneOnPurpose],
  ['unsaid', words.targetForm.notSaid],
]

type Act = TypedField['acts'][ActSide]
type ActProps = Props & { side: ActSide; sign: string; onAct: (act: Act) => void }

function ActLimit(props: ActProps) {
  const { field, side, typed, mistakes, onAct } = props
  const { choice, text } = typed.acts[side]
  return (
    <div class="target-act">
      <Segments
        label={words.targetForm.needsNow[side]}
        options={actChoices()}
        value={choice}
        mistake={mistakes[`${field.name} ${side}`]}
        set={(next) => onAct({ choice: next, text: next === 'number' ? text : '' })}
      />
      {choice === 'number' && (
        <Amount {...props} place={side} label={words.targetForm.now[side]} text={text} />
      )}
    </div>
  )
}

const SHARES: [goal: Goal, limit?: ['farLow' | 'farHigh', 'farBelowIs' | 'farAboveIs']][] = [
  ['inRange'],
  ['below'],
  ['above'],
  ['farBelow', ['farLow', 'farBelowIs']],
  ['farAbove', ['farHigh', 'farAboveIs']],
]

/** A mean of glucose hides lows: two patients with the same mean may be well and in danger. */
function Goals(props: Props & { sign: string }) {
  const { typed } = props
  return (
    <fieldset class="field target-fields">
      <legend class="label">{words.targetForm.goals}</legend>
      <span class="hint">{words.targetForm.goalsHint}</span>
      <div class="target-field target-goals">
        {SHARES.map(([goal, limit]) => (
          <Fragment key={goal}>
            {limit && (
              <Amount
                {...props}
                place={limit[0]}
                label={words.targetForm[limit[1]]}
                text={typed.bounds[limit[0]]}
              />
            )}
            <Amount
              {...props}
              sign="%"
              place={`goals ${goal}`}
              label={words.targetForm.shares[goal]}
              text={typed.goals[goal]}
            />
          </Fragment>
        ))}
      </div>
    </fieldset>
  )
}
