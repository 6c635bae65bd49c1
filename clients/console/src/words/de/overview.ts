import type { overview as english } from '../en/overview.ts'
import { counted } from '../language.ts'

export const overview: typeof english = {
  thePatient: 'Der Patient',
  export: 'Diese Messwerte exportieren',
  whoHasRead: 'Wer sie gelesen hat',
  gone: 'Diese Person teilt keine Messwerte mehr mit Ihnen.',
  changed: 'Seit Sie dies geöffnet haben, hat sich etwas geändert.',
  showIt: 'Zeigen',
  reasons: 'Anlässe',
  looked: (who, moment) => `Zuletzt gesehen von ${who}, ${moment}.`,
  noLook: 'Noch von niemandem gesehen.',
  daysWithData: (days) => `Messwerte an ${days} von 30 Tagen.`,
  done: 'Erledigt',
  doneMore: 'Erledigt …',
  doneNext: 'Erledigt, weiter',
  undone: 'Rückgängig gemacht',
  undo: 'Rückgängig',
  note: 'Notiz (freiwillig)',
  whoReadsNote: 'Wer liest die Notiz',
  patientReadsNote: 'Auch die Patientin oder der Patient',
  doctorsOnly: 'Nur ärztlich',
  chooseWhoReads: 'Wählen Sie, wer die Notiz lesen darf.',
  lookAgain: 'Wiedervorlage',
  inDays: (days) => `${days} Tg.`,
  no: 'Keine',
  noDate: 'Keine',
  covers: (count) =>
    `Gilt für das hier Gezeigte: ${counted(count, { one: 'Anlass', other: 'Anlässe' })}. Was später eingeht, bleibt ungesehen. Die Patientin oder der Patient sieht, dass Sie nachgesehen haben.`,
  whichReadings: 'Welche Messwerte',
  asTable: 'Als Tabelle und weiter zurück',
  otherReadings: 'Andere Messwerte',
  lastDays: (days) => `Letzte ${days} Tage`,
  daysBefore: (days) => `${days} Tage davor`,
  judgedBy: (whose) => `▲ über, ▼ unter, ● in ${whose}; größer: jenseits einer Handlungsgrenze.`,
  notJudged: 'Für diese Messwerte gilt kein Zielbereich.',
  mean: 'Mittel ',
  span: (count, least, most) =>
    `${counted(count, { one: 'Messwert', other: 'Messwerte' })}, ${least} bis ${most}`,
  chart: (name, { least, most, unit }, beyond) =>
    `${name}: ${least} bis ${most} ${unit}${beyond === 0 ? '' : `, ${beyond} jenseits einer Handlungsgrenze`}`,
  emptyChart: (name) => `${name}: keine Messwerte`,
}
