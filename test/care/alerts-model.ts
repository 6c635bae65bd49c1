// Which alerts are open, computed from all readings in the simplest way. It shares no code with the evaluation.
const HOUR = 3_600_000
const DAY = 24 * HOUR

export type ModelReading = {
  id: string
  readingType: string
  measuredAt: number
  receivedAt: number
  details: Record<string, unknown>
  isWithdrawn?: boolean
}
export type ModelTerms = {
  unit?: string
  value?: { above?: number; below?: number; times: number; within?: number }
  clear?: { above?: number; below?: number }
  change?: { by: number; within: number }
  missing?: { for: number }
  symptom?: { severity: string }
}
export type ModelRule = {
  ruleId: string
  readingType: string
  terms: ModelTerms
  begin: number
  isForAll: boolean
}
export type ModelAlert = { ruleId: string; since: number; value: number | null; isFresh: boolean }

const isStrange = ({ measuredAt, receivedAt }: ModelReading) =>
  measuredAt > receivedAt + DAY || measuredAt < Date.parse('2000-01-01')
const timeOf = (reading: ModelReading) =>
  isStrange(reading) ? reading.receivedAt : Math.min(reading.measuredAt, reading.receivedAt)

/** `number`: what is compared; `shown`: null of a mark. */
type Value = {
  at: number
  id: string
  receivedAt: number
  number: number
  shown: number | null
  second: number
  severity?: string
}

function valuesOf(readings: readonly ModelReading[]): Value[] {
  const all = readings.flatMap((reading): Value[] => {
    const { id, receivedAt, details } = reading
    const of = {
      at: timeOf(reading),
      id,
      receivedAt,
      second: Math.floor((isStrange(reading) ? receivedAt : reading.measuredAt) / 1_000),
    }
    if (details['outOfRange'] === 'low') return [{ ...of, number: -Infinity, shown: null }]
    if (details['outOfRange'] === 'high') return [{ ...of, number: Infinity, shown: null }]
    if (typeof details['value'] === 'number')
      return [{ ...of, number: details['value'], shown: details['value'] }]
    const symptoms = details['symptoms'] as { severity: string }[] | undefined
    return (symptoms ?? []).map(({ severity }) => ({
      ...of,
      number: rankOf(severity),
      shown: null,
      severity,
    }))
  })
  return all
    .filter(
      (one) =>
        !all.some(
          (other) =>
            other !== one &&
            other.second === one.second &&
            other.number === one.number &&
            (other.receivedAt < one.receivedAt || (other.receivedAt === one.receivedAt && other.id < one.id)),
        ),
    )
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

const rankOf = (severity: string) => (severity === 'MILD' ? 1 : severity === 'MODERATE' ? 2 : 3)
const isPast = (number: number, { above, below }: { above?: number; below?: number }) =>
  above === undefined ? number < (below ?? -Infinity) : number > above

export function openAlert(
  rule: ModelRule,
  readings: readonly ModelReading[],
  now: number,
): ModelAlert | undefined {
  const { terms, begin, ruleId } = rule
  const ofType = readings.filter(
    ({ readingType, isWithdrawn }) => readingType === rule.readingType && !isWithdrawn,
  )
  if (terms.missing) {
    const newest = Math.max(...ofType.map(timeOf))
    if (rule.isForAll && newest < begin - 90 * DAY) return undefined
    const since = Math.max(newest, begin) + terms.missing.for
    return now >= since ? { ruleId, since, value: null, isFresh: true } : undefined
  }
  const values = valuesOf(ofType.filter((reading) => timeOf(reading) >= begin - DAY))
  let open: (ModelAlert & { most: number; last: number }) | undefined
  for (const [nth, value] of values.entries()) {
    const { at, number, receivedAt } = value
    if (terms.symptom && open && at >= open.last + 72 * HOUR) open = undefined
    const before = values.slice(0, nth + 1)
    const { holds, most, shown } = holding(terms, before, value)
    if (open) {
      const isOver = terms.symptom ? false : terms.clear ? isPast(number, terms.clear) : !holds
      if (isOver) open = undefined
      else if (most !== null) {
        if (most > open.most) Object.assign(open, { most, value: shown })
        open.isFresh ||= receivedAt - at <= DAY
        open.last = at
      }
    } else if (holds)
      open = { ruleId, since: at, value: shown, most: most ?? 0, last: at, isFresh: receivedAt - at <= DAY }
  }
  if (terms.symptom && open && now >= open.last + 72 * HOUR) return undefined
  return open && { ruleId, since: open.since, value: open.value, isFresh: open.isFresh }
}

/** `most`: how far the newest is beyond; null where it is not. */
function holding(terms: ModelTerms, before: readonly Value[], { at, number, shown }: Value) {
  if (terms.symptom) {
    const counts = number >= rankOf(terms.symptom.severity)
    return { holds: counts, most: counts ? number : null, shown: null }
  }
  if (terms.change) {
    const { by, within } = terms.change
    if (shown === null) return { holds: false, most: null, shown }
    const earlier = before
      .filter((one) => one.shown !== null && one.at >= at - within)
      .map((one) => one.number)
    const difference = number - (by > 0 ? Math.min(...earlier) : Math.max(...earlier))
    const holds = Math.abs(difference) >= Math.abs(by) && Math.sign(difference) === Math.sign(by)
    return { holds, most: holds ? Math.abs(difference) : null, shown: difference }
  }
  const bound = terms.value ?? { times: 1 }
  const isBeyond = isPast(number, bound)
  const times = before.filter(
    (one) => one.at >= at - (bound.within ?? Infinity) && isPast(one.number, bound),
  ).length
  const most = isBeyond ? (bound.above === undefined ? -number : number) : null
  return { holds: isBeyond && times >= bound.times, most, shown }
}
