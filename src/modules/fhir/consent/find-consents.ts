// Grants as Consents: all of a patient for who may list them, as grants/list decides; for a doctor the own one while it is in force.
// No readings are read, so there is no row in the access log.
import type { Db } from '../../../db/db.ts'
import type { Caller } from '../../../http/tokens/tokens.ts'
import { Refusal } from '../../../refusal.ts'
import { type Asked as AskedOfPatient, mustBeDoctor, mustSeeGrants } from '../../casesheet/access.ts'
import type { Grant } from '../../casesheet/grants/grant.ts'
import { createListGrants } from '../../casesheet/grants/list-grants.ts'
import { createReadGrant } from '../../casesheet/grants/read-grant.ts'
import { notShared } from '../../casesheet/grants/reading-grants.ts'
import type { ServedHere } from '../../casesheet/served-here.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import type { Entry, Found } from '../search/bundle.ts'
import { grantToConsent } from './grant-to-consent.ts'

export type FindConsents = ReturnType<typeof createFindConsents>

type Page = { limit?: number; cursor?: string | undefined }

export function createFindConsents(db: Db, servedHere: ServedHere, ids: ObservationIds) {
  const listGrants = createListGrants(db, servedHere)
  const readGrant = createReadGrant(db, servedHere)

  const resourceOf = (grant: Grant) =>
    grantToConsent(grant, ids.idOfOther(grant.patientUid, `Consent ${grant.doctorId}`))

  /** A page of what this caller may see of the patient's. */
  async function find(caller: Caller, named: string | undefined, { limit, cursor }: Page) {
    const { subject } = caller
    const isOwn = named === undefined || caller.patientUids.includes(named)
    if (isOwn || caller.doctorId === undefined) {
      const patientUid = mustSeeGrants(caller, named)
      const wanted = {
        patientUid,
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const { data, nextCursor } = await listGrants(wanted, subject)
      return { consents: data.map(resourceOf), nextCursor }
    }
    const own = await readGrant({ patientUid: named, doctorId: mustBeDoctor(caller), subject })
    if (!own) throw notShared()
    return { consents: [resourceOf(own)], nextCursor: null }
  }

  async function findEntries(
    caller: Caller,
    named: string | undefined,
    { base, ...page }: Page & { base: string },
  ): Promise<Found> {
    const { consents, nextCursor } = await find(caller, named, page)
    const entries = consents.map((consent) => ({
      fullUrl: `${base}/Consent/${consent.id}`,
      text: JSON.stringify(consent),
    }))
    return { entries, nextCursor }
  }

  /** The same beside other resources: none for a caller who may not see any. */
  async function entriesIfAllowed(caller: Caller, patientUid: string, base: string): Promise<Entry[]> {
    const isOwn = caller.patientUids.includes(patientUid)
    const mayAsk = isOwn ? caller.own.search : caller.doctorId !== undefined && caller.shared.search
    if (!mayAsk) return []
    try {
      return (await findEntries(caller, patientUid, { base })).entries
    } catch (error) {
      // Staff who are doctors too read patients who share nothing with them.
      if (error instanceof Refusal && error.code === 'NotShared') return []
      throw error
    }
  }

  /** The name under which the patient shares with the doctor who reads. */
  async function sharedAs({ patientUid, reader }: Pick<AskedOfPatient, 'patientUid' | 'reader'>) {
    const { doctorId, readBy: subject } = reader
    if (doctorId === null) return null
    return (await readGrant({ patientUid, doctorId, subject }))?.sharedAs ?? null
  }

  return { find, findEntries, entriesIfAllowed, sharedAs }
}
