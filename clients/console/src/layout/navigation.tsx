import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { type App, useApp } from '../app.ts'
import { type OpenAlerts, useOpenAlerts } from '../care/open-alerts.ts'
import { Link } from '../design/link.tsx'
import type { Person } from '../session/person.ts'
import { Account } from './account.tsx'
import { Icon } from './icons.tsx'
import { ALERTS, EVERYONE, MY_PATIENTS, screenAt, sections } from './screens.ts'

type Props = { address: Address; person: Person; patientUid: string | undefined }
type Offer = Omit<Props, 'address'> & Pick<App, 'hasCare' | 'hasAlerts'>

/** Whether a section has anything to show to this person. */
function isOffered(path: string, { person, patientUid, hasCare, hasAlerts }: Offer): boolean {
  if (screenAt(path)?.ofCare === true && !hasCare) return false
  if (screenAt(path)?.ofAlerts === true && !hasAlerts) return false
  if (path === EVERYONE) return person.patientUids.length > 1
  if (path === MY_PATIENTS || path === ALERTS) return person.doctorId !== undefined
  // Only the patient, and those who care for them, add and share.
  if (path === 'add' || path === 'bring-in' || path === 'sharing')
    return patientUid !== undefined && person.patientUids.includes(patientUid)
  // A doctor chooses a patient first. Staff type the id where the readings will be.
  const isChosenElsewhere = !person.isStaff && person.doctorId !== undefined
  return screenAt(path)?.ofPatient !== true || patientUid !== undefined || !isChosenElsewhere
}

export function Navigation({ address, person, patientUid }: Props) {
  const app = useApp()
  const { hasAlerts } = app
  const current = screenAt(address.path)?.within ?? address.path
  const entries = sections.filter(({ path }) => isOffered(path, { ...app, person, patientUid }))
  const rest = entries.filter(({ isInBar }) => !isInBar)
  const { nav, isOpen, toggle } = useOpening(address.path)
  const openAlerts = useOpenAlerts({
    isAsked: hasAlerts && person.doctorId !== undefined && address.path !== ALERTS,
  })
  const linkOf = ({ path, name, short, icon }: (typeof sections)[number]) => (
    <Link
      key={path}
      address={address}
      to={path === MY_PATIENTS ? { path, query: { queue: undefined, selected: undefined } } : { path }}
      current={path === current}
    >
      <Icon name={icon} />
      <span class="name">{name}</span>
      {short !== undefined && <span class="short">{short}</span>}
      {path === ALERTS && <OpenCount counts={openAlerts} />}
    </Link>
  )
  return (
    <header class="side">
      <div class="brand">
        <i aria-hidden="true" />
        Rounds
      </div>
      <nav aria-label="Sections" ref={nav}>
        {entries.filter(({ isInBar }) => isInBar).map(linkOf)}
        <button
          type="button"
          class={rest.some(({ path }) => path === current) ? 'more-sections current' : 'more-sections'}
          aria-expanded={isOpen}
          aria-controls="more-sections"
          onClick={toggle}
        >
          <Icon name="more" />
          More
        </button>
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

/** Nothing where it is not known, and nothing where there is none. */
function OpenCount({ counts: open }: { counts: OpenAlerts }) {
  if (!open) return null
  const count = open.urgent + open.warning + open.notice
  if (count === 0) return null
  return (
    <span class={open.urgent > 0 ? 'alert-badge urgent' : 'alert-badge'}>
      {count}
      <span class="unseen"> open{open.urgent > 0 ? `, ${open.urgent} urgent` : ''}</span>
    </span>
  )
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
