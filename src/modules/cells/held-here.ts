// What operators do with a patient's data is done in the cell that serves the patient. Another one may hold an older copy.
import type { Client } from 'pg'
import { CommandError } from '../../refusal.ts'

/**
 * SQL: whether this cell serves the slot of an id, which must be a column or a subquery: PostgreSQL computes the slot of a constant
 * while it plans. Where all slots are open none is computed, so that one cell needs no md5, which FIPS forbids.
 */
export function isServed(patientUid: string): string {
  return `case when open_slots = '{[0,4096)}' then true else open_slots @> casesheet.slot_of(${patientUid}) end`
}

export async function mustBeServedHere(client: Client, patientUid: string) {
  const { rows } = await client.query(`select from casesheet.cell where ${isServed('(select $1::text)')}`, [
    patientUid,
  ])
  if (rows.length > 0) return
  throw new CommandError(
    'This cell does not serve the patient: another one does, or the patient is being moved. Use the DATABASE_URL of that cell.',
  )
}
