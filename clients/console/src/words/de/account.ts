import type { account as english } from '../en/account.ts'
import { counted, formFor, listed } from '../language.ts'

export const account: typeof english = {
  signedInAs: 'Angemeldet als ',
  signedIn: 'Angemeldet',
  staff: 'Personal: darf alle Patienten lesen',
  doctor: 'Ärztin oder Arzt: sieht Patienten, die ihre Messwerte teilen',
  forPatients: (patientUids) =>
    patientUids.length === 0 ? 'Für keinen Patienten' : `Für ${listed(patientUids)}`,
  appearance: 'Darstellung',
  asSystem: 'Wie das System',
  light: 'Hell',
  dark: 'Dunkel',
  language: 'Sprache',
  readingsWait: (count) =>
    `${counted(count, { one: 'Messwert wartet', other: 'Messwerte warten' })} auf diesem Gerät. Wenn Sie sich jetzt abmelden, ${formFor(
      count,
      { one: 'bleibt er hier und wird', other: 'bleiben sie hier und werden' },
    )} gesendet, sobald Sie sich hier wieder anmelden.`,
  fileIsImported: (name) =>
    `${name} wird gerade importiert. Wenn Sie sich jetzt abmelden, hält der Import an; was gespeichert ist, bleibt gespeichert.`,
  signOut: 'Abmelden',
}
