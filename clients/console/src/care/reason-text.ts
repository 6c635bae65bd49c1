// Why a patient is listed, in words. Each bound is named with whose it is: nothing is said that nobody judged.
import type { ListedPatient } from '../../../typescript/src/client.ts'
import { isoDurationText } from '../format/iso-duration.ts'
import { countText, numberText, roundedText } from '../format/numbers.ts'
import { severityWord } from '../format/reading-text.ts'
import { momentText, sinceText } from '../format/times.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { DAY_MS, HOUR_MS } from '../format/zone-calendar.ts'

export type Reason = ListedPatient['reasons'][number]
type Of<Code extends Reason['code']> = Extract<Reason, { code: Code }>

/** `doctorId`: of the reader, whose own limits are "your". */
export type WordOptions = { zone: string; now: number; doctorId: string | undefined }

/** A reading that arrives later than this is said to have. */
const LATE_MS = HOUR_MS

/** What is found. */
export function textOf(reason: Reason, options: WordOptions): string {
  const { zone, now } = options
  switch (reason.code) {
    case 'severe':
    case 'moderate':
      return `${capital(severityWord(reason.severity))} ${when(reason, options)}: ${String(reason.shown['symptom'])}`
    case 'value':
      return `${valueOf(reason)} ${when(reason, options)}, ${named(reason, ['value', 'systolic'])}${boundOf(reason)}`
    case 'alert':
      return alertText(reason, options)
    case 'goal': {
      const [share, goal] = shares(reason)
      const [part, most] =
        reason.part === 'inRange' ? ['in range', 'at least'] : [partText(reason), 'at most']
      return `${share} ${part}, goal ${most} ${goal}`
    }
    case 'mean': {
      const { days, value, unit, limit } = reason
      const mean = `Mean of ${days} days: ${named(reason, ['value'])}${roundedText(value)}`
      return `${mean} ${unitSign(unit)}, limit ${numberText(limit)}`
    }
    case 'fall': {
      const [share, before] = shares(reason)
      return `${share} in range, ${before} the two weeks before`
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
      return `Impossible time on a ${nameWithin(reason.readingType)}: ${bothTimes(reason, options)}`
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
  const alerts = 'alerts' in reason ? reason.alerts.map(({ label }) => ` Alert “${label}”.`).join('') : ''
  return `${'author' in reason ? whoseText(reason, doctorId) : ''}.${alerts} ${reason.isSeen ? 'Seen.' : 'Not seen yet.'}`
}

function whoseText(
  { code, author }: Extract<Reason, { author: object }>,
  doctorId: string | undefined,
): string {
  if (author.doctorId === undefined || author.doctorId !== doctorId) return `${WHAT[code]} of ${author.name}`
  return code === 'mean' ? ', yours' : WHAT[code].replace('the', 'your')
}

/** What stands beside the reasons, grey: mild symptoms, and what nobody judged. */
export function besideOf({ symptoms, notJudged }: Pick<ListedPatient, 'symptoms' | 'notJudged'>): string[] {
  return [
    ...symptoms.map(({ symptom }) => `Mild: ${symptom}`),
    ...notJudged.map((one) => `Not judged: ${notJudgedText(one)}`),
  ]
}

function notJudgedText({ why, readingType, have = 0, need = 0 }: ListedPatient['notJudged'][number]): string {
  if (readingType === undefined) return 'no target'
  const isSensor = readingType === 'interstitialGlucose'
  const enough = isSensor ? `${roundedText(need)} hours` : countText(need, 'value')
  const words = {
    noTarget: 'no target',
    tooFew: have === 0 ? 'no values' : `${roundedText(have)} of ${enough} needed`,
    noGoals: 'no goals',
    noActLimits: 'no act limits',
  }
  return `${nameWithin(readingType)}, ${words[why]}`
}

function alertText(reason: Of<'alert'>, options: WordOptions): string {
  const { label, severity, kind, value, unit, endedAt, isLate } = reason
  const sign = kind === 'change' && value !== null && value > 0 ? '+' : ''
  const found = value === null ? '' : `: ${sign}${numberText(value)} ${unitSign(unit ?? '')}`.trimEnd()
  const ended = endedAt === null ? '' : `, ended ${sinceText(endedAt, options.now, options.zone)}`
  const missed = isLate ? ', nobody looked' : ''
  const at = value === null ? '' : ` ${when({ ...reason, isLate: false }, options)}`
  return `${capital(severity)} alert “${label}”${found}${at}${ended}${missed}`
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
  return isLate ? `${at}, nobody looked` : at
}

const bothTimes = ({ measuredAt, receivedAt }: Timed, { now, zone }: WordOptions) =>
  `measured ${sinceText(measuredAt, now, zone)}, arrived ${sinceText(receivedAt, now, zone)}`

/** The two pressures, else the value that was judged, or what a sensor says instead of one. */
function valueOf({ shown: { systolic, diastolic }, value, outOfRange, unit }: Of<'value'>): string {
  if (typeof systolic === 'number' && typeof diastolic === 'number')
    return `${numberText(systolic)}/${numberText(diastolic)} ${unitSign(unit)}`
  return value === null ? `“${outOfRange?.toUpperCase()}”` : `${numberText(value)} ${unitSign(unit)}`
}

const boundOf = ({ value, outOfRange, limit }: Of<'value'>) =>
  `${outOfRange === 'low' || (value !== null && value < limit) ? 'below' : 'above'} ${numberText(limit)}`

/** Of several numbers of a type, which: "diastolic ". */
const named = ({ field }: { field: string }, obvious: string[]) =>
  obvious.includes(field) ? '' : `${nameWithin(field)} `

const partText = ({ part, bound }: Of<'goal'>) =>
  `${/below/i.test(part) ? 'below' : 'above'} ${bound === null ? 'the range' : numberText(bound)}`

/** Of a value and its limit: one decimal, or as many digits as tell them apart. */
function shares({ value, limit }: { value: number; limit: number }): string[] {
  const tenths = [value, limit].map((share) => Math.round(share * 1_000) / 10)
  const isTold = tenths[0] !== tenths[1]
  return (isTold ? tenths : [value * 100, limit * 100]).map((percent) => `${roundedText(percent)} %`)
}

const lengthText = (ms: number) =>
  ms < 2 * DAY_MS ? countText(Math.floor(ms / HOUR_MS), 'hour') : countText(Math.floor(ms / DAY_MS), 'day')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
