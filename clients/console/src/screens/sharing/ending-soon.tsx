// That sharing ends within a week: said where a patient looks every day, with the way to go on.
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { daysBetween } from '../../format/times.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { words } from '../../words/words.ts'
import { endsSoonAt } from './grant-text.ts'
import { grantsOfPatient } from './grants-of-patient.ts'
import './sharing.css'

export function EndingSoon({ rounds, patientUid, zone, address, now }: ScreenProps & { now: number }) {
  const { data } = useLoad([patientUid], (signal) => grantsOfPatient(rounds, patientUid, signal))
  const ending = (data ?? []).flatMap((grant) => {
    const endsAt = endsSoonAt(grant, now)
    return endsAt === undefined ? [] : [{ doctorId: grant.doctorId, endsAt }]
  })
  const nameOf = useDoctorNames(ending.map(({ doctorId }) => doctorId))
  return (
    <>
      {ending.map(({ doctorId, endsAt }) => (
        <p key={doctorId} class="notice ends-soon">
          <span>
            {words.sharing.endsWith(nameOf(doctorId).name, daysBetween(now, endsAt, zone))}{' '}
            <Link address={address} to={{ path: 'share', query: { doctor: doctorId, renew: doctorId } }}>
              {words.sharing.goOn}
            </Link>
          </span>
        </p>
      ))}
    </>
  )
}
