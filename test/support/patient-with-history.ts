// A patient whose readings were read, and "rounds patient" with them.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client } from 'pg'
import { type Rounds, runSql } from './harness.ts'
import { type Command, runCommand } from './process.ts'
import { until } from './until.ts'

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

/** The lines of an export, by what they are of. */
export async function exportOf(patientUid: string, ownerUrl: string) {
  const { code, output } = await runPatientCommand(['export', patientUid, ...BY], ownerUrl)
  assert.equal(code, 0, output)
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, Record<string, unknown> | undefined>)
  return (kind: string) => lines.map((line) => line[kind]).filter((found) => found !== undefined)
}

export const ERASE = [...BY, '--yes', '--announce-days', '0']

export const startErasing = (patientUid: string, ownerUrl: string, ...options: string[]) =>
  runCommand(['patient', 'erase', patientUid, ...ERASE, ...options], { DATABASE_URL: ownerUrl, ERASURE_KEY })

export const POLLS_FOR_WRITES = "backend_xid is not null and query like '%RowExclusiveLock%'"

/** Until a session of the command does that. */
export const untilErasing = (command: Command, ownerUrl: string, doing = POLLS_FOR_WRITES) =>
  until(async () => {
    assert.equal(command.child.exitCode, null, command.output())
    const sessions = await runSql(
      ownerUrl,
      `select
       from pg_stat_activity
       where application_name = 'rounds operator'
         and datname = current_database()
         and ${doing}`,
    )
    return sessions.length > 0
  })

/** A transaction in which statements wait for their commit. */
export async function openTransaction(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  after(() => client.end())
  await client.query('begin')
  return client
}
