// The questions of the form of a rule: when it alerts, and how urgent that is.
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import type { Severity } from '../../care/severity-mark.tsx'
import { Radios } from '../../design/radios.tsx'
import { nameOf } from '../../format/type-names.ts'
import { UnitChoice } from '../add/unit-choice.tsx'
import { numbersOf } from '../targets/read-target-form.ts'
import { DurationField } from './duration-field.tsx'
import type { RuleKind, RuleMistakes, TypedRule } from './read-rule-form.ts'
import { Amount, Choice, Whole } from './rule-inputs.tsx'

export type FieldsProps = {
  entry: ReadingTypeEntry
  typed: TypedRule
  mistakes: RuleMistakes
  change: (part: Partial<TypedRule>) => void
}

const KIND_CHOICES: [RuleKind, string, string][] = [
  ['sustained', 'Several readings beyond a bound', 'One odd reading alerts nobody. Proposed for most rules.'],
  ['threshold', 'One reading beyond a bound', 'Every single reading counts.'],
  ['change', 'A rise or a fall', 'So much within some time, whatever the value.'],
  ['missing', 'No reading', 'Nothing was measured for some time.'],
]

export function KindChoice({ entry, typed, change }: FieldsProps) {
  const hasNumbers = entry.numbers.length > 0
  return (
    <Radios
      legend="When should it alert?"
      choices={KIND_CHOICES.filter(([kind]) => hasNumbers || kind === 'missing')}
      chosen={typed.kind}
      choose={(kind) => change({ kind })}
    />
  )
}

export function ConditionFields(props: FieldsProps) {
  const { entry, typed, mistakes, change } = props
  if (typed.kind === 'missing')
    return (
      <DurationField
        label="No reading for"
        duration={typed.missingFor}
        mistake={mistakes.missingFor}
        onChange={(missingFor) => change({ missingFor })}
      />
    )
  const numbers = numbersOf(entry)
  return (
    <>
      {numbers.length > 1 && (
        <Choice
          label="Which number?"
          choices={numbers.map(({ name }) => [name, nameOf(name)])}
          chosen={typed.field}
          choose={(field) => change({ field })}
        />
      )}
      {entry.units.length > 1 && (
        <UnitChoice
          units={entry.units}
          chosen={typed.unit}
          mistake={mistakes.unit}
          onChoose={(unit) => change({ unit })}
        />
      )}
      {typed.kind === 'change' ? <ChangeFields {...props} /> : <BoundFields {...props} />}
    </>
  )
}

function ChangeFields(props: FieldsProps) {
  const { typed, mistakes, change } = props
  return (
    <>
      <Choice
        label="Which way?"
        choices={[
          ['up', 'Rises'],
          ['down', 'Falls'],
        ]}
        chosen={typed.way}
        choose={(way) => change({ way })}
      />
      <div class="rule-row">
        <Amount
          {...props}
          label="By at least"
          value={typed.by}
          mistake={mistakes.by}
          onChange={(by) => change({ by })}
        />
        <DurationField
          label="Within"
          duration={typed.within}
          mistake={mistakes.within}
          onChange={(within) => change({ within })}
        />
      </div>
    </>
  )
}

function BoundFields(props: FieldsProps) {
  const { typed, mistakes, change } = props
  return (
    <>
      <div class="rule-row">
        <Choice
          label="On which side?"
          choices={[
            ['above', 'Above'],
            ['below', 'Below'],
          ]}
          chosen={typed.side}
          choose={(side) => change({ side })}
        />
        <Amount
          {...props}
          label="Bound"
          value={typed.bound}
          mistake={mistakes.bound}
          onChange={(bound) => change({ bound })}
        />
      </div>
      {typed.kind === 'sustained' && <StayFields {...props} />}
    </>
  )
}

/** "3 of the last 4 readings", or all of some time. */
function StayFields({ typed, mistakes, change }: FieldsProps) {
  return (
    <>
      <Choice
        label="How many readings?"
        choices={[
          ['count', 'So many of the last'],
          ['time', 'All of some time'],
        ]}
        chosen={typed.stays}
        choose={(stays) => change({ stays })}
      />
      {typed.stays === 'count' ? (
        <div class="rule-row">
          <Whole
            label="Readings beyond it"
            value={typed.count}
            mistake={mistakes.count}
            onChange={(count) => change({ count })}
          />
          <Whole
            label="Of the last"
            value={typed.of}
            mistake={mistakes.of}
            onChange={(of) => change({ of })}
          />
        </div>
      ) : (
        <DurationField
          label="For at least"
          hint="With at least two readings, the first so long before the last."
          duration={typed.sustainedFor}
          mistake={mistakes.sustainedFor}
          onChange={(sustainedFor) => change({ sustainedFor })}
        />
      )}
    </>
  )
}

const SEVERITY_CHOICES: [Severity, string, string][] = [
  [
    'urgent',
    'Urgent',
    'Somebody should look at once. First in the inbox. While it is open, lower ones about the same value stay quiet.',
  ],
  ['warning', 'Warning', 'Somebody should look today.'],
  ['notice', 'Notice', 'Worth knowing at the next look. Last in the inbox.'],
]

export function SeverityChoice({ typed, mistakes, change }: FieldsProps) {
  return (
    <Radios
      legend="How urgent is it?"
      choices={SEVERITY_CHOICES}
      chosen={typed.severity}
      mistake={mistakes.severity}
      choose={(severity) => change({ severity })}
    />
  )
}
