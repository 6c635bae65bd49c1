// `rounds patient erase`: everything that Rounds holds of a patient, removed in one transaction, with a row that says so.
// Readings with their corrections, grants, targets and rules with their history, alerts with their events, and reviews are deleted, and so are
// the reads with tokens that name the patient, whose readers are the patient or those close to them. Reads by doctors, staff and operators stay, since those must
// answer for them, but no longer say whose readings they were: the patient's id is replaced by one that only the erasure knows.
// The reason that staff gave goes, since it may name the patient, and so does the id of the request, by which logs elsewhere name it.
import type { Client } from 'pg'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'
import { untilWritesHaveEnded, WRITES_WITHIN_MS } from '../casesheet/owner/writes-in-flight.ts'
import type { PatientDigests } from '../casesheet/patient-digest.ts'
import { LOWEST_ID } from '../casesheet/reading-id.ts'
import { cleanUp, notCleanedUp, rewrite } from './clean-up-erased.ts'
import { drawErasureId, keptUnder, mustHoldPartitions } from './partitions-of-patient.ts'
import { mustKnowAllColumns, PATIENT_TABLES } from './patient-tables.ts'
import { refusePatient } from './refuse-patient.ts'

// So that progress can be shown; all of them are one transaction.
const BATCH = 20_000

export type Holdings = {
  readings: number
  targets: number
  reviews: number
  rules: number
  alerts: number
  grants: number
  /** Reads with a token that names the patient, and reads by others. */
  ownAccesses: number
  otherAccesses: number
  /** When this patient was erased before. */
  erasedAt: string[]
  /** Erasures recorded under another key, or under any where none is given: they may have been of this patient. */
  uncheckedErasures: number
}

export type PatientErasure = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  patientUid: string
  /** Who answers for it. */
  erasedBy: string
  digests: PatientDigests
  /** Until when adds for the patient are refused, if they are. */
  refuseUntil: Date | undefined
  /** How long readings/changes shows the patient's id. */
  announcedForDays: number
  /** Whether the partitions of the patient are to be written anew. */
  isRewritten: boolean
  onProgress: (progress: { stage: Stage; share?: number }) => void
}

type Stage = 'refusing adds' | 'erasing' | 'tidying up' | 'rewriting'

export type Erased = Pick<
  Holdings,
  'readings' | 'targets' | 'reviews' | 'rules' | 'alerts' | 'grants' | 'ownAccesses' | 'otherAccesses'
>

/** Until when notices of this and earlier erasures hold the patient's id. */
type Announced = { announcedUntil: string | undefined }

export async function findHoldings(
  databaseUrl: string,
  patientUid: string,
  digests: PatientDigests | undefined,
): Promise<Holdings> {
  return withOwnerSession(databaseUrl, async (client) => {
    await mustHoldPartitions(client, patientUid)
    await mustKnowAllColumns(client)
    const { rows } = await client.query<{ at: string; is_known: boolean }>(FIND_ERASURES, [
      digests?.keyId,
      digests?.digestOf(patientUid),
    ])
    const known = rows.filter((row) => row.is_known)
    return {
      ...(await countRows(client, patientUid)),
      erasedAt: known.map(({ at }) => at),
      uncheckedErasures: rows.length - known.length,
    }
  })
}

export async function erasePatient({
  databaseUrl,
  patientUid,
  erasedBy,
  digests,
  refuseUntil,
  announcedForDays,
  isRewritten,
  onProgress,
}: PatientErasure): Promise<Erased & Announced> {
  return withOwnerSession(databaseUrl, async (client) => {
    const partitions = await mustHoldPartitions(client, patientUid)
    await mustKnowAllColumns(client)
    if (refuseUntil) {
      onProgress({ stage: 'refusing adds' })
      await refusePatient(client, patientUid, { digests, until: refuseUntil })
    }
    const { readings: expected } = await countRows(client, patientUid)
    // Also those where nothing is held any more: an earlier erasure left bytes in their files.
    const tables = [...partitions, ...UNPARTITIONED_TABLES.map(({ name }) => ({ name }))]
    const erasureId = await drawErasureId(client)
    // Each statement must see what has been committed before it, whatever the default of the role or the database is.
    await client.query('begin isolation level read committed')
    await takePlaceAmongChanges(client)
    const readings = await deleteReadings(client, patientUid, (deleted) =>
      onProgress({ stage: 'erasing', share: Math.min(1, deleted / expected) }),
    )
    const deleted = await deleteRows(client, patientUid)
    const { rows } = await client.query<{ own: number; other: number }>(ERASE_ACCESSES, [
      patientUid,
      erasedBy,
      readings,
      digests.digestOf(patientUid),
      digests.keyId,
      announcedForDays,
      keptUnder(erasureId),
      erasureId,
    ])
    if (announcedForDays === 0) await client.query(FORGET_IN_WEBHOOKS, [patientUid])
    const [erased] = rows
    if (!erased) throw new Error('The erasure was not recorded.')
    await client.query('commit')
    onProgress({ stage: 'tidying up' })
    try {
      await deleteDerivedSince(client, patientUid)
      const analyzedBy = await cleanUp(client, tables)
      if (isRewritten) {
        onProgress({ stage: 'rewriting' })
        await rewrite(client, tables, analyzedBy)
      }
    } catch (error) {
      throw error instanceof Error ? notCleanedUp(error) : error
    }
    const announcedUntil = await lastNoticeOf(client, patientUid)
    const { own: ownAccesses, other: otherAccesses } = erased
    return { ...deleted, readings, ownAccesses, otherAccesses, announcedUntil }
  })
}

/**
 * What has a lower transaction id than ours comes before the erasure in the sequence of changes, and those who follow it remove it. So it
 * must be deleted here too: the transactions that are writing have to end first. A later one has a higher id, and what it writes comes after the erasure.
 */
async function takePlaceAmongChanges(client: Client) {
  await client.query('select pg_current_xact_id()')
  await untilWritesHaveEnded(client)
}

async function lastNoticeOf(client: Client, patientUid: string): Promise<string | undefined> {
  const { rows } = await client.query<{ until: Date | null }>(
    'select max(announced_until) as until from casesheet.erasure_notices where patient_uid = $1',
    [patientUid],
  )
  return rows[0]?.until?.toISOString()
}

async function deleteReadings(client: Client, patientUid: string, onDeleted: (count: number) => void) {
  let deleted = 0
  do {
    let last = { measured_at: '-infinity', reading_id: LOWEST_ID }
    for (;;) {
      const { rows } = await client.query<typeof last & { count: number }>(DELETE_READINGS, [
        patientUid,
        last.measured_at,
        last.reading_id,
        BATCH,
      ])
      const [batch] = rows
      if (!batch) break
      last = batch
      deleted += batch.count
      onDeleted(deleted)
    }
  } while (await isAnyLeft(client, patientUid))
  return deleted
}

/**
 * A history is deleted behind its table, by a statement of its own, which also sees what a change wrote for which the first one had to wait.
 * A row that is left was written after the erasure began, and keeps its history.
 */
async function deleteRows(client: Client, patientUid: string): Promise<Counts> {
  const counts: Counts = { targets: 0, reviews: 0, rules: 0, alerts: 0, grants: 0 }
  for (const { name, lines, historyOf } of UNPARTITIONED_TABLES) {
    const deleted = await deleteIn(client, patientUid, name, historyOf)
    if (lines && isCounted(lines.counted)) counts[lines.counted] = deleted
  }
  return counts
}

type Counts = Record<(typeof COUNTED)[number], number>
const COUNTED = ['targets', 'reviews', 'rules', 'alerts', 'grants'] as const
const isCounted = (counted: string): counted is keyof Counts => COUNTED.some((known) => known === counted)

async function deleteIn(
  client: Client,
  patientUid: string,
  table: string,
  historyOf?: { table: string; key: string },
): Promise<number> {
  const unlessKept = historyOf
    ? `and (${historyOf.key}) not in (select ${historyOf.key} from ${historyOf.table} where patient_uid = $1)`
    : ''
  const { rowCount } = await client.query(`delete from ${table} where patient_uid = $1 ${unlessKept}`, [
    patientUid,
  ])
  return rowCount ?? 0
}

/**
 * Lists, makers of summaries and the keeper of alerts that began before the grants and rules were gone may have written more.
 * Without the row of the patient and without rules, those that begin later write nothing, and those in flight are waited for.
 */
async function deleteDerivedSince(client: Client, patientUid: string) {
  const tables = UNPARTITIONED_TABLES.flatMap(({ name, isDerived }) => (isDerived ? [name] : []))
  for (const table of tables) {
    await untilWritesHaveEnded(client, tables, WRITES_WITHIN_MS)
    await deleteIn(client, patientUid, table)
  }
}

/**
 * A safeguard: an erasure must not report success while it leaves a reading. Those whose add began after the erasure do not
 * count, or a device that sends all the time would keep it from ending.
 */
async function isAnyLeft(client: Client, patientUid: string): Promise<boolean> {
  const { rows } = await client.query(
    `select
     from casesheet.readings
     where patient_uid = $1
       and received_at <= now()
     limit 1`,
    [patientUid],
  )
  return rows.length > 0
}

async function countRows(client: Client, patientUid: string): Promise<Erased> {
  const { rows } = await client.query<Omit<Erased, 'otherAccesses'> & { all: number }>(
    `select
       ${PATIENT_TABLES.flatMap(({ name, lines }) =>
         lines && (lines.counted === 'readings' || isCounted(lines.counted))
           ? [`(select count(*) from ${name} where patient_uid = $1)::float8 as ${lines.counted},`]
           : [],
       ).join('\n       ')}
       (select count(*) from casesheet.access_log where patient_uid = $1)::float8 as all,
       (select count(*) from casesheet.access_log where patient_uid = $1 and allowed_as = 'patient')::float8 as "ownAccesses"`,
    [patientUid],
  )
  const [counted] = rows
  if (!counted) throw new Error('PostgreSQL counted nothing.')
  const { all, ...held } = counted
  return { ...held, otherAccesses: all - held.ownAccesses }
}

/** All but those of readings, corrections and the access log. */
const UNPARTITIONED_TABLES = PATIENT_TABLES.filter(({ isPartitioned }) => !isPartitioned)

// Endpoints that name the patient get the announcement, and forget the id with it (casesheet.clear_erasure_notices). Without one they
// forget it now. A list that becomes empty stays one: the endpoint then gets nothing of anybody.
const FORGET_IN_WEBHOOKS = `
  update webhooks.endpoints
  set patient_uids = array_remove(patient_uids, $1)
  where $1 = any (patient_uids)`

const FIND_ERASURES = `
  select at::text as at, key_id is not distinct from $1::bytea as is_known
  from casesheet.erasures
  where key_id is distinct from $1::bytea
    or patient_digest = $2::bytea
  order by erasures.at`

// Each batch begins behind the last one: from the start, it would walk over all that this transaction has deleted before.
// It is deleted by the range of its keys and not by ctid: a withdrawal that commits meanwhile gives its reading another ctid, and
// PostgreSQL, which then checks the condition against the new row, would leave that one out.
export const DELETE_READINGS = `
  with batch as materialized (
    select measured_at, reading_id
    from casesheet.readings
    where patient_uid = $1
      and (measured_at, reading_id) > ($2::timestamptz, $3::uuid)
    order by measured_at, reading_id
    limit $4::integer
  ), last as materialized (
    select measured_at, reading_id
    from batch
    order by measured_at desc, reading_id desc
    limit 1
  ), deleted as (
    delete from casesheet.readings
    where patient_uid = $1
      and (measured_at, reading_id) > ($2, $3)
      and (measured_at, reading_id) <= ((select measured_at from last), (select reading_id from last))
    returning 1
  )
  select measured_at::text as measured_at, reading_id, (select count(*) from deleted)::float8 as count
  from last`

const ERASE_ACCESSES = `
  with own as (
    delete from casesheet.access_log
    where patient_uid = $1
      and allowed_as = 'patient'
    returning 1
  ), other as (
    update casesheet.access_log
    set patient_uid = $7, request_id = '', reason = null
    where patient_uid = $1
      and allowed_as <> 'patient'
    returning 1
  ), corrections as (
    delete from casesheet.corrections
    where patient_uid = $1
  ), announced as (
    insert into casesheet.erasure_notices (erasure_id, patient_uid, announced_until)
    values ($8::uuid, case when $6::integer > 0 then $1 end, now() + $6 * interval '1 day')
  )
  insert into casesheet.erasures
    (erasure_id, erased_by, patient_digest, key_id, readings_count, own_accesses_count, other_accesses_count)
  values ($8, $2, $4, $5, $3, (select count(*) from own), (select count(*) from other))
  returning own_accesses_count::float8 as own, other_accesses_count::float8 as other`
