// Whether the grants of doctors' streams still hold: asked before a stream opens, and then every second, for all streams of the
// process in one statement. While the database is away nothing is known of grants; nothing is shown then either.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { GrantChanged } from '../../casesheet/grants/reading-grants.ts'
import { isStillGranted, type Reader } from '../../casesheet/reader.ts'

type Streamed = { patientUid: string; reader: Reader }

/**
 *   from      to        when
 *   idle      checking  a second has passed, and there is a stream of a doctor
 *   checking  idle      the database has answered, or cannot be reached
 */
type State = 'idle' | 'checking'

export function createGrantCheck(db: Db, warn: (error: unknown, message: string) => void) {
  let state: State = 'idle'

  return {
    /** Before a stream opens: a grant that was cached may be gone. */
    async mustHold(stream: Streamed) {
      if (stream.reader.grantId === null) return
      const lost = await db.query<LostRow>(lostStatement([stream]), { subject: stream.reader.readBy })
      if (lost.length > 0) throw new GrantChanged()
    },
    /** One at a time, however long the database takes. */
    async check<Stream extends Streamed>(streams: Iterable<Stream>, end: (stream: Stream) => void) {
      if (state === 'checking') return
      state = 'checking'
      try {
        const byGrant = Map.groupBy(streams, ({ reader }) => reader.grantId)
        byGrant.delete(null)
        if (byGrant.size === 0) return
        // On connections whose statements are all short: statistics may hold the others for seconds.
        const { rows } = await db.attempt<LostRow>(
          lostStatement([...byGrant.values()].flatMap(([one]) => one ?? [])),
        )
        for (const { grant_id } of rows) byGrant.get(grant_id)?.forEach(end)
      } catch (error) {
        warn(error, 'the grants of streams could not be checked')
      } finally {
        state = 'idle'
      }
    },
  }
}

type LostRow = { grant_id: string }

/** Finds those of these streams' grants that were revoked, were changed or have expired. */
function lostStatement(streams: readonly Streamed[]) {
  return {
    name: 'check-grants',
    text: LOST,
    values: [
      textArray(streams.map(({ patientUid }) => patientUid)),
      textArray(streams.map(({ reader }) => reader.doctorId)),
      textArray(streams.map(({ reader }) => reader.grantId)),
    ],
  }
}

const LOST = `
  select grant_id
  from unnest($1::text[], $2::text[], $3::uuid[]) as streamed (patient_uid, doctor_id, grant_id)
  where not ${isStillGranted('streamed')}`
