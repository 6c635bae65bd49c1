// The name under which a patient shares with one doctor, as the doctor may see it: while the grant is in force. Like patients/list it
// reads no readings, so it leaves no row in the access log.
import type { Db } from '../../../db/db.ts'
import { isStillServed, type ServedHere } from '../served-here.ts'
import type { Sharing } from './reading-grants.ts'

export function createReadSharedAs(db: Db, servedHere: ServedHere) {
  return async (sharing: Sharing): Promise<string | null> => {
    const [row] = await servedHere.serve([sharing], () =>
      db.query<{ shared_as: string | null }>(sharedAsStatement(sharing, servedHere.version()), {
        subject: sharing.subject,
      }),
    )
    return row?.shared_as ?? null
  }
}

function sharedAsStatement({ patientUid, doctorId }: Sharing, version: string | null) {
  return {
    name: 'read-shared-as',
    text: `
      select shared_as
      from casesheet.grants
      where patient_uid = $1
        and doctor_id = $2
        and state = 'given'
        and valid_until > now()
        and ${isStillServed('$3')}`,
    values: [patientUid, doctorId, version],
  }
}
