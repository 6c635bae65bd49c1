// Reports, worked out from readings by their definitions. It shares no code with the service and knows time zones from Intl alone,
// so that it agrees with PostgreSQL only if both are right.

export type Stored = { timestamp: number; readingType: string; [field: string]: unknown }
type Bounds = { low: number | null; high: number | null; unit: string }
export type Targets = Record<string, Bounds>
export type Range = { from: number; to: number; timeZone: string }

const MINUTE = 60_000
const MG_PER_MMOL = 18.0156

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local date and the minute of the day. */
function localOf(atMs: number, timeZone: string): { date: string; minute: number } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute } = parts
  return { date: `${year}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) }
}

function datesOf({ from, to, timeZone }: Range): string[] {
  const dates = new Set<string>()
  for (let at = from; at < to; at += 15 * MINUTE) dates.add(localOf(at, timeZone).date)
  dates.add(localOf(to, timeZone).date)
  return [...dates].toSorted()
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const meanOf = (values: number[]) => (values.length > 0 ? sum(values) / values.length : null)

function percentile(sorted: number[], share: number): number | null {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below === undefined || above === undefined ? null : below + (place % 1) * (above - below)
}

/** Seconds for which each reading stands. */
function standing(readings: Stored[], to: number, atMostMs: number): number[] {
  return readings.map(({ timestamp }, index) => {
    const next = readings[index + 1]?.timestamp ?? Infinity
    return Math.max(0, Math.min(next, timestamp + atMostMs, to) - timestamp) / 1_000
  })
}

const PER_UNIT: Record<
  string,
  { digits: number; toFirst: (value: number) => number; fromFirst: (value: number) => number }
> = {
  'mmol/L': { digits: 1, toFirst: (value) => value, fromFirst: (value) => value },
  'mg/dL': { digits: 0, toFirst: (value) => value / MG_PER_MMOL, fromFirst: (value) => value * MG_PER_MMOL },
  Cel: { digits: 1, toFirst: (value) => value, fromFirst: (value) => value },
  '[degF]': { digits: 1, toFirst: (value) => (value - 32) / 1.8, fromFirst: (value) => value * 1.8 + 32 },
  kg: { digits: 1, toFirst: (value) => value, fromFirst: (value) => value },
  '[lb_av]': { digits: 1, toFirst: (value) => value * 0.45359237, fromFirst: (value) => value / 0.45359237 },
}

function inUnit(value: number, from: string, to: string): number {
  const [source, target] = [PER_UNIT[from], PER_UNIT[to]]
  return from === to || !source || !target ? value : target.fromFirst(source.toFirst(value))
}

function comparedIn(value: number, from: string, to: string): number {
  if (from === to || !PER_UNIT[from]) return value
  const scale = 10 ** (PER_UNIT[to]?.digits ?? 0)
  return Math.round(inUnit(value, from, to) * scale) / scale
}

function sideOf(value: number, { low, high }: Bounds): -1 | 0 | 1 {
  if (low !== null && value < low) return -1
  if (high !== null && value > high) return 1
  return 0
}

const CONSENSUS: Record<string, [number, number, number, number]> = {
  'mg/dL': [54, 70, 180, 250],
  'mmol/L': [3, 3.9, 10, 13.9],
}

export function glucoseByHand(stored: Stored[], range: Range, unit: string, target?: Bounds) {
  const readings = stored.filter(({ readingType }) => readingType === 'interstitialGlucose')
  const seconds = standing(readings, range.to, 15 * MINUTE)
  const values = readings.map((reading) => inUnit(Number(reading['value']), String(reading['unit']), unit))
  const names = readings.map((reading) => bandOf(Number(reading['value']), String(reading['unit']), target))
  const active = sum(seconds)
  const length = (range.to - range.from) / 1_000
  const mean = meanOf(values)
  const deviation =
    values.length < 2 || mean === null
      ? null
      : Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
  const days = datesOf(range)
  const share = length > 0 ? active / length : null
  const isEnough = isLong(range) && active >= 0.7 * 14 * 86_400 && (share ?? 0) >= 0.7
  return {
    unit,
    readings: readings.length,
    days: days.length,
    active: { seconds: active, share },
    isEnough,
    mean,
    gmi: isEnough && mean !== null ? 3.31 + 0.02392 * inUnit(mean, unit, 'mg/dL') : null,
    standardDeviation: deviation,
    coefficientOfVariation: mean && deviation !== null ? deviation / mean : null,
    bands: bandsLeft(unit, target).map(({ name, from, to }) => {
      const isInBand = names.map((other) => other === name)
      const count = isInBand.filter(Boolean).length
      return {
        name,
        from,
        to,
        readings: count,
        share: readings.length > 0 ? count / readings.length : null,
        seconds: sum(seconds.filter((_, index) => isInBand[index])),
      }
    }),
    profile: Array.from({ length: 48 }, (_, slot) => {
      const sorted = values
        .filter((_value, index) => Math.floor(minuteOf(readings[index], range) / 30) === slot)
        .toSorted((a, b) => a - b)
      const at = (place: number) => percentile(sorted, place)
      return {
        minute: slot * 30,
        count: sorted.length,
        p5: at(0.05),
        p25: at(0.25),
        p50: at(0.5),
        p75: at(0.75),
        p95: at(0.95),
      }
    }),
    lowest: extremeOf(values, readings, Math.min(...values)),
    highest: extremeOf(values, readings, Math.max(...values)),
  }
}

const minuteOf = (reading: Stored | undefined, { timeZone }: Range) =>
  localOf(reading?.timestamp ?? 0, timeZone).minute

/** Fourteen days on the local clock, to the second. */
function isLong({ from, to, timeZone }: Range): boolean {
  const clock = (at: number) => {
    const { date, minute } = localOf(at, timeZone)
    return Date.parse(date) + minute * MINUTE + (at % MINUTE)
  }
  return clock(to) - clock(from) >= 14 * 86_400_000 - 1_000
}

function bandOf(value: number, unit: string, target?: Bounds): string {
  const [veryLow, low, high, veryHigh] = CONSENSUS[unit] ?? [0, 0, 0, 0]
  const byConsensus = sideOf(value, { low, high, unit })
  const byTarget = target && sideOf(comparedIn(value, unit, target.unit), target)
  const left = bandsLeft(unit, target)
  const isClosedBy = (side: number) =>
    target && byConsensus === side && (side < 0 ? target.low === null : target.high === null)
  const isClosed = [-1, 1].some(
    (side) => isClosedBy(side) && left.some(({ name }) => name === (side < 0 ? 'low' : 'high')),
  )
  const side = byTarget === undefined || (byTarget === 0 && isClosed) ? byConsensus : byTarget
  if (side === 0) return 'target'
  const has = (name: string) => left.some((band) => band.name === name)
  if (side < 0) return value < veryLow && has('veryLow') ? 'veryLow' : 'low'
  return value > veryHigh && has('veryHigh') ? 'veryHigh' : 'high'
}

/** With a target, without the limits that it crosses; the consensus closes a side that it leaves open. */
function bandsLeft(unit: string, target?: Bounds) {
  const [veryLow, low, high, veryHigh] = CONSENSUS[unit] ?? [0, 0, 0, 0]
  const all = (edges: (number | null)[]) =>
    ['veryLow', 'low', 'target', 'high', 'veryHigh'].map((name, index) => ({
      name,
      from: edges[index] ?? null,
      to: edges[index + 1] ?? null,
    }))
  if (!target) return all([null, veryLow, low, high, veryHigh, null])
  const [limits = [0, 0, 0, 0]] = [CONSENSUS[target.unit]]
  const top = target.high
  const closedLow = target.low === null && top !== null && limits[1] < top ? low : null
  const closedHigh = top === null && target.low !== null && limits[2] > target.low ? high : null
  const [hasLow, hasHigh] = [target.low !== null || closedLow !== null, top !== null || closedHigh !== null]
  const [hasVeryLow, hasVeryHigh] = [
    closedLow !== null || (target.low !== null && target.low > limits[0]),
    closedHigh !== null || (top !== null && top < limits[3]),
  ]
  const edge = (bound: number | null) => (bound === null ? null : comparedIn(bound, target.unit, unit))
  const names = { veryLow: hasVeryLow, low: hasLow, target: true, high: hasHigh, veryHigh: hasVeryHigh }
  return all([
    null,
    hasVeryLow ? veryLow : null,
    closedLow ?? edge(target.low),
    closedHigh ?? edge(top),
    hasVeryHigh ? veryHigh : null,
    null,
  ]).filter(({ name }) => names[name as keyof typeof names])
}

function extremeOf(values: number[], readings: Stored[], extreme: number) {
  const reading = readings[values.indexOf(extreme)]
  return reading ? { value: extreme, measuredAt: new Date(reading.timestamp).toISOString() } : null
}

export function bloodPressureByHand(stored: Stored[], range: Range, targets: Targets = {}) {
  const readings = stored
    .filter(({ readingType }) => readingType === 'bloodPressure')
    .map((reading) => {
      const { date, minute } = localOf(reading.timestamp, range.timeZone)
      // Before four, the day before.
      const day = minute < 240 ? dayAfter(date, -1) : date
      const placed: Stored & { minute: number; day: string } = { ...reading, minute, day }
      return placed
    })
  const end = localOf(range.to, range.timeZone)
  const first = localOf(range.from, range.timeZone).date
  const last = end.minute < 240 ? dayAfter(end.date, -1) : end.date
  type Reading = (typeof readings)[number]
  const means = (some: Reading[]) => {
    const mean = (field: string) =>
      meanOf(some.flatMap((reading) => (typeof reading[field] === 'number' ? [reading[field]] : [])))
    return {
      count: some.length,
      systolic: mean('systolic'),
      diastolic: mean('diastolic'),
      pulse: mean('pulse'),
    }
  }
  const isIn = (reading: Reading) =>
    ['systolic', 'diastolic'].every((field) => {
      const bounds = targets[field]
      return !bounds || sideOf(Number(reading[field]), bounds) === 0
    })
  const bySystolic = readings.toSorted((a, b) => Number(a['systolic']) - Number(b['systolic']))
  const highest = bySystolic.find((reading) => reading['systolic'] === bySystolic.at(-1)?.['systolic'])
  const shown = (reading: Reading | undefined) =>
    reading
      ? {
          systolic: reading['systolic'],
          diastolic: reading['diastolic'],
          measuredAt: new Date(reading.timestamp).toISOString(),
        }
      : null
  return {
    readings: readings.length,
    periods: [7, 30, null].map((days) => {
      const earliest = days === null ? first : dayAfter(last, 1 - days)
      const from = [[earliest, first].toSorted()[1] ?? '', last].toSorted()[0] ?? ''
      const some = days === null ? readings : readings.filter(({ day }) => day >= earliest)
      const [firstDay = ''] = some.map(({ day }) => day).toSorted()
      return {
        days,
        from,
        to: last,
        morning: means(some.filter(({ minute }) => minute >= 240 && minute < 720)),
        evening: means(some.filter(({ minute }) => minute >= 1_020 || minute < 240)),
        all: means(some),
        withoutFirstDay: means(some.filter(({ day }) => day > firstDay)),
        inTarget:
          targets['systolic'] || targets['diastolic']
            ? { judged: some.length, in: some.filter(isIn).length }
            : null,
      }
    }),
    lowest: shown(bySystolic[0]),
    highest: shown(highest),
  }
}

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

export function timeInTargetByHand(
  stored: Stored[],
  range: Range,
  readingType: string,
  targets: Targets = {},
) {
  const readings = stored.filter((reading) => reading.readingType === readingType)
  const seconds = standing(readings, range.to, (readingType === 'interstitialGlucose' ? 15 : 1_440) * MINUTE)
  const names = Object.keys(targets)
  const sides = readings.map((reading) =>
    names.map((name) => {
      const bounds = targets[name]
      const value = reading[name]
      if (!bounds || typeof value !== 'number') return null
      const unit = typeof reading['unit'] === 'string' ? reading['unit'] : bounds.unit
      return sideOf(comparedIn(value, unit, bounds.unit), bounds)
    }),
  )
  const isJudged = sides.map((all) => all.some((side) => side !== null))
  const isIn = sides.map(
    (all, index) => isJudged[index] === true && all.every((side) => side === 0 || side === null),
  )
  const secondsOf = (is: (boolean | undefined)[]) => sum(seconds.filter((_, index) => is[index]))
  const count = (is: boolean[]) => is.filter(Boolean).length
  const dateOf = readings.map(({ timestamp }) => localOf(timestamp, range.timeZone).date)
  const isSet = names.length > 0
  return {
    readingType,
    readings: readings.length,
    judged: count(isJudged),
    inTarget: isSet ? count(isIn) : null,
    seconds: isSet ? { judged: secondsOf(isJudged), inTarget: secondsOf(isIn) } : null,
    fields: Object.fromEntries(
      names.map((name, nth) => {
        const on = (side: number) => sides.map((all) => all[nth] === side)
        return [
          name,
          {
            readings: { below: count(on(-1)), in: count(on(0)), above: count(on(1)) },
            seconds: { below: secondsOf(on(-1)), in: secondsOf(on(0)), above: secondsOf(on(1)) },
          },
        ]
      }),
    ),
    days: datesOf(range).map((date) => {
      const onDay = dateOf.map((other) => other === date)
      return {
        date,
        readings: count(onDay),
        judged: count(isJudged.map((is, index) => is && onDay[index] === true)),
        inTarget: isSet ? count(isIn.map((is, index) => is && onDay[index] === true)) : null,
      }
    }),
  }
}

export function daysWithDataByHand(stored: Stored[], range: Range, readingType?: string) {
  const readings = stored.filter(
    (reading) => readingType === undefined || reading.readingType === readingType,
  )
  const dates = datesOf(range).map((date) => {
    const onDay = readings.filter(({ timestamp }) => localOf(timestamp, range.timeZone).date === date)
    const fromDevices = onDay.filter(
      ({ source }) => (source as { kind?: string } | undefined)?.kind === 'device',
    )
    return { date, readings: onDay.length, fromDevices: fromDevices.length }
  })
  return {
    days: dates.length,
    daysWithData: dates.filter(({ readings: count }) => count > 0).length,
    daysWithDeviceData: dates.filter(({ fromDevices }) => fromDevices > 0).length,
    dates,
  }
}
