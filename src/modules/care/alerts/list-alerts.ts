// GET alerts/list: what needs a doctor's eye among all patients who share with the doctor, or the alerts of one patient.
import type { Db } from '../../../db/db.ts'
import { DURABLE } from '../../../db/statement.ts'
import { type TaggedAnswer, withEtag } from '../../../http/answers/etag.ts'
import { createCursors, isStorable } from '../../../http/pages.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { isInstant } from '../../casesheet/access-log/find-accesses.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import { readOf } from '../logged-read.ts'
import { alertFrom, SEVERITIES } from './alert.ts'
import { type Answer, DEFAULT_PAGE, type ListQuery, MESSAGE } from './list-contract.ts'
import {
  type InboxRow,
  inboxStatement,
  type ListRow,
  type Place,
  patientStatement,
  type Wanted,
} from './list-statement.ts'

/** A cursor also names the order in which it was given: of what is active, or newest first. */
const { cursorOf, positionOf } = createCursors<Place, [within: Order]>({
  form: 'json',
  partsOf: ({ rank, openedAt, patientUid, alertId }, within) => [
    within,
    String(rank),
    openedAt,
    patientUid,
    alertId,
  ],
  positionFrom: ([of, rank = '', openedAt = '', patientUid = '', alertId = ''], within) =>
    of === within &&
    /^[0-5]$/.test(rank) &&
    isInstant(openedAt) &&
    isStorable(patientUid) &&
    UUID_FORM.test(alertId)
      ? { rank: Number(rank), openedAt, patientUid, alertId }
      : undefined,
})

type Order = 'active' | 'newest'

/** What of the stored alerts each state of a query means. */
const MEANT: Record<NonNullable<ListQuery['state']>, Pick<Wanted, 'conditions' | 'isAcknowledged'>> = {
  active: { conditions: ['open'], isAcknowledged: null },
  open: { conditions: ['open'], isAcknowledged: false },
  acknowledged: { conditions: ['open'], isAcknowledged: true },
  pending: { conditions: ['pending'], isAcknowledged: null },
  resolved: { conditions: ['resolved'], isAcknowledged: null },
  retracted: { conditions: ['retracted'], isAcknowledged: null },
  all: { conditions: ['pending', 'open', 'resolved', 'retracted'], isAcknowledged: null },
}

function wantedIn(query: ListQuery, order: Order): Wanted {
  const { state = 'active', severity = [], limit = DEFAULT_PAGE, cursor } = query
  return {
    ...MEANT[state],
    severities: SEVERITIES.filter((one) => severity.length === 0 || severity.includes(one)),
    limit,
    after: positionOf(cursor, order),
  }
}

type Asking = { doctorId: string; subject: string; requestId: string }

/** Of all patients who share with the doctor. */
export function createListInbox(db: Db) {
  return async (query: ListQuery, asking: Asking): Promise<TaggedAnswer<string>> => {
    const isActive = MEANT[query.state ?? 'active'].conditions.join() === 'open'
    const order = isActive ? 'active' : 'newest'
    const wanted = wantedIn(query, order)
    const statement = { ...inboxStatement(wanted, asking), behind: DURABLE }
    const [row] = await db.query<InboxRow>(statement, { subject: asking.subject })
    if (!row) throw new Error('The list of alerts has no row.')
    return withEtag(JSON.stringify(inboxFrom(row, order)))
  }
}

function inboxFrom(row: InboxRow, order: Order): Answer {
  const listed = row.alerts ?? []
  const [urgent, warning, notice, acknowledged, beyond] = row.counts
  return {
    code: 'Ok',
    message: MESSAGE,
    behindSince: row.behind_since === null ? null : instantFrom(row.behind_since, 6),
    counts: { open: { urgent, warning, notice }, acknowledged, beyond },
    data: listed.map(({ alert, shared_as }) => ({ ...alertFrom(alert), sharedAs: shared_as })),
    nextCursor: nextCursorOf(row, order),
  }
}

function nextCursorOf({ alerts, has_more }: ListRow, order: Order): string | null {
  const last = has_more ? alerts?.at(-1) : undefined
  if (!last) return null
  const { opened_at, patient_uid: patientUid, alert_id: alertId } = last.alert
  return cursorOf({ rank: last.rank, openedAt: instantFrom(opened_at, 6), patientUid, alertId }, order)
}

/** Of one patient. */
export function createListAlerts(db: Db) {
  const reads = countReads(db.metrics, 'alerts/list')
  return async (query: ListQuery & { patientUid: string }, reader: Reader): Promise<string> => {
    const { patientUid } = query
    const wanted = wantedIn(query, 'newest')
    const statement = patientStatement(wanted, { patientUid, reader })
    const [row] = await queryLogged<ListRow>(db, statement, readOf('alerts/list', patientUid, reader))
    reads.rows++
    return JSON.stringify(answerFrom(row, reader))
  }
}

function answerFrom(row: ListRow | undefined, { limitedTo }: Reader): Answer {
  const listed = row?.alerts ?? []
  const behindSince = row?.behind_since ?? null
  return {
    code: 'Ok',
    message: MESSAGE,
    behindSince: behindSince === null ? null : instantFrom(behindSince, 6),
    data: listed.map(({ alert }) => alertFrom(alert)),
    nextCursor: row ? nextCursorOf(row, 'newest') : null,
    ...(limitedTo !== null && { limitedTo }),
  }
}
