// The form of a target: its limits, which a published one may fill in, how often a value is expected, and a note.
import { useRef, useState } from 'preact/hooks'
import {
  type ReadingTypeEntry,
  RoundsError,
  type Target,
  type TargetPreset,
} from '../../../../typescript/src/client.ts'
import { rangesOf } from '../../care/in-target.ts'
import { rangesText } from '../../care/target-text.ts'
import { nameWithin } from '../../format/type-names.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { TextField } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
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
  const { patientUid, address, entry, before, isDoctor, isForAll, presets } = props
  const name = usePatientName(patientUid)
  const whom = isForAll ? words.plan.allOfYou : name
  const [typed, setTyped] = useState(() => typedTarget(entry, { target: before, unit: props.unit, presets }))
  const form = useRef<HTMLFormElement>(null)
  const { mistakes, error, isBusy, save, showMistakes, clearMistakes } = useSaving(props, typed, form)
  const read = readTargetForm(entry, typed, isDoctor)
  const change = (part: Partial<TypedTarget>) => {
    setTyped({ ...typed, ...part })
    clearMistakes()
  }
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
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
            typed.unit === ''
              ? showMistakes({ unit: words.plan.chooseUnit })
              : change(filledWith(typed, preset))
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
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary" disabled={isBusy}>
          <span class="clamp" dir="auto">
            {isBusy ? words.kit.oneMoment : words.targetForm.setFor(isForAll ? words.targetForm.all : name)}
          </span>
        </button>
        <Link class="button" address={address} to={planOf(undefined, patientUid)}>
          {words.kit.cancel}
        </Link>
      </div>
    </form>
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

/** It may be repeated: what was set before an error is not set twice. */
function useSaving(
  { rounds, patientUid, address, entry, isDoctor, isForAll }: FormProps,
  typed: TypedTarget,
  form: { current: HTMLElement | null },
) {
  const [mistakes, setMistakes] = useState<TargetMistakes>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const showMistakes = (found: TargetMistakes) => {
    setMistakes(found)
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], .choice-missing button')?.focus(),
    )
  }
  const save = async () => {
    const read = readTargetForm(entry, typed, isDoctor)
    if ('mistakes' in read) return showMistakes(read.mistakes)
    setBusy(true)
    setError(undefined)
    try {
      await rounds.targets.set({ ...(!isForAll && { patientUid }), ...read.terms })
      // Whoever has left the form meanwhile stays where they are.
      if (form.current)
        address.go(
          planOf(undefined, patientUid, { target: `${entry.readingType}${isForAll ? ' for all' : ''}` }),
        )
    } catch (failure) {
      const found = failure instanceof RoundsError ? mistakesIn(failure) : {}
      if (Object.keys(found).length > 0) showMistakes(found)
      setError(failure)
      setBusy(false)
    }
  }
  return { mistakes, error, isBusy, save, showMistakes, clearMistakes: () => setMistakes({}) }
}
