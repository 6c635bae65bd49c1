// When a patient's readings leave the phone. It sends every few hours whatever was taken meanwhile; faults on purpose
// make readings leave late, twice, or in no order. Only the way changes, never a reading.
import type { Reading } from '../../clients/typescript/src/client.ts'
import { measuredAtMs, readingsOfDay } from './devices.ts'
import { DAY_MS, HOUR_MS, type SimulatedPatient } from './patient.ts'
import type { Random } from './random.ts'

// Of the readings, those that may be late.
const LATE_SHARE = 0.25
const DUPLICATE_WITHIN_MS = 6 * HOUR_MS

/** From the first day up to, not including, the end. */
export type Days = { first: number; end: number }

export type Faults = { duplicateShare: number; lateMs: number; isOutOfOrder: boolean }

/** What is sent at once. */
export type Sync = { readings: Reading[]; duplicates: number }

type Departure = { reading: Reading; leavesAt: number; isDuplicate: boolean }

/** The syncs of one day after another, until nothing waits any more. */
export function* syncsByDay(
  patient: SimulatedPatient,
  { first, end }: Days,
  faults: Faults,
): Generator<Sync[], void, undefined> {
  const random = patient.randomFor('departures')
  let waiting: Departure[] = []
  for (let day = first; day < end || waiting.length > 0; day++) {
    if (day < end) waiting.push(...departuresOf(readingsOfDay(patient, day), faults, random))
    const midnight = (day + 1) * DAY_MS
    const leaving = waiting.filter(({ leavesAt }) => leavesAt < midnight)
    waiting = waiting.filter(({ leavesAt }) => leavesAt >= midnight)
    const syncs = gather(leaving, random)
    yield (faults.isOutOfOrder ? random.shuffled(syncs).map((sync) => random.shuffled(sync)) : syncs).map(
      (sync) => ({
        readings: sync.map(({ reading }) => reading),
        duplicates: sync.filter(({ isDuplicate }) => isDuplicate).length,
      }),
    )
  }
}

function departuresOf(readings: Reading[], { lateMs, duplicateShare }: Faults, random: Random): Departure[] {
  return readings.flatMap((reading) => {
    const delayMs = random.chance(LATE_SHARE) ? random.between(0, lateMs) : 0
    const leavesAt = measuredAtMs(reading) + delayMs
    const departure = { reading, leavesAt, isDuplicate: false }
    if (!random.chance(duplicateShare)) return departure
    const again = leavesAt + random.between(0, DUPLICATE_WITHIN_MS)
    return [departure, { reading, leavesAt: again, isDuplicate: true }]
  })
}

function gather(departures: Departure[], random: Random): Departure[][] {
  const syncs: Departure[][] = []
  let sendsAt = 0
  for (const departure of departures.toSorted((a, b) => a.leavesAt - b.leavesAt)) {
    if (departure.leavesAt >= sendsAt) {
      syncs.push([])
      sendsAt = departure.leavesAt + random.between(1, 6) * HOUR_MS
    }
    syncs.at(-1)?.push(departure)
  }
  return syncs
}
