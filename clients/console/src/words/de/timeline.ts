import type { timeline as english } from '../en/timeline.ts'

const events = {
  opened: 'Begonnen',
  reopened: 'Wieder begonnen',
  acknowledged: 'Bestätigt',
  ended: 'Beendet',
}
const looked = (again: string | undefined, isUndone: boolean) =>
  `${again === undefined ? '' : `; Wiedervorlage ${again}`}${isUndone ? ' (zurückgenommen)' : ''}.`
const extent = (isManage: boolean, until: string) =>
  `${isManage ? 'zum Lesen und zum Festlegen von Zielbereichen und Regeln' : 'zum Lesen'}, ${until || 'unbefristet'}`

export const timeline: typeof english = {
  title: 'Chronik',
  nothing: 'Noch nichts.',
  kinds: {
    look: 'Durchsicht',
    symptom: 'Symptom',
    note: 'Notiz',
    alert: 'Alarm',
    target: 'Zielbereich',
    rule: 'Regel',
    sharing: 'Freigabe',
    withdrawal: 'Messwert',
  },
  doctorsOnly: 'nur ärztlich',
  patientReads: 'für Patienten lesbar',
  thePatient: 'Patient',
  look: (who, again, isUndone) => `${who} hat nachgesehen${looked(again, isUndone)}`,
  youLooked: (again, isUndone) => `Sie haben nachgesehen${looked(again, isUndone)}`,
  symptom: (severity, symptom) => `${severity}: ${symptom}`,
  target: (by, action, { name, isForAll, range }) =>
    `${by} hat den Zielbereich für ${name}${isForAll ? ' aller Patienten' : ''} ${action === 'set' ? 'festgelegt' : 'entfernt'}${range === '' ? '' : `: ${range}`}.`,
  rule: (by, action, rule) =>
    `${by} hat eine Regel ${action === 'set' ? 'festgelegt' : 'entfernt'}: ${rule}.`,
  revoked: 'Die Freigabe wurde von der Patientenseite beendet.',
  expired: 'Die Freigabe ist abgelaufen.',
  given: (isManage, until) => `Freigegeben ${extent(isManage, until)}.`,
  changed: (isManage, until) => `Freigabe geändert: jetzt ${extent(isManage, until)}.`,
  withdrawal: (by, action, reason) =>
    `${by} hat einen Messwert ${action === 'withdrawn' ? 'zurückgezogen' : 'wiederhergestellt'}${reason === null ? '' : `: ${reason}`}.`,
  alert: (event, said, isSentToNobody) =>
    `${events[event]}: ${said}${isSentToNobody ? ' An niemanden gesendet.' : ''}`,
  sharedNoMore: 'nicht mehr geteilt.',
  labelSharedNoMore: (label) => `„${label}“, nicht mehr geteilt.`,
}
