// The questions of the form of a rule: what happens to a value, how urgent that is, and what few need.
import { useEffect, useId, useState } from 'preact/hooks'
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import type { Severity } from '../../care/severity-mark.tsx'
import { Radios } from '../../design/radios.tsx'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { Labelled } from '../add/fields.tsx'
import { UnitChoice } from '../add/unit-choice.tsx'
import { numbersOf } from '../targets/read-target-form.ts'
import { DurationField } from './duration-field.tsx'
import type { RuleKind, RuleMistakes, TypedRule } from './read-rule-form.ts'

type Props = {
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

export function KindChoice({ entry, typed, change }: Props) {
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

export function ConditionFields(props: Props) {
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

function ChangeFields(props: Props) {
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

function BoundFields(props: Props) {
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
function StayFields({ typed, mistakes, change }: Props) {
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
  ['warning', 'Warning', 'Somebody should look today. A snoozed notice does not hold it back.'],
  ['notice', 'Notice', 'Worth knowing at the next look. Last in the inbox.'],
]

export function SeverityChoice({ typed, mistakes, change }: Props) {
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

const MAX_LABEL = 100
const MORE = ['clearBound', 'clearCount', 'repeat', 'escalateAfter', 'maxAge', 'label'] as const

/** What few need. It opens where something in it is wrong. */
export function MoreFields(props: Props) {
  const { typed, mistakes, change } = props
  const isMeasured = typed.kind !== 'missing'
  const isWrong = MORE.some((name) => mistakes[name] !== undefined)
  // What was opened stays open while the mistake is corrected.
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isWrong) setOpen(true)
  }, [isWrong])
  return (
    <details class="rule-more" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>More: when it ends, repeats, escalates; late readings; a note</summary>
      <div class="stack">
        {isMeasured && (
          <div class="rule-row">
            {typed.kind !== 'change' && (
              <Amount
                {...props}
                label={`Ends ${endWord(typed)}`}
                hint="Left empty: the bound itself. A bound further away keeps it from coming and going."
                value={typed.clearBound}
                mistake={mistakes.clearBound}
                onChange={(clearBound) => change({ clearBound, isClearAt: false })}
              />
            )}
            <Whole
              label="After so many readings in a row"
              placeholder={usualCount(typed)}
              value={typed.clearCount}
              mistake={mistakes.clearCount}
              onChange={(clearCount) => change({ clearCount })}
            />
          </div>
        )}
        <DurationField
          label="Announce again every"
          hint="While nobody has acknowledged it. Left empty: never."
          duration={typed.repeat}
          mistake={mistakes.repeat}
          onChange={(repeat) => change({ repeat })}
        />
        <DurationField
          label="Escalate after"
          hint="Once, if nobody has acknowledged it: connected systems get it as escalated. Left empty: never."
          duration={typed.escalateAfter}
          mistake={mistakes.escalateAfter}
          onChange={(escalateAfter) => change({ escalateAfter })}
        />
        {isMeasured && (
          <DurationField
            label="Stay quiet for readings that arrive later than"
            hint="They are recorded and announced to nobody. Left empty: 1 day."
            duration={typed.maxAge}
            mistake={mistakes.maxAge}
            onChange={(maxAge) => change({ maxAge })}
          />
        )}
        <Labelled label="Note (optional)" mistake={mistakes.label}>
          {(attributes) => (
            <>
              <input
                {...attributes}
                class="input"
                dir="auto"
                maxLength={MAX_LABEL}
                autocomplete="off"
                value={typed.label}
                onInput={({ currentTarget }) => change({ label: currentTarget.value })}
              />
              <span class="hint">The patient sees this note.</span>
            </>
          )}
        </Labelled>
      </div>
    </details>
  )
}

function endWord({ side, isClearAt }: TypedRule): string {
  if (side === 'above') return isClearAt ? 'at or below' : 'below'
  return isClearAt ? 'at or above' : 'above'
}

/** What the service writes into a rule that does not say it. */
function usualCount({ kind, stays, count }: TypedRule): string {
  if (kind !== 'sustained') return '1'
  return stays === 'time' ? '2' : count
}

type ChoiceProps<Value extends string> = {
  label: string
  choices: [Value, string][]
  chosen: Value
  choose: (value: Value) => void
}

function Choice<Value extends string>({ label, choices, chosen, choose }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <div class="field">
      <span class="label" id={id}>
        {label}
      </span>
      <div class="seg" role="group" aria-labelledby={id}>
        {choices.map(([value, text]) => (
          <button key={value} type="button" aria-pressed={chosen === value} onClick={() => choose(value)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  )
}

type TextProps = {
  label: string
  hint?: string
  value: string
  mistake: string | undefined
  onChange: (text: string) => void
}

/** A number in the unit of the rule. */
function Amount({
  entry,
  typed,
  label,
  hint,
  value,
  mistake,
  onChange,
}: Omit<Props, 'mistakes'> & TextProps) {
  const number = numbersOf(entry).find(({ name }) => name === typed.field)
  const unit = typed.unit || (entry.units.length === 1 ? (entry.units[0] ?? '') : '')
  return (
    <Labelled label={label} mistake={mistake}>
      {(attributes) => (
        <>
          <span class="with-unit">
            <input
              {...attributes}
              class="input number"
              inputMode="decimal"
              autocomplete="off"
              size={6}
              value={value}
              onInput={({ currentTarget }) => onChange(currentTarget.value)}
            />
            <span class="unit">{unitSign(number?.unitOf(unit) ?? unit)}</span>
          </span>
          {hint !== undefined && <span class="hint">{hint}</span>}
        </>
      )}
    </Labelled>
  )
}

function Whole({ label, placeholder = '', value, mistake, onChange }: TextProps & { placeholder?: string }) {
  return (
    <Labelled label={label} mistake={mistake}>
      {(attributes) => (
        <input
          {...attributes}
          class="input rule-count"
          placeholder={placeholder}
          inputMode="numeric"
          autocomplete="off"
          size={3}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Labelled>
  )
}
