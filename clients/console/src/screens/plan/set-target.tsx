// Setting a target: of which type, and for this patient or for all.
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { isOwnTarget } from '../../care/target-text.ts'
import { useTargets } from '../../care/targets.ts'
import { nameWithin } from '../../format/type-names.ts'
import { useStored } from '../../hooks/store.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { Segments } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty } from '../../ui/notice.tsx'
import { MeasuredType, unitFor } from './measured-type.tsx'
import { planOf } from './plan-address.ts'
import { TargetForm } from './target-form.tsx'
import './targets.css'
import { words } from '../../words/words.ts'
import { useUnitsOfTypes } from './use-type-units.ts'

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
  if (!hasCare) return <Empty title={words.plan.noTargets} />
  if (maySet.data === false)
    return (
      <Empty title={words.targetForm.mayNotSet}>
        <span>{words.targetForm.whoSets}</span>
        <Link class="button" address={address} to={planOf(undefined, patientUid)}>
          {words.targetForm.show}
        </Link>
      </Empty>
    )
  const failed = [maySet, loaded, current, units].find((one) => !one.data && one.error !== undefined)
  if (failed || !data || !current.data || !units.data || !maySet.data)
    return <Awaited error={failed?.error} reload={failed?.reload ?? loaded.reload} lines={5} height={64} />
  const measured = [...data.types.values()].filter(
    (entry) => entry.numbers.length > 0 && (limitedTo?.includes(entry.readingType) ?? true),
  )
  const hasReadings = ({ readingType }: ReadingTypeEntry) => units.data?.has(readingType) === true
  const entry =
    measured.find(({ readingType }) => readingType === address.query.get('type')) ??
    measured.find(hasReadings) ??
    measured[0]
  if (!entry) return <Empty title={words.plan.typeless} />
  const isForAll = isDoctor && (patientUid === '' || address.query.get('for') === 'all')
  const before = current.data.find(
    (target) =>
      target.readingType === entry.readingType &&
      target.isForAll === isForAll &&
      isOwnTarget(target, isDoctor ? person.doctorId : undefined),
  )
  return (
    <div class="panel stack set-target">
      <MeasuredType
        label={words.targetForm.ofWhat}
        chosen={entry.readingType}
        own={measured.filter(hasReadings)}
        others={measured.filter((one) => !hasReadings(one))}
        choose={(type) => address.go({ query: { type } }, { replace: true })}
      />
      {isDoctor && <ForWhom {...{ isForAll, patientUid, address, entry }} />}
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

type ForWhomProps = { isForAll: boolean; patientUid: string; address: Address; entry: ReadingTypeEntry }

function ForWhom({ isForAll, patientUid, address, entry }: ForWhomProps) {
  return (
    <>
      {patientUid !== '' && (
        <Segments
          label={words.plan.forWhom}
          options={[
            ['patient', words.targetForm.forThisPatient],
            ['all', words.targetForm.forAllOfMine],
          ]}
          value={isForAll ? 'all' : 'patient'}
          set={(one) => address.go({ query: { for: one === 'all' ? 'all' : undefined } }, { replace: true })}
        />
      )}
      {isForAll && (
        <span class="small muted">{words.targetForm.holdsForAll(nameWithin(entry.readingType))}</span>
      )}
    </>
  )
}
