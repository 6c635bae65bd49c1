// The form of a target: its limits, which a published one may fill in, how often a value is expected, and a note.
import { useState } from 'preact/hooks'
import type { ReadingTypeEntry, Target, TargetPreset } from '../../../../typescript/src/client.ts'
import { rangesOf } from '../../care/in-target.ts'
import { rangesText } from '../../care/target-text.ts'
import { nameWithin } from '../../format/type-names.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { TextField } from '../../ui/fields.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { words } from '../../words/words.ts'
import { UnitChoice } from '../add/unit-choice.tsx'
import { ExpectEvery } from './expect-every.tsx'
import { Limits } from './limits.tsx'
import { limitsTexts } from './limits-text.ts'
import { planOf } from './plan-address.ts'
import { Presets } from './presets.tsx'
import {
  filledWith,
  inUnit,
  mistakesIn,
  needsGoals,
  readTargetForm,
  type TargetMistakes,
  type Terms,
  type TypedTarget,
  typedTarget,
} from './read-target-form.ts'

const MAX_LABEL = 100
const NONE: TargetMistakes = {}

type FormProps = ScreenProps & {
  entry: ReadingTypeEntry
  /** What this person has set now. */
  before: Target | undefined
  /** Otherwise a patient or a carer, who say only from which value to which. */
  isDoctor: boolean
  isForAll: boolean
  presets: readonly TargetPreset[]
  /** That of the target, or of the newest reading. Empty where a person has to choose. */
  unit: string
}

export function TargetForm(props: FormProps) {
  const { rounds, patientUid, address, entry, before, isDoctor, isForAll, presets } = props
  const name = usePatientName(patientUid)
  const whom = isForAll ? words.plan.allOfYou : name
  const [typed, setTyped] = useState(() => typedTarget(entry, { target: before, unit: props.unit, presets }))
  const read = readTargetForm(entry, typed, isDoctor)
  const { mistakes, show, forget, frame } = useForm<Terms, TargetMistakes>(NONE, {
    read,
    async send(terms) {
      await rounds.targets.set({ ...(!isForAll && { patientUid }), ...terms })
      return planOf(undefined, patientUid, { target: `${entry.readingType}${isForAll ? ' for all' : ''}` })
    },
    found: mistakesIn,
    address,
  })
  const change = (part: Partial<TypedTarget>) => {
    setTyped({ ...typed, ...part })
    forget()
  }
  return (
    <Form
      {...frame}
      class="stack"
      verb={words.targetForm.setFor(isForAll ? words.targetForm.all : name)}
      back={planOf(undefined, patientUid)}
    >
      {entry.units.length > 1 && (
        <UnitChoice
          units={entry.units}
          chosen={typed.unit}
          mistake={mistakes['unit']}
          onChoose={(unit) => change(inUnit(typed, unit))}
        />
      )}
      {presets.length > 0 && (
        <Presets
          entry={entry}
          presets={presets}
          unit={typed.unit}
          onUse={(preset) =>
            typed.unit === '' ? show({ unit: words.plan.chooseUnit }) : change(filledWith(typed, preset))
          }
        />
      )}
      <Limits {...props} typed={typed} mistakes={mistakes} change={change} />
      {isDoctor && (
        <ExpectEvery every={typed.expectEvery} choose={(expectEvery) => change({ expectEvery })} />
      )}
      <TextField
        label={words.targetForm.note}
        mistake={mistakes['label']}
        maxLength={MAX_LABEL}
        value={typed.label}
        set={(label) => change({ label })}
      />
      {'terms' in read && <InWords whom={whom} terms={read.terms} entry={entry} isDoctor={isDoctor} />}
    </Form>
  )
}

type InWordsProps = { whom: string; terms: Terms; entry: ReadingTypeEntry; isDoctor: boolean }

/** What will be set, in a sentence. */
function InWords({ whom, terms, entry, isDoctor }: InWordsProps) {
  const { readingType, fields, unit = '', expectEvery = null } = terms
  const ranges = rangesOf({ fields, unit }, entry)
  const lacksGoals = isDoctor && needsGoals(readingType) && !Object.values(fields).some(({ goals }) => goals)
  return (
    <div class="notice target-summary">
      <span dir="auto">
        {words.targetForm.inWords(
          whom,
          nameWithin(readingType),
          ranges.length === 0 ? undefined : rangesText(ranges),
        )}
      </span>
      {isDoctor &&
        limitsTexts({ fields, unit, expectEvery }, entry).map((text) => <span key={text}>{text}.</span>)}
      {lacksGoals && <strong>{words.targetForm.notJudged}</strong>}
    </div>
  )
}
