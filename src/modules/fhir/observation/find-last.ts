// Observation/$lastn: the newest Observations of each type. The newest one of each is readings/latest; only where more are wanted, or
// where the newest has another code than the one asked for (that of another unit), a type is searched.
import type { Asked as AskedOfPatient } from '../../casesheet/access.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import type { Entry } from '../search/bundle.ts'
import { OBSERVATION_PARAMETERS, type ObservationQuery } from '../search/observation-query.ts'
import { entryPrinter, findObservations, noteRead } from '../search/search-observations.ts'
import { onlyText, refuseParameter, type Searched, type Sent } from '../search/search-query.ts'
import { dateConditionFrom } from '../time/date-search.ts'
import { identifiedFrom } from './listed-readings.ts'
import type { ObservationIds } from './observation-id.ts'

const MAX_OF_EACH = 10
/** Types that are searched one by one. */
const MAX_SEARCHED = 50
/** As in readings/latest: clocks that are a little ahead are usual, and one that is far ahead hides nothing. */
const MAX_AHEAD_MS = 5 * 60_000

export const LAST_N: Searched = {
  parameters: [
    ...OBSERVATION_PARAMETERS.filter(({ name }) => ['patient', 'subject', 'code', 'category'].includes(name)),
    { name: 'max', type: 'number', documentation: 'How many of each type.' },
  ],
  sorts: [],
}

export function maxIn(sent: readonly Sent[]): number {
  const max = Number(onlyText(sent, 'max') ?? 1)
  if (Number.isInteger(max) && max >= 1 && max <= MAX_OF_EACH) return max
  throw refuseParameter('max', `must be a whole number from 1 to ${MAX_OF_EACH}`)
}

type Deps = { reading: ReadingOperations; ids: ObservationIds; base: string; nowMs: number }
type Wanted = { query: ObservationQuery; max: number }

/** The newest first within each type. */
export async function findLast(
  { reading, ids, base, nowMs }: Deps,
  { query: asked, max }: Wanted,
  of: AskedOfPatient,
): Promise<Entry[]> {
  const { patientUid } = of
  const asking = { ...of, base, ids }
  if (asked.types?.size === 0) {
    await noteRead(reading.readPage, patientUid, of)
    return []
  }
  const toMs = nowMs + MAX_AHEAD_MS
  const readingType = asked.types ? { readingType: [...asked.types] } : {}
  const latest = await reading.findLatest({ patientUid, ...readingType, to: toMs }, of)
  if ('tooMuch' in latest) throw refuseParameter('code', `must name fewer codes: ${latest.tooMuch}`)
  const until = dateConditionFrom(`le${new Date(toMs).toISOString()}`, nowMs)
  const query = { ...asked, patientUid, count: max, order: 'desc' as const, dates: until ? [[until]] : [] }
  const entryFor = entryPrinter(query, asking)
  const entries: Entry[] = []
  let searched = 0
  for (const newest of identifiedFrom(latest.readings, patientUid, ids)) {
    const entry = entryFor(newest)
    if (max === 1 && entry) {
      entries.push(entry)
      continue
    }
    if (++searched > MAX_SEARCHED)
      throw refuseParameter('code', `must name at most ${MAX_SEARCHED} types for this max`)
    const types = new Set([newest.readingType])
    entries.push(...(await findObservations(reading, { ...query, types }, asking)).entries)
  }
  return entries
}
