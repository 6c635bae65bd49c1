// The targets that are set for a patient, for whoever sees them, and which of them the readings are compared with. Those for all are of
// doctors with whom the patient shares with the permission manage.
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import type { Target as Judged } from '../status/facts.ts'
import { judgingTargets } from '../status/targets.ts'
import { setAbout } from '../what-is-set.ts'
import {
  judgedTarget,
  type ReadAs,
  TARGET_COLUMNS,
  type TargetRow,
  targetFrom,
  whoOf,
} from './stored-target.ts'
import type { Target } from './target.ts'

export type SeenRow = TargetRow & {
  /** Whether the doctor who set it has the permission manage now. */
  manages: boolean
  /** The newest reading of the type; null where nothing is known of one. */
  measured_at: number | null
  received_at: number | null
}

export function seenStatement(patientUid: string, readingTypes: readonly string[] | null): Statement {
  return { name: 'seen-targets', text: SEEN_TARGETS, values: [patientUid, readingTypes] }
}

/** As they are listed: by type, those of doctors first, and those for the patient before those for all. */
export function seenFrom(rows: readonly SeenRow[], reader: ReadAs, now: number): Target[] {
  const judging = judgingIds(rows, reader, now)
  return rows.map((row) => targetFrom(row, judging.has(row.target_id)))
}

/** The one with which readings of the type are compared, for a doctor who reads by a grant or for others; undefined where there is none. */
export async function targetThatJudges(
  db: Db,
  asked: { patientUid: string; readingType: string; subject: string; now: number },
  reader: ReadAs,
): Promise<Target | undefined> {
  const { patientUid, readingType, subject, now } = asked
  const rows = await db.query<SeenRow>(seenStatement(patientUid, [readingType]), { subject })
  return seenFrom(rows, reader, now).find(({ judges }) => judges)
}

/** For a doctor as in the list of patients. To the patient every doctor is another one, and what they set themselves comes last. */
function judgingIds(rows: readonly SeenRow[], reader: ReadAs, now: number): Set<string> {
  const candidates = new Map<Judged, TargetRow>()
  for (const row of rows) {
    const { manages, measured_at: measuredAt, received_at: receivedAt } = row
    const isKnown = measuredAt !== null && receivedAt !== null
    candidates.set(
      {
        ...judgedTarget(row),
        fields: [],
        author: whoOf(row, reader, manages),
        ...(isKnown && { newest: { readingId: '', shown: '', position: 0, measuredAt, receivedAt } }),
      },
      row,
    )
  }
  const judging = judgingTargets([...candidates.keys()], now).flatMap(
    ({ target }) => candidates.get(target) ?? [],
  )
  const own = reader.doctorId === null ? rows.filter(({ author_kind: kind }) => kind === 'patient') : []
  const others = own.filter(
    ({ reading_type: type }) => !judging.some((judged) => judged.reading_type === type),
  )
  return new Set([...judging, ...others].map((row) => row.target_id))
}

const SEEN_TARGETS = `
  with seen as (${setAbout('targets', TARGET_COLUMNS)}
  )
  select seen.*, (extract(epoch from measured_at) * 1000)::float8 as measured_at,
    (extract(epoch from received_at) * 1000)::float8 as received_at
  from seen
  left join care.newest on newest.patient_uid = $1 and newest.reading_type = seen.reading_type
  where $2::text[] is null or seen.reading_type = any ($2)
  order by seen.reading_type, author_kind = 'patient', seen.patient_uid is null, set_at::timestamptz desc, target_id`
