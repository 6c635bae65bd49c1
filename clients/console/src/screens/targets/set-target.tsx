// Setting a target: of which type, for this patient or for all, and its limits, which a published one may fill in.
import { useRef, useState } from 'preact/hooks'
import {
  type ReadingTypeEntry,
  RoundsError,
  type Target,
  type TargetPreset,
} from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { rangesOf } from '../../care/in-target.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { isOwnTarget, rangesText } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { Segments } from '../../design/segments.tsx'
import { listText } from '../../format/list-text.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { useStored } from '../../hooks/store.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Labelled } from '../add/fields.tsx'
import type { NumberField } from '../add/form-of.ts'
import { UnitChoice } from '../add/unit-choice.tsx'
import { FieldLimits } from './field-limits.tsx'
import { everyText, expectText, limitsTexts } from './limits-text.ts'
import { MeasuredType, unitFor } from './measured-type.tsx'
import { Presets } from './presets.tsx'
import {
  fieldOf,
  filledWith,
  mistakesIn,
  needsGoals,
  numbersOf,
  readTargetForm,
  type TargetMistakes,
  type Terms,
  type TypedTarget,
  typedTarget,
} from './read-target-form.ts'
import './targets.css'
import { useUnitsOfTypes } from './use-type-units.ts'

const MAX_LABEL = 100

export function SetTarget(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasCare, catalogue, access, session } = useApp()
  const { person } = session
  const isDoctor = !person.patientUids.includes(patientUid)
  const maySet = useMaySetTargets(patientUid)
  const { limitedTo } = useStored(access.known).get(patientUid) ?? {}
  const targets = useTargets(patientUid)
  // What was kept may have been changed by another person since, and would be set again.
  const current = { ...targets, data: targets.keptAtMs === undefined ? targets.data : undefined }
  const units = useUnitsOfTypes(props)
  const loaded = useLoad([hasCare], async (signal) => {
    if (!hasCare) return undefined
    const [types, presets] = await Promise.all([catalogue(), rounds.targets.presets({ signal })])
    return { types, presets: presets.data }
  })
  const { data } = loaded
  if (!hasCare) return <Empty title="This server has no targets." />
  if (maySet.data === false)
    return (
      <Empty title="You can see this patient’s targets but not set one.">
        <span>The patient does, and doctors whom the patient lets do so.</span>
        <Link class="button" address={address} to={{ path: 'targets' }}>
          Show the targets
        </Link>
      </Empty>
    )
  const failed = [maySet, loaded, current, units].find((one) => !one.data && one.error !== undefined)
  if (failed) return <ErrorNotice error={failed.error} onRetry={failed.reload} />
  if (!data || !current.data || !units.data || !maySet.data) return <Loading lines={5} height={64} />
  const measured = [...data.types.values()].filter(
    (entry) => entry.numbers.length > 0 && (limitedTo?.includes(entry.readingType) ?? true),
  )
  const hasReadings = ({ readingType }: ReadingTypeEntry) => units.data?.has(readingType) === true
  const entry =
    measured.find(({ readingType }) => readingType === address.query.get('type')) ??
    measured.find(hasReadings) ??
    measured[0]
  if (!entry) return <Empty title="This service knows no types of readings with a number." />
  const isForAll = isDoctor && address.query.get('for') === 'all'
  const before = current.data.find(
    (target) =>
      target.readingType === entry.readingType &&
      target.isForAll === isForAll &&
      isOwnTarget(target, isDoctor ? person.doctorId : undefined),
  )
  return (
    <div class="panel stack set-target">
      <MeasuredType
        label="Target of what?"
        chosen={entry.readingType}
        own={measured.filter(hasReadings)}
        others={measured.filter((one) => !hasReadings(one))}
        choose={(type) => address.go({ query: { type } }, { replace: true })}
      />
      {isDoctor && <ForWhom {...{ isForAll, address, entry }} />}
      <TargetForm
        key={`${entry.readingType} ${isForAll}`}
        {...props}
        {...{ entry, before, isDoctor, isForAll }}
        presets={isDoctor ? data.presets.filter((one) => one.readingType === entry.readingType) : []}
        unit={unitFor(entry, [before?.unit, units.data.get(entry.readingType)])}
      />
    </div>
  )
}

type ForWhomProps = Pick<FormProps, 'isForAll' | 'address' | 'entry'>

function ForWhom({ isForAll, address, entry }: ForWhomProps) {
  return (
    <>
      <Segments
        label="For whom?"
        choices={[
          ['patient', 'For this patient'],
          ['all', 'For all who share with me'],
        ]}
        chosen={isForAll ? 'all' : 'patient'}
        mistake={undefined}
        choose={(one) => address.go({ query: { for: one === 'all' ? 'all' : undefined } }, { replace: true })}
      />
      {isForAll && (
        <span class="small muted">
          It holds for everybody who lets you manage and has measured {nameWithin(entry.readingType)} in the
          last 90 days. Where you set one for a patient, that one comes first.
        </span>
      )}
    </>
  )
}

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

function TargetForm(props: FormProps) {
  const { patientUid, address, entry, before, isDoctor, isForAll, presets } = props
  const name = usePatientName(patientUid)
  const whom = isForAll ? 'all who share with you' : name
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
          onChoose={(unit) => change({ unit })}
        />
      )}
      {presets.length > 0 && (
        <Presets
          entry={entry}
          presets={presets}
          unit={typed.unit}
          onUse={(preset) =>
            typed.unit === '' ? showMistakes({ unit: 'Choose the unit.' }) : change(filledWith(typed, preset))
          }
        />
      )}
      <Limits {...props} typed={typed} mistakes={mistakes} change={change} />
      {isDoctor && (
        <ExpectEvery every={typed.expectEvery} choose={(expectEvery) => change({ expectEvery })} />
      )}
      <Note text={typed.label} mistake={mistakes['label']} onChange={(label) => change({ label })} />
      {'terms' in read && <InWords whom={whom} terms={read.terms} entry={entry} isDoctor={isDoctor} />}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary" disabled={isBusy}>
          <span class="clamp one" dir="auto">
            {isBusy ? 'One moment…' : `Set the target for ${whom}`}
          </span>
        </button>
        <Link class="button" address={address} to={{ path: 'targets' }}>
          Cancel
        </Link>
      </div>
    </form>
  )
}

type LimitsProps = FormProps & {
  typed: TypedTarget
  mistakes: TargetMistakes
  change: (part: Partial<TypedTarget>) => void
}

/** Numbers that a reading need not have, such as the pulse of a blood pressure, are asked for less prominently. */
function Limits({ entry, isDoctor, typed, mistakes, change }: LimitsProps) {
  const numbers = numbersOf(entry)
  const required = numbers.filter(({ isRequired }) => isRequired)
  const first = required.length > 0 ? required : numbers
  const more = numbers.filter((number) => !first.includes(number))
  const limitsOf = (field: NumberField) => (
    <FieldLimits
      key={field.name}
      field={field}
      isAlone={numbers.length === 1}
      isDoctor={isDoctor}
      asksGoals={needsGoals(entry.readingType) || hasGoals(typed, field.name)}
      unit={typed.unit}
      typed={fieldOf(typed, field.name)}
      mistakes={mistakes}
      onChange={(one) => change({ fields: { ...typed.fields, [field.name]: one } })}
    />
  )
  return (
    <fieldset class="field target-fields">
      <legend class="label">From which value to which?</legend>
      <span class="hint">
        Leave empty what has no limit.
        {isDoctor &&
          ' A single value beyond a limit of “Needs somebody now” is listed under “Act now”; where it is not said, that of your practice holds, if it has one.'}
      </span>
      {first.map(limitsOf)}
      {more.length > 0 && (
        <details open={more.some(({ name }) => typed.fields[name])}>
          <summary>{listText(more.map(({ name }) => nameOf(name)))} too</summary>
          {more.map(limitsOf)}
        </details>
      )}
      <span class="wrong" role="status">
        {mistakes['']}
      </span>
    </fieldset>
  )
}

const hasGoals = ({ fields }: TypedTarget, name: string) =>
  Object.values(fields[name]?.goals ?? {}).some((text) => text !== '')

const EXPECTED = ['P1D', 'P2D', 'P3D', 'P4D', 'P7D', 'P14D', 'P30D']

function ExpectEvery({ every, choose }: { every: string; choose: (every: string) => void }) {
  const [begun] = useState(every)
  const options = begun === '' || EXPECTED.includes(begun) ? EXPECTED : [begun, ...EXPECTED]
  return (
    <Labelled label="Expect a value every" mistake={undefined}>
      {(attributes) => (
        <>
          <select
            {...attributes}
            class="input"
            value={every}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {options.map((one) => (
              <option key={one} value={one}>
                {everyText(one)}
              </option>
            ))}
            <option value="">Expect nothing</option>
          </select>
          <span class="hint" role="status">
            {expectText(every || null)}. {every !== '' && 'A longer silence is listed.'}
          </span>
        </>
      )}
    </Labelled>
  )
}

type NoteProps = { text: string; mistake: string | undefined; onChange: (text: string) => void }

function Note({ text, mistake, onChange }: NoteProps) {
  return (
    <Labelled label="Note (optional)" mistake={mistake}>
      {(attributes) => (
        <input
          {...attributes}
          class="input"
          dir="auto"
          maxLength={MAX_LABEL}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Labelled>
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
        For {whom}: {nameWithin(readingType)} {ranges.length === 0 ? 'without a range' : rangesText(ranges)}.
      </span>
      {isDoctor &&
        limitsTexts({ fields, unit, expectEvery }, entry).map((text) => <span key={text}>{text}.</span>)}
      {lacksGoals && <strong>Without goals it is not judged.</strong>}
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
        address.go({ path: 'targets', query: { set: entry.readingType, for: isForAll ? 'all' : undefined } })
    } catch (failure) {
      const found = failure instanceof RoundsError ? mistakesIn(failure) : {}
      if (Object.keys(found).length > 0) showMistakes(found)
      setError(failure)
      setBusy(false)
    }
  }
  return { mistakes, error, isBusy, save, showMistakes, clearMistakes: () => setMistakes({}) }
}
