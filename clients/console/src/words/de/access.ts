import type { access as english } from '../en/access.ts'
import { counted, listed } from '../language.ts'

const readings = (count: number) => counted(count, { one: 'Messwert', other: 'Messwerte' })
const of = (types: string | undefined) => (types === undefined ? '' : ` (${types})`)

/** What was done stands as a list behind who did it: "Sie: 10 Messwerte (Blutdruck) gelesen; …". */
export const access: typeof english = {
  intro:
    'Jeder Zugriff auf diese Messwerte und jede Korrektur wird festgehalten, bevor geantwortet wird, auch Ihre eigenen.',
  whose: 'Wessen Zugriffe gezeigt werden',
  everyone: 'Alle',
  others: 'Andere',
  nobodyElse: 'Niemand sonst hat diese Messwerte gelesen.',
  nobodyYet: 'Noch hat niemand diese Messwerte gelesen.',
  mayBeOlder: 'Vielleicht gibt es ältere Einträge.',
  yours: 'Ihre Messwerte',
  readingsOf: (name) => `Messwerte von ${name}`,
  you: 'Sie',
  system: 'verbundenes System',
  roles: {
    patient: 'für diesen Patienten angemeldet',
    staff: 'Personal',
    service: 'ein Dienst',
    operator: 'Betreiber dieses Dienstes',
  },
  formerDoctor: 'Ärztin oder Arzt, nicht mehr im Verzeichnis',
  doctor: (doctorId) => `Ärztin/Arzt ${doctorId}`,
  readings: (count, types) => `${readings(count)}${of(types)}`,
  newest: (types) => (types === undefined ? 'die neuesten jeder Art' : `die neuesten (${types})`),
  summaries: (types) => `Zusammenfassungen${of(types)}`,
  types: (count) => counted(count, { one: 'Art', other: 'Arten' }),
  reports: {
    'reports/glucose': () => 'den Glukosebericht',
    'reports/blood-pressure': () => 'den Blutdruckbericht',
    'reports/time-in-target': (types) => `den Anteil im Zielbereich${of(types)}`,
    'reports/days-with-data': (types) => `die Tage mit Messwerten${of(types)}`,
  },
  beside: {
    'targets/list': 'die Zielbereiche',
    timeline: 'die Chronik',
    'rules/list': 'die Alarmregeln',
    'alerts/list': 'die Alarme',
    'alerts/history': 'den Verlauf eines Alarms',
  },
  since: (day) => `seit ${day}`,
  until: (day) => `bis ${day}`,
  read: (what) => `${listed(what)} gelesen`,
  lists: {
    'care/patients/list': (whose) => `${whose} in der Patientenliste angesehen`,
    'care/alerts/list': () => 'die Liste der Alarme angesehen',
  },
  triedRule: (whose, types) => `eine Alarmregel ausprobiert: ${whose}${of(types)}`,
  watched: 'das Eintreffen neuer Messwerte verfolgt',
  copied: (count) => `${readings(count)} bei Änderungen kopiert`,
  sent: (count, isSharing) =>
    `${listed([
      ...(count === undefined ? [] : [readings(count)]),
      ...(isSharing ? ['Angaben zur ärztlichen Freigabe'] : []),
    ])} zugesandt bekommen`,
  exported: (count) => `die ganze Akte exportiert, ${readings(count)}`,
  lookedAtLog: 'nachgesehen, wer gelesen hat',
  triedWithdraw: 'versucht, einen Messwert zurückzuziehen, ohne Änderung',
  triedRestore: 'versucht, einen Messwert wiederherzustellen, ohne Änderung',
  used: (operation) => `${operation} benutzt`,
  correction: (action, name, at) =>
    `${name} vom ${at} ${action === 'withdraw' ? 'zurückgezogen' : 'wiederhergestellt'}`,
  sentence: (who, deeds, reason) => [
    who.name,
    `${who.role === '' ? '' : ` (${who.role})`}: ${deeds.join('; ')}.`,
    ...(reason === undefined ? [] : [' Grund: ', reason]),
  ],
}
