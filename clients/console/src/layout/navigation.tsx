import type { Address } from '../address.ts'
import { Link } from '../design/link.tsx'
import type { Person } from '../session/person.ts'
import { Account } from './account.tsx'
import { Icon } from './icons.tsx'
import { EVERYONE, MY_PATIENTS, screenAt, sections } from './screens.ts'

type Props = { address: Address; person: Person; patientUid: string | undefined }

/** Whether a section has anything to show to this person. */
function isOffered(path: string, { person, patientUid }: Omit<Props, 'address'>): boolean {
  if (path === EVERYONE) return person.patientUids.length > 1
  if (path === MY_PATIENTS) return person.doctorId !== undefined
  // Only the patient, and those who care for them, add and share.
  if (path === 'add' || path === 'sharing')
    return patientUid !== undefined && person.patientUids.includes(patientUid)
  // A doctor chooses a patient first. Staff type the id where the readings will be.
  const isChosenElsewhere = person.doctorId !== undefined && !person.isStaff
  return screenAt(path)?.ofPatient !== true || patientUid !== undefined || !isChosenElsewhere
}

export function Navigation({ address, person, patientUid }: Props) {
  const current = screenAt(address.path)?.within ?? address.path
  const entries = sections.filter(({ path }) => isOffered(path, { person, patientUid }))
  return (
    <header class="side">
      <div class="brand">
        <i aria-hidden="true" />
        Rounds
      </div>
      <nav aria-label="Sections">
        {entries.map(({ path, name, short, icon }) => (
          <Link key={path} address={address} to={{ path }} current={path === current}>
            <Icon name={icon} />
            <span class="name">{name}</span>
            <span class="short">{short}</span>
          </Link>
        ))}
      </nav>
      <div class="wide-only who">
        <Account />
      </div>
    </header>
  )
}
