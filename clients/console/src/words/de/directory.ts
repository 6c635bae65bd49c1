import type { directory as english } from '../en/directory.ts'
import { counted } from '../language.ts'

const doctors = (count: number) => counted(count, { one: 'Eintrag', other: 'Einträge' })

export const directory: typeof english = {
  name: 'Name',
  speciality: 'Fachgebiet',
  language: 'Sprache',
  city: 'Ort',
  found: (count, isPage) => (isPage ? `${doctors(count)} auf dieser Seite` : doctors(count)),
  nobody: 'Niemand passt zu dieser Suche.',
  typeLess: 'Geben Sie weniger Buchstaben ein oder lassen Sie ein Feld leer.',
  showAll: 'Alle zeigen',
  experience: (years) => `${counted(years, { one: 'Jahr', other: 'Jahre' })} Erfahrung`,
  notActive: 'nicht aktiv',
  share: (isOwn) => (isOwn ? 'Meine Messwerte teilen' : 'Messwerte teilen'),
  shareWith: (isOwn, name) => `${isOwn ? 'Meine Messwerte' : 'Messwerte'} mit ${name} teilen`,
}
