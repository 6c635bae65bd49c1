// Why a patient is listed, in words. Each bound is named with whose it is: nothing is said that nobody judged.
import type { ListedPatient } from '../../../typescript/src/client.ts'
import { isoDurationText } from '../format/iso-duration.ts'
import { countText, numberText, roundedText } from '../format/numbers.ts'
import { severityWord } from '../format/reading-text.ts'
import { momentText, sinceText } from '../format/times.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { DAY_MS, HOUR_MS } from '../format/zone-calendar.ts'
import { listed } from '../words/language.ts'

export type Reason = ListedPatient['reasons'][number]
type Of<Code extends Reason['code']> = Extract<Reason, { code: Code }>

/** `doctorId`: of the reader, whose own limits are "your". */
export type WordOptions = { zone: string; now: number; doctorId: string | undefined }

/** A mean needs so many, and on 3 days. */
const VALUES_OF_A_MEAN = 6

/** A reading that arrives later than this is said to have. */
const LATE_MS = HOUR_MS

/** What is found, and in brackets whose limit it is where another than the reader has set it. */
export function lineOf(reason: Reason, options: WordOptions): string {
  const text = textOf(reason, options)
  const isOther = 'author' in reason && !isOwn(reason.author, options.doctorId)
  return isOther ? `${text} (${reason.author.name})` : text
}

/** What is found. */
export function textOf(reason: Reason, options: WordOptions): string {
  const { zone, now } = options
  switch (reason.code) {
    case 'severe':
    case 'moderate':
      return `${capital(severityWord(reason.severity))} ${when(reason, options)}: ${String(reason.shown['symptom'])}`
    case 'value':
      return `${valueOf(reason)} ${when(reason, options)}, ${reason.field === 'diastolic' ? 'diastolic ' : ''}${boundOf(reason)}`
    case 'alert':
      return alertText(reason, options)
    case 'goal': {
      const [share, goal] = shares(reason)
      const [part, most] =
        reason.part === 'inRange' ? ['in range', 'at least'] : [partText(reason), 'at most']
      return `${capital(subjectOf(reason))}: ${share} ${part}, goal ${most} ${goal}`
    }
    case 'mean': {
      const { days, value, unit, limit } = reason
      const mean = `Mean of ${days} days: ${subjectOf(reason)} ${meanText(value)}`
      return `${mean} ${unitSign(unit)}, limit ${numberText(limit)}`
    }
    case 'fall': {
      const [share, before] = shares(reason)
      return `${capital(subjectOf(reason))}: ${share} in range, ${before} the two weeks before`
    }
    case 'silent': {
      const every = isoDurationText(reason.expectEvery).replace(/^1 (?=\w+$)/, '')
      const passed = lengthText(now - Date.parse(reason.since))
      return `No ${nameWithin(reason.readingType)} for ${passed}, expected every ${every}`
    }
    case 'lookAgain':
      return `Look again: ${Date.parse(reason.since) <= now ? 'due ' : ''}${momentText(reason.since, now, zone)}`
    case 'sharingEnds':
      return `Sharing ends ${momentText(reason.since, now, zone)}`
    // A clock.
    default:
      return `Impossible time, ${nameWithin(reason.readingType)}: ${bothTimes(reason, options)}`
  }
}

/** What an author has set: it stands between "the" and "of Dr Sample". The limit of a mean is named already. */
const WHAT = {
  value: ', the act limit',
  goal: ', the goal',
  mean: '',
  fall: ', the target',
  silent: ', the target',
}

/** Behind it: whose limit it is, alerts on the same reading, and whether it was seen. */
export function restOf(reason: Reason, { doctorId }: WordOptions): string {
  const alerts =
    'alerts' in reason ? reason.alerts.map(({ label }) => ` Alert ${quoted(label)}.`).join('') : ''
  const seen = reason.isSeen ? ' Seen.' : ' Not seen yet.'
  // A date that is to come is nothing to be seen.
  const isToCome = reason.code === 'lookAgain' && reason.isSeen
  return `${'author' in reason ? whoseText(reason, doctorId) : ''}.${alerts}${isToCome ? '' : seen}`
}

function whoseText(
  { code, author }: Extract<Reason, { author: object }>,
  doctorId: string | undefined,
): string {
  if (!isOwn(author, doctorId)) return `${WHAT[code]} of ${author.name}`
  return code === 'mean' ? ', yours' : WHAT[code].replace('the', 'your')
}

const isOwn = (author: { doctorId?: string }, doctorId: string | undefined) =>
  author.doctorId !== undefined && author.doctorId === doctorId

/** What stands beside the reasons, grey: mild symptoms, and what nobody judged. */
export function besideOf({ symptoms, notJudged }: Pick<ListedPatient, 'symptoms' | 'notJudged'>): string[] {
  const mild = new Set(symptoms.map(({ symptom }) => symptom))
  const lacks = notJudged.filter((lack) => !isWithoutTarget(lack))
  const names = notJudged.filter(isWithoutTarget).map(({ readingType = '' }) => nameWithin(readingType))
  return [
    ...[...mild].map((symptom) => `Mild: ${symptom}`),
    ...lacks.map(lackText),
    ...(names.length === 0 ? [] : [`Not judged: ${listed(names)}, no target`]),
  ]
}

const isWithoutTarget = ({ why, readingType }: Lack) => why === 'noTarget' && readingType !== undefined

type Lack = ListedPatient['notJudged'][number]

/** Without act limits, the rest of the target is judged. */
function lackText({ why, readingType, have = 0, need = 0 }: Lack): string {
  if (readingType === undefined) return 'Not judged: no target'
  if (why === 'noActLimits') return `${capital(nameWithin(readingType))}: no act limits`
  const isSensor = readingType === 'interstitialGlucose'
  const values = `${countText(need, 'value')}${need === VALUES_OF_A_MEAN ? ' on 3 days' : ''}`
  const enough = isSensor ? `${roundedText(need)} hours` : values
  const few = have === 0 ? 'no values' : `${roundedText(have)} of ${enough} needed`
  const words = {
    noTarget: 'no target',
    tooFew: need === 1 ? 'no value in 14 days' : few,
    noGoals: 'no goals',
  }
  return `Not judged: ${nameWithin(readingType)}, ${words[why]}`
}

function alertText(reason: Of<'alert'>, options: WordOptions): string {
  const { label, severity, kind, value, unit, limit, endedAt } = reason
  const sign = kind === 'change' && value !== null && value > 0 ? '+' : ''
  const found = value === null ? '' : `: ${sign}${numberText(value)} ${unitSign(unit ?? '')}`.trimEnd()
  const ended = endedAt === null ? '' : `, ended ${sinceText(endedAt, options.now, options.zone)}`
  const at = value === null ? '' : ` ${when(reason, options)}`
  const bound = limit === null ? '' : `, limit ${numberText(limit)}`
  return `${capital(severity)} alert ${quoted(label)}${found}${at}${bound}${ended}`
}

type Timed = { measuredAt: string; receivedAt: string; isLate?: boolean }

/** "at 07:40"; "yesterday 22:40"; of one that came late "measured 14 Nov 08:12, arrived 11:00". */
function when({ isLate = false, ...reading }: Timed, options: WordOptions): string {
  const { measuredAt, receivedAt } = reading
  const delayMs = Date.parse(receivedAt) - Date.parse(measuredAt)
  const moment = sinceText(measuredAt, options.now, options.zone)
  const at =
    delayMs > LATE_MS || delayMs < -DAY_MS
      ? bothTimes(reading, options)
      : moment.replace(/^(?=\d\d?:)/, 'at ')
  return isLate ? `${at}, older than 72 hours` : at
}

const bothTimes = ({ measuredAt, receivedAt }: Timed, { now, zone }: WordOptions) =>
  `measured ${sinceText(measuredAt, now, zone)}, arrived ${sinceText(receivedAt, now, zone)}`

/** The two pressures, else of what it is the value that was judged, or what a sensor says instead of one. */
function valueOf(reason: Of<'value'>): string {
  const { shown, field, value, outOfRange, unit } = reason
  const { systolic, diastolic } = shown
  if (PRESSURES.has(field) && typeof systolic === 'number' && typeof diastolic === 'number')
    return `${numberText(systolic)}/${numberText(diastolic)} ${unitSign(unit)}`
  const found = value === null ? `“${outOfRange?.toUpperCase()}”` : `${numberText(value)} ${unitSign(unit)}`
  return `${capital(subjectOf(reason))} ${found}`
}

const boundOf = ({ value, outOfRange, limit }: Of<'value'>) =>
  `${outOfRange === 'low' || (value !== null && value < limit) ? 'below' : 'above'} ${numberText(limit)}`

/** Of which type everybody knows. */
const PRESSURES = new Set(['systolic', 'diastolic'])

/** What it is a number of: "body weight", "systolic", "blood pressure, pulse". */
function subjectOf({ readingType, field }: { readingType: string; field: string }): string {
  if (PRESSURES.has(field)) return nameWithin(field)
  return field === 'value' ? nameWithin(readingType) : `${nameWithin(readingType)}, ${nameWithin(field)}`
}

/** A rule without a label has the sentence of its alert. */
const quoted = (label: string) => `“${label.replace(/\.$/, '')}”`

const meanText = (value: number) => roundedText(Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1)))

const partText = ({ part, bound, unit }: Of<'goal'>) =>
  `${/below/i.test(part) ? 'below' : 'above'} ${bound === null ? 'the range' : `${numberText(bound)} ${unitSign(unit)}`}`

/** Of a value and its limit: one decimal, or as many digits as tell them apart. */
function shares({ value, limit }: { value: number; limit: number }): string[] {
  const tenths = [value, limit].map((share) => Math.round(share * 1_000) / 10)
  const isTold = tenths[0] !== tenths[1]
  return (isTold ? tenths : [value * 100, limit * 100]).map((percent) => `${roundedText(percent)} %`)
}

const lengthText = (ms: number) =>
  ms < 2 * DAY_MS ? countText(Math.floor(ms / HOUR_MS), 'hour') : countText(Math.floor(ms / DAY_MS), 'day')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The queue that this reason alone would put a patient into. */
export function queueOfReason(reason: Reason): ListedPatient['queue'] {
  if (reason.isSeen) return 'seen'
  if (reason.code === 'silent') return 'silent'
  const isUrgent =
    ((reason.code === 'severe' || reason.code === 'value') && !reason.isLate) ||
    (reason.code === 'alert' && reason.severity === 'urgent' && reason.endedAt === null)
  return isUrgent ? 'actNow' : 'thisWeek'
}
