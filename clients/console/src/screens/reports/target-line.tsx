// The target with who set it and when; or where there is none, the published one that may be chosen. Nothing is compared before.
import type { RoundsClient, Target } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useMaySetTargets } from '../../care/may-set-targets.ts'
import { rangesText, rangesTextIn, setTextOnPaper } from '../../care/target-text.ts'
import { Link } from '../../design/link.tsx'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { Source } from '../targets/source.tsx'

type TargetLineProps = { targets: Target[]; unit: string; zone: string }

export function TargetLine({ targets, unit, zone }: TargetLineProps) {
  const { patientUids } = useApp().session.person
  const nameOfDoctor = useDoctorNames(targets.flatMap(({ doctorId }) => doctorId ?? []))
  const isOwn = targets.some(({ patientUid }) => patientUids.includes(patientUid))
  return (
    <p class="report-note">
      Target: {rangesTextIn(targets, unit)}, {setTextOnPaper(targets, { isOwn, nameOfDoctor, zone })}.
    </p>
  )
}

type NoTargetProps = {
  rounds: RoundsClient
  patientUid: string
  readingType: string
  unit: string
  address: Address
}

export function NoTarget({ rounds, patientUid, readingType, unit, address }: NoTargetProps) {
  const maySet = useMaySetTargets(patientUid).data === true
  const { data } = useLoad([maySet], async (signal) =>
    maySet ? (await rounds.targets.presets({ signal })).data : [],
  )
  const presets = (data ?? []).filter((one) => one.readingType === readingType)
  return (
    <section class="report-no-target" aria-label="Target">
      <h3>No target is set</h3>
      <p class="muted">Without one, these readings are not compared with anything.</p>
      {presets.map((preset) => (
        <p key={preset.preset} class="small">
          {preset.title}: {rangesText((preset.units[unit] ?? []).map((range) => ({ ...range, unit })))}.{' '}
          <Source preset={preset} />
        </p>
      ))}
      {maySet && (
        <Link class="button" address={address} to={{ path: 'set-target', query: { type: readingType } }}>
          Choose a target
        </Link>
      )}
    </section>
  )
}
