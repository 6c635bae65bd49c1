// `rounds dev --demo`: the readings of tools/simulate/demo-readings.ts, sent as the people's own phones would, one of them
// withdrawn by staff, who have also looked at the patients, so that the access log has something to say. Two patients
// share with the doctor of the sample directory who can sign in.
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
  issuer: TokenSource
  now: number
  stopping: AbortSignal
}

/** Returns how many there are. */
export async function addDemoReadings(demo: Demo): Promise<number> {
  const { issuer, now, appointmentsUrl, casesheetUrl, stopping: signal } = demo
  const clientOf = async (person: string): Promise<RoundsClient> =>
    createRoundsClient({ appointmentsUrl, casesheetUrl, token: await requestToken(issuer, { person }) })
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
  await shareWithDoctor(clientOf, now, signal)
  return readings.length
}

/** A directory that was there before has no such doctor. */
async function shareWithDoctor(
  clientOf: (person: string) => Promise<RoundsClient>,
  now: number,
  signal: AbortSignal,
) {
  const ada = await clientOf('ada-example')
  const { data: doctors } = await ada.listDoctors({ doctorId: [DOCTOR] }, { signal })
  if (doctors.length === 0) return
  const robin = await clientOf('robin-example')
  const terms = { doctorId: DOCTOR, permission: 'view' as const }
  const validUntil = new Date(now + 30 * DAY_MS).toISOString()
  await ada.grants.add({ ...terms, patientUid: 'patient-1', sharedAs: 'Ada Example', validUntil }, { signal })
  const readingTypes = ['bodyTemperature', 'heartRate']
  await robin.grants.add(
    { ...terms, patientUid: 'child-1', sharedAs: 'Mia Example', readingTypes },
    { signal },
  )
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
