// The access log in sentences. One visit leaves many entries (a screen asks for several things), so entries of one reader that
// follow each other within minutes are told together.
import type { Access } from '../../../../typescript/src/client.ts'
import { countText } from '../../words/numbers.ts'
import { dateText, rangeText } from '../../words/times.ts'
import { nameWithin } from '../../words/type-names.ts'

const ONE_VISIT_MS = 5 * 60_000
const MAX_TYPES_NAMED = 4

export type Visit = { readBy: string; allowedAs: string; entries: Access[]; from: string; to: string }

/** Newest first, as the log is. */
export function visitsOf(entries: Access[]): Visit[] {
  const visits: Visit[] = []
  for (const entry of entries) {
    const last = visits.at(-1)
    const isSame =
      last !== undefined &&
      last.readBy === entry.readBy &&
      last.allowedAs === entry.allowedAs &&
      Date.parse(last.from) - Date.parse(entry.at) <= ONE_VISIT_MS
    if (isSame) {
      last.entries.push(entry)
      last.from = entry.at
    } else {
      const { readBy, allowedAs, at } = entry
      visits.push({ readBy, allowedAs, entries: [entry], from: at, to: at })
    }
  }
  return visits
}

/** Who it was, as the subject of a sentence: "You", "dr-willow, staff,". */
export function readerOf({ readBy, allowedAs }: Pick<Visit, 'readBy' | 'allowedAs'>, subject: string) {
  if (readBy === subject) return { name: 'You', role: '' }
  return { name: readBy, role: ROLES[allowedAs] ?? '' }
}

const ROLES: Record<string, string> = {
  patient: 'signed in for this patient',
  staff: 'staff',
  service: 'a service',
  operator: 'an operator of this service',
}

/** What was read, as the predicates of a sentence. */
export function deedsOf(entries: Access[], zone: string): string[] {
  const by = (operation: string) => entries.filter((entry) => entry.operation === operation)
  const read: string[] = []
  const got = by('readings/get')
  if (got.length > 0) read.push(`${readingsText(got)}${ofTypes(got)}${ofTime(got, zone)}`)
  const latest = by('readings/latest')
  if (latest.length > 0) read.push(`the newest of ${typesOf(latest) ?? 'each type'}`)
  const statistics = by('readings/statistics')
  if (statistics.length > 0) read.push(`summaries${ofTypes(statistics)}${ofTime(statistics, zone)}`)
  const deeds = read.length > 0 ? [`read ${listText(read)}`] : []
  if (by('readings/stream').length > 0) deeds.push('watched new readings arrive')
  const changes = by('readings/changes')
  if (changes.length > 0) deeds.push(`copied ${readingsText(changes)} as they changed`)
  const exported = by('patient/export')
  if (exported.length > 0) deeds.push(`exported the whole record, ${readingsText(exported)}`)
  if (by('readings/access-log').length > 0) deeds.push('looked at who has read')
  const known = new Set([
    'readings/get',
    'readings/latest',
    'readings/statistics',
    'readings/stream',
    'readings/changes',
    'patient/export',
    'readings/access-log',
  ])
  for (const { operation } of entries) if (!known.has(operation)) deeds.push(`used ${operation}`)
  return [...new Set(deeds)]
}

export function sentenceOf(visit: Visit, subject: string, zone: string): string {
  const { name, role } = readerOf(visit, subject)
  return `${name}${role === '' ? '' : `, ${role},`} ${listText(deedsOf(visit.entries, zone))}.`
}

export function listText(parts: string[]): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function readingsText(entries: Access[]): string {
  return countText(
    entries.reduce((sum, { readingsCount }) => sum + readingsCount, 0),
    'reading',
  )
}

function typesOf(entries: Access[]): string | undefined {
  const types = new Set(entries.flatMap(({ readingTypes }) => readingTypes ?? []))
  if (types.size === 0 || entries.some(({ readingTypes }) => readingTypes === null)) return undefined
  if (types.size > MAX_TYPES_NAMED) return countText(types.size, 'type')
  return listText([...types].map(nameWithin))
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
