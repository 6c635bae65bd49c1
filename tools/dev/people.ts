// The invented people who can sign in at the development issuer, without a password, and what their tokens say of them.
export type Person = {
  /** The `sub` of the tokens, which the access log shows. */
  id: string
  name: string
  /** What the sign-in page says of them. */
  about: string
  patientUids: string[]
  scopes: string[]
  /** The doctor of the directory who they are. */
  doctorId?: string
  /** Who they are to apps of SMART on FHIR. */
  fhirUser: string
  zoneinfo: string
}

/** The public client by which they sign in to the console. */
export const CONSOLE_CLIENT_ID = 'rounds-console'

/** The public client by which they sign in to apps that are being developed on this machine. */
export const APP_CLIENT_ID = 'rounds-app'

/** Who the patients of these people are. */
export const PATIENT_NAMES: Readonly<Record<string, string>> = {
  'patient-1': 'Ada Example',
  'child-1': 'Mia Example',
  'child-2': 'Leo Example',
}

export const PEOPLE: Person[] = [
  {
    id: 'ada-example',
    name: 'Ada Example (invented)',
    about: 'A patient: sees and adds readings of patient-1.',
    patientUids: ['patient-1'],
    scopes: [],
    fhirUser: 'Patient/patient-1',
    zoneinfo: 'Europe/Lisbon',
  },
  {
    id: 'robin-example',
    name: 'Robin Example (invented)',
    about: 'A carer of two invented children: Mia Example (child-1) and Leo Example (child-2).',
    patientUids: ['child-1', 'child-2'],
    scopes: [],
    fhirUser: 'RelatedPerson/robin-example',
    zoneinfo: 'America/New_York',
  },
  {
    id: 'dr-willow-sample',
    name: 'Dr Willow Sample (invented)',
    about: 'A doctor: sees what patients share, and sets targets for them.',
    patientUids: [],
    scopes: [],
    doctorId: 'dr-willow-sample',
    fhirUser: 'Practitioner/dr-willow-sample',
    zoneinfo: 'Europe/Berlin',
  },
  {
    id: 'kim-sample',
    name: 'Kim Sample (invented)',
    about:
      'Staff: reads every patient; by the API, withdraws readings entered in error and manages webhooks.',
    patientUids: [],
    scopes: ['readings:read', 'readings:withdraw', 'webhooks:manage'],
    fhirUser: 'Practitioner/kim-sample',
    zoneinfo: 'Europe/Berlin',
  },
]

export const personNamed = (id: string | undefined) => PEOPLE.find((person) => person.id === id)

/** Without staff and doctors: where the database may hold real patients, reading others takes the issuer's secret. */
export const patientsAndCarers = () =>
  PEOPLE.filter(({ scopes, doctorId }) => scopes.length === 0 && doctorId === undefined)
