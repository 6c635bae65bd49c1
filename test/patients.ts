// `rounds patient` on a server of its own, and patients to try it on.
import { runSql, startRounds } from './harness.ts'
import { runCommand } from './process.ts'

export const BY = ['--by', 'operator@clinic.example']

export const rounds = await startRounds()
export const { ownerUrl, serveUrl } = rounds

export const run = (args: string[], databaseUrl = ownerUrl) =>
  runCommand(['patient', ...args], { DATABASE_URL: databaseUrl }).ended

/** A patient with three readings, read by themselves, by staff, and by staff with a range; and a neighbour with one. */
export async function createPatient(patientUid: string) {
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

export const countOf = async (table: string, patientUid: string) =>
  (
    await runSql<{ count: number }>(
      ownerUrl,
      `select count(*)::integer as count from casesheet.${table} where patient_uid = $1`,
      [patientUid],
    )
  )[0]?.count
