// The invented people who can sign in at the development issuer, without a password, and what their tokens say of them.
export type Person = {
  /** The `sub` of the tokens, which the access log shows. */
  id: string
  name: string
  /** What the sign-in page says of them. */
  about: string
  patientUids: string[]
  scopes: string[]
  zoneinfo: string
}

/** The public client by which they sign in to the console. */
export const CONSOLE_CLIENT_ID = 'rounds-console'

export const PEOPLE: Person[] = [
  {
    id: 'ada-example',
    name: 'Ada Example (invented)',
    about: 'A patient: sees and adds readings of patient-1.',
    patientUids: ['patient-1'],
    scopes: [],
    zoneinfo: 'Europe/Lisbon',
  },
  {
    id: 'robin-example',
    name: 'Robin Example (invented)',
    about: 'A carer of two children: child-1 and child-2.',
    patientUids: ['child-1', 'child-2'],
    scopes: [],
    zoneinfo: 'America/New_York',
  },
  {
    id: 'dr-willow-sample',
    name: 'Dr Willow Sample (invented)',
    about: 'A clinician: reads every patient, and withdraws readings that were entered in error.',
    patientUids: [],
    scopes: ['readings:read', 'readings:withdraw'],
    zoneinfo: 'Europe/Berlin',
  },
]

export const personNamed = (id: string | undefined) => PEOPLE.find((person) => person.id === id)

/** Without those who read every patient: where the database may hold real ones, that takes the issuer's secret. */
export const withoutStaff = () => PEOPLE.filter(({ scopes }) => scopes.length === 0)
