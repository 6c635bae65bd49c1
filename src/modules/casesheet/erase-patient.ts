// `rounds patient erase`: everything that Rounds holds of a patient, removed in one transaction, with a row that says so.
// Readings are deleted, and so are the reads with tokens that name the patient, whose readers are the patient or those close
// to them. Reads by staff and operators stay, since those must answer for them, but no longer say whose readings they were:
// the patient's id is replaced by one that only the erasure knows.
import type { Client } from 'pg'
import { CommandError } from '../../refusal.ts'
import { withOwnerSession } from './owner-session.ts'

// So that progress can be told; all of them are one transaction.
const BATCH = 20_000

export type Holdings = {
  readings: number
  /** Reads with a token that names the patient, and reads by others. */
  ownAccesses: number
  otherAccesses: number
  /** When this patient was erased before. */
  erasedAt: string[]
}

export type PatientErasure = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  patientUid: string
  /** Who answers for it. */
  erasedBy: string
  onProgress: (progress: { stage: 'erasing' | 'tidying up'; share?: number }) => void
}

export async function findHoldings(databaseUrl: string, patientUid: string): Promise<Holdings> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ at: string }>(
      `select at::text as at
       from casesheet.erasures
       where patient_digest = ${DIGEST_OF_PATIENT}
       order by at`,
      [patientUid],
    )
    return { ...(await countRows(client, patientUid)), erasedAt: rows.map(({ at }) => at) }
  })
}

export async function erasePatient({
  databaseUrl,
  patientUid,
  erasedBy,
  onProgress,
}: PatientErasure): Promise<Omit<Holdings, 'erasedAt'>> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { readings: expected } = await countRows(client, patientUid)
    const partitions = await partitionsOf(client, patientUid)
    await client.query('begin')
    let readings = 0
    for (;;) {
      const { rowCount } = await client.query(DELETE_READINGS, [patientUid, BATCH])
      if (!rowCount) break
      readings += rowCount
      onProgress({ stage: 'erasing', share: Math.min(1, readings / expected) })
    }
    const { rows } = await client.query<{ own: number; other: number }>(ERASE_ACCESSES, [
      patientUid,
      erasedBy,
      readings,
    ])
    await client.query('commit')
    onProgress({ stage: 'tidying up' })
    // What is deleted stays on disk until its page is cleaned, which for one patient's few pages might be never.
    if (partitions.length > 0)
      await client
        .query(`vacuum (index_cleanup on, truncate off) ${partitions.join(', ')}`)
        .catch((cause: Error) => {
          const advice = `Let the owner run "vacuum ${partitions.join(', ')}".`
          throw new CommandError(
            `The patient was erased, but not yet from all pages of the disk. ${advice}`,
            { cause },
          )
        })
    return { readings, ownAccesses: rows[0]?.own ?? 0, otherAccesses: rows[0]?.other ?? 0 }
  })
}

async function countRows(client: Client, patientUid: string): Promise<Omit<Holdings, 'erasedAt'>> {
  const { rows } = await client.query<{ readings: number; own: number; all: number }>(
    `select
       (select count(*) from casesheet.readings where patient_uid = $1)::float8 as readings,
       (select count(*) from casesheet.access_log where patient_uid = $1)::float8 as all,
       (select count(*) from casesheet.access_log where patient_uid = $1 and allowed_as = 'patient')::float8 as own`,
    [patientUid],
  )
  const { readings = 0, own = 0, all = 0 } = rows[0] ?? {}
  return { readings, ownAccesses: own, otherAccesses: all - own }
}

/** The two partitions that hold the patient, if anything does. */
async function partitionsOf(client: Client, patientUid: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `(select tableoid::regclass::text as name from casesheet.readings where patient_uid = $1 limit 1)
     union all
     (select tableoid::regclass::text from casesheet.access_log where patient_uid = $1 limit 1)`,
    [patientUid],
  )
  return rows.map(({ name }) => name)
}

const DIGEST_OF_PATIENT = "sha256(convert_to(erasure_id::text || $1::text, 'UTF8'))"

// Both conditions lead to the one partition of the patient, where a ctid is unique.
const DELETE_READINGS = `
  delete from casesheet.readings
  where patient_uid = $1
    and ctid = any (array(
      select ctid
      from casesheet.readings
      where patient_uid = $1
      limit $2::integer
    ))`

const ERASE_ACCESSES = `
  with erasure as (
    select gen_random_uuid() as erasure_id
  ), own as (
    delete from casesheet.access_log
    where patient_uid = $1
      and allowed_as = 'patient'
    returning 1
  ), other as (
    update casesheet.access_log
    set patient_uid = 'erased:' || (select erasure_id from erasure)
    where patient_uid = $1
      and allowed_as <> 'patient'
    returning 1
  )
  insert into casesheet.erasures
    (erasure_id, erased_by, patient_digest, readings_count, own_accesses_count, other_accesses_count)
  select erasure_id, $2, ${DIGEST_OF_PATIENT}, $3, (select count(*) from own), (select count(*) from other)
  from erasure
  returning own_accesses_count::float8 as own, other_accesses_count::float8 as other`
