// A case of the judgement as rows of the database: the readings, targets and looks that its facts could have been made of. Facts by hand
// need not fit together (a newest reading that no day counts): cases that cannot be stored so are not.
import { randomUUID } from 'node:crypto'
import type {
  Evidence,
  Facts,
  Field,
  Part,
  Sums,
  Target,
  Who,
} from '../../../src/modules/care/status/facts.ts'
import { D, H, NOW } from './facts-by-hand.ts'
import type { WorldReading, WorldTarget } from './stored-world.ts'

type Stored = { type: string; unit?: string; inTarget: (field: Field) => number }
/** What the cases call a type, and how a value of it lies in a target without bounds. */
const TYPES: Record<string, Stored> = {
  'blood pressure': { type: 'bloodPressure', unit: 'mm[Hg]', inTarget: ({ high = 130 }) => high - 9 },
  'sensor glucose': { type: 'interstitialGlucose', unit: 'mg/dL', inTarget: () => 120 },
  'blood glucose': { type: 'bloodGlucose', unit: 'mg/dL', inTarget: () => 120 },
  'oxygen saturation': { type: 'oxygenSaturation', unit: '%', inTarget: () => 97 },
  weight: { type: 'bodyWeight', unit: 'kg', inTarget: () => 80 },
  temperature: { type: 'bodyTemperature', unit: 'Cel', inTarget: () => 37 },
}
export const storedType = (name: string) => TYPES[name]?.type ?? name

/** `position`: as the case counts. It is judged after those with lower ones. */
export type StoredReading = WorldReading & { position: number }
export type StoredTarget = Omit<WorldTarget, 'author' | 'patientUid'> & { author: Who; isForAll: boolean }

export function readingsOf({ targets, untargeted, symptoms, strange }: Facts): StoredReading[] {
  const single = [
    ...untargeted.map(({ readingType, newest }) => oneReading(readingType, newest)),
    ...targets.flatMap(({ readingType, newest, fields }) =>
      [...(newest ? [newest] : []), ...fields.flatMap(({ beyond }) => beyond)].map((each) =>
        oneReading(readingType, each),
      ),
    ),
    ...symptoms.map((each) => ({
      ...oneReading('symptom', each),
      details: { symptoms: [{ symptom: each.shown, severity: each.severity }] },
    })),
  ]
  const clocks = strange
    .filter(({ readingId }) => !single.some(({ id }) => id === readingId))
    .map((each) => oneReading('blood pressure', each))
  const byId = new Map([...single, ...clocks].map((each) => [each.id, each]))
  return [...targets.flatMap(readingsOfDays), ...byId.values()]
}

function oneReading(typeName: string, { readingId, shown, measuredAt, receivedAt, position }: Evidence) {
  const { type, unit } = TYPES[typeName] ?? { type: typeName }
  const [first, second] = shown.split('/').map(Number)
  const value = shown === 'LOW' ? { value: 39, outOfRange: 'low' } : { value: first }
  const details = { ...(second === undefined ? value : { systolic: first, diastolic: second }), unit }
  return { id: readingId, type, measuredAt, receivedAt, position, details }
}

/** Values that have the sums of the fields: those of this week, of the week before, and of the two before. */
function readingsOfDays({ readingType, isSensor, fields }: Target): StoredReading[] {
  const stored = TYPES[readingType]
  const [leading] = fields
  if (!stored || !leading) return []
  const today = Math.floor(NOW / D)
  const sums = ({ sums: { week, fortnight, before } }: Field) =>
    [
      [0, week],
      [8, minus(fortnight, week)],
      [15, before],
    ] as const
  return sums(leading).flatMap(([back, ofPart], part) => {
    const values = fields.map((field) => {
      const own = sums(field)[part]?.[1]
      return own
        ? valuesOf(own, field, { ...stored, isSensor, most: part === 0 ? MOST_OF_WEEK : Infinity })
        : []
    })
    return (values[0] ?? []).map((_, i) => {
      const at = timeOf(i, { isSensor, days: Math.max(1, ofPart.days), firstDay: today - back })
      const ofField = Object.fromEntries(fields.map(({ name }, n) => [name, values[n]?.[i]]))
      const details = { ...ofField, unit: stored.unit }
      return { id: randomUUID(), type: stored.type, measuredAt: at, receivedAt: at, position: 1, details }
    })
  })
}

const SENSOR_EVERY = 20 * 60_000
/** Values of a sensor from an hour ago back to the beginning of the day seven days before: more would lie on those of the week before. */
const MOST_OF_WEEK = Math.floor((NOW - H - (Math.floor(NOW / D) - 7) * D) / SENSOR_EVERY)
/** Others in the morning of their days in turn; a sensor's without a gap backwards from now, or from the end of the part. */
function timeOf(
  i: number,
  { isSensor, days, firstDay }: { isSensor: boolean; days: number; firstDay: number },
) {
  if (isSensor) return Math.min(NOW - H, (firstDay + 1) * D - SENSOR_EVERY) - i * SENSOR_EVERY
  return (firstDay - (i % days)) * D + 6 * H + Math.floor(i / days) * 60_000
}

function minus(a: Sums, b: Sums): Sums {
  const rest = { ...a }
  for (const key of Object.keys(rest) as (keyof Sums)[]) rest[key] -= b[key]
  return rest
}

type Values = Stored & { isSensor: boolean; most: number }
function valuesOf(sums: Sums, field: Field, { isSensor, most, inTarget }: Values): number[] {
  const count = isSensor
    ? Math.min(most, Math.round((sums.total * H) / SENSOR_EVERY))
    : Math.round(sums.values)
  if (count === 0) return []
  const share = (part: Part) => Math.round((count * sums[part]) / sums.total)
  const { low = 70, high = 180, farLow = low - 16, farHigh = high + 70 } = field
  const outside = [
    ...Array<number>(share('farBelow')).fill(farLow - 4),
    ...Array<number>(share('below') - share('farBelow')).fill(low - 4),
    ...Array<number>(share('farAbove')).fill(farHigh + 10),
    ...Array<number>(share('above') - share('farAbove')).fill(high + 10),
  ]
  const rest = count - outside.length
  const mean = sums.sum / sums.values
  const inside = outside.length > 0 || isSensor || !(mean > 0) ? inTarget(field) : mean
  // Mixed, so that no day has them all.
  return [...outside, ...Array<number>(rest).fill(inside)]
    .map((value, i) => ({ value, place: (i * 0.618_033_988) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

export const targetsOf = ({ targets }: Facts): StoredTarget[] =>
  targets.map(({ author, isForAll, readingType, expectEvery, setAt, fields }) => ({
    author,
    isForAll,
    type: storedType(readingType),
    unit: TYPES[readingType]?.unit ?? '/min',
    expectEvery: expectEvery === null ? null : `PT${expectEvery / H}H`,
    setAt,
    fields: Object.fromEntries(
      fields.map(({ name, sums: _sums, beyond: _beyond, zero: _zero, ...terms }) => [name, terms]),
    ),
  }))
