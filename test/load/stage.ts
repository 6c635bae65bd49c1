// Rounds as a process of its own, with patients who have readings already: what loads are put on.
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'

const FIRST_S = 1_700_000_000
const PATIENTS = 200

export async function startLoadStage(settings: Record<string, string> = {}) {
  const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
  await runSql(
    database.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'load-' || patient, to_timestamp($1::int + n), gen_random_uuid(), 'heartRate', $1::int + n, '{"value":72}', 'test'
     from generate_series(0, $2::int - 1) patient, generate_series(0, 99) n`,
    [FIRST_S, PATIENTS],
  )
  await runSql(database.ownerUrl, 'analyze casesheet.readings')
  /** A server process on this database; further ones are there to be compared with. */
  const serve = () =>
    serveInProcess({
      DATABASE_URL: database.serveUrl,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
      RATE_LIMIT_REFUSED_PER_MINUTE: '1000000000',
      PATIENT_BYTES_PER_DAY: '1000000000000',
      LOG_LEVEL: 'warn',
      // V8 doubles its nursery at some time in the life of a process, whatever it does: not what is measured here.
      NODE_OPTIONS: '--max-semi-space-size=8',
      ...settings,
    })
  const server = await serve()
  const patients = await Promise.all(
    Array.from({ length: PATIENTS }, async (_, index) => {
      const uid = `load-${index}`
      return { uid, firstS: FIRST_S, token: await issuer.token({ sub: `device-${index}`, patientUid: uid }) }
    }),
  )
  return { ...database, issuer, server, serve, patients }
}
