import type { ComponentChildren } from 'preact'
import { counted } from '../language.ts'

/** Without an author the reader is it. */
type Beyond = { value: string; place: 'below' | 'above'; limit: string; author: string | undefined }

export const add = {
  notYours: 'You cannot add readings for this patient.',
  onlyCarers: 'Only the patient, and those who care for them, can.',
  whatWasMeasured: 'What was measured?',
  last: (value: string, at: string) => `last ${value}, ${at}`,
  note: 'Note',
  others: (count: number) => `Something else (${counted(count, { one: 'kind', other: 'kinds' })})`,
  somethingElse: 'Something else',
  importFile: 'Import a file',
  changing: (name: string) => `${name}: change it`,
  addFor: (name: string | undefined) => (name === undefined ? 'Add' : `Add for ${name}`),
  again: 'Say it again',
  looksLike: (value: string, unit: string) => `${value} looks like ${unit}.`,
  useUnit: (unit: string) => `Use ${unit}`,

  whatIsIt: 'What is it?',
  symptoms: ['Chest pain', 'Headache', 'Dizzy', 'Short of breath', 'Feeling sick'],
  inYourWords: 'In your words',
  symptomMissing: 'Choose one, or say it in your words.',
  howBad: 'How bad is it? Tap one.',
  mild: ['Mild', 'I notice it'] as [string, string],
  moderate: ['Moderate', 'It stops me in some things'] as [string, string],
  severe: ['Severe', 'It stops me in everything, or frightens me'] as [string, string],
  chooseSeverity: 'Choose how bad it is.',

  stored: 'Stored.',
  keptHere: 'Kept on this device, and not stored yet.',
  nobodyMayHaveSeenIt: 'Nobody may have seen it yet.',
  nobodyMayHaveSeenThis: 'Nobody may have seen this yet',
  nobody: (bold: (text: string) => ComponentChildren) => bold('Nobody may have seen this yet.'),
  doNotWait: 'Do not wait for an answer here.',
  limitUnknown: 'Whether it is beyond a limit of a doctor could not be looked up.',
  beyondLimit: (what: Beyond) =>
    `${what.value} is ${what.place} ${what.limit}, ${what.author === undefined ? 'your own limit' : `the limit of ${what.author}`}`,
  emergency: (number: string | undefined) =>
    `In an emergency call ${number ?? 'your local emergency number'}.`,
  call: (number: string) => `Call ${number}`,
  backToToday: 'Back to Today',

  addedHere: (name: string | undefined) => (name === undefined ? 'Added here' : `Added here for ${name}`),
  nothingYet: 'Nothing yet. What you add is kept on this device until the service has stored it.',
  change: 'Change',
  changeIt: (what: string) => `Change ${what}`,
  undo: 'Undo',
  undoIt: (what: string) => `Undo ${what}`,
  isWaiting: 'waiting',
  isStored: 'stored',
  isUndoing: 'undoing',
  isUndone: 'undone',
  isWithdrawn: 'withdrawn',
  stateFor: (state: string, name: string | undefined) =>
    name === undefined ? state : `${state} for ${name}`,
  outcomes: {
    waiting: '',
    stored: '',
    undoing: 'It is no longer sent. If it was stored before, it is withdrawn as soon as the service answers.',
    unsent: 'It was not stored: it was undone before it was sent.',
    withdrawn: 'It stays in the record, and no longer counts.',
    before: 'The service had it already, perhaps from somebody else: it was not withdrawn.',
    kept: 'It could not be undone: it stays in the record, and counts.',
  },
}
