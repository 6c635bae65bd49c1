// The access log in sentences. One visit leaves many entries (a screen asks for several things), so entries of one reader that
// follow each other within minutes are told together. What a connected system is sent in a day is told together too: it gets a
// message whenever something changes. A correction is a sentence of its own.
import type { Access } from '../../../../typescript/src/client.ts'
import type { NamedDoctor } from '../../directory/doctor-names.ts'
import { dateText, dateTimeText, daysBetween, rangeText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { listed } from '../../words/language.ts'
import { words } from '../../words/words.ts'

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
  const roles: Readonly<Record<string, string>> = words.access.roles
  if (readBy === subject) return { name: words.access.you, role: '' }
  if (isSystem({ readBy, allowedAs }))
    return { name: readBy.slice(WEBHOOK.length), role: words.access.system }
  if (doctorId === undefined) return { name: readBy, role: roles[allowedAs] ?? '' }
  const { name, speciality = '' } = nameOfDoctor(doctorId)
  return { name, role: speciality }
}

/** What stands before the host that readings are sent to. */
const WEBHOOK = 'webhook '

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
  const { access } = words
  const by = (operation: string) => entries.filter((entry) => entry.operation === operation)
  const read: string[] = []
  const got = by('readings/get')
  if (got.length > 0) read.push(`${access.readings(countOf(got), typesOf(got))}${ofTime(got, zone)}`)
  const latest = by('readings/latest')
  if (latest.length > 0) read.push(access.newest(typesOf(latest)))
  const statistics = by('readings/statistics')
  if (statistics.length > 0) read.push(`${access.summaries(typesOf(statistics))}${ofTime(statistics, zone)}`)
  for (const [operation, report] of Object.entries(access.reports)) {
    const reports = by(operation)
    if (reports.length > 0) read.push(`${report(typesOf(reports))}${ofTime(reports, zone)}`)
  }
  for (const [operation, text] of Object.entries(access.beside)) if (by(operation).length > 0) read.push(text)
  const deeds = Object.entries(access.lists).flatMap(([operation, list]) =>
    by(operation).length > 0 ? [list(whose)] : [],
  )
  const tried = by(PREVIEW)
  if (tried.length > 0) deeds.push(access.triedRule(whose, typesOf(tried)))
  if (read.length > 0) deeds.push(access.read(read))
  if (by('readings/stream').length > 0) deeds.push(access.watched)
  const changes = by('readings/changes')
  if (changes.length > 0) deeds.push(access.copied(countOf(changes)))
  const sent = by('webhooks')
  if (sent.length > 0) deeds.push(sentText(sent))
  const exported = by('patient/export')
  if (exported.length > 0) deeds.push(access.exported(countOf(exported)))
  if (by('readings/access-log').length > 0) deeds.push(access.lookedAtLog)
  if (by('readings/withdraw').length > 0) deeds.push(access.triedWithdraw)
  if (by('readings/restore').length > 0) deeds.push(access.triedRestore)
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
    ...Object.keys(access.reports),
    ...Object.keys(access.beside),
    ...Object.keys(access.lists),
    PREVIEW,
  ])
  for (const { operation } of entries) if (!known.has(operation)) deeds.push(access.used(operation))
  return [...new Set(deeds)]
}

type Correction = NonNullable<Access['correction']>

/** "withdrew a heart rate of 14 Nov 2026, 09:12". The reason follows it. */
const correctionText = ({ action, readingType, measuredAt }: Correction, zone: string): string =>
  words.access.correction(action, nameWithin(readingType), dateTimeText(measuredAt, zone))

/** Why, as staff who read, or the one who withdrew the reading, have written it. */
export const reasonOf = ({ entries, reason }: Pick<Visit, 'entries' | 'reason'>) =>
  entries[0]?.correction?.reason ?? reason

export function sentenceOf(
  visit: Visit,
  subject: string,
  { nameOfDoctor, ...options }: DeedOptions & { nameOfDoctor: NameOfDoctor },
): string {
  const who = readerOf(visit, subject, nameOfDoctor)
  return words.access.sentence(who, deedsOf(visit.entries, options), reasonOf(visit)).join('')
}

const countOf = (entries: Access[]) => entries.reduce((sum, { readingsCount }) => sum + readingsCount, 0)

/** The log is written before a message is sent: whether it arrived, the log does not know. One about what is shared holds no reading. */
function sentText(entries: Access[]): string {
  const readings = entries.filter(({ readingsCount }) => readingsCount > 0)
  const count = readings.length > 0 ? countOf(readings) : undefined
  return words.access.sent(count, readings.length < entries.length)
}

function typesOf(entries: Access[]): string | undefined {
  const types = new Set(entries.flatMap(({ readingTypes }) => readingTypes ?? []))
  if (types.size === 0 || entries.some(({ readingTypes }) => readingTypes === null)) return undefined
  if (types.size > MAX_TYPES_NAMED) return words.access.types(types.size)
  return listed([...types].map(nameWithin))
}

function ofTime(entries: Access[], zone: string): string {
  const [froms, tos] = [entries.map(({ from }) => from), entries.map(({ to }) => to)]
  const from = froms.includes(null) ? undefined : earliest(froms)
  const to = tos.includes(null) ? undefined : latestOf(tos)
  if (from !== undefined && to !== undefined) return `, ${rangeText(from, to, zone)}`
  if (from !== undefined) return `, ${words.access.since(dateText(from, zone))}`
  return to === undefined ? '' : `, ${words.access.until(dateText(to, zone))}`
}

const times = (texts: (string | null)[]) => texts.flatMap((text) => (text === null ? [] : Date.parse(text)))
const earliest = (texts: (string | null)[]) => Math.min(...times(texts))
const latestOf = (texts: (string | null)[]) => Math.max(...times(texts))
