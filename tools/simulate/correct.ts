// Corrections: some readings are withdrawn once they are stored, and every second one of them is restored. Which ones follows
// from the seed, the patient and the time of the reading alone, so that a second run leaves each in the same state.
import type { Reading, RoundsClient, StoredReading } from '../../clients/typescript/src/client.ts'
import { measuredAtMs } from './devices.ts'
import type { Simulation } from './options.ts'
import { DAY_MS, type SimulatedPatient } from './patient.ts'
import type { Tally } from './tally.ts'

type Deps = { client: RoundsClient; simulation: Simulation; tally: Tally; signal: AbortSignal }

/** To be called when the readings are stored. */
export async function correctReadings(
  { client, simulation, tally, signal }: Deps,
  patient: SimulatedPatient,
  readings: Reading[],
) {
  for (const sent of readings) {
    const correction = correctionOf(simulation, patient, sent)
    if (!correction) continue
    const { patientUid, readingType, timestamp } = sent
    const range = { patientUid, readingType: [readingType], from: timestamp, to: timestamp + 1 }
    const found = client.eachReading({ ...range, withdrawn: 'include' }, { signal })
    for await (const { readingId, ...stored } of found) {
      if (stored.timestamp !== timestamp) continue
      const named = { patientUid, readingId, timestamp }
      await client.withdrawReading({ ...named, reason: 'simulated mistake' }, { signal })
      tally.withdrawn++
      if (correction === 'withdrawn') continue
      await client.restoreReading(named, { signal })
      tally.restored++
    }
  }
}

/** Whether a reading is withdrawn just if the corrections left it so. Without corrections, what an earlier run left counts. */
export function isInItsState(
  simulation: Simulation,
  patient: SimulatedPatient,
  { withdrawn, ...reading }: StoredReading,
): boolean {
  const day = Math.floor(measuredAtMs(reading) / DAY_MS)
  const { days, withdrawnShare } = simulation
  if (withdrawnShare === 0 || day < days.first || day >= days.end) return true
  return (withdrawn !== undefined) === (correctionOf(simulation, patient, reading) === 'withdrawn')
}

function correctionOf(
  { withdrawnShare }: Simulation,
  { randomFor }: SimulatedPatient,
  reading: { readingType: string; timestamp: number },
) {
  const random = randomFor('corrections', Math.floor(measuredAtMs(reading) / 1_000))
  if (!random.chance(withdrawnShare)) return undefined
  return random.chance(0.5) ? 'restored' : 'withdrawn'
}
