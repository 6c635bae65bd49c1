import { Fragment } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { type App, useApp } from '../app.ts'
import { Queues, queueOf, useQueueCounts } from '../care/queues.tsx'
import type { Person } from '../session/person.ts'
import { Link } from '../ui/link.tsx'
import { words } from '../words/words.ts'
import { Account } from './account.tsx'
import { Icon } from './icons.tsx'
import { EVERYONE, FOR_ALL, MY_PATIENTS } from './screen-names.ts'
import { isServed, screenAt, sections } from './screens.ts'

type Props = { address: Address; person: Person; patientUid: string | undefined }
type Offer = Omit<Props, 'address'> & Pick<App, 'hasCare' | 'hasAlerts'>

/** Whether a section has anything to show to this person. */
function isOffered(path: string, { person, patientUid, ...served }: Offer): boolean {
  const { doctorId, patientUids, isStaff } = person
  if (!isServed(path, served)) return false
  if (path === EVERYONE) return patientUids.length > 1
  if (path === MY_PATIENTS || path === FOR_ALL) return doctorId !== undefined
  // Only the patient, and those who care for them, add and share.
  if (path === 'add' || path === 'bring-in' || path === 'sharing')
    return patientUid !== undefined && patientUids.includes(patientUid)
  // Nothing beside a doctor's list acts on a patient of it: those have tabs of their own. Staff type the id where the readings will be.
  return screenAt(path)?.ofPatient !== true || isStaff || doctorId === undefined || patientUids.length > 0
}

export function Navigation({ address, person, patientUid }: Props) {
  const app = useApp()
  const isForAll = address.query.get('for') === 'all' && patientUid === undefined
  const current = isForAll ? FOR_ALL : (screenAt(address.path)?.within ?? address.path)
  // Of a doctor who is a patient too, the sections are about the doctor.
  const isOther = person.doctorId !== undefined && !person.isStaff && !isOwn(person, patientUid)
  const ownUid = isOther ? person.patientUids[0] : patientUid
  const entries = sections().filter(({ path }) => isOffered(path, { ...app, person, patientUid: ownUid }))
  const rest = entries.filter(({ short }) => short === undefined)
  const { nav, isOpen, toggle } = useOpening(address.path)
  const hasQueues = app.hasCare && person.doctorId !== undefined
  const counts = useQueueCounts({ isAsked: hasQueues && address.path !== MY_PATIENTS })
  const linkOf = ({ path, name, short, icon }: ReturnType<typeof sections>[number]) => (
    <Link
      key={path}
      address={address}
      to={{ path, query: isOther || path === MY_PATIENTS ? OF_NOBODY : {} }}
      current={path === current && !(isOther && screenAt(path)?.ofPatient) && !queueOf(address)}
    >
      <Icon name={icon} />
      <span class="name">{name}</span>
      {short !== undefined && <span class="short">{short}</span>}
      {path === MY_PATIENTS && <b class="name">{counts?.all}</b>}
    </Link>
  )
  return (
    <header class="side">
      <div class="brand">
        <i aria-hidden="true" />
        Rounds
      </div>
      <nav aria-label={words.frame.sections} ref={nav}>
        {entries
          .filter(({ short }) => short !== undefined)
          .map((entry) => (
            <Fragment key={entry.path}>
              {linkOf(entry)}
              {entry.path === MY_PATIENTS && hasQueues && (
                <div class="wide-only">
                  <Queues counts={counts} address={address} />
                </div>
              )}
            </Fragment>
          ))}
        {rest.length > 0 && (
          <button
            type="button"
            class={rest.some(({ path }) => path === current) ? 'more-sections current' : 'more-sections'}
            aria-expanded={isOpen}
            aria-controls="more-sections"
            onClick={toggle}
          >
            <Icon name="more" />
            {words.frame.more}
          </button>
        )}
        <div id="more-sections" class={isOpen ? 'rest open' : 'rest'}>
          {rest.map(linkOf)}
        </div>
      </nav>
      <div class="wide-only who">
        <Account />
      </div>
    </header>
  )
}

const isOwn = ({ patientUids }: Person, patientUid: string | undefined) =>
  patientUid === undefined || patientUids.includes(patientUid)

/** What was chosen of a patient is not taken along. */
const OF_NOBODY = {
  patient: undefined,
  queue: undefined,
  cursor: undefined,
  selected: undefined,
  find: undefined,
}

/** In a narrow window, the sections that do not fit in the bar are shown on demand. */
function useOpening(path: string) {
  const [isOpen, setOpen] = useState(false)
  const nav = useRef<HTMLElement>(null)
  useEffect(() => setOpen(false), [path])
  // Before it is painted: a key that is pressed as soon as it is seen must close it.
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const onPress = ({ target }: Event) => {
      if (!(target instanceof Node && nav.current?.contains(target))) setOpen(false)
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      nav.current?.querySelector<HTMLElement>('.more-sections')?.focus()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen])
  return { nav, isOpen, toggle: () => setOpen(!isOpen) }
}
