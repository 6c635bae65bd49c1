// Rules and readings as they are stored, with times of their own, and the evaluation of all that is due at a time.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { evaluateNext } from '../../src/modules/care/evaluation/keep-alerts.ts'
import { markRules } from '../../src/modules/care/evaluation/mark-rules.ts'
import { openDb } from './copying-follower.ts'
import { createDatabase } from './harness.ts'

/** Each round does what is due. Whatever is due again and again is never done. */
const MAX_ROUNDS = 2_000

export type StoredReading = {
  id: string
  readingType: string
  measuredAt: number
  receivedAt: number
  details: Record<string, unknown>
  isWithdrawn?: boolean
}
export type OpenAlert = { ruleId: string; since: number; value: number | null; isLate: boolean }

export type Evaluating = Awaited<ReturnType<typeof startEvaluating>>

export async function startEvaluating() {
  const { ownerUrl, serveUrl } = await createDatabase()
  const db = openDb(serveUrl)
  const processId = randomUUID()
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const run = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values.length > 0 ? values : undefined)).rows
  await run("update casesheet.followers set held_by = $1 where name = 'alerts:rules'", [processId])
  // As a process that runs.
  await run("update care.alert_watch set watched_at = now() + interval '1 hour'")
  const instant = (ms: number) => new Date(ms).toISOString()

  async function mark() {
    while (await markRules(db, processId));
  }
  const evaluateOnce = (now: number, sizes?: { first: number; further: number }) =>
    evaluateNext(db, {
      now: instant(now),
      ...(sizes && { sizes }),
      failed: (_, error) => Promise.reject(error),
    })

  return {
    db,
    run,
    mark,
    evaluateOnce,
    end: async () => {
      await Promise.all([db.end(), client.end()])
    },

    async evaluate(now: number, sizes?: { first: number; further: number }) {
      await mark()
      for (let round = 0; (await evaluateOnce(now, sizes)) > 0; round++)
        if (round > MAX_ROUNDS) throw new Error('Something is due again and again.')
    },

    share: (patientUid: string, doctorId: string, at: number) =>
      run(
        `with given as (
           insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by) values ($1, $2, 'manage', 'x', 'test')
           on conflict (patient_uid, doctor_id) do update set state = 'given'
         ) select`,
        [patientUid, doctorId],
      ).then(() =>
        run(
          'update casesheet.grants set given_at = $3, changed_at = $3 where patient_uid = $1 and doctor_id = $2',
          [patientUid, doctorId, instant(at)],
        ),
      ),

    revoke: (patientUid: string, doctorId: string) =>
      run("update casesheet.grants set state = 'revoked' where patient_uid = $1 and doctor_id = $2", [
        patientUid,
        doctorId,
      ]),

    async setRule(
      rule: {
        patientUid: string | null
        doctorId: string
        readingType: string
        field: string | null
        terms: object
      },
      at: number,
    ) {
      const ruleId = randomUUID()
      const { patientUid, doctorId, readingType, field, terms } = rule
      await run(
        `insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, field, severity, terms, label, set_by)
         values ($1, 'doctor', $2, $3, $4, $5, 'urgent', $6, $7, 'test')`,
        [ruleId, doctorId, patientUid, readingType, field, JSON.stringify(terms), ruleId],
      )
      await run('update casesheet.rules set set_at = $2, version_at = $2 where rule_id = $1', [
        ruleId,
        instant(at),
      ])
      return ruleId
    },

    removeRule: (ruleId: string) =>
      run("update casesheet.rules set state = 'removed' where rule_id = $1", [ruleId]),

    write: (patientUid: string, readings: readonly StoredReading[]) =>
      run(
        `insert into casesheet.readings
           (patient_uid, measured_at, received_at, reading_id, reading_type, sent_timestamp, details, added_by, withdrawn_by, withdrawn_at)
         select $1, measured_at, received_at, id, reading_type, 1, details, 'test', case when is_withdrawn then 'test' end,
           case when is_withdrawn then received_at end
         from unnest($2::timestamptz[], $3::timestamptz[], $4::uuid[], $5::text[], $6::json[], $7::boolean[])
           as new (measured_at, received_at, id, reading_type, details, is_withdrawn)
         on conflict (patient_uid, measured_at, reading_id) do update set withdrawn_by = excluded.withdrawn_by`,
        [
          patientUid,
          readings.map(({ measuredAt }) => instant(measuredAt)),
          readings.map(({ receivedAt }) => instant(receivedAt)),
          readings.map(({ id }) => id),
          readings.map(({ readingType }) => readingType),
          readings.map(({ details }) => JSON.stringify(details)),
          readings.map(({ isWithdrawn = false }) => isWithdrawn),
        ],
      ),

    open: (patientUid: string) =>
      run<OpenAlert>(
        `select rule_id as "ruleId", extract(epoch from since)::float8 * 1000 as since, (worst ->> 'value')::float8 as value,
           is_late as "isLate"
         from casesheet.alerts where patient_uid = $1 and ended_at is null order by rule_id`,
        [patientUid],
      ),

    /** Of each alert all that was said, in order. */
    said: async (patientUid: string) =>
      (
        await run<{ said: string }>(
          `select string_agg(event, ' ' order by at, event_id) as said from casesheet.alert_events where patient_uid = $1
           group by alert_id order by min(at)`,
          [patientUid],
        )
      ).map(({ said }) => said),
  }
}
