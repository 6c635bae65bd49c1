import { counted, formFor, listed } from '../language.ts'

export const account = {
  signedInAs: 'Signed in as ',
  signedIn: 'Signed in',
  staff: 'Staff: may read every patient',
  doctor: 'Doctor: sees patients who share readings',
  forPatients: (patientUids: readonly string[]) =>
    patientUids.length === 0 ? 'For no patient' : `For ${listed(patientUids)}`,
  appearance: 'Appearance',
  asSystem: 'As the system',
  light: 'Light',
  dark: 'Dark',
  language: 'Language',
  readingsWait: (count: number) =>
    `${counted(count, { one: 'reading waits', other: 'readings wait' })} on this device. If you sign out now, ${formFor(
      count,
      { one: 'it stays', other: 'they stay' },
    )} here and will be sent when you sign in here again.`,
  fileIsImported: (name: string) =>
    `${name} is being imported. If you sign out now, the import stops; what was stored stays.`,
  signOut: 'Sign out',
}
