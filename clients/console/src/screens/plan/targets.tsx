// Targets: what readings are compared with, of this patient or of all. Each author has their own, those of doctors first.
import { useState } from 'preact/hooks'
import type { ReadingTypeEntry, Target, TargetPreset } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { rangesOf } from '../../care/in-target.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { isOwnTarget, rangesText, rangesTextIn, setText } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { useReader } from '../../care/use-reader.ts'
import { sinceText } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { ConfirmRemoval } from '../../ui/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { List } from '../../ui/list.tsx'
import { limitsTexts } from './limits-text.ts'
import { planOf, useJustSet } from './plan-address.ts'
import { Source } from './source.tsx'
import './targets.css'
import { words } from '../../words/words.ts'
import { useUnitsOfTypes } from './use-type-units.ts'

export function Targets(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const { catalogue, session } = useApp()
  const { doctorId, patientUids } = session.person
  const name = usePatientName(patientUid)
  const maySet = useMaySetTargets(patientUid)
  const now = useNow()
  const [said, setSaid] = useState('')
  const [removals, setRemovals] = useState(0)
  const { data, error, reload, keptAtMs } = useTargets(patientUid)
  const types = useLoad('catalogue', () => catalogue())
  const justSet = useJustSet(address, 'target')
  const presets = useLoad('presets', (signal) => rounds.targets.presets({ signal }))
  const units = useUnitsOfTypes(props)
  const isOwn = (target: Target) =>
    isOwnTarget(target, patientUids.includes(patientUid) ? undefined : doctorId)
  const set = data?.find((one) => isOwn(one) && idOf(one) === justSet)
  const isKept = keptAtMs !== undefined && error !== undefined
  const failure = error ?? maySet.error ?? types.error
  return (
    <List
      title={patientUid === '' ? words.targetForm.forAll : words.targetForm.forPatient(<bdi>{name}</bdi>)}
      removals={removals}
      action={
        maySet.data && (
          <Link class="button primary" address={address} to={planOf('set-target', patientUid)}>
            {words.targetForm.set}
          </Link>
        )
      }
      before={
        <>
          {maySet.data === false && <ReadOnly />}
          {isKept && (
            <p class="as-of">{words.targetForm.asOf(<strong>{sinceText(keptAtMs, now, zone)}</strong>)}</p>
          )}
        </>
      }
      said={said || (keptAtMs === undefined && set && words.targetForm.isSet(nameWithin(set.readingType)))}
      items={data}
      error={failure}
      reload={() => [{ reload }, maySet, types].forEach((one) => one.reload())}
      keyOf={(target) => `${target.author.kind} ${target.author.doctorId} ${idOf(target)}`}
      empty={words.targetForm.none}
    >
      {(target) => (
        <TargetRow
          {...props}
          target={target}
          entry={types.data?.get(target.readingType)}
          preset={presets.data?.data.find(({ preset }) => preset === target.preset)}
          unit={units.data?.get(target.readingType)}
          mayChange={maySet.data === true && isOwn(target)}
          onRemoved={() => {
            setSaid(words.targetForm.isRemoved(nameWithin(target.readingType)))
            setRemovals(removals + 1)
            reload()
          }}
        />
      )}
    </List>
  )
}

/** Of an author. */
const idOf = ({ readingType, isForAll }: Target) => `${readingType}${isForAll ? ' for all' : ''}`

function ReadOnly() {
  const { session } = useApp()
  return (
    <p class="muted targets-read-only">
      {session.person.doctorId === undefined ? words.targetForm.readOnly : words.targetForm.readOnlyDoctor}
    </p>
  )
}

type RowProps = ScreenProps & {
  target: Target
  entry: ReadingTypeEntry | undefined
  preset: TargetPreset | undefined
  /** In which the newest reading is. */
  unit: string | undefined
  mayChange: boolean
  onRemoved: () => void
}

function TargetRow(props: RowProps) {
  const { rounds, patientUid, zone, address, target, entry, preset, unit, mayChange, onRemoved } = props
  const reader = useReader([target])
  const patient = usePatientName(patientUid)
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const { readingType, isForAll, judges, label } = target
  const name = nameOf(readingType)
  return (
    <>
      <div class="item">
        <span>
          {name} {isForAll && <span class="flag">{words.plan.forAll}</span>}
        </span>
        <strong class="item-head">{rangeOf(target, entry, unit)}</strong>
        {entry &&
          target.author.kind !== 'patient' &&
          limitsTexts(target, entry).map((text) => (
            <span key={text} class="small">
              {text}.
            </span>
          ))}
        <span class="small muted" dir="auto">
          {setText(target, { ...reader, zone, now })}
          {label !== null && ` · ${label}`}
          {patientUid !== '' && ` · ${words.targetForm.compared(judges)}`}
        </span>
        {preset && <Source preset={preset} />}
      </div>
      {mayChange && (
        <div class="item-actions">
          <Link
            class="link"
            address={address}
            to={planOf('set-target', patientUid, { type: readingType, for: isForAll ? 'all' : undefined })}
            label={words.targetForm.change(name, isForAll)}
          >
            {words.kit.change}
          </Link>
          <button
            type="button"
            class="link"
            aria-label={words.targetForm.remove(name, isForAll)}
            onClick={() => setAsking(true)}
          >
            {words.kit.remove}
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmRemoval
          title={words.targetForm.removeIt(nameWithin(readingType))}
          question={words.targetForm.removing(
            isForAll ? words.plan.allOfYou : patient,
            rangeOf(target, entry),
          )}
          act={() => rounds.targets.remove({ ...(!isForAll && { patientUid }), readingType })}
          onDone={onRemoved}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** In the unit of the readings too, where that is another. */
function rangeOf(target: Target, entry: ReadingTypeEntry | undefined, unit?: string): string {
  const ranges = rangesOf(target, entry)
  if (ranges.length === 0) return words.targetForm.noRange
  return unit === undefined ? rangesText(ranges) : rangesTextIn(ranges, unit)
}
