import { counted, listed } from '../language.ts'

const readings = (count: number) => counted(count, { one: 'reading', other: 'readings' })
const of = (types: string | undefined) => (types === undefined ? '' : ` of ${types}`)
const reports: Record<string, (types: string | undefined) => string> = {
  'reports/glucose': () => 'the glucose report',
  'reports/blood-pressure': () => 'the blood pressure report',
  'reports/time-in-target': (types) => `the share in target${of(types)}`,
  'reports/days-with-data': (types) => `the days with readings${of(types)}`,
}
const beside: Record<string, string> = {
  'targets/list': 'the targets',
  timeline: 'what happened before',
  'rules/list': 'the alert rules',
  'alerts/list': 'the alerts',
  'alerts/history': 'what became of an alert',
}
const lists: Record<string, (whose: string) => string> = {
  'care/patients/list': (whose) => `looked at ${whose} in the list of patients`,
  'care/alerts/list': () => 'looked at the list of alerts',
}

/** Who has read and who has corrected. */
export const access = {
  intro:
    'Every read and every correction of these readings is written down before it is answered, your own too.',
  whose: 'Whose reads are shown',
  everyone: 'Everyone',
  others: 'Others',
  nobodyElse: 'Nobody else has read these readings.',
  nobodyYet: 'Nobody has read these readings yet.',
  mayBeOlder: 'There may be older entries.',
  yours: 'your readings',
  readingsOf: (name: string) => `the readings of ${name}`,
  // Who.
  you: 'You',
  system: 'a connected system',
  roles: {
    patient: 'signed in for this patient',
    staff: 'staff',
    service: 'a service',
    operator: 'an operator of this service',
  },
  formerDoctor: 'A doctor who is no longer in the directory',
  doctor: (doctorId: string) => `Doctor ${doctorId}`,
  // What was read.
  readings: (count: number, types: string | undefined) => `${readings(count)}${of(types)}`,
  newest: (types: string | undefined) => `the newest of ${types ?? 'each type'}`,
  summaries: (types: string | undefined) => `summaries${of(types)}`,
  types: (count: number) => counted(count, { one: 'type', other: 'types' }),
  /** What each report is called, with the types that it is about. */
  reports,
  /** What stands beside the readings. */
  beside,
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
  // What was done.
  read: (what: readonly string[]) => `read ${listed(what)}`,
  /** Lists of a doctor. */
  lists,
  triedRule: (whose: string, types: string | undefined) => `tried out an alert rule on ${whose}${of(types)}`,
  watched: 'watched new readings arrive',
  copied: (count: number) => `copied ${readings(count)} as they changed`,
  /** Undefined where no reading was sent. */
  sent: (count: number | undefined, isSharing: boolean) =>
    `was sent ${listed([
      ...(count === undefined ? [] : [readings(count)]),
      ...(isSharing ? ['what is shared with doctors'] : []),
    ])}`,
  exported: (count: number) => `exported the whole record, ${readings(count)}`,
  lookedAtLog: 'looked at who has read',
  triedWithdraw: 'tried to withdraw a reading, which changed nothing',
  triedRestore: 'tried to restore a reading, which changed nothing',
  used: (operation: string) => `used ${operation}`,
  correction: (action: 'withdraw' | 'restore', name: string, at: string) =>
    `${action === 'withdraw' ? 'withdrew' : 'restored'} ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name} of ${at}`,
  /** Its parts may be elements. */
  sentence: <Part>(
    who: { name: Part; role: string },
    deeds: readonly string[],
    reason: Part | undefined,
  ): (Part | string)[] => [
    who.name,
    `${who.role === '' ? '' : `, ${who.role},`} ${listed(deeds)}`,
    ...(reason === undefined ? ['.'] : [': ', reason]),
  ],
}
