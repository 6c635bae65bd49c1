// Targets: what this patient's readings are compared with. Each author has their own, those of doctors first.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReadingTypeEntry, Target, TargetPreset } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { rangesOf } from '../../care/in-target.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { isOwnTarget, rangesText, rangesTextIn, setText } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { useReader } from '../../care/use-reader.ts'
import { Dialog } from '../../design/dialog.tsx'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { sinceText } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { useCall } from '../../hooks/use-call.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { limitsTexts } from './limits-text.ts'
import { Source } from './source.tsx'
import { useUnitsOfTypes } from './use-type-units.ts'
import './targets.css'

export function Targets(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const { hasCare, catalogue, session } = useApp()
  const { doctorId, patientUids } = session.person
  const name = usePatientName(patientUid)
  const maySet = useMaySetTargets(patientUid)
  const now = useNow()
  const [said, setSaid] = useState('')
  const [removals, setRemovals] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const targets = useTargets(patientUid)
  const { data, error, reload, keptAtMs } = targets
  const types = useLoad('catalogue', () => catalogue())
  const failed = [targets, maySet, types].find((one) => one.error !== undefined)
  const justSet = useJustSet(address)
  const presets = useLoad([hasCare], async (signal) =>
    hasCare ? rounds.targets.presets({ signal }) : undefined,
  )
  const units = useUnitsOfTypes(props)
  useEffect(() => {
    // What was removed had the focus.
    if (removals > 0) heading.current?.focus()
  }, [removals])
  if (!hasCare) return <Empty title="This server has no targets." />
  const isOwn = (target: Target) =>
    isOwnTarget(target, patientUids.includes(patientUid) ? undefined : doctorId)
  const set = data?.find((one) => isOwn(one) && justSet(one))
  return (
    <section aria-labelledby="targets-heading">
      <div class="row targets-head">
        <h2 id="targets-heading" ref={heading} tabIndex={-1}>
          Targets for <bdi>{name}</bdi>
        </h2>
        {maySet.data && (
          <Link class="button primary" address={address} to={{ path: 'set-target' }}>
            Set a target
          </Link>
        )}
      </div>
      {maySet.data === false && <ReadOnly />}
      <p class="unseen" role="status">
        {said || (keptAtMs === undefined && set && `The target of ${nameWithin(set.readingType)} is set.`)}
      </p>
      {keptAtMs !== undefined && error !== undefined && (
        <p class="as-of">
          As of <strong>{sinceText(keptAtMs, now, zone)}</strong>.
        </p>
      )}
      {failed && <ErrorNotice error={failed.error} onRetry={failed.reload} />}
      {!data && error === undefined && <Loading lines={3} height={92} />}
      {data?.length === 0 && (
        <Empty title="No targets are set.">
          <span>Without a target, no reading is called high or low.</span>
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul class="panel targets">
          {data.map((target) => (
            <TargetRow
              key={`${target.readingType} ${target.author.kind} ${target.author.doctorId} ${target.isForAll}`}
              {...props}
              target={target}
              entry={types.data?.get(target.readingType)}
              preset={presets.data?.data.find(({ preset }) => preset === target.preset)}
              unit={units.data?.get(target.readingType)}
              mayChange={maySet.data === true && isOwn(target)}
              onRemoved={() => {
                setSaid(`The target of ${nameWithin(target.readingType)} is removed.`)
                setRemovals((count) => count + 1)
                reload()
              }}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Whether a target is the one that was set on the screen before, which is said once: the address does not keep it. */
function useJustSet(address: Address): (target: Target) => boolean {
  const [set] = useState(() => ({ type: address.query.get('set'), isForAll: address.query.has('for') }))
  useEffect(() => {
    if (set.type !== null) address.go({ query: { set: undefined, for: undefined } }, { replace: true })
  }, [])
  return ({ readingType, isForAll }) => readingType === set.type && isForAll === set.isForAll
}

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
  const { zone, address, target, entry, preset, unit, mayChange } = props
  const reader = useReader([target])
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const { readingType, isForAll, judges, label } = target
  const name = nameOf(readingType)
  const what = `the target of ${name}${isForAll ? ' for all' : ''}`
  return (
    <li>
      <div class="target">
        <span>
          {name} {isForAll && <span class="flag">for all</span>}
        </span>
        <strong class="target-range">{rangeOf(target, entry, unit)}</strong>
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
          {` · readings are ${judges ? '' : 'not '}compared with it`}
        </span>
        {preset && <Source preset={preset} />}
      </div>
      {mayChange && (
        <div class="target-actions">
          <Link
            class="link"
            address={address}
            to={{ path: 'set-target', query: { type: readingType, for: isForAll ? 'all' : undefined } }}
            label={`Change ${what}`}
          >
            Change
          </Link>
          <button type="button" class="link" aria-label={`Remove ${what}`} onClick={() => setAsking(true)}>
            Remove
          </button>
        </div>
      )}
      {isAsking && <RemoveDialog {...props} onClose={() => setAsking(false)} />}
    </li>
  )
}

/** In the unit of the readings too, where that is another. */
function rangeOf(target: Target, entry: ReadingTypeEntry | undefined, unit?: string): string {
  const ranges = rangesOf(target, entry)
  if (ranges.length === 0) return 'No range'
  return unit === undefined ? rangesText(ranges) : rangesTextIn(ranges, unit)
}

function RemoveDialog(props: RowProps & { onClose: () => void }) {
  const { rounds, patientUid, target, entry, onRemoved, onClose } = props
  const { readingType, isForAll } = target
  const name = usePatientName(patientUid)
  const { isBusy, error, call } = useCall()
  const remove = () =>
    call(async () => {
      await rounds.targets.remove({ ...(!isForAll && { patientUid }), readingType })
      onClose()
      onRemoved()
    })
  return (
    <Dialog
      title={`Remove the target of ${nameWithin(readingType)}?`}
      question={`For ${isForAll ? 'all who share with you' : name}: ${rangeOf(target, entry)}. Readings will not be compared with it any more.`}
      onClose={onClose}
    >
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="button primary"
          aria-disabled={isBusy}
          onClick={() => !isBusy && void remove()}
        >
          {isBusy ? 'One moment…' : 'Remove'}
        </button>
      </div>
    </Dialog>
  )
}
