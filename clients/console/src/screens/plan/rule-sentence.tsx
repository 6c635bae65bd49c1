// The sentence of a rule: what can be said otherwise is a gap in it.
import type { ComponentChildren } from 'preact'
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import { measureName } from '../../care/rule-text.ts'
import { isoDurationText } from '../../format/iso-duration.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { words } from '../../words/words.ts'
import type { RuleMistakes, TypedRule } from './read-rule-form.ts'

const DURATIONS = ['PT1H', 'PT6H', 'PT12H', 'P1D', 'P2D', 'P3D', 'P5D', 'P7D', 'P14D', 'P30D']
const GAPS = ['unit', 'bound', 'times', 'within', 'missingFor'] as const

type Props = {
  types: Catalogue
  offered: readonly string[]
  /** That of the newest reading. Empty where a person has to choose. */
  unitOf: (entry: ReadingTypeEntry) => string
  typed: TypedRule
  mistakes: RuleMistakes
  change: (part: Partial<TypedRule>) => void
}

export function Sentence(props: Props) {
  const { typed, mistakes } = props
  const wrong = GAPS.flatMap((name) => mistakes[name] ?? [])
  const Kind = { symptom: OfSymptom, missing: OfMissing, change: OfChange, value: OfValue }[typed.kind]
  return (
    <div>
      <div class="sentence">
        <Kind {...props} />
      </div>
      <p class="wrong" role="status">
        {wrong.join(' ')}
      </p>
    </div>
  )
}

function OfSymptom({ typed, change }: Props) {
  const { SEVERE, MODERATE, MILD } = words.ruleForm.symptoms
  return words.ruleForm.aboutSymptom(
    <Gap
      label={words.ruleForm.gaps.whichSymptoms}
      value={typed.least}
      options={[
        ['SEVERE', SEVERE],
        ['MODERATE', MODERATE],
        ['MILD', MILD],
      ]}
      set={(least) => change({ least })}
    />,
  )
}

function OfMissing(props: Props) {
  const { types, offered, typed } = props
  const { gaps, whenMissing } = words.ruleForm
  return whenMissing(
    <Gap
      label={gaps.whichReadings}
      value={typed.readingType}
      options={offered.map((type) => [type, nameWithin(type)] as const)}
      set={(type) => chooseMeasured(props, type, types.get(type)?.numbers[0]?.field)}
    />,
    <TimeGap {...props} label={gaps.howLong} name="missingFor" />,
  )
}

function OfChange(props: Props) {
  const { gaps, rises, falls, whenChanged } = words.ruleForm
  return whenChanged(<MeasuredGap {...props} />, {
    side: <SideGap {...props} label={gaps.whichWay} above={rises} below={falls} />,
    amount: <NumberGap {...props} label={gaps.howMuch} name="bound" />,
    unit: <UnitGap {...props} />,
    within: <TimeGap {...props} label={gaps.within} name="within" />,
  })
}

function OfValue(props: Props) {
  const { gaps, above, below, whenBeyond } = words.ruleForm
  const isOnce = props.typed.times.trim() === '1'
  return whenBeyond(<MeasuredGap {...props} />, {
    side: <SideGap {...props} label={gaps.side} above={above} below={below} />,
    amount: <NumberGap {...props} label={gaps.bound} name="bound" />,
    unit: <UnitGap {...props} />,
    times: <NumberGap {...props} label={gaps.times} name="times" />,
    within: isOnce ? undefined : <TimeGap {...props} label={gaps.within} name="within" />,
  })
}

/** A bound in one unit is none in another. */
function chooseMeasured({ types, typed, unitOf, change }: Props, readingType: string, field = '') {
  const entry = types.get(readingType)
  const isOther = entry && readingType !== typed.readingType
  change({ readingType, field, ...(isOther && { unit: unitOf(entry), bound: '', clear: '' }) })
}

function MeasuredGap(props: Props) {
  const { types, offered, typed } = props
  const options = offered.flatMap((readingType) =>
    (types.get(readingType)?.numbers ?? []).map(
      ({ field }) => [`${readingType} ${field}`, measureName({ readingType, field })] as const,
    ),
  )
  return (
    <Gap
      label={words.ruleForm.gaps.whichNumber}
      value={`${typed.readingType} ${typed.field}`}
      options={options}
      set={(chosen) => chooseMeasured(props, ...(chosen.split(' ') as [string, string]))}
    />
  )
}

type SideProps = Props & { label: string; above: string; below: string }

const SideGap = ({ typed, change, label, above, below }: SideProps) => (
  <Gap
    label={label}
    value={typed.side}
    options={[
      ['above', above],
      ['below', below],
    ]}
    set={(side) => change({ side, clear: '' })}
  />
)

const NumberGap = ({
  typed,
  mistakes,
  change,
  label,
  name,
}: Props & { label: string; name: 'bound' | 'times' }) => (
  <input
    class="input gap-number"
    aria-label={label}
    aria-invalid={mistakes[name] !== undefined}
    inputMode={name === 'times' ? 'numeric' : 'decimal'}
    autocomplete="off"
    size={4}
    value={typed[name]}
    onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
  />
)

const TimeGap = ({
  typed,
  change,
  label,
  name,
}: Props & { label: string; name: 'within' | 'missingFor' }) => (
  <Gap
    label={label}
    value={typed[name]}
    options={[...new Set([...DURATIONS, typed[name]])].map(
      (one) => [one, isoDurationText(one, { isAfter: true })] as const,
    )}
    set={(chosen) => change({ [name]: chosen })}
  />
)

/** A number with a unit of its own, such as the pulse of a blood pressure, has no other. */
function UnitGap({ types, typed, mistakes, change }: Props): ComponentChildren {
  const entry = types.get(typed.readingType)
  const own = entry?.numbers.find(({ field }) => field === typed.field)?.ranges[0]?.unit ?? ''
  const units = entry?.units.includes(own) ? entry.units : [own]
  if (units.length < 2) return <span>{unitSign(own)}</span>
  return (
    <Gap
      label={words.ruleForm.gaps.unit}
      value={typed.unit}
      isWrong={mistakes.unit !== undefined}
      options={[
        ...(typed.unit === '' ? [['', words.ruleForm.gaps.noUnit] as const] : []),
        ...units.map((one) => [one, unitSign(one)] as const),
      ]}
      set={(unit) => change({ unit })}
    />
  )
}

type GapProps<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, text: string])[]
  isWrong?: boolean
  set: (value: Value) => void
}

/** A choice within a sentence. */
function Gap<Value extends string>({ label, value, options, isWrong = false, set }: GapProps<Value>) {
  return (
    <select
      class="input gap"
      aria-label={label}
      aria-invalid={isWrong}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex]
        if (chosen) set(chosen[0])
      }}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
}
