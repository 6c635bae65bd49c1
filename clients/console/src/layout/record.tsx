// The record of a patient, to a doctor: the name stands over the tabs, and whatever is done below is done to this patient.
import type { ComponentChildren, Ref } from 'preact'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { queueOf } from '../care/queues.tsx'
import { useLoad } from '../hooks/use-load.ts'
import { untilText, whatText } from '../screens/sharing/grant-text.ts'
import { Link } from '../ui/link.tsx'
import './record.css'
import { words } from '../words/words.ts'
import { MY_PATIENTS } from './screen-names.ts'
import { isServed, screenAt, tabs, titleOf } from './screens.ts'

type Props = {
  patientUid: string
  zone: string
  address: Address
  level: 1 | 2
  heading?: Ref<HTMLHeadingElement>
  /** Beside the terms of sharing. */
  children?: ComponentChildren
}

export function RecordHead({ patientUid, zone, address, level, heading, children }: Props) {
  const app = useApp()
  const queue = queueOf(address)
  const { data: shared } = useLoad([patientUid], () => app.sharingPatients.find(patientUid))
  const Heading = `h${level}` as const
  const isInList = address.path === MY_PATIENTS
  const current = isInList ? 'overview' : (screenAt(address.path)?.within ?? address.path)
  return (
    <header class="record-head">
      <Link
        class="link record-back"
        address={address}
        to={{ path: MY_PATIENTS, query: { queue, patient: undefined, selected: undefined } }}
      >
        ‹ {queue ? words.reasons.queues[queue] : titleOf(MY_PATIENTS)}
      </Link>
      <Heading class="clamp" dir="auto" tabIndex={-1} ref={heading ?? null}>
        {shared?.sharedAs ?? patientUid}
      </Heading>
      <p class="row small muted">
        {shared?.contact && <bdi class="record-contact">{shared.contact}</bdi>}
        {shared && <span>{words.frame.shares(whatText(shared), untilText(shared, zone))}</span>}
        {children}
      </p>
      <nav class="tabs" aria-label={words.frame.record}>
        {tabs()
          .filter(({ path }) => isServed(path, app))
          .map(({ path, tab }) => (
            <Link
              key={path}
              address={address}
              to={{ path, query: { patient: patientUid, queue } }}
              current={path === current}
            >
              {tab}
            </Link>
          ))}
      </nav>
    </header>
  )
}
