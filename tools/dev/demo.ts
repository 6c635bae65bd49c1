// `rounds dev --demo`: the readings of tools/simulate/demo-readings.ts, sent as the people's own phones would, one of them
// withdrawn by the clinician, who has also looked at the patients, so that the access log has something to say.
import { createRoundsClient, type Reading, type RoundsClient } from '../../clients/typescript/src/client.ts'
import { demoReadings } from '../simulate/demo-readings.ts'
import { DAY_MS } from '../simulate/patient.ts'
import { PEOPLE } from './people.ts'
import { requestToken, type TokenSource } from './request-token.ts'

const SEED = 16
const READINGS_PER_REQUEST = 1_000
const CLINICIAN = 'dr-willow-sample'

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

  const clinician = await clientOf(CLINICIAN)
  await withdraw(clinician, mistaken, signal)
  for (const patientUid of new Set(readings.map((reading) => reading.patientUid)))
    await clinician.latestReadings({ patientUid }, { signal })
  const week = { from: now - 7 * DAY_MS, to: now, readingType: ['bloodPressure'] }
  await clinician.getReadings({ patientUid: mistaken.patientUid, ...week }, { signal })
  return readings.length
}

async function withdraw(
  clinician: RoundsClient,
  { patientUid, readingType, timestamp }: Reading,
  signal: AbortSignal,
) {
  const { data } = await clinician.getReadings(
    { patientUid, readingType: [readingType], from: timestamp, to: timestamp },
    { signal },
  )
  for (const { readingId } of data) {
    const reason = 'Typed in pounds instead of kilograms'
    await clinician.withdrawReading({ patientUid, readingId, timestamp, reason }, { signal })
  }
}

function listsOf(readings: Reading[]): Reading[][] {
  const count = Math.ceil(readings.length / READINGS_PER_REQUEST)
  return Array.from({ length: count }, (_, index) =>
    readings.slice(index * READINGS_PER_REQUEST, (index + 1) * READINGS_PER_REQUEST),
  )
}
