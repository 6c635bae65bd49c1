import type { patients as english } from '../en/patients.ts'
import { counted } from '../language.ts'

export const patients: typeof english = {
  noDoctor: 'Ihre Anmeldung nennt niemanden aus dem Ärzteverzeichnis.',
  nobodyShares: 'Noch teilt niemand Messwerte mit Ihnen.',
  patientsChoose: 'Patienten wählen Sie unter „Geteilt mit“ aus und erscheinen dann sofort hier.',
  findByName: 'Nach Namen suchen',
  moreUrgent: (count) => `${count} weitere für „Jetzt handeln“: zeigen`,
  changed: (count) => `${count} geändert: neu sortieren`,
  upTo: (moment) => `Messwerte bis ${moment}.`,
  beyond: (count) => `${counted(count, { one: 'Patient', other: 'Patienten' })} mehr, als eine Liste fasst.`,
  aid: 'Eine Erinnerungshilfe, keine Überwachung. Alle Patienten dieser Liste sehen einmal am Tag, dass Sie sie geöffnet haben.',
  firstDay: 'Noch wird niemand beurteilt: Für Ihre Patienten gilt kein Zielbereich von Ihnen.',
  oneTarget:
    'Ein Zielbereich für alle genügt für den Anfang. Legen Sie für einen Patienten einen eigenen fest, geht dieser vor.',
  setOneTarget: 'Einen Zielbereich für alle festlegen',
  notFound: 'Niemand mit diesem Namen oder dieser ID ist hier.',
  emptyQueue: 'Diese Arbeitsliste ist leer.',
  noMore: 'Keine weiteren Patienten.',
  patient: 'Patient',
  why: 'Anlass',
  newest: 'Neuester Wert, Alter',
  sevenDays: '7 Tage',
  looked: 'Gesehen',
  lookedAt: 'gesehen: ',
  never: 'nie',
  gone: 'Nicht mehr in dieser Liste.',
  trend: (least, most) => `7 Tage: ${least} bis ${most}`,
}
