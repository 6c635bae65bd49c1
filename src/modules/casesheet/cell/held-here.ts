// What operators do with a patient's data is done in the cell that serves the patient. Another one may hold an older copy.
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'

export async function mustBeServedHere(client: Client, patientUid: string) {
  const { rows } = await client.query(
    'select from casesheet.cell where open_slots @> casesheet.slot_of($1)',
    [patientUid],
  )
  if (rows.length > 0) return
  throw new CommandError(
    'This cell does not serve the patient: another one does, or the patient is being moved. Use the DATABASE_URL of that cell.',
  )
}
