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
      title={
        patientUid === '' ? (
          'Targets for all who share with you'
        ) : (
          <>
            Targets for <bdi>{name}</bdi>
          </>
        )
      }
      removals={removals}
      action={
        maySet.data && (
          <Link class="button primary" address={address} to={planOf('set-target', patientUid)}>
            Set a target
          </Link>
        )
      }
      before={
        <>
          {maySet.data === false && <ReadOnly />}
          {isKept && (
            <p class="as-of">
              As of <strong>{sinceText(keptAtMs, now, zone)}</strong>.
            </p>
          )}
        </>
      }
      said={said || (keptAtMs === undefined && set && `The target of ${nameWithin(set.readingType)} is set.`)}
      items={data}
      error={failure}
      reload={() => [{ reload }, maySet, types].forEach((one) => one.reload())}
      keyOf={(target) => `${target.author.kind} ${target.author.doctorId} ${idOf(target)}`}
      empty={['No targets are set.', 'Without a target, no reading is called high or low.']}
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
            setSaid(`The target of ${nameWithin(target.readingType)} is removed.`)
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
      {session.person.doctorId === undefined
        ? 'You can see these targets. The patient sets them, and doctors whom the patient lets do so.'
        : 'You can see these targets. To set your own, ask the patient to let you, under “Shared with”.'}
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
  const what = `the target of ${name}${isForAll ? ' for all' : ''}`
  return (
    <>
      <div class="item">
        <span>
          {name} {isForAll && <span class="flag">for all</span>}
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
          {patientUid !== '' && ` · readings are ${judges ? '' : 'not '}compared with it`}
        </span>
        {preset && <Source preset={preset} />}
      </div>
      {mayChange && (
        <div class="item-actions">
          <Link
            class="link"
            address={address}
            to={planOf('set-target', patientUid, { type: readingType, for: isForAll ? 'all' : undefined })}
            label={`Change ${what}`}
          >
            Change
          </Link>
          <button type="button" class="link" aria-label={`Remove ${what}`} onClick={() => setAsking(true)}>
            Remove
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmRemoval
          title={`Remove the target of ${nameWithin(readingType)}?`}
          question={`For ${isForAll ? 'all who share with you' : patient}: ${rangeOf(target, entry)}. Readings will not be compared with it any more.`}
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
  if (ranges.length === 0) return 'No range'
  return unit === undefined ? rangesText(ranges) : rangesTextIn(ranges, unit)
}
