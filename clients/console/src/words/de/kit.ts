import type { kit as english } from '../en/kit.ts'
import { counted } from '../language.ts'

export const kit: typeof english = {
  tryAgain: 'Noch einmal versuchen',
  loading: 'Wird geladen',
  oneMoment: 'Einen Moment …',
  keepIt: 'Behalten',
  remove: 'Entfernen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  change: 'Ändern',
  pages: 'Seiten',
  firstPage: 'Erste Seite',
  nextPage: 'Nächste Seite',
  showOlder: 'Ältere zeigen',
  any: 'Beliebig',
  none: '–',
  noReadings: 'keine Messwerte',
  readings: (count) => counted(count, { one: 'Messwert', other: 'Messwerte' }),
  days: (count) => counted(count, { one: 'Tag', other: 'Tage' }),
  patients: (count) => counted(count, { one: 'Patient', other: 'Patienten' }),
}
