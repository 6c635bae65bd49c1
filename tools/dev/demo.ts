// `rounds dev --demo`: the readings of tools/simulate/demo-readings.ts, sent as the people's own phones would, one of them
// withdrawn by staff, who have also looked at the patients, so that the access log has something to say. The patients share
// with the doctor of the sample directory who can sign in. Two of them have targets, set by the doctor and by a patient.
import { createRoundsClient, type Reading, type RoundsClient } from '../../clients/typescript/src/client.ts'
import { demoReadings } from '../simulate/demo-readings.ts'
import { DAY_MS } from '../simulate/patient.ts'
import { PEOPLE } from './people.ts'
import { requestToken, type TokenSource } from './request-token.ts'

const SEED = 16
const READINGS_PER_REQUEST = 1_000
const STAFF = 'kim-sample'
const DOCTOR = 'dr-willow-sample'

type Demo = {
  appointmentsUrl: string
  casesheetUrl: string
  /** Where targets are set, unless the process serves none. */
  careUrl: string | undefined
  issuer: TokenSource
  now: number
  stopping: AbortSignal
}

/** Returns how many there are. */
export async function addDemoReadings(demo: Demo): Promise<number> {
  const { issuer, now, appointmentsUrl, casesheetUrl, careUrl, stopping: signal } = demo
  const urls = { appointmentsUrl, casesheetUrl, careUrl }
  const clientOf = async (person: string): Promise<RoundsClient> =>
    createRoundsClient({ ...urls, token: await requestToken(issuer, { person }) })
  const localMs = -new Date(now).getTimezoneOffset() * 60_000
  const { readings, mistaken } = demoReadings({ seed: SEED, now, localMs })
  for (const { id, patientUids } of PEOPLE) {
    const client = await clientOf(id)
    const own = readings.filter(({ patientUid }) => patientUids.includes(patientUid))
    for (const list of listsOf(own)) await client.addReadings(list, { signal })
  }

  const staff = await clientOf(STAFF)
  await withdraw(staff, mistaken, signal)
  for (const patientUid of new Set(readings.map((reading) => reading.patientUid)))
    await staff.latestReadings({ patientUid }, { signal })
  const week = { from: now - 7 * DAY_MS, to: now, readingType: ['bloodPressure'] }
  await staff.getReadings({ patientUid: mistaken.patientUid, ...week }, { signal })
  await shareWithDoctor(clientOf, { now, setsTargets: careUrl !== undefined }, signal)
  return readings.length
}

/** A directory that was there before has no such doctor. */
async function shareWithDoctor(
  clientOf: (person: string) => Promise<RoundsClient>,
  { now, setsTargets }: { now: number; setsTargets: boolean },
  signal: AbortSignal,
) {
  const ada = await clientOf('ada-example')
  const { data: doctors } = await ada.listDoctors({ doctorId: [DOCTOR] }, { signal })
  if (doctors.length === 0) return
  const robin = await clientOf('robin-example')
  const validUntil = new Date(now + 30 * DAY_MS).toISOString()
  const readingTypes = ['bodyTemperature', 'heartRate', 'interstitialGlucose']
  const share = (client: RoundsClient, terms: Omit<Parameters<typeof client.grants.add>[0], 'doctorId'>) =>
    client.grants.add({ ...terms, doctorId: DOCTOR }, { signal })
  await share(ada, { patientUid: 'patient-1', permission: 'manage', sharedAs: 'Ada Example', validUntil })
  await share(robin, { patientUid: 'child-1', permission: 'manage', sharedAs: 'Mia Example', readingTypes })
  await share(robin, { patientUid: 'child-2', permission: 'view', sharedAs: 'Leo Example' })
  if (!setsTargets) return
  const weight = { readingType: 'bodyWeight', low: 69, high: 74, unit: 'kg', label: 'My goal' }
  await ada.targets.set({ patientUid: 'patient-1', ...weight }, { signal })
  const doctor = await clientOf(DOCTOR)
  await doctor.targets.set({ patientUid: 'patient-1', preset: 'home-blood-pressure-esh' }, { signal })
  await doctor.targets.set({ patientUid: 'child-1', preset: 'sensor-glucose', unit: 'mmol/L' }, { signal })
}

async function withdraw(
  staff: RoundsClient,
  { patientUid, readingType, timestamp }: Reading,
  signal: AbortSignal,
) {
  const { data } = await staff.getReadings(
    { patientUid, readingType: [readingType], from: timestamp, to: timestamp },
    { signal },
  )
  for (const { readingId } of data) {
    const reason = 'Typed in pounds instead of kilograms'
    await staff.withdrawReading({ patientUid, readingId, timestamp, reason }, { signal })
  }
}

function listsOf(readings: Reading[]): Reading[][] {
  const count = Math.ceil(readings.length / READINGS_PER_REQUEST)
  return Array.from({ length: count }, (_, index) =>
    readings.slice(index * READINGS_PER_REQUEST, (index + 1) * READINGS_PER_REQUEST),
  )
}
