import { counted } from '../language.ts'

/** The list of a doctor's patients. */
export const patients = {
  noDoctor: 'Your sign-in names no doctor of the directory.',
  nobodyShares: 'No patient shares readings with you yet.',
  patientsChoose: 'Patients choose you under “Shared with”. They appear here at once.',
  findByName: 'Find by name',
  moreUrgent: (count: number) => `${count} more to act on now: show`,
  changed: (count: number) => `${count} changed: sort again`,
  upTo: (moment: string) => `Readings up to ${moment}.`,
  beyond: (count: number) =>
    `${counted(count, { one: 'more patient', other: 'more patients' })} than a list holds.`,
  aid: 'A notification aid, not a monitor. Every patient in this list sees, once a day, that you opened this list.',
  firstDay: 'None of your patients is judged yet: no target of yours holds for them.',
  oneTarget:
    'One target for all of them is enough to begin. Where you set one for a patient, that one comes first.',
  setOneTarget: 'Set one target for all who share with you',
  notFound: 'No patient with this name or id is here.',
  emptyQueue: 'No patient is in this queue.',
  noMore: 'No more patients.',
  patient: 'Patient',
  why: 'Why',
  newest: 'Newest value, age',
  sevenDays: '7 days',
  looked: 'Looked',
  lookedAt: 'looked: ',
  never: 'never',
  gone: 'No longer in this list.',
  trend: (least: string, most: string) => `7 days: ${least} to ${most}`,
}
