// What a patient shares with one doctor, as the doctor may see it: while it is in force. Like patients/list it reads no readings,
// so it leaves no row in the access log.
import type { Db } from '../../../db/db.ts'
import { isStillServed, type ServedHere } from '../served-here.ts'
import { GRANT_COLUMNS, type Grant, type GrantRow, grantFrom } from './grant.ts'
import type { Sharing } from './reading-grants.ts'

export function createReadGrant(db: Db, servedHere: ServedHere) {
  return async (sharing: Sharing): Promise<Grant | undefined> => {
    const [row] = await servedHere.serve([sharing], () =>
      db.query<GrantRow>(readGrantStatement(sharing, servedHere.version()), { subject: sharing.subject }),
    )
    return row && grantFrom(row)
  }
}

function readGrantStatement({ patientUid, doctorId }: Sharing, version: string | null) {
  return {
    name: 'read-grant',
    text: `
      select ${GRANT_COLUMNS}
      from casesheet.grants
      where patient_uid = $1
        and doctor_id = $2
        and state = 'given'
        and valid_until > now()
        and ${isStillServed('$3')}`,
    values: [patientUid, doctorId, version],
  }
}
