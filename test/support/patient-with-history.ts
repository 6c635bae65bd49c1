// A patient whose readings were read, and "rounds patient" with them.
import { type Rounds, runSql } from './harness.ts'
import { runCommand } from './process.ts'

/** Who runs the commands. */
export const BY = ['--by', 'operator@clinic.example']

export const ERASURE_KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'

export function runPatientCommand(args: string[], databaseUrl: string, key = ERASURE_KEY) {
  return runCommand(['patient', ...args], { DATABASE_URL: databaseUrl, ERASURE_KEY: key }).ended
}

/** A patient with three readings, read by themselves, by staff, and by staff with a range; and a neighbour with one. */
export async function createPatient(rounds: Rounds, patientUid: string) {
  const token = await rounds.token({ patientUid, sub: `sub-of-${patientUid}` })
  const readings = [1, 2, 3].map((value) => ({
    patientUid,
    readingType: 'acme.x',
    value,
    nested: { text: 'ä "quoted"\u2028' },
    timestamp: 1_700_000_000 + value,
  }))
  await rounds.call('/casesheet/readings/add', { token, body: readings })
  const neighbour = `${patientUid}-neighbour`
  await rounds.call('/casesheet/readings/add', {
    token: await rounds.token({ patientUid: neighbour }),
    body: { patientUid: neighbour, readingType: 'acme.x', timestamp: 1 },
  })
  const staff = await rounds.token({ sub: 'dr-willow', scope: 'readings:read' })
  const get = (as: string, query = '') =>
    rounds.call(`/casesheet/readings/get?patientUid=${patientUid}${query}`, { token: as })
  await get(token)
  await get(staff)
  await get(staff, '&from=1700000002&to=1700000002&readingType=acme.x')
  return {
    readings,
    get: () => get(token),
    add: () => rounds.call('/casesheet/readings/add', { token, body: readings }),
  }
}

export async function countRows({ ownerUrl }: Rounds, table: 'readings' | 'access_log', patientUid: string) {
  const rows = await runSql<{ count: number }>(
    ownerUrl,
    `select count(*)::integer as count from casesheet.${table} where patient_uid = $1`,
    [patientUid],
  )
  return rows[0]?.count
}
