import { counted } from '../language.ts'

const inDays = (days: number) => (days === 0 ? 'today' : `in ${counted(days, { one: 'day', other: 'days' })}`)

export const sharing = {
  whatMay: 'What may the doctor do?',
  view: 'See the readings',
  viewHint:
    'And the reports, targets, rules, alerts and the timeline. The doctor may say that they looked, and leave a note.',
  manage: 'See the readings, set targets and rules',
  manageHint:
    'All of the above. The doctor judges the readings by targets, is alerted by rules, and can try a rule on readings of 90 days. An alert, with the value that caused it, may be sent to a receiver outside of Rounds, such as a pager.',
  noDoctorCan: 'No doctor can add, change or withdraw readings.',
  mayManage: 'may also set targets and rules, and is alerted by them',
  theyManage: 'They may also set targets and rules, and are alerted by them',
  contact: 'How this doctor reaches you (optional)',
  contactHint: 'Such as “555 0142, after 6 pm”. Only this doctor sees it, beside the readings.',
  contactIs: (contact: string) => `reaches you by “${contact}”`,
  endsIn: (days: number) => `Ends ${inDays(days)}.`,
  endsWith: (doctor: string, days: number) => `Sharing with ${doctor} ends ${inDays(days)}.`,
  goOn: 'Go on sharing',
  rules: 'Rules that doctors have about these readings',
  rulesEnd:
    'A doctor is alerted when one holds. The rules of a doctor end when you stop sharing with them, or let them only see the readings.',
}
