import type { ComponentChildren } from 'preact'
import { counted } from '../language.ts'

type Screen = { title: string; name?: string; short?: string; tab?: string }

const screens = {
  everyone: { title: 'Everyone', short: 'All' },
  'my-patients': { title: 'My patients', short: 'Patients' },
  'for-all': { title: 'For all my patients', name: 'For all patients', short: 'For all' },
  overview: { title: 'Overview' },
  today: { title: 'Today' },
  charts: { title: 'Charts' },
  reports: { title: 'Reports', tab: 'Report' },
  add: { title: 'Add a reading', name: 'Add' },
  'bring-in': { title: 'Import a file', name: 'Import' },
  access: { title: 'Who has read' },
  sharing: { title: 'Shared with' },
  plan: { title: 'Targets and rules', name: 'Targets', tab: 'Plan' },
  'set-target': { title: 'Set a target' },
  'set-rule': { title: 'Set a rule' },
  share: { title: 'Share with a doctor' },
  'take-away': { title: 'Export' },
  doctors: { title: 'Doctors' },
} satisfies Record<string, Screen>

const held = (count: number) => counted(count, { one: 'reading waits', other: 'readings wait' })

/** What stands around every screen. */
export const frame = {
  /** Each by its address. In the navigation and as a tab it is called by its title, where it has no other name there. */
  screens: screens as Record<keyof typeof screens, Screen>,
  skip: 'Skip to the content',
  sections: 'Sections',
  more: 'More',
  nothingHere: 'Nothing here',
  noSuchPage: 'There is no such page.',
  goToToday: 'Go to today’s readings',
  choosePatient: 'Choose a patient',
  choosePatientFirst: 'Choose a patient first.',
  noPatientInSignIn: 'Your sign-in names no patient.',
  askToConnect: 'Ask those who run this service to connect your account with your record.',
  whoseReadings: 'Whose readings do you want to see?',
  // The record of a patient.
  record: 'Record',
  shares: (what: string, until: string) => `Shares ${what} with you, ${until || 'without an end'}`,
  // Whose readings are shown.
  patientSees: 'The patient sees in “Who has read” that you have read their readings, when, and why.',
  changePatient: 'Change patient',
  patientSeesAccess: 'The patient sees this access.',
  whichPatient: 'Which patient?',
  patient: 'Patient',
  limitedTo: (name: ComponentChildren, types: ComponentChildren): ComponentChildren => [
    name,
    ' shares only ',
    types,
    ' with you. Other readings are not shown here.',
  ],
  doesNotShare: 'This patient does not share readings with you.',
  mayHaveStopped: 'They may have stopped sharing, or the time for which they shared is over.',
  backToPatients: 'Back to my patients',
  giveReason: 'Give a reason',
  whyOpen: 'Why do you open this record?',
  onlyWithReason: 'This service shows readings to staff only with a reason.',
  patientId: 'Patient id',
  why: (isRequired: boolean): string => (isRequired ? 'Why?' : 'Why? (optional)'),
  suchAs: 'Such as “called with chest pain”.',
  openRecord: 'Open the record',
  // The zone.
  timesIn: (zone: string) => `times in ${zone}`,
  whichZone: 'In which zone are times shown?',
  browsersZone: (zone: string) => `This browser’s zone: ${zone}`,
  ownZone: (zone: string) => `Your own zone: ${zone}`,
  patientsZone: 'The patient’s zone',
  // The connection.
  live: {
    connecting: 'Connecting',
    live: 'Live',
    lost: 'Connection lost, trying again',
    ended: 'Not live',
    offline: 'Offline',
  },
  late: (seconds: number) => `Changes are ${seconds} s late`,
  signInEnded: 'Your sign-in has ended.',
  signInAgainToGoOn: 'What is on this screen stays. Sign in again to go on; nothing that you added is lost.',
  signInAgain: 'Sign in again',
  offline: 'You are offline.',
  heldOffline: (count: number) => `${held(count)} on this device and will be sent when the network is back.`,
  mayBeOld: 'What you see may be old. Readings that you add wait on this device.',
  heldUp: (count: number) => `${held(count)} to be sent.`,
}
