// Refusing the adds of a patient who is about to be erased, so that none slips past the erasure: the refusal is committed
// first, then every add that may not have seen it has ended, and then the readings are deleted.
import type { Client } from 'pg'
import { CommandError } from '../../refusal.ts'
import { mustHaveTheKeyEverywhere } from '../casesheet/add/erasure-key.ts'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'
import { untilWritesHaveEnded } from '../casesheet/owner/writes-in-flight.ts'
import type { PatientDigests } from '../casesheet/patient-digest.ts'

export async function refusePatient(
  client: Client,
  patientUid: string,
  { digests, until }: { digests: PatientDigests; until: Date },
) {
  // A digest is stored no longer than it is needed.
  await client.query('delete from casesheet.refused_patients where refused_until <= now()')
  await mustHaveTheKeyInUse(client, digests)
  await mustHaveTheKeyEverywhere(client, digests)
  await client.query(
    `insert into casesheet.refused_patients (key_id, patient_digest, refused_until)
     values ($1, $2, $3)
     on conflict (key_id, patient_digest) do update set refused_until = excluded.refused_until`,
    [digests.keyId, digests.digestOf(patientUid), until.toISOString()],
  )
  await untilWritesHaveEnded(client)
}

/** Ends the refusal of one patient, or all refusals, which needs no key; returns how many there were. */
export async function liftRefusals(
  databaseUrl: string,
  ofPatient: { patientUid: string; digests: PatientDigests } | undefined,
): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `delete from casesheet.refused_patients
       where $1::bytea is null
         or (key_id = $1 and patient_digest = $2::bytea)`,
      [ofPatient?.digests.keyId, ofPatient?.digests.digestOf(ofPatient.patientUid)],
    )
    return rowCount ?? 0
  })
}

/** With refusals under two keys, no server could check them all. */
async function mustHaveTheKeyInUse(client: Client, { keyId }: PatientDigests) {
  const { rows } = await client.query('select from casesheet.refused_patients where key_id <> $1 limit 1', [
    keyId,
  ])
  if (rows.length === 0) return
  throw new CommandError(
    'Nothing was erased: other patients are refused under another ERASURE_KEY. Use that one, or leave out --refuse-until.',
  )
}
