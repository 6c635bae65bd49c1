import type { ComponentChildren } from 'preact'
import { counted, listed } from '../language.ts'

const times = (count: number) => counted(count, { one: 'time', other: 'times' })
const patients = (count: number) =>
  counted(count, { one: 'patient who shares with you', other: 'patients who share with you' })

/** Targets and rules: the lists of them, and what both forms say. */
export const plan = {
  noTargets: 'This server has no targets.',
  noAlerts: 'This server has no alerts.',
  forWhom: 'For whom?',
  forAll: 'for all',
  allOfYou: 'all who share with you',
  typeless: 'This service knows no types of readings with a number.',
  withReadings: 'With readings',
  others: 'Others',
  chooseUnit: 'Choose the unit.',
  notANumber: 'This is not a number.',
  from: (least: string, most: string) => `It must be from ${least} to ${most}.`,
  /** What the service found, from its verb on. */
  found: (message: string) => `It ${message}.`,
}

/** Targets. */
export const targetForm = {
  forAll: 'Targets for all who share with you',
  forPatient: (name: ComponentChildren): ComponentChildren => ['Targets for ', name],
  set: 'Set a target',
  asOf: (moment: ComponentChildren): ComponentChildren => ['As of ', moment, '.'],
  isSet: (name: string) => `The target of ${name} is set.`,
  isRemoved: (name: string) => `The target of ${name} is removed.`,
  none: ['No targets are set.', 'Without a target, no reading is called high or low.'] as readonly [
    string,
    string,
  ],
  readOnly: 'You can see these targets. The patient sets them, and doctors whom the patient lets do so.',
  readOnlyDoctor:
    'You can see these targets. To set your own, ask the patient to let you, under “Shared with”.',
  compared: (isCompared: boolean) => `readings are ${isCompared ? '' : 'not '}compared with it`,
  noRange: 'No range',
  change: (name: string, isForAll: boolean) => `Change the target of ${name}${isForAll ? ' for all' : ''}`,
  remove: (name: string, isForAll: boolean) => `Remove the target of ${name}${isForAll ? ' for all' : ''}`,
  removeIt: (name: string) => `Remove the target of ${name}?`,
  removing: (whom: string, range: string) =>
    `For ${whom}: ${range}. Readings will not be compared with it any more.`,
  // Setting one.
  mayNotSet: 'You can see this patient’s targets but not set one.',
  whoSets: 'The patient does, and doctors whom the patient lets do so.',
  show: 'Show the targets',
  ofWhat: 'Target of what?',
  forThisPatient: 'For this patient',
  forAllOfMine: 'For all who share with me',
  holdsForAll: (name: string) =>
    `It holds for everybody who lets you manage and has measured ${name} in the last 90 days. Where you set one for a patient, that one comes first.`,
  note: 'Note (optional)',
  setFor: (whom: string) => `Set the target for ${whom}`,
  all: 'all',
  inWords: (whom: string, name: string, range: string | undefined) =>
    `For ${whom}: ${name} ${range ?? 'without a range'}.`,
  notJudged: 'Without goals it is not judged.',
  fromTo: 'From which value to which?',
  leaveEmpty: 'Leave empty what has no limit.',
  actHint:
    'A single value beyond a limit of “Needs somebody now” is listed under “Act now”; where it is not said, that of your practice holds, if it has one.',
  alsoFor: (names: readonly string[]) => `${listed(names)} too`,
  atLeast: 'At least',
  atMost: 'At most',
  aNumber: 'A number',
  noneOnPurpose: 'None, on purpose',
  notSaid: 'Not said',
  needsNow: { actBelow: 'Needs somebody now below', actAbove: 'Needs somebody now above' },
  now: { actBelow: 'Now below', actAbove: 'Now above' },
  goals: 'Goals',
  goalsHint:
    'Which part of the values is to be in range. Glucose is judged only with goals, because a mean hides lows.',
  shares: {
    inRange: 'In range, at least',
    below: 'Below it, at most',
    above: 'Above it, at most',
    farBelow: 'Far below, at most',
    farAbove: 'Far above, at most',
  },
  farBelowIs: 'Far below is below',
  farAboveIs: 'Far above is above',
  published: 'Published limits',
  publishedHint: 'Each fills the form. Nothing holds before you set it.',
  fillIn: 'Fill in',
  fillInOf: (title: string) => `Fill in: ${title}`,
  publishedIn: 'Published in ',
  expect: 'Expect a value',
  expectNothing: 'Expect nothing',
  longerIsListed: 'A longer silence is listed.',
  typeOne: 'Type at least one number.',
  chooseOne: 'Choose one of the three.',
  typeNumber: 'Type the number.',
  percent: 'It must be above 0 and below 100.',
  limitsOf: {
    low: 'the lower limit of the target',
    high: 'the upper limit of the target',
    actBelow: 'the limit below which it needs somebody now',
    actAbove: 'the limit above which it needs somebody now',
    farLow: 'the limit of far below',
    farHigh: 'the limit of far above',
  },
  // What it has beside its range.
  needsSomebody: (what: string) => `Needs somebody now: ${what}`,
  sides: { actBelow: 'below', actAbove: 'above' },
  or: ' or ',
  noneOnPurposeOf: (sides: string) => (sides === '' ? 'none on purpose' : `none on purpose: ${sides}`),
  notSaidOf: (sides: string) => (sides === '' ? 'not said' : `not said: ${sides}`),
  goalsOf: (goals: string) => `Goals: ${goals}`,
  goal: (share: string, where: string, isLeast: boolean) =>
    `${isLeast ? 'at least' : 'at most'} ${share} ${where}`,
  inRange: 'in range',
  below: (limit: string) => `below ${limit}`,
  above: (limit: string) => `above ${limit}`,
  noneExpected: 'No value is expected',
  expected: (every: string, isRare: boolean) =>
    `A value is expected ${every}${isRare ? ': too rare to be judged' : ''}`,
}

/** Rules. */
export const ruleForm = {
  forAll: 'Rules for all who share with you',
  forPatient: (name: ComponentChildren): ComponentChildren => ['Rules for ', name],
  add: 'Add a rule',
  isSet: (rule: string) => `The rule is set: ${rule}.`,
  isRemoved: (rule: string) => `The rule is removed: ${rule}.`,
  none: ['No rules are set.', 'Without a rule, no reading alerts anybody.'] as readonly [string, string],
  doctorsSetYou: 'Doctors set these rules, if you let them under “Shared with”.',
  doctorsSet: 'Doctors set these rules, if the patient lets them under “Shared with”.',
  readOnlyDoctor: 'You can see these rules. To set them, ask the patient to let you, under “Shared with”.',
  limits:
    'Rounds notifies and does not monitor: an alert may come late or not at all, and Rounds calls nobody, so in an emergency call for help as always.',
  suspended: 'Suspended: the patient does not share this with its author any more.',
  openSince: (moment: string, sent: string) => `Open since ${moment}, ${sent}.`,
  sentToNobody: 'sent to nobody: no receiver is set up',
  sentTo: (names: readonly string[]) => `sent to ${listed(names)}`,
  receiver: (name: string, state: 'waiting' | 'failed' | 'accepted') =>
    state === 'accepted' ? name : `${name} (${state})`,
  label: (label: string) => `“${label}”`,
  setBy: (who: string, day: string, isForAll: boolean) =>
    `${isForAll ? 'For all who share with its author. ' : ''}Set by ${who} ${day}.`,
  setByYou: (day: string, isForAll: boolean) =>
    `${isForAll ? 'For all who share with its author. ' : ''}Set by you ${day}.`,
  change: (rule: string) => `Change the rule: ${rule}`,
  remove: (rule: string) => `Remove the rule: ${rule}`,
  removeIt: 'Remove this rule?',
  removing: (whom: string, rule: string) =>
    `For ${whom}: ${rule}. An alert of it that is open ends. Nobody is notified by it any more. What it alerted stays in the timeline.`,
  // Setting one.
  show: 'Show the rules',
  mayNotSet: 'You can see this patient’s rules but not change them.',
  whoSets: 'Only doctors set them, if the patient lets them.',
  gone: 'This rule is no longer there.',
  tellMeAbout: 'Tell me about',
  kinds: { symptom: 'A symptom', value: 'A value', change: 'A change', missing: 'Nothing arrives' },
  allMyPatients: 'All my patients',
  howUrgent: 'How urgent is it?',
  urgent: 'Urgent: now',
  warning: 'Warning: this week',
  chooseUrgency: 'Choose how urgent it is.',
  endsBelow: 'Ends below (optional)',
  endsAbove: 'Ends above (optional)',
  endsHint: 'A bound further away keeps it from coming and going.',
  called: 'What it is called (optional)',
  calledHint: 'The patient sees it.',
  nobody: 'Sent to nobody, unless a receiver is set up.',
  receivers:
    'The alert stands in your list, and in the timeline. Whoever runs this installation can set up a receiver, such as a pager. Rounds notifies and does not monitor: an alert may come late or not at all.',
  setFor: (whom: string) => `Set the rule for ${whom}`,
  all: 'all',
  // The sentence, with its gaps.
  aboutSymptom: (which: ComponentChildren): ComponentChildren => ['Tell me about any ', which],
  symptoms: { SEVERE: 'severe symptom', MODERATE: 'symptom that is moderate or worse', MILD: 'symptom' },
  whenMissing: (what: ComponentChildren, length: ComponentChildren): ComponentChildren => [
    'Tell me when no ',
    what,
    ' arrives for ',
    length,
  ],
  whenChanged: (
    what: ComponentChildren,
    gap: Record<'side' | 'amount' | 'unit' | 'within', ComponentChildren>,
  ): ComponentChildren => [
    'Tell me when ',
    what,
    ' ',
    gap.side,
    ' by ',
    gap.amount,
    ' ',
    gap.unit,
    ' within ',
    gap.within,
  ],
  rises: 'rises',
  falls: 'falls',
  whenBeyond: (
    what: ComponentChildren,
    gap: Record<'side' | 'amount' | 'unit' | 'times', ComponentChildren> & {
      /** Undefined where once is enough. */
      within: ComponentChildren | undefined
    },
  ): ComponentChildren => [
    'Tell me when ',
    what,
    ' is ',
    gap.side,
    ' ',
    gap.amount,
    ' ',
    gap.unit,
    ' ',
    gap.times,
    ...(gap.within === undefined ? [' time'] : [' times within ', gap.within]),
  ],
  above: 'above',
  below: 'below',
  gaps: {
    whichSymptoms: 'Which symptoms',
    whichReadings: 'Which readings',
    howLong: 'For how long',
    whichWay: 'Which way',
    howMuch: 'By how much',
    within: 'Within',
    side: 'On which side',
    bound: 'Bound',
    times: 'How many times',
    whichNumber: 'Which number',
    unit: 'Unit',
    noUnit: 'unit',
  },
  moreThanZero: 'It must be more than 0.',
  wholeNumber: (most: number) => `It must be a whole number from 1 to ${most}.`,
  atMost: (bound: string) => `It must be at most ${bound}.`,
  atLeast: (bound: string) => `It must be at least ${bound}.`,
  missingNumber: 'The number is missing.',
  possibleAbove: (least: string, most: string) => `It must be at least ${least} and less than ${most}.`,
  possibleBelow: (least: string, most: string) => `It must be more than ${least} and at most ${most}.`,
  // The preview.
  lastDays: (days: number) => `The last ${days} days`,
  fillGaps: 'Fill in the gaps, and you see here when it would have told you.',
  notTold: 'It would not have told you.',
  told: (count: number, perWeek: number | undefined) =>
    `It would have told you ${times(count)}${perWeek === undefined ? '' : `, about ${perWeek} a week`}.`,
  noReadings: (name: string, count: number | undefined) =>
    `There are no readings of ${name}${count === undefined ? '' : ` of ${patients(count)}`}.`,
  tried: (
    readings: number,
    { day, isCut, ofPatients }: { day: string; isCut: boolean; ofPatients: number | undefined },
  ) =>
    `From ${counted(readings, { one: 'reading', other: 'readings' })}${ofPatients === undefined ? '' : ` of ${patients(ofPatients)}`} ${isCut ? 'which reach back to' : 'since'} ${day}.`,
  openNow: 'Open now.',
  andBefore: (count: number) => `And ${times(count)} before.`,
}
