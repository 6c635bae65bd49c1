import { counted } from '../language.ts'

/** One patient: reasons, last days, what happened, and Done. */
export const overview = {
  thePatient: 'The patient',
  export: 'Export these readings',
  whoHasRead: 'Who has read them',
  gone: 'This patient no longer shares readings with you.',
  changed: 'Something has changed since you opened this.',
  showIt: 'Show it',
  reasons: 'Reasons',
  looked: (who: string, moment: string) => `${who} looked ${moment}.`,
  noLook: 'No look yet.',
  daysWithData: (days: number) => `Readings on ${days} of 30 days.`,
  // Done.
  done: 'Done',
  doneMore: 'Done…',
  doneNext: 'Done, next',
  undone: 'Undone',
  undo: 'Undo',
  note: 'Note (optional)',
  whoReadsNote: 'Who reads the note',
  patientReadsNote: 'The patient can read it',
  doctorsOnly: 'For doctors only',
  chooseWhoReads: 'Choose who reads the note.',
  lookAgain: 'Look again',
  inDays: (days: string) => `${days} d`,
  no: 'No',
  noDate: 'No date',
  covers: (count: number) =>
    `Covers what is shown here: ${counted(count, { one: 'reason', other: 'reasons' })}. What arrives later stays unseen. The patient sees that you looked.`,
  // The last days.
  whichReadings: 'Which readings',
  asTable: 'As a table, and further back',
  otherReadings: 'Other readings',
  lastDays: (days: number) => `Last ${days} days`,
  daysBefore: (days: number) => `${days} days before`,
  judgedBy: (whose: string) => `▲ above, ▼ below, ● in ${whose}; larger: beyond an act limit.`,
  notJudged: 'No target judges these readings.',
  mean: 'mean ',
  span: (count: number, least: string, most: string) =>
    `${counted(count, { one: 'reading', other: 'readings' })}, ${least} to ${most}`,
  // A chart of some days, read aloud.
  chart: (name: string, { least, most, unit }: Record<'least' | 'most' | 'unit', string>, beyond: number) =>
    `${name}: ${least} to ${most} ${unit}${beyond === 0 ? '' : `, ${beyond} beyond an act limit`}`,
  emptyChart: (name: string) => `${name}: no readings`,
}
