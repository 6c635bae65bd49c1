import type { errors as english } from '../en/errors.ts'

export const errors: typeof english = {
  ofPage: [
    'Auf dieser Seite ist ein Fehler aufgetreten.',
    'Laden Sie die Seite neu. Wenn es wieder geschieht, melden Sie es bitte.',
  ],
  manageRequired: [
    'Sie dürfen diese Akte lesen, aber nicht ändern.',
    'Die Patientin oder der Patient kann es Ihnen unter „Geteilt mit“ erlauben.',
  ],
  notShared: [
    'Diese Person teilt keine Messwerte (mehr) mit Ihnen.',
    'Sie kann sie unter „Geteilt mit“ freigeben.',
  ],
  reasonRequired: [
    'Geben Sie zuerst an, warum Sie diese Akte öffnen.',
    'Die Patientin oder der Patient sieht den Grund.',
  ],
  unknownDoctor: [
    'Diese Ärztin oder dieser Arzt steht nicht mehr im Verzeichnis.',
    'Wählen Sie noch einmal aus.',
  ],
  tooManyGrants: [
    'Sie teilen bereits mit so vielen Ärztinnen und Ärzten wie möglich.',
    'Beenden Sie zuerst eine Freigabe.',
  ],
  patientErased: [
    'Die Messwerte dieser Person wurden gelöscht.',
    'Neue werden zurzeit nicht angenommen. Fragen Sie den Betreiber dieses Dienstes.',
  ],
  ruleUnknown: ['Diese Regel gibt es nicht mehr.', 'Jemand hat sie entfernt.'],
  ruleExists: [
    'Eine solche Regel gibt es schon.',
    'Ändern Sie jene, oder lassen Sie diese etwas anderes sagen.',
  ],
  alertUnknown: ['Diesen Alarm gibt es nicht mehr.', 'Laden Sie die Liste neu.'],
  tooLate: [
    'Das lässt sich nicht mehr rückgängig machen.',
    'Sehen Sie noch einmal nach und notieren Sie, was sich geändert hat.',
  ],
  connectionFailed: [
    'Der Server ist nicht erreichbar.',
    'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  ],
  triedAgain:
    'Prüfen Sie Ihre Verbindung. Die Seite versucht es von selbst noch einmal, sobald sie wieder da ist.',
  timedOut: ['Der Server hat zu lange nicht geantwortet.', 'Versuchen Sie es gleich noch einmal.'],
  unexpectedAnswer: [
    'Statt des Servers hat etwas anderes geantwortet.',
    'Das tun Netze mit eigener Anmeldung, etwa im Hotel. Öffnen Sie irgendeine Webseite und melden Sie sich dort zuerst an.',
  ],
  notAllowed: [
    'Das dürfen Sie für diese Person nicht.',
    'Prüfen Sie die Patienten-ID. Wer wen sehen darf, wird bei der Anmeldung festgelegt.',
  ],
  refused: 'Der Server hat das abgelehnt.',
  signedOut: [
    'Sie sind nicht mehr angemeldet.',
    'Melden Sie sich wieder an. Nichts, was Sie eingegeben haben, geht verloren.',
  ],
  readingGone: [
    'Diesen Messwert gibt es nicht mehr.',
    'Vielleicht wurde er gelöscht. Laden Sie neu, um zu sehen, was da ist.',
  ],
  storageFull: [
    'Auf diesem Gerät ist kein Platz mehr für Messwerte.',
    'Gehen Sie online, damit wartende Messwerte gesendet werden, oder schaffen Sie Platz.',
  ],
  tooManyRequests: [
    'Zu viele Anfragen auf einmal.',
    'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  ],
  serverFailed: ['Der Server konnte gerade nicht antworten.', 'Versuchen Sie es gleich noch einmal.'],
  theRequest: 'Die Anfrage',
  requestId: 'Kennung der Anfrage, für Rückfragen: ',
}
