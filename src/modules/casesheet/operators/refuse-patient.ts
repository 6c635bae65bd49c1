// Refusing the adds of a patient who is about to be erased, so that none slips past the erasure: the refusal is committed
// first, then every add that may not have seen it has ended, and then the readings are deleted.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'
import type { PatientDigests } from '../patient-digest.ts'

const POLL_MS = 20

export async function refusePatient(
  client: Client,
  patientUid: string,
  { digests, until }: { digests: PatientDigests; until: Date },
) {
  // A digest is stored no longer than it is needed.
  await client.query('delete from casesheet.refused_patients where refused_until <= now()')
  await mustHaveTheKeyInUse(client, digests)
  await client.query(
    `insert into casesheet.refused_patients (key_id, patient_digest, refused_until)
     values ($1, $2, $3)
     on conflict (key_id, patient_digest) do update set refused_until = excluded.refused_until`,
    [digests.keyId, digests.digestOf(patientUid), until.toISOString()],
  )
  await untilAddsHaveEnded(client)
}

/** With refusals under two keys, no server could check them all, and all would refuse every add of every patient. */
async function mustHaveTheKeyInUse(client: Client, { keyId }: PatientDigests) {
  const { rows } = await client.query('select from casesheet.refused_patients where key_id <> $1 limit 1', [
    keyId,
  ])
  if (rows.length === 0) return
  throw new CommandError(
    'Nothing was erased: other patients are refused under another ERASURE_KEY. Use that one, or leave out --refuse-until.',
  )
}

/**
 * Waits for the transactions that are adding readings now, or writing to other tables as well. A statement locks the table before it takes its snapshot, so one that
 * locks it later sees the refusal. Only those are waited for, and no session waits for us, as it would for a lock of our own.
 */
export async function untilAddsHaveEnded(client: Client, tables: Written[] = ['casesheet.readings']) {
  const inFlight = await writesInFlight(client, tables)
  while (inFlight.length > 0) {
    const still = new Set(await writesInFlight(client, tables))
    if (!inFlight.some((transaction) => still.has(transaction))) return
    await pause(POLL_MS)
  }
}

type Written = 'casesheet.readings' | 'casesheet.access_log'

async function writesInFlight(client: Client, tables: Written[]): Promise<string[]> {
  const { rows } = await client.query<{ virtualtransaction: string }>(
    `select virtualtransaction
     from pg_locks
     where locktype = 'relation'
       and relation = any ($1::text[]::regclass[])
       and database = (select oid from pg_database where datname = current_database())
       and mode = 'RowExclusiveLock'
       and granted`,
    [tables],
  )
  return rows.map(({ virtualtransaction }) => virtualtransaction)
}
