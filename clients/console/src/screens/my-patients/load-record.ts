// What the side panel reads of a record, beside what the list says already. Each of these is a read that the patient sees in the
// access log.
import type {
  BloodPressureReport,
  GlucoseReport,
  ReadingTypeEntry,
  RoundsClient,
  TargetChange,
  TimeInTargetReport,
} from '../../../../typescript/src/client.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { type TimedReading, timedReading } from '../charts/series.ts'
import type { TimeRange } from '../charts/time-range.ts'
import { asQuery, lastDays } from '../reports/report-range.ts'
import type { ListedType } from './listed-patient.ts'

const PAGE = 1_000
/** A sensor that sends every half minute. More would be one blot. */
const MAX_OF_DAY = 3_000
/** As many as the list has. */
export const FORTNIGHT_DAYS = 14
/** A report of a longer time may be refused: a sensor sends so much. */
const MAX_COUNTED_MS = 60 * DAY_MS
const MAX_CHANGES = 20
const GLUCOSE_UNITS = ['mg/dL', 'mmol/L'] as const

type Asked = { patientUid: string; type: ListedType; zone: string }

export type Fortnight =
  | { kind: 'glucose'; figures: GlucoseReport }
  | { kind: 'bloodPressure'; figures: BloodPressureReport }
  | { kind: 'days' }

export type PanelRecord = {
  /** Nothing of a type that is not in the catalogue. */
  entry: ReadingTypeEntry | undefined
  /** In order of time. */
  readings: TimedReading[]
  isCut: boolean
  range: TimeRange
  fortnight: Fortnight
}

export async function loadRecord(
  rounds: RoundsClient,
  { entry, ...asked }: Asked & { entry: ReadingTypeEntry | undefined },
  signal: AbortSignal,
): Promise<PanelRecord> {
  const toMs = Date.now()
  const range = { fromMs: toMs - DAY_MS, toMs }
  const [ofDay, fortnight] = await Promise.all([
    loadDay(rounds, { ...asked, range }, signal),
    loadFortnight(rounds, { ...asked, toMs }, signal),
  ])
  return { entry, ...ofDay, range, fortnight }
}

async function loadDay(
  rounds: RoundsClient,
  { patientUid, type, range: { fromMs, toMs } }: Asked & { range: TimeRange },
  signal: AbortSignal,
) {
  const newestFirst: TimedReading[] = []
  const query = { patientUid, readingType: [type.readingType], from: fromMs, to: toMs, limit: PAGE }
  for await (const reading of rounds.eachReading({ ...query, order: 'desc' }, { signal })) {
    if (newestFirst.length === MAX_OF_DAY) return { readings: newestFirst.toReversed(), isCut: true }
    newestFirst.push(timedReading(reading))
  }
  return { readings: newestFirst.toReversed(), isCut: false }
}

async function loadFortnight(
  rounds: RoundsClient,
  { patientUid, type, zone, toMs }: Asked & { toMs: number },
  signal: AbortSignal,
): Promise<Fortnight> {
  const query = { patientUid, ...asQuery(lastDays(FORTNIGHT_DAYS, toMs, zone)), timeZone: zone }
  if (type.readingType === 'interstitialGlucose') {
    const unit = GLUCOSE_UNITS.find((one) => one === type.unit)
    const { data } = await rounds.reports.glucose({ ...query, unit }, { signal })
    return { kind: 'glucose', figures: data }
  }
  if (type.readingType === 'bloodPressure') {
    const { data } = await rounds.reports.bloodPressure(query, { signal })
    return { kind: 'bloodPressure', figures: data }
  }
  // The list has the lowest and the highest of each day.
  return { kind: 'days' }
}

export type SinceReview = {
  /** Readings measured since then. Nothing where it is too long ago to count them. */
  since: TimeInTargetReport | undefined
  /** The fortnight before the review, against the targets of now. */
  before: TimeInTargetReport | undefined
  /** Of targets, since then. */
  changes: TargetChange[]
}

/** The types of the catalogue are counted; others have no targets. */
export async function loadSinceReview(
  rounds: RoundsClient,
  { patientUid, type, zone, reviewedAt }: Asked & { reviewedAt: string },
  signal: AbortSignal,
): Promise<SinceReview> {
  const nowMs = Date.now()
  const reviewedMs = Date.parse(reviewedAt)
  const { readingType } = type
  const count = async (from: number, to: number) => {
    if (nowMs - reviewedMs > MAX_COUNTED_MS || type.targets.length === 0) return undefined
    const query = { patientUid, readingType, from, to, timeZone: zone }
    return (await rounds.reports.timeInTarget(query, { signal })).data
  }
  const [since, before, history] = await Promise.all([
    // Not before the review, where the clock of this device is behind that of the service.
    count(reviewedMs, Math.max(nowMs, reviewedMs)),
    count(reviewedMs - FORTNIGHT_DAYS * DAY_MS, reviewedMs - 1),
    rounds.targets.history({ patientUid, limit: MAX_CHANGES }, { signal }),
  ])
  const changes = history.data.filter(({ at }) => Date.parse(at) > reviewedMs)
  return { since, before, changes }
}
