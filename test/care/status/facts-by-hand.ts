// What is known of a patient, in a few words: `bp({ values: [ev('224/126', 2 * H)] })` is a target for blood pressure with good
// means, and one reading of two hours ago beyond its act limits. Times are so long before NOW.
import type {
  Alert,
  Evidence,
  Facts,
  Field,
  Look,
  Sums,
  Symptom,
  Target,
  Who,
} from '../../../src/modules/care/status/facts.ts'

export const MIN = 60_000
export const H = 60 * MIN
export const D = 24 * H
export const NOW = Date.UTC(2026, 10, 19, 12)
const TODAY = Math.floor(NOW / D)

export const ME: Who = { name: 'Dr A', is: 'me', manages: true }
export const OTHER: Who = { name: 'Dr B', is: 'other', manages: true }
export const REVOKED: Who = { name: 'Dr B', is: 'other', manages: false }
export const COLLEAGUE: Who = { name: 'Dr C', is: 'practice', manages: true }
export const PATIENT: Who = { name: 'Kim', is: 'patient', manages: false }

export const ADULT = { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25, farAbove: 0.05 }
export const OLDER = { inRange: 0.5, below: 0.01, farAbove: 0.1 }
export const PREGNANT = { inRange: 0.7, below: 0.04, farBelow: 0.01, above: 0.25 }

export const facts = (more: Partial<Facts>): Facts => ({
  targets: [],
  untargeted: [],
  symptoms: [],
  alerts: [],
  strange: [],
  looks: [],
  ...more,
})

type ReadingOptions = { arrived?: number; at?: number; pos?: number }

/** One reading: `ago` it was measured, `arrived` ago it was received. */
export function ev(
  shown: string,
  ago: number,
  { arrived = ago, at = NOW - ago, pos = 10 }: ReadingOptions = {},
) {
  const times = { measuredAt: at, receivedAt: NOW - arrived }
  return { readingId: `${shown} ${at}`, shown, ...times, position: pos } satisfies Evidence
}

type SymptomWords = [shown: string, severity: string, ago: number, more?: ReadingOptions]
export const symptom = (...[shown, severity, ago, more]: SymptomWords): Symptom => ({
  ...ev(shown, ago, more),
  severity,
})

type AlertOptions = {
  pos?: number
  arrived?: number
  ack?: { ago: number; beyond: number }
  ended?: number
  warning?: true
  kind?: Alert['kind']
}
export function alert(
  ...words: [label: string, shown: string, beyond: number, ago: number, more?: AlertOptions]
) {
  const [label, shown, beyond, ago, { ack, ended, warning, kind = 'value', ...more } = {}] = words
  return {
    ...ev(shown, ago, more),
    alertId: label,
    label,
    kind,
    beyond,
    isUrgent: !warning,
    ...(ack && { acknowledged: { at: NOW - ack.ago, beyond: ack.beyond } }),
    ...(ended !== undefined && { endedAt: NOW - ended }),
  } satisfies Alert
}

export const look = (ago: number, seenUpTo: number, more: Partial<Look> = {}): Look => ({
  by: ME,
  at: NOW - ago,
  seenUpTo,
  saw: [],
  ...more,
})
/** What a look says that it saw. */
export const saw = (name: string, beyond = 1) => `${name}=${beyond.toFixed(3)}`

/** One UTC day of a field, as the summaries hold it. */
type Day = Record<'day' | Exclude<keyof Sums, 'days'>, number>
const NO_VALUES = { values: 0, sum: 0, total: 0, inRange: 0, below: 0, farBelow: 0, above: 0, farAbove: 0 }

/** `n` values on `days` days, the last `back` days ago; all in range unless `share` says less. */
export function week(mean: number, { n = 14, days = 7, share = 1, low = 0, back = 0 } = {}): Day[] {
  const values = n / days
  const inRange = values * share
  const below = values * low
  const above = values - inRange - below
  return Array.from({ length: days }, (_, i) => ({
    ...NO_VALUES,
    day: TODAY - back - i,
    values,
    sum: mean * values,
    total: values,
    inRange,
    below,
    above,
  }))
}

type Shares = {
  inRange?: number
  below?: number
  farBelow?: number
  above?: number
  farAbove?: number
  hours?: number
}

/** Fourteen days of a sensor, the last `back` days ago. */
function fortnight(
  { hours = 330, inRange = 0.78, below = 0.02, above = 1 - inRange - below, ...far }: Shares,
  back: number,
) {
  const { farBelow = 0.004, farAbove = 0.03 } = far
  const total = hours / 14
  const parts = { inRange, below, farBelow, above, farAbove }
  const inHours = Object.fromEntries(Object.entries(parts).map(([part, share]) => [part, total * share]))
  return Array.from(
    { length: 14 },
    (_, i): Day => ({
      ...NO_VALUES,
      ...inHours,
      day: TODAY - back - i,
      values: total * 12,
      total,
    }),
  )
}

/** What the list's statement makes of the days. */
function sumsOf(days: Day[]): Field['sums'] {
  const window = (from: number, to: number): Sums => {
    const found = days.filter(({ day, values }) => day >= TODAY - from && day <= TODAY - to && values > 0)
    const sums = { ...NO_VALUES, days: new Set(found.map(({ day }) => day)).size }
    for (const each of found)
      for (const key of Object.keys(NO_VALUES) as (keyof typeof NO_VALUES)[]) sums[key] += each[key]
    return sums
  }
  return { week: window(7, 0), fortnight: window(14, 0), before: window(28, 15) }
}

const valuesOf = (readings: Evidence[], i: number) =>
  readings.map((each) => ({ ...each, value: each.shown === 'LOW' ? 39 : Number(each.shown.split('/')[i]) }))

const OF_ME = { author: ME, isForAll: false, setAt: NOW - 60 * D }

type Acts = [below?: number | null | undefined, above?: number | null | undefined]
const actsOf = ([actBelow, actAbove]: Acts) => ({
  ...(actBelow !== undefined && { actBelow }),
  ...(actAbove !== undefined && { actAbove }),
})

type BloodPressure = {
  author?: Who
  isForAll?: boolean
  setAt?: number
  values?: Evidence[]
  /** Days of the systolic and of the diastolic value. */
  s?: Day[]
  d?: Day[]
  sys?: Acts
  dia?: Acts
  ranged?: boolean
  high?: [number, number]
  low?: number
  expect?: number | null
  newest?: Evidence | null
}
export function bp({
  newest = ev('124/78', 2 * H, { pos: 9 }),
  values = [],
  ...more
}: BloodPressure = {}): Target {
  const {
    s = week(126),
    d = week(78),
    sys = [90, 180],
    dia = [null, 110],
    ranged = true,
    low,
    expect = 3 * D,
  } = more
  const [systolic, diastolic] = more.high ?? [135, 85]
  const { author, isForAll, setAt } = { ...OF_ME, ...more }
  return {
    readingType: 'blood pressure',
    author,
    isForAll,
    setAt,
    isSensor: false,
    needsGoals: false,
    expectEvery: expect,
    ...(newest && { newest }),
    fields: [
      {
        name: 'systolic',
        ...(ranged && { high: systolic }),
        ...(low !== undefined && { low }),
        ...actsOf(sys),
        sums: sumsOf(s),
        beyond: valuesOf(values, 0),
      },
      {
        name: 'diastolic',
        ...(ranged && { high: diastolic }),
        ...actsOf(dia),
        sums: sumsOf(d),
        beyond: valuesOf(values, 1),
      },
    ],
  }
}

type Sensor = {
  back?: number
  now?: Shares
  before?: Shares
  goals?: Field['goals'] | null
  range?: [number, number]
  actBelow?: number
  values?: Evidence[]
  newest?: Evidence
}
export function cgm({
  back = 0,
  now = {},
  before,
  goals = ADULT,
  values = [],
  ...more
}: Sensor = {}): Target {
  const [low, high] = more.range ?? [70, 180]
  return {
    readingType: 'sensor glucose',
    ...OF_ME,
    isSensor: true,
    needsGoals: true,
    expectEvery: D,
    newest: more.newest ?? ev('132', 5 * MIN, { pos: 9 }),
    fields: [
      {
        name: 'value',
        low,
        high,
        farLow: 54,
        farHigh: 250,
        ...(goals && { goals }),
        actBelow: more.actBelow ?? null,
        actAbove: null,
        sums: sumsOf([...fortnight(now, back), ...(before ? fortnight(before, 15) : [])]),
        beyond: valuesOf(values, 0),
      },
    ],
  }
}

type One = Partial<Field> & { values?: Evidence[]; newest?: Evidence | null; expect?: number; days?: Day[] }

/** A target of a type with one value, without limits but those given. */
export function one(
  readingType: string,
  { values = [], newest = ev('1', 2 * H, { pos: 9 }), ...more }: One,
): Target {
  const { expect = null, days = [], ...field } = more
  return {
    readingType,
    ...OF_ME,
    isSensor: false,
    needsGoals: readingType === 'blood glucose',
    expectEvery: expect,
    ...(newest && { newest }),
    fields: [
      {
        name: 'value',
        actBelow: null,
        actAbove: null,
        ...field,
        sums: sumsOf(days),
        beyond: valuesOf(values, 0),
      },
    ],
  }
}
