// Setting a target: of which type, a published one or numbers of one's own, in which unit.
import { useRef, useState } from 'preact/hooks'
import {
  type ReadingTypeEntry,
  RoundsError,
  type Target,
  type TargetPreset,
} from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { rangesText } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { Dialog } from '../../design/dialog.tsx'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { nameWithin } from '../../format/type-names.ts'
import { useStored } from '../../hooks/store.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Labelled } from '../add/fields.tsx'
import { UnitChoice } from '../add/unit-choice.tsx'
import { MeasuredType, unitFor } from './measured-type.tsx'
import { OwnNumbers } from './own-numbers.tsx'
import { readTargetForm, type TargetMistakes, type TypedTarget, typedTarget } from './read-target-form.ts'
import { Source } from './source.tsx'
import './targets.css'
import { useOthersText } from './use-others-text.ts'
import { useUnitsOfTypes } from './use-type-units.ts'

const MAX_LABEL = 100

export function SetTarget(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { hasCare, catalogue, access } = useApp()
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
      <Empty title="You can see this patient’s targets but not change them.">
        <span>Only the patient sets them, and doctors whom the patient lets do so.</span>
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
  return (
    <div class="panel stack set-target">
      <MeasuredType
        label="Target of what?"
        chosen={entry.readingType}
        own={measured.filter(hasReadings)}
        others={measured.filter((one) => !hasReadings(one))}
        choose={(type) => address.go({ query: { type } }, { replace: true })}
      />
      <TargetForm
        key={entry.readingType}
        {...props}
        entry={entry}
        before={targets.of(entry.readingType)}
        presets={data.presets.filter(({ readingType }) => readingType === entry.readingType)}
        unit={unitFor(entry, [
          ...targets.of(entry.readingType).map(({ unit }) => unit),
          units.data.get(entry.readingType),
        ])}
      />
    </div>
  )
}

type FormProps = ScreenProps & {
  entry: ReadingTypeEntry
  /** What is set now. */
  before: readonly Target[]
  presets: readonly TargetPreset[]
  /** That of the target, or of the newest reading. Empty where a person has to choose. */
  unit: string
}

function TargetForm(props: FormProps) {
  const { patientUid, address, entry, before, presets } = props
  const { readingType, units } = entry
  const name = usePatientName(patientUid)
  const [typed, setTyped] = useState(() => typedTarget(before, props.unit))
  const form = useRef<HTMLFormElement>(null)
  const { mistakes, error, isBusy, save, choosePreset, setMistakes } = useSaving(props, typed, form)
  const others = useOthersText(before, props.zone)
  const read = readTargetForm(entry, typed, [])
  const change = (part: Partial<TypedTarget>) => {
    setTyped({ ...typed, ...part })
    setMistakes({})
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
      {others !== undefined && (
        <p class="notice">
          <span dir="auto">This replaces {others}.</span>
        </p>
      )}
      {units.length > 1 && (
        <UnitChoice
          units={units}
          chosen={typed.unit}
          mistake={mistakes['unit']}
          onChoose={(unit) => change({ unit })}
        />
      )}
      {presets.length > 0 && (
        <Presets
          presets={presets}
          unit={typed.unit}
          others={others}
          isBusy={isBusy}
          onUse={(preset) => void choosePreset(preset)}
        />
      )}
      <OwnNumbers
        legend={presets.length > 0 ? 'Or numbers of your own' : 'From which value to which?'}
        entry={entry}
        typed={typed}
        mistakes={mistakes}
        onChange={change}
      />
      <Note text={typed.label} mistake={mistakes['label']} onChange={(label) => change({ label })} />
      {'toSet' in read && (
        <p class="notice target-summary">
          <span dir="auto">
            In target for {name}: {nameWithin(readingType)} {rangesText(read.toSet)}.
          </span>
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary" disabled={isBusy}>
          <span class="clamp one" dir="auto">
            {isBusy ? 'One moment…' : `Set the target for ${name}`}
          </span>
        </button>
        <Link class="button" address={address} to={{ path: 'targets' }}>
          Cancel
        </Link>
      </div>
    </form>
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

/** Every step may be repeated: what was set before an error is set, and is not set twice. */
function useSaving(
  { rounds, patientUid, address, entry, before }: FormProps,
  typed: TypedTarget,
  form: { current: HTMLElement | null },
) {
  const [mistakes, setMistakes] = useState<TargetMistakes>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const { readingType, units } = entry
  const hasUnits = units.length > 1
  const show = (found: TargetMistakes) => {
    setMistakes(found)
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], .choice-missing button')?.focus(),
    )
  }
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      // Whoever has left the form meanwhile stays where they are.
      if (form.current) address.go({ path: 'targets', query: { set: readingType } })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const save = async () => {
    const read = readTargetForm(
      entry,
      typed,
      before.map(({ field }) => field),
    )
    if ('mistakes' in read) return show(read.mistakes)
    const label = typed.label.replace(/\s+/g, ' ').trim()
    await run(async () => {
      for (const { field, low, high, below, unit } of read.toSet) {
        const bounds = { low: low ?? undefined, high: high ?? undefined, below: below ?? undefined }
        const target = { patientUid, readingType, field, ...bounds, unit, label: label || undefined }
        try {
          await rounds.targets.set(target)
        } catch (failure) {
          const found = mistakesIn(failure, field)
          if (found) show(found)
          throw failure
        }
      }
      for (const field of read.toRemove) await rounds.targets.remove({ patientUid, readingType, field })
    })
  }
  const choosePreset = async ({ preset }: TargetPreset) => {
    if (hasUnits && typed.unit === '') return show({ unit: 'Choose the unit.' })
    await run(async () => {
      await rounds.targets.set({ patientUid, preset, ...(hasUnits && { unit: typed.unit }) })
    })
  }
  return { mistakes, error, isBusy, save, choosePreset, setMistakes }
}

/** What the service found wrong, at the field that it names. */
function mistakesIn(error: unknown, field: string): TargetMistakes | undefined {
  if (!(error instanceof RoundsError) || error.code !== 'ValidationFailed') return undefined
  const places: Record<string, string> = {
    '/low': `${field} low`,
    '/high': `${field} top`,
    '/below': `${field} top`,
    '/unit': 'unit',
    '/label': 'label',
  }
  const found = error.errors.flatMap(({ pointer, message }) => {
    const place = places[pointer]
    return place === undefined ? [] : [[place, `It ${message}.`] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

type PresetsProps = {
  presets: readonly TargetPreset[]
  unit: string
  /** What it would replace that somebody else set. */
  others: string | undefined
  isBusy: boolean
  onUse: (preset: TargetPreset) => void
}

function Presets({ presets, unit, others, isBusy, onUse }: PresetsProps) {
  const [asked, setAsked] = useState<TargetPreset>()
  return (
    <div class="field">
      <span class="label">Published targets</span>
      <ul class="target-presets">
        {presets.map((preset) => (
          <li key={preset.preset}>
            <div class="target">
              <span>{preset.title}</span>
              <strong>{presetText(preset, unit)}</strong>
              <Source preset={preset} />
            </div>
            <button
              type="button"
              class="button"
              aria-label={`Use this target: ${preset.title}`}
              disabled={isBusy}
              onClick={() => (others === undefined ? onUse(preset) : setAsked(preset))}
            >
              Use this target
            </button>
          </li>
        ))}
      </ul>
      {asked && others !== undefined && (
        <Dialog
          title="Use this target?"
          question={`${asked.title}: ${presetText(asked, unit)}. This replaces ${others}.`}
          onClose={() => setAsked(undefined)}
        >
          <div class="actions">
            <button type="button" class="button" onClick={() => setAsked(undefined)}>
              Keep the old one
            </button>
            <button
              type="button"
              class="button primary"
              onClick={() => {
                setAsked(undefined)
                onUse(asked)
              }}
            >
              Replace it
            </button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** In the chosen unit, or in each. */
function presetText({ units }: TargetPreset, chosen: string): string {
  const shown = Object.entries(units).filter(([unit]) => chosen === '' || unit === chosen)
  return shown.map(([unit, ranges]) => rangesText(ranges.map((range) => ({ ...range, unit })))).join(' or ')
}
