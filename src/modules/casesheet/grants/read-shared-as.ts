// The name under which a patient shares with one doctor, as the doctor may see it: while the grant is in force. Like patients/list it
// reads no readings, so it leaves no row in the access log.
import type { Db } from '../../../db/db.ts'
import { DURABLE } from '../../../db/statement.ts'
import type { Sharing } from './reading-grants.ts'

export function createReadSharedAs(db: Db) {
  return async (sharing: Sharing): Promise<string | null> => {
    const [row] = await db.query<{ shared_as: string | null }>(sharedAsStatement(sharing), {
      subject: sharing.subject,
    })
    return row?.shared_as ?? null
  }
}

function sharedAsStatement({ patientUid, doctorId }: Sharing) {
  return {
    name: 'read-shared-as',
    text: `
      select shared_as
      from casesheet.grants
      where patient_uid = $1
        and doctor_id = $2
        and state = 'given'
        and valid_until > now()`,
    values: [patientUid, doctorId],
    behind: DURABLE,
  }
}
