import type { today as english } from '../en/today.ts'

export const today: typeof english = {
  howWorkedOut: 'Wie das zustande kommt',
  target: 'Zielbereich',
  workedOut: (target) => [
    'Gezählt wird der neueste Messwert jeder Art, für die es einen ',
    target,
    ' gibt. Was älter als eine Woche ist, zählt nicht. Ein Sensor steht zuerst, dann das zuletzt Gemessene. Die Karten wechseln ihren Platz nur, wenn Sie hierher zurückkommen.',
  ],
  thisWeek: (inTarget, count) => `Diese Woche ${inTarget} von ${count} im Zielbereich.`,
  reportsOffline: 'Sie sind offline, und die Berichte sind nicht auf diesem Gerät.',
  reportsComeBack: 'Sie kommen von selbst, sobald das Netz wieder da ist.',
}
