// Why a patient is listed, in words. Each bound is named with whose it is: nothing is said that nobody judged.
import type { ListedPatient } from '../../../typescript/src/client.ts'
import { everyText } from '../format/iso-duration.ts'
import { numberText, roundedText } from '../format/numbers.ts'
import { severityWord } from '../format/reading-text.ts'
import { atText, momentText, sinceText } from '../format/times.ts'
import { nameWithin } from '../format/type-names.ts'
import { unitSign } from '../format/units.ts'
import { DAY_MS, HOUR_MS } from '../format/zone-calendar.ts'
import { words } from '../words/words.ts'

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
  const { reasons } = words
  switch (reason.code) {
    case 'severe':
    case 'moderate':
      return reasons.symptom(
        capital(severityWord(reason.severity)),
        when(reason, options),
        String(reason.shown['symptom']),
      )
    case 'value':
      return reasons.value(valueOf(reason), when(reason, options), boundOf(reason))
    case 'alert':
      return alertText(reason, options)
    case 'goal': {
      const [share = '', goal = ''] = shares(reason)
      const isLeast = reason.part === 'inRange'
      return reasons.goal(capital(subjectOf(reason)), share, {
        part: isLeast ? reasons.inRange : partText(reason),
        isLeast,
        goal,
      })
    }
    case 'mean': {
      const { days, value, unit, limit } = reason
      return reasons.mean(
        days,
        `${subjectOf(reason)} ${meanText(value)} ${unitSign(unit)}`,
        numberText(limit),
      )
    }
    case 'fall': {
      const [share = '', before = ''] = shares(reason)
      return reasons.fall(capital(subjectOf(reason)), share, before)
    }
    case 'silent':
      return reasons.silent(
        nameWithin(reason.readingType),
        lengthText(now - Date.parse(reason.since)),
        everyText(reason.expectEvery),
      )
    case 'lookAgain':
      return reasons.lookAgain(momentText(reason.since, now, zone), Date.parse(reason.since) <= now)
    case 'sharingEnds':
      return reasons.sharingEnds(momentText(reason.since, now, zone))
    // A clock.
    default:
      return reasons.impossibleTime(nameWithin(reason.readingType), bothTimes(reason, options))
  }
}

/** Behind it: whose limit it is, alerts on the same reading, and whether it was seen. */
export function restOf(reason: Reason, { doctorId }: WordOptions): string {
  const { reasons } = words
  const alerts =
    'alerts' in reason ? reason.alerts.map(({ label }) => reasons.alertToo(withoutDot(label))) : []
  // A date that is to come is nothing to be seen.
  const isToCome = reason.code === 'lookAgain' && reason.isSeen
  const seen = reason.isSeen ? reasons.seen : reasons.notSeen
  const whose = 'author' in reason ? whoseText(reason, doctorId) : ''
  return [`${whose}.`, ...alerts, ...(isToCome ? [] : [seen])].join(' ')
}

const whoseText = (
  { code, author }: Extract<Reason, { author: object }>,
  doctorId: string | undefined,
): string => (isOwn(author, doctorId) ? words.reasons.yours[code] : words.reasons.whose[code](author.name))

const isOwn = (author: { doctorId?: string }, doctorId: string | undefined) =>
  author.doctorId !== undefined && author.doctorId === doctorId

/** What stands beside the reasons, grey: mild symptoms, and what nobody judged. */
export function besideOf({ symptoms, notJudged }: Pick<ListedPatient, 'symptoms' | 'notJudged'>): string[] {
  const mild = new Set(symptoms.map(({ symptom }) => symptom))
  const lacks = notJudged.filter((lack) => !isWithoutTarget(lack))
  const names = notJudged.filter(isWithoutTarget).map(({ readingType = '' }) => nameWithin(readingType))
  return [
    ...[...mild].map(words.reasons.mild),
    ...lacks.map(lackText),
    ...(names.length === 0 ? [] : [words.reasons.noTargetFor(names)]),
  ]
}

const isWithoutTarget = ({ why, readingType }: Lack) => why === 'noTarget' && readingType !== undefined

type Lack = ListedPatient['notJudged'][number]

/** Without act limits, the rest of the target is judged. */
function lackText({ why, readingType, have = 0, need = 0 }: Lack): string {
  const { reasons } = words
  if (readingType === undefined) return reasons.noTarget
  const name = nameWithin(readingType)
  if (why === 'noActLimits') return reasons.noActLimits(capital(name))
  const enough =
    readingType === 'interstitialGlucose'
      ? reasons.hours(roundedText(need))
      : reasons.values(need, need === VALUES_OF_A_MEAN)
  const few = have === 0 ? reasons.noValues : reasons.tooFew(roundedText(have), enough)
  const lacks = {
    noTarget: reasons.lacksTarget,
    tooFew: need === 1 ? reasons.noValueInTwoWeeks : few,
    noGoals: reasons.noGoals,
  }
  return reasons.notJudged(name, lacks[why])
}

function alertText(reason: Of<'alert'>, options: WordOptions): string {
  const { label, severity, kind, value, unit, limit, endedAt } = reason
  const sign = kind === 'change' && value !== null && value > 0 ? '+' : ''
  return words.reasons.alert(severity, withoutDot(label), {
    found: value === null ? undefined : `${sign}${numberText(value)} ${unitSign(unit ?? '')}`.trimEnd(),
    when: when(reason, options),
    limit: limit === null ? undefined : numberText(limit),
    ended: endedAt === null ? undefined : sinceText(endedAt, options.now, options.zone),
  })
}

type Timed = { measuredAt: string; receivedAt: string; isLate?: boolean }

/** "at 07:40"; "yesterday 22:40"; of one that came late "measured 14 Nov 08:12, arrived 11:00". */
function when({ isLate = false, ...reading }: Timed, options: WordOptions): string {
  const { measuredAt, receivedAt } = reading
  const delayMs = Date.parse(receivedAt) - Date.parse(measuredAt)
  const at =
    delayMs > LATE_MS || delayMs < -DAY_MS
      ? bothTimes(reading, options)
      : atText(measuredAt, options.now, options.zone)
  return isLate ? words.reasons.older(at) : at
}

const bothTimes = ({ measuredAt, receivedAt }: Timed, { now, zone }: WordOptions) =>
  words.reasons.bothTimes(sinceText(measuredAt, now, zone), sinceText(receivedAt, now, zone))

/** The two pressures, else of what it is the value that was judged, or what a sensor says instead of one. */
function valueOf(reason: Of<'value'>): string {
  const { shown, field, value, outOfRange, unit } = reason
  const { systolic, diastolic } = shown
  if (PRESSURES.has(field) && typeof systolic === 'number' && typeof diastolic === 'number')
    return `${numberText(systolic)}/${numberText(diastolic)} ${unitSign(unit)}`
  const found =
    value === null
      ? words.reasons.quoted((outOfRange ?? '').toUpperCase())
      : `${numberText(value)} ${unitSign(unit)}`
  return `${capital(subjectOf(reason))} ${found}`
}

const boundOf = ({ field, value, outOfRange, limit }: Of<'value'>) =>
  words.reasons.bound(numberText(limit), {
    isBelow: outOfRange === 'low' || (value !== null && value < limit),
    isDiastolic: field === 'diastolic',
  })

/** Of which type everybody knows. */
const PRESSURES = new Set(['systolic', 'diastolic'])

/** What it is a number of: "body weight", "systolic", "blood pressure, pulse". */
function subjectOf({ readingType, field }: { readingType: string; field: string }): string {
  if (PRESSURES.has(field)) return nameWithin(field)
  return field === 'value' ? nameWithin(readingType) : `${nameWithin(readingType)}, ${nameWithin(field)}`
}

/** A rule without a label has the sentence of its alert. */
const withoutDot = (label: string) => label.replace(/\.$/, '')

const meanText = (value: number) => roundedText(Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1)))

function partText({ part, bound, unit }: Of<'goal'>): string {
  const amount = bound === null ? undefined : `${numberText(bound)} ${unitSign(unit)}`
  return /below/i.test(part) ? words.reasons.below(amount) : words.reasons.above(amount)
}

/** Of a value and its limit: one decimal, or as many digits as tell them apart. */
function shares({ value, limit }: { value: number; limit: number }): string[] {
  const tenths = [value, limit].map((share) => Math.round(share * 1_000) / 10)
  const isTold = tenths[0] !== tenths[1]
  return (isTold ? tenths : [value * 100, limit * 100]).map((percent) => `${roundedText(percent)} %`)
}

const lengthText = (ms: number) =>
  ms < 2 * DAY_MS
    ? words.times.wholeHours(Math.floor(ms / HOUR_MS))
    : words.times.ofDays(Math.floor(ms / DAY_MS))

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
