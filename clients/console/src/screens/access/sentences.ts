// The access log in sentences. One visit leaves many entries (a screen asks for several things), so entries of one reader that
// follow each other within minutes are told together. What a connected system is sent in a day is told together too: it gets a
// message whenever something changes. A correction is a sentence of its own.
import type { Access } from '../../../../typescript/src/client.ts'
import type { NamedDoctor } from '../../directory/doctor-names.ts'
import { countText } from '../../format/numbers.ts'
import { dateText, dateTimeText, daysBetween, rangeText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { listed } from '../../words/language.ts'

const ONE_VISIT_MS = 5 * 60_000
const MAX_TYPES_NAMED = 4

/** Who read, as what, and why. */
type Reader = Pick<Access, 'readBy' | 'allowedAs' | 'doctorId' | 'reason'>
export type Visit = Reader & { entries: Access[]; from: string; to: string }
export type NameOfDoctor = (doctorId: string) => NamedDoctor

/** Newest first, as the log is: a visit stands where its newest entry does. Days are those of the zone. */
export function visitsOf(entries: Access[], zone: string): Visit[] {
  const visits: Visit[] = []
  for (const entry of entries) {
    const visit = isSystem(entry)
      ? visits.findLast((one) => isSameReader(one, entry) && daysBetween(entry.at, one.from, zone) === 0)
      : visits.slice(-1).find((last) => isOneVisit(last, entry))
    if (visit) {
      visit.entries.push(entry)
      visit.from = entry.at
    } else {
      const { readBy, allowedAs, doctorId, reason, at } = entry
      visits.push({
        readBy,
        allowedAs,
        ...(doctorId === undefined ? {} : { doctorId }),
        ...(reason === undefined ? {} : { reason }),
        entries: [entry],
        from: at,
        to: at,
      })
    }
  }
  return visits
}

const isOneVisit = (last: Visit, entry: Access) =>
  entry.correction === undefined &&
  last.entries[0]?.correction === undefined &&
  isSameReader(last, entry) &&
  Date.parse(last.from) - Date.parse(entry.at) <= ONE_VISIT_MS

/** A system that a webhook calls. */
const isSystem = ({ readBy, allowedAs }: Reader) => allowedAs === 'service' && readBy.startsWith(WEBHOOK)

const isSameReader = (one: Reader, other: Reader) =>
  one.readBy === other.readBy &&
  one.allowedAs === other.allowedAs &&
  one.doctorId === other.doctorId &&
  one.reason === other.reason

/** Who it was, as the subject of a sentence: "You", "Dr Willow Sample, Cardiology,", "copy.example, a connected system,". */
export function readerOf(
  { readBy, allowedAs, doctorId }: Reader,
  subject: string,
  nameOfDoctor: NameOfDoctor,
) {
  if (readBy === subject) return { name: 'You', role: '' }
  if (isSystem({ readBy, allowedAs }))
    return { name: readBy.slice(WEBHOOK.length), role: 'a connected system' }
  if (doctorId === undefined) return { name: readBy, role: ROLES[allowedAs] ?? '' }
  const { name, speciality = '' } = nameOfDoctor(doctorId)
  return { name, role: speciality }
}

/** What stands before the host that readings are sent to. */
const WEBHOOK = 'webhook '

const ROLES: Record<string, string> = {
  patient: 'signed in for this patient',
  staff: 'staff',
  service: 'a service',
  operator: 'an operator of this service',
}

/** What each report is called, with the types that it is about. */
const REPORTS: Record<string, (types: string) => string> = {
  'reports/glucose': () => 'the glucose report',
  'reports/blood-pressure': () => 'the blood pressure report',
  'reports/time-in-target': (types) => `the share in target${types}`,
  'reports/days-with-data': (types) => `the days with readings${types}`,
}

/** What stands beside the readings. */
const BESIDE: Record<string, string> = {
  'targets/list': 'the targets',
  timeline: 'what happened before',
  'rules/list': 'the alert rules',
  'alerts/list': 'the alerts',
  'alerts/history': 'what became of an alert',
}

/** Lists of a doctor. The service writes one entry a day, however often one is shown. */
const LISTS: Record<string, (whose: string) => string> = {
  'care/patients/list': (whose) => `looked at ${whose} in the list of patients`,
  'care/alerts/list': () => 'looked at the list of alerts',
}

const PREVIEW = 'care/rules/preview'

type DeedOptions = {
  zone: string
  /** "your readings", "the readings of child-1". */
  whose: string
}

/** What was read or corrected, as the predicates of a sentence. */
export function deedsOf(entries: Access[], { zone, whose }: DeedOptions): string[] {
  const corrected = entries.flatMap(({ correction }) =>
    correction ? [correctionText(correction, zone)] : [],
  )
  if (corrected.length > 0) return corrected
  const by = (operation: string) => entries.filter((entry) => entry.operation === operation)
  const read: string[] = []
  const got = by('readings/get')
  if (got.length > 0) read.push(`${readingsText(got)}${ofTypes(got)}${ofTime(got, zone)}`)
  const latest = by('readings/latest')
  if (latest.length > 0) read.push(`the newest of ${typesOf(latest) ?? 'each type'}`)
  const statistics = by('readings/statistics')
  if (statistics.length > 0) read.push(`summaries${ofTypes(statistics)}${ofTime(statistics, zone)}`)
  for (const [operation, words] of Object.entries(REPORTS)) {
    const reports = by(operation)
    if (reports.length > 0) read.push(`${words(ofTypes(reports))}${ofTime(reports, zone)}`)
  }
  for (const [operation, words] of Object.entries(BESIDE)) if (by(operation).length > 0) read.push(words)
  const deeds = Object.entries(LISTS).flatMap(([operation, words]) =>
    by(operation).length > 0 ? [words(whose)] : [],
  )
  const tried = by(PREVIEW)
  if (tried.length > 0) deeds.push(`tried out an alert rule on ${whose}${ofTypes(tried)}`)
  if (read.length > 0) deeds.push(`read ${listed(read)}`)
  if (by('readings/stream').length > 0) deeds.push('watched new readings arrive')
  const changes = by('readings/changes')
  if (changes.length > 0) deeds.push(`copied ${readingsText(changes)} as they changed`)
  const sent = by('webhooks')
  if (sent.length > 0) deeds.push(sentText(sent))
  const exported = by('patient/export')
  if (exported.length > 0) deeds.push(`exported the whole record, ${readingsText(exported)}`)
  if (by('readings/access-log').length > 0) deeds.push('looked at who has read')
  if (by('readings/withdraw').length > 0) deeds.push('tried to withdraw a reading, which changed nothing')
  if (by('readings/restore').length > 0) deeds.push('tried to restore a reading, which changed nothing')
  const known = new Set([
    'readings/get',
    'readings/latest',
    'readings/statistics',
    'readings/stream',
    'readings/changes',
    'webhooks',
    'patient/export',
    'readings/access-log',
    'readings/withdraw',
    'readings/restore',
    ...Object.keys(REPORTS),
    ...Object.keys(BESIDE),
    ...Object.keys(LISTS),
    PREVIEW,
  ])
  for (const { operation } of entries) if (!known.has(operation)) deeds.push(`used ${operation}`)
  return [...new Set(deeds)]
}

type Correction = NonNullable<Access['correction']>

/** "withdrew a heart rate of 14 Nov 2026, 09:12". The reason follows it. */
function correctionText({ action, readingType, measuredAt }: Correction, zone: string): string {
  const name = nameWithin(readingType)
  const article = /^[aeiou]/i.test(name) ? 'an' : 'a'
  return `${action === 'withdraw' ? 'withdrew' : 'restored'} ${article} ${name} of ${dateTimeText(measuredAt, zone)}`
}

/** Why, as staff who read, or the one who withdrew the reading, have written it. */
export const reasonOf = ({ entries, reason }: Pick<Visit, 'entries' | 'reason'>) =>
  entries[0]?.correction?.reason ?? reason

export function sentenceOf(
  visit: Visit,
  subject: string,
  { nameOfDoctor, ...options }: DeedOptions & { nameOfDoctor: NameOfDoctor },
): string {
  const { name, role } = readerOf(visit, subject, nameOfDoctor)
  const reason = reasonOf(visit)
  const deeds = listed(deedsOf(visit.entries, options))
  return `${name}${role === '' ? '' : `, ${role},`} ${deeds}${reason === undefined ? '.' : `: ${reason}`}`
}

function readingsText(entries: Access[]): string {
  return countText(
    entries.reduce((sum, { readingsCount }) => sum + readingsCount, 0),
    'reading',
  )
}

/** The log is written before a message is sent: whether it arrived, the log does not know. One about what is shared holds no reading. */
function sentText(entries: Access[]): string {
  const readings = entries.filter(({ readingsCount }) => readingsCount > 0)
  const sent = [
    ...(readings.length > 0 ? [readingsText(readings)] : []),
    ...(readings.length < entries.length ? ['what is shared with doctors'] : []),
  ]
  return `was sent ${listed(sent)}`
}

function typesOf(entries: Access[]): string | undefined {
  const types = new Set(entries.flatMap(({ readingTypes }) => readingTypes ?? []))
  if (types.size === 0 || entries.some(({ readingTypes }) => readingTypes === null)) return undefined
  if (types.size > MAX_TYPES_NAMED) return countText(types.size, 'type')
  return listed([...types].map(nameWithin))
}

function ofTypes(entries: Access[]): string {
  const types = typesOf(entries)
  return types === undefined ? '' : ` of ${types}`
}

function ofTime(entries: Access[], zone: string): string {
  const [froms, tos] = [entries.map(({ from }) => from), entries.map(({ to }) => to)]
  const from = froms.includes(null) ? undefined : earliest(froms)
  const to = tos.includes(null) ? undefined : latestOf(tos)
  if (from !== undefined && to !== undefined) return `, ${rangeText(from, to, zone)}`
  if (from !== undefined) return `, since ${dateText(from, zone)}`
  return to === undefined ? '' : `, until ${dateText(to, zone)}`
}

const times = (texts: (string | null)[]) => texts.flatMap((text) => (text === null ? [] : Date.parse(text)))
const earliest = (texts: (string | null)[]) => Math.min(...times(texts))
const latestOf = (texts: (string | null)[]) => Math.max(...times(texts))
