import type { add as english } from '../en/add.ts'
import { counted } from '../language.ts'

export const add: typeof english = {
  notYours: 'Für diese Person können Sie keine Messwerte eintragen.',
  onlyCarers: 'Das können nur sie selbst und wer für sie sorgt.',
  whatWasMeasured: 'Was wurde gemessen?',
  last: (value, at) => `zuletzt ${value}, ${at}`,
  note: 'Notiz',
  others: (count) => `Etwas anderes (${counted(count, { one: 'Art', other: 'Arten' })})`,
  somethingElse: 'Etwas anderes',
  importFile: 'Eine Datei importieren',
  changing: (name) => `${name} ändern`,
  addFor: (name) => (name === undefined ? 'Eintragen' : `Eintragen für ${name}`),
  again: 'Noch einmal sagen',
  looksLike: (value, unit) => `${value} sieht nach ${unit} aus.`,
  useUnit: (unit) => `${unit} nehmen`,

  whatIsIt: 'Was ist es?',
  symptoms: ['Brustschmerzen', 'Kopfschmerzen', 'Schwindel', 'Atemnot', 'Übelkeit'],
  inYourWords: 'In Ihren Worten',
  symptomMissing: 'Wählen Sie etwas, oder sagen Sie es in Ihren Worten.',
  howBad: 'Wie schlimm ist es? Bitte antippen.',
  mild: ['Leicht', 'Ich bemerke es'],
  moderate: ['Mittel', 'Es hindert mich an manchem'],
  severe: ['Schwer', 'Es hindert mich an allem oder macht mir Angst'],
  chooseSeverity: 'Wählen Sie, wie schlimm es ist.',

  stored: 'Gespeichert.',
  keptHere: 'Auf diesem Gerät aufbewahrt und noch nicht gespeichert.',
  nobodyMayHaveSeenIt: 'Vielleicht hat das noch niemand gesehen.',
  nobodyMayHaveSeenThis: 'Vielleicht hat das noch niemand gesehen',
  nobody: (bold) => bold('Vielleicht hat das noch niemand gesehen.'),
  doNotWait: 'Warten Sie hier nicht auf eine Antwort.',
  limitUnknown: 'Ob eine ärztliche Grenze überschritten ist, konnte nicht nachgesehen werden.',
  beyondLimit: ({ value, place, limit, author }) =>
    `${value} liegt ${place === 'below' ? 'unter' : 'über'} ${limit}, ${author === undefined ? 'Ihrer eigenen Grenze' : `der Grenze von ${author}`}`,
  emergency: (number) =>
    number === undefined
      ? 'Rufen Sie im Notfall Ihre örtliche Notrufnummer an.'
      : `Rufen Sie im Notfall ${number} an.`,
  call: (number) => `${number} anrufen`,
  backToToday: 'Zurück zu Heute',

  addedHere: (name) => (name === undefined ? 'Hier eingetragen' : `Hier eingetragen für ${name}`),
  nothingYet: 'Noch nichts. Was Sie eintragen, bleibt auf diesem Gerät, bis der Dienst es gespeichert hat.',
  change: 'Ändern',
  changeIt: (what) => `${what} ändern`,
  undo: 'Rückgängig',
  undoIt: (what) => `${what} rückgängig machen`,
  isWaiting: 'wartet',
  isStored: 'gespeichert',
  isUndoing: 'wird zurückgenommen',
  isUndone: 'zurückgenommen',
  isWithdrawn: 'widerrufen',
  stateFor: (state, name) => (name === undefined ? state : `${state} für ${name}`),
  outcomes: {
    waiting: '',
    stored: '',
    undoing:
      'Es wird nicht mehr gesendet. War es schon gespeichert, wird es widerrufen, sobald der Dienst antwortet.',
    unsent: 'Es wurde nicht gespeichert: Es wurde vor dem Senden zurückgenommen.',
    withdrawn: 'Es bleibt in der Akte und zählt nicht mehr.',
    before: 'Der Dienst hatte es schon, vielleicht von jemand anderem: Es wurde nicht widerrufen.',
    kept: 'Es konnte nicht zurückgenommen werden: Es bleibt in der Akte und zählt.',
  },
}
