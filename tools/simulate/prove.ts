// The proof: what the service has of a patient is what was generated, each reading exactly once and to the letter, and
// nothing else. It generates the readings anew and shares no code with the service.
import { isDeepStrictEqual } from 'node:util'
import type { Reading, StoredReading } from '../../clients/typescript/src/client.ts'
import { measuredAtMs, readingsOfDay } from './devices.ts'
import { DAY_MS, type SimulatedPatient } from './patient.ts'
import type { Days } from './syncs.ts'

export type Finding = { kind: 'missing' | 'doubled' | 'unexpected'; reading: Reading }

/** What is wrong with the stored readings of a patient; nothing, when it is proven. */
export async function findFaults(
  patient: SimulatedPatient,
  days: Days,
  stored: AsyncIterable<StoredReading>,
): Promise<Finding[]> {
  const expected = new Map<string, { reading: Reading; times: number }>()
  for (let day = days.first; day < days.end; day++) {
    for (const reading of readingsOfDay(patient, day)) expected.set(keyOf(reading), { reading, times: 0 })
  }
  const isOfAnotherRun = recogniseOtherRuns(patient, days)
  const faults: Finding[] = []
  for await (const { measuredAt, readingId: _id, receivedAt: _at, withdrawn: _mark, ...reading } of stored) {
    const match = expected.get(keyOf(reading))
    const isInPlace = Date.parse(measuredAt) === measuredAtMs(reading)
    if (match && isInPlace && isDeepStrictEqual(reading, match.reading)) {
      match.times++
      if (match.times > 1) faults.push({ kind: 'doubled', reading })
    } else if (!isInPlace || !isOfAnotherRun(reading)) {
      faults.push({ kind: 'unexpected', reading })
    }
  }
  const missing = [...expected.values()].filter(({ times }) => times === 0)
  return [...faults, ...missing.map(({ reading }) => ({ kind: 'missing' as const, reading }))]
}

/** Longer runs, or runs from other days, leave readings of the same patients: those of the same seed, and no others. */
function recogniseOtherRuns(patient: SimulatedPatient, { first, end }: Days) {
  let lastDay = { day: Number.NaN, readings: [] as Reading[] }
  return (reading: Reading): boolean => {
    const day = Math.floor(measuredAtMs(reading) / DAY_MS)
    if (day >= first && day < end) return false
    if (day !== lastDay.day) lastDay = { day, readings: readingsOfDay(patient, day) }
    return lastDay.readings.some((generated) => isDeepStrictEqual(generated, reading))
  }
}

// The devices never take two readings of one type at one time.
function keyOf({ readingType, timestamp }: Reading): string {
  return `${readingType} ${timestamp}`
}
