// `rounds simulate`: patients whose devices send readings through the typed client, faults and all; then everything is read
// back and compared. Patients are generated as they are needed, sixteen at a time, so memory does not grow with their number.
import { createReadingQueue, RoundsError, type StoredReading } from '../../clients/typescript/src/client.ts'
import type { Output } from '../../src/commands/progress.ts'
import { ConfigError } from '../../src/config/config.ts'
import { connectPatient, type RequestToken } from './connect-patient.ts'
import { correctReadings, isInItsState } from './correct.ts'
import { type Follower, startFollowing } from './follow.ts'
import type { Simulation } from './options.ts'
import { createPace, forEachNumber, type Pace } from './pace.ts'
import { type SimulatedPatient, simulatedPatient } from './patient.ts'
import { startProgress } from './progress.ts'
import { findFaults } from './prove.ts'
import type { Report } from './report.ts'
import { syncsByDay } from './syncs.ts'
import { addExample, createTally, type Tally } from './tally.ts'

const PATIENTS_AT_ONCE = 16

type Deps = {
  requestToken: RequestToken
  /** A token with the scope readings:changes. */
  requestServiceToken: () => Promise<string>
  progress: Output
  /** Ends the simulation early. */
  stopping: AbortSignal
}

type Run = {
  simulation: Simulation
  tally: Tally
  requestToken: RequestToken
  pace: Pace
  follower: Follower | undefined
}

export async function simulate(
  simulation: Simulation,
  { requestToken, requestServiceToken, progress, stopping }: Deps,
): Promise<Report> {
  const tally = createTally()
  const run: Run = { simulation, tally, requestToken, pace: createPace(simulation.rate), follower: undefined }
  const { patients, days, seed } = simulation
  const patientDays = patients * (days.end - days.first)

  type Work = (run: Run, patient: SimulatedPatient, signal: AbortSignal) => Promise<void>
  async function forEachPatient(stage: string, work: Work, look: () => { share: number; readings: number }) {
    const snapshot = () => ({ stage, ...look(), retries: tally.retries, errors: tally.errors })
    const endProgress = startProgress(progress, snapshot)
    await forEachNumber({ count: patients, atOnce: PATIENTS_AT_ONCE, signal: stopping }, (number, signal) =>
      work(run, simulatedPatient(seed, number), signal),
    ).finally(endProgress)
  }
  await mustAnswer(run, stopping)
  if (simulation.isFollowed)
    run.follower = startFollowing({ simulation, tally, requestToken: requestServiceToken, stopping })
  const startedAt = performance.now()
  try {
    await forEachPatient('Sending', sendReadings, () => ({
      share: tally.daysSent / patientDays,
      readings: tally.sent,
    })).finally(() => void (tally.sendingMs = performance.now() - startedAt))
    await forEachPatient('Reading back', compareReadings, () => ({
      share: tally.patientsRead / patients,
      readings: tally.readBack,
    }))
  } catch (error) {
    if (stopping.aborted) return { simulation, tally, end: 'stopped' }
    if (!(error instanceof RoundsError || error instanceof ConfigError)) throw error
    // The service did not come back in time: what was done so far is worth knowing all the same.
    tally.errors++
    addExample(tally, `given up: ${error.message}`)
    return { simulation, tally, end: 'stopped' }
  } finally {
    await run.follower?.stop()
  }
  const { errors, missing, doubled, unexpected, wrongState, followedWrong } = tally
  const isProven = errors + missing + doubled + unexpected + wrongState + followedWrong === 0
  return { simulation, tally, end: isProven ? 'proven' : 'refuted' }
}

/** One question without patience, so that a wrong address or a token that does not count is said at once. */
async function mustAnswer(run: Run, signal: AbortSignal) {
  const patient = simulatedPatient(run.simulation.seed, 1)
  const client = connectPatient(run, patient, { attempts: 1 })
  await client.getReadings({ patientUid: patient.patientUid, limit: 1 }, { signal }).catch((cause: Error) => {
    if (signal.aborted) return
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(`Rounds at ${run.simulation.url} cannot be used: ${cause.message}`, { cause })
  })
}

async function sendReadings(run: Run, patient: SimulatedPatient, signal: AbortSignal) {
  const { simulation, tally, pace } = run
  const { days, faults } = simulation
  const client = connectPatient(run, patient)
  const queue = createReadingQueue({
    client,
    onRefused(_, error) {
      tally.errors++
      addExample(tally, `refused: ${error.message}`)
    },
  })
  let day = days.first
  for (const syncs of syncsByDay(patient, days, faults)) {
    for (const { readings, duplicates } of syncs) {
      await pace(readings.length, signal)
      await queue.add(readings)
      const { sent } = await queue.flush({ signal })
      tally.sent += sent
      tally.duplicates += duplicates
      tally.distinct += readings.length - duplicates
      await correctReadings({ client, simulation, tally, signal }, patient, readings)
    }
    // What is late leaves after the last day.
    if (day++ < days.end) tally.daysSent++
  }
}

async function compareReadings(run: Run, patient: SimulatedPatient, signal: AbortSignal) {
  const { simulation, tally } = run
  const { patientUid } = patient
  const read: StoredReading[] = []
  const stored = connectPatient(run, patient).eachReading({ patientUid, withdrawn: 'include' }, { signal })
  for (const { kind, reading } of await findFaults(patient, simulation.days, counted(stored))) {
    tally[kind]++
    addExample(tally, `${kind}: ${reading.readingType} of ${patientUid} at ${reading.timestamp}`)
  }
  await run.follower?.compare(patientUid, read)
  tally.patientsRead++

  async function* counted(items: AsyncIterable<StoredReading>) {
    for await (const item of items) {
      tally.readBack++
      if (!isInItsState(simulation, patient, item)) {
        tally.wrongState++
        addExample(tally, `in a wrong state: ${item.readingType} of ${patientUid} at ${item.timestamp}`)
      }
      if (run.follower) read.push(item)
      yield item
    }
  }
}
