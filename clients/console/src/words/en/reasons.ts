import { counted, listed } from '../language.ts'

const act = 'the act limit'

/** Why a patient is listed, and what nobody judges. */
export const reasons = {
  queues: {
    actNow: 'Act now',
    thisWeek: 'This week',
    silent: 'Silent',
    seen: 'Seen',
    fine: 'No reason',
    notJudged: 'Not judged',
  },
  queuesLabel: 'Queues',
  all: 'All',
  symptom: (severity: string, when: string, symptom: string) => `${severity} ${when}: ${symptom}`,
  value: (value: string, when: string, bound: string) => `${value} ${when}, ${bound}`,
  bound: (limit: string, { isBelow, isDiastolic }: { isBelow: boolean; isDiastolic: boolean }) =>
    `${isDiastolic ? 'diastolic ' : ''}${isBelow ? 'below' : 'above'} ${limit}`,
  goal: (
    subject: string,
    share: string,
    { part, isLeast, goal }: { part: string; isLeast: boolean; goal: string },
  ) => `${subject}: ${share} ${part}, goal ${isLeast ? 'at least' : 'at most'} ${goal}`,
  inRange: 'in range',
  below: (bound: string | undefined) => `below ${bound ?? 'the range'}`,
  above: (bound: string | undefined) => `above ${bound ?? 'the range'}`,
  mean: (days: number, mean: string, limit: string) => `Mean of ${days} days: ${mean}, limit ${limit}`,
  fall: (subject: string, share: string, before: string) =>
    `${subject}: ${share} in range, ${before} the two weeks before`,
  silent: (name: string, passed: string, every: string) => `No ${name} for ${passed}, expected ${every}`,
  lookAgain: (moment: string, isDue: boolean) => `Look again: ${isDue ? 'due ' : ''}${moment}`,
  sharingEnds: (moment: string) => `Sharing ends ${moment}`,
  impossibleTime: (name: string, times: string) => `Impossible time, ${name}: ${times}`,
  bothTimes: (measured: string, arrived: string) => `measured ${measured}, arrived ${arrived}`,
  older: (when: string) => `${when}, older than 72 hours`,
  /** `found`, `when`, `limit` and `ended` where there are such. */
  alert: (
    severity: 'warning' | 'urgent',
    label: string,
    { found, when, limit, ended }: Record<'found' | 'when' | 'limit' | 'ended', string | undefined>,
  ) =>
    [
      `${severity === 'urgent' ? 'Urgent' : 'Warning'} alert “${label}”`,
      found === undefined ? '' : `: ${found} ${when}`,
      limit === undefined ? '' : `, limit ${limit}`,
      ended === undefined ? '' : `, ended ${ended}`,
    ].join(''),
  alertToo: (label: string) => `Alert “${label}”.`,
  quoted: (text: string) => `“${text}”`,
  /** Behind the finding: whose limit it is. */
  whose: {
    value: (author: string) => `, ${act} of ${author}`,
    goal: (author: string) => `, the goal of ${author}`,
    mean: (author: string) => ` of ${author}`,
    fall: (author: string) => `, the target of ${author}`,
    silent: (author: string) => `, the target of ${author}`,
  },
  yours: {
    value: ', your act limit',
    goal: ', your goal',
    mean: ', yours',
    fall: ', your target',
    silent: ', your target',
  },
  seen: 'Seen.',
  notSeen: 'Not seen yet.',
  none: 'No reason.',
  mild: (symptom: string) => `Mild: ${symptom}`,
  noTargetFor: (names: readonly string[]) => `Not judged: ${listed(names)}, no target`,
  noTarget: 'Not judged: no target',
  noActLimits: (name: string) => `${name}: no act limits`,
  notJudged: (name: string, why: string) => `Not judged: ${name}, ${why}`,
  noGoals: 'no goals',
  lacksTarget: 'no target',
  noValueInTwoWeeks: 'no value in 14 days',
  noValues: 'no values',
  tooFew: (have: string, enough: string) => `${have} of ${enough} needed`,
  hours: (count: string) => `${count} hours`,
  values: (count: number, isOnThreeDays: boolean) =>
    `${counted(count, { one: 'value', other: 'values' })}${isOnThreeDays ? ' on 3 days' : ''}`,
}
