// What a patient shares with a doctor. Answers are cached, and proved behind each read (access-log/log-reads.ts): where the grant has
// changed, what was read is thrown away, and the request is decided again. That a patient shares nothing is never cached.

import { textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { MAX_OF_SUBJECT } from '../../../db/open-of-subject.ts'
import { Refusal } from '../../../refusal.ts'
import { mustBeServedHere } from '../reader.ts'
import { createGrantCache, type Grant } from './grant-cache.ts'

/** Between a patient and a doctor, and who asks. */
export type Sharing = { patientUid: string; doctorId: string; subject: string }

/** The same whether or not there is such a patient, and whether or not the patient has ever shared anything. */
export function notShared(): Refusal {
  return new Refusal('NotShared', 'This patient does not share readings with you.')
}

/** The grant no longer holds, and what was read is thrown away. An answer that has begun ends with it. */
export class GrantChanged extends Refusal {
  constructor() {
    super('NotShared', notShared().message)
  }
}

export function grantKeepsChanging(): Refusal {
  return new Refusal('Overloaded', 'What this patient shares with you is being changed. Try again shortly.')
}

/** A row of a statement that reads. */
export function mustStillBeGranted({ is_granted }: { is_granted: boolean }) {
  if (!is_granted) throw new GrantChanged()
}

const MAX_IN_FLIGHT = 1
const MAX_LOOKED_UP = 1_000

type Row = {
  grant_id: string | null
  permission: Grant['permission']
  reading_types: string[] | null
  is_served_here: boolean
}

export type ReadingGrants = ReturnType<typeof createReadingGrants>

export function createReadingGrants(db: Db) {
  const cached = createGrantCache()
  const ask = shareStatements<Sharing, Row, Row>(db, {
    kind: 'grants',
    statementFor: lookUpStatement,
    answersFrom: (rows) => rows,
    subjectOf: ({ subject }) => subject,
    maxOfSubject: MAX_OF_SUBJECT,
    weightOf: () => 1,
    maxWeight: MAX_LOOKED_UP,
    maxInFlight: MAX_IN_FLIGHT,
  })

  /** As the database has it now. */
  async function lookUp(sharing: Sharing, isGone: IsGone): Promise<Grant | undefined> {
    const row = await ask(sharing, isGone)
    if (row.grant_id === null) {
      cached.forget(sharing)
      mustBeServedHere(row)
      return undefined
    }
    const { grant_id: grantId, permission, reading_types } = row
    const grant = { grantId, permission, readingTypes: reading_types && [...new Set(reading_types)] }
    cached.store(sharing, grant)
    return grant
  }

  /** As it is cached, or as the database has it. */
  async function find(sharing: Sharing, isGone: IsGone): Promise<Grant | undefined> {
    return cached.recall(sharing) ?? lookUp(sharing, isGone)
  }

  return { find, lookUp }
}

function lookUpStatement(all: readonly Sharing[]) {
  return {
    name: 'look-up-grants',
    text: LOOK_UP,
    values: [
      textArray(all.map(({ patientUid }) => patientUid)),
      textArray(all.map(({ doctorId }) => doctorId)),
    ],
  }
}

// The limit keeps the planner from joining all grants.
const LOOK_UP = `
  select grant_id, permission, reading_types, grant_id is not null or casesheet.is_served_here(asked.patient_uid) as is_served_here
  from unnest($1::text[], $2::text[]) with ordinality as asked (patient_uid, doctor_id, number)
  left join lateral (
    select grant_id, permission, reading_types
    from casesheet.grants
    where grants.patient_uid = asked.patient_uid
      and grants.doctor_id = asked.doctor_id
      and state = 'given'
      and valid_until > now()
    limit 1
  ) as found on true
  order by number`
