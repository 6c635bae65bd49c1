// Targets: what this patient's readings are compared with, who set it, and what was set before.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Target, TargetPreset } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { capital, deedText, togetherOf } from '../../care/target-changes.ts'
import { authorOf, rangesText, rangesTextIn, setText } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { Dialog } from '../../design/dialog.tsx'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { ShowOlder } from '../../design/show-older.tsx'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { momentText, sinceText } from '../../format/times.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePages } from '../../hooks/use-pages.ts'
import { usePatientName } from '../../patients/sharing-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Source } from './source.tsx'
import { useOthersText } from './use-others-text.ts'
import { useUnitsOfTypes } from './use-type-units.ts'
import './targets.css'

const PAGE = 50

export function Targets(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const { hasCare } = useApp()
  const name = usePatientName(patientUid)
  const maySet = useMaySetTargets(patientUid)
  const now = useNow()
  const [said, setSaid] = useState('')
  /** The history is read again after each change. */
  const [changes, setChanges] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const targets = useTargets(patientUid)
  const { data, error, reload, keptAtMs, of } = targets
  const failed = [targets, maySet].find((one) => one.error !== undefined)
  const justSet = useJustSet(address)
  const presets = useLoad([hasCare], async (signal) =>
    hasCare ? rounds.targets.presets({ signal }) : undefined,
  )
  const units = useUnitsOfTypes(props)
  useEffect(() => {
    // What was removed had the focus.
    if (changes > 0) heading.current?.focus()
  }, [changes])
  if (!hasCare) return <Empty title="This server has no targets." />
  const types = [...new Set((data ?? []).map(({ readingType }) => readingType))]
  return (
    <>
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
          {said || (keptAtMs === undefined && setSentence(of(justSet)))}
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
        {types.length > 0 && (
          <ul class="panel targets">
            {types.map((type) => (
              <TargetRow
                key={type}
                {...props}
                targets={of(type)}
                presets={presets.data?.data ?? []}
                unit={units.data?.get(type)}
                maySet={maySet.data === true}
                onRemoved={() => {
                  setSaid(`The target of ${nameWithin(type)} is removed.`)
                  setChanges((count) => count + 1)
                  reload()
                }}
              />
            ))}
          </ul>
        )}
      </section>
      <History key={changes} {...props} />
    </>
  )
}

/** The type whose target was set on the screen before, which is said once: the address does not keep it. */
function useJustSet(address: Address): string {
  const [type] = useState(() => address.query.get('set') ?? '')
  useEffect(() => {
    if (type !== '') address.go({ query: { set: undefined } }, { replace: true })
  }, [])
  return type
}

/** "The target of blood pressure is set: below 135/85 mmHg." */
function setSentence(targets: readonly Target[]): string {
  const [first] = targets
  return first ? `The target of ${nameWithin(first.readingType)} is set: ${rangesText(targets)}.` : ''
}

function ReadOnly() {
  const { session } = useApp()
  return (
    <p class="muted targets-read-only">
      {session.person.doctorId === undefined
        ? 'You can see these targets. The patient sets them, and doctors whom the patient lets do so.'
        : 'You can see these targets. To set them, ask the patient to let you, under “Shared with”.'}
    </p>
  )
}

type RowProps = ScreenProps & {
  targets: readonly Target[]
  presets: readonly TargetPreset[]
  /** In which the newest reading is. */
  unit: string | undefined
  maySet: boolean
  onRemoved: () => void
}

function TargetRow(props: RowProps) {
  const { zone, address, targets, presets, unit, maySet } = props
  const { subject, patientUids } = useApp().session.person
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const nameOfDoctor = useDoctorNames(targets.flatMap(({ doctorId }) => doctorId ?? []))
  const [first] = targets
  if (!first) return null
  const { readingType } = first
  const name = nameOf(readingType)
  const preset = presets.find((one) => targets.every((target) => target.preset === one.preset))
  const labels = [...new Set(targets.flatMap(({ label }) => label ?? []))]
  return (
    <li>
      <div class="target">
        <span>{name}</span>
        <strong class="target-range">{rangesTextIn(targets, unit)}</strong>
        <span class="small muted" dir="auto">
          {setText(targets, {
            subject,
            isOwn: patientUids.includes(first.patientUid),
            nameOfDoctor,
            zone,
            now,
          })}
          {labels.map((label) => ` · ${label}`).join('')}
        </span>
        {preset && <Source preset={preset} />}
      </div>
      {maySet && (
        <div class="target-actions">
          <Link
            class="link"
            address={address}
            to={{ path: 'set-target', query: { type: readingType } }}
            label={`Change the target of ${name}`}
          >
            Change
          </Link>
          <button
            type="button"
            class="link"
            aria-label={`Remove the target of ${name}`}
            onClick={() => setAsking(true)}
          >
            Remove
          </button>
        </div>
      )}
      {isAsking && <RemoveDialog {...props} readingType={readingType} onClose={() => setAsking(false)} />}
    </li>
  )
}

type RemoveProps = RowProps & { readingType: string; onClose: () => void }

function RemoveDialog(props: RemoveProps) {
  const { rounds, patientUid, zone, targets, readingType, onRemoved, onClose } = props
  const name = usePatientName(patientUid)
  const others = useOthersText(targets, zone)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await rounds.targets.remove({ patientUid, readingType })
      onClose()
      onRemoved()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={`Remove the target of ${nameWithin(readingType)}?`}
      question={`For ${name}: ${rangesText(targets)}. ${others === undefined ? '' : `This removes ${others}. `}Readings will not be compared with it any more. It stays in the history.`}
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

function History({ rounds, patientUid, zone }: ScreenProps) {
  const { session } = useApp()
  const { subject, patientUids } = session.person
  const isOwn = patientUids.includes(patientUid)
  const now = useNow()
  const { items, error, reload, older } = usePages([patientUid], (page, signal) =>
    rounds.targets.history({ patientUid, limit: PAGE, ...page }, { signal }),
  )
  const nameOfDoctor = useDoctorNames((items ?? []).flatMap(({ doctorId }) => doctorId ?? []))
  return (
    <section class="targets-history" aria-labelledby="target-history-heading">
      <h2 id="target-history-heading">What was set, and by whom</h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!items && error === undefined && <Loading lines={3} />}
      {items?.length === 0 && <p class="muted">Nothing yet.</p>}
      {items && items.length > 0 && (
        <ul class="panel moments">
          {togetherOf(items).map((changes) => {
            const [{ at, by, doctorId }] = changes
            return (
              <li key={`${at} ${changes[0].readingType} ${changes[0].field}`}>
                <time dateTime={at}>{momentText(at, now, zone)}</time>
                <span>
                  <bdi class="subject">
                    {capital(authorOf({ setBy: by, doctorId }, { subject, isOwn, nameOfDoctor }))}
                  </bdi>{' '}
                  {deedText(changes)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <ShowOlder {...older} />
    </section>
  )
}
