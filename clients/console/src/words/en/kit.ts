import { counted } from '../language.ts'

/** What the parts of every screen say. */
export const kit = {
  tryAgain: 'Try again',
  loading: 'Loading',
  oneMoment: 'One moment…',
  keepIt: 'Keep it',
  remove: 'Remove',
  cancel: 'Cancel',
  close: 'Close',
  change: 'Change',
  pages: 'Pages',
  firstPage: 'First page',
  nextPage: 'Next page',
  showOlder: 'Show older',
  any: 'Any',
  none: '–',
  noReadings: 'no readings',
  readings: (count: number) => counted(count, { one: 'reading', other: 'readings' }),
  days: (count: number) => counted(count, { one: 'day', other: 'days' }),
  patients: (count: number) => counted(count, { one: 'patient', other: 'patients' }),
}
