// A patient with readings of three types, and what the patient shares with doctors, written as the owner of the database.
import { randomUUID } from 'node:crypto'
import { type Rounds, runSql } from './harness.ts'

export const NOON = 1_762_084_800

type Given = { readingTypes?: string[]; validUntil?: string; permission?: 'view' | 'manage' }

export async function createSharedPatient(rounds: Rounds) {
  const { token, call, ownerUrl } = rounds
  const patientUid = randomUUID()
  const patient = await token({ sub: 'mia', patientUid })
  const readings = ['respiratoryRate', 'heartRate', 'oxygenSaturation'].flatMap((readingType) =>
    [0, 60, 120].map((seconds) => ({ patientUid, readingType, timestamp: NOON + seconds, value: 40 })),
  )
  const added = await call('/casesheet/readings/add', { token: patient, body: readings })
  if (added.status !== 200) throw new Error(added.text)

  return {
    patientUid,
    patient,
    /** Gives, or replaces what was given before. */
    give: async (
      doctorId: string,
      { readingTypes, validUntil = 'infinity', permission = 'view' }: Given = {},
    ) => {
      await runSql(
        ownerUrl,
        `insert into casesheet.grants
           (patient_uid, doctor_id, permission, reading_types, valid_until, list_key, changed_by)
         values ($1, $2, $3, $4, $5, '', 'mia')
         on conflict (patient_uid, doctor_id) do update
         set state = 'given', permission = excluded.permission, reading_types = excluded.reading_types,
           valid_until = excluded.valid_until`,
        [patientUid, doctorId, permission, readingTypes ?? null, validUntil],
      )
    },
    revoke: async (doctorId: string) => {
      await runSql(
        ownerUrl,
        "update casesheet.grants set state = 'revoked' where patient_uid = $1 and doctor_id = $2",
        [patientUid, doctorId],
      )
    },
  }
}

/** The token of a doctor of the directory, with an id of its own. */
export async function createDoctor({ token }: Pick<Rounds, 'token'>, claims: Record<string, unknown> = {}) {
  const doctorId = `doctor-${randomUUID()}`
  return { doctorId, token: await token({ sub: `sub-of-${doctorId}`, doctorId, ...claims }) }
}
