// What all parts of the console share, made once after sign-in.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { RoundsClient } from '../../typescript/src/client.ts'
import type { BringInStore } from './bring-in/bring-in.ts'
import type { QueueCounts } from './care/queues.tsx'
import type { Undoable } from './care/undo-look.tsx'
import type { DoctorNames } from './directory/doctor-names.ts'
import type { Catalogue } from './format/reading-text.ts'
import type { Store } from './hooks/store.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { NewestOfPatients } from './patients/newest-of-patients.ts'
import type { PatientAccess } from './patients/patient-access.ts'
import type { SharingPatients } from './patients/sharing-patients.ts'
import type { Session } from './session/session.ts'
import type { Choices } from './storage/choices.ts'
import type { Kept } from './storage/kept-values.ts'

export type App = {
  session: Session
  rounds: RoundsClient
  /** Whether the server has targets and reports. */
  hasCare: boolean
  /** Whether it evaluates alert rules. */
  hasAlerts: boolean
  /** To call in an emergency, where those who run the service have set one. */
  emergencyNumber: string | undefined
  outbox: Outbox
  /** The file that is being brought in. */
  bringIn: BringInStore
  kept: Kept
  choices: Choices
  /** Whether, and as what, patients whom the token does not name may be read. */
  access: PatientAccess
  doctorNames: DoctorNames
  /** Of a doctor: the patients who share readings with them. */
  sharingPatients: SharingPatients
  /** Of a doctor: how many patients are left in each queue. */
  queueCounts: Store<QueueCounts>
  /** The list as it was shown last: who comes after whom. */
  worklist: Store<readonly string[]>
  /** The look that was given last, which can be taken back for a moment. */
  lastLook: Store<Undoable | undefined>
  /** Of the patients of the token. */
  newestOfPatients: NewestOfPatients
  /** The types that the service checks; asked for once. Without a network, those that were kept. */
  catalogue: () => Promise<Catalogue>
}

export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('A part of the console stands outside it.')
  return app
}
