// GET targets/history: who set or removed a target of the patient, and when. The database writes it, and nobody can change it.
import { type Static, Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { createCursors, cutPage, NextCursor } from '../../../http/pages.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { isInstant } from '../../casesheet/access-log/find-accesses.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import { MAX_PAGE, pageOfPatient } from '../../casesheet/grants/list-grants.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { LOWEST_ID, UUID_FORM } from '../../casesheet/reading-id.ts'
import { readOf } from '../logged-read.ts'
import {
  CHANGED_AS,
  type ChangedAsRow,
  changedAsFrom,
  EXAMPLE_TARGET,
  TERMS,
  type TermsRow,
  termsFrom,
} from './target.ts'

type Position = { at: string; targetId: string }

/** Before everything: no change is of that time. */
const NEWEST: Position = { at: 'infinity', targetId: LOWEST_ID }

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'words',
  partsOf: ({ at, targetId }) => [at, targetId],
  positionFrom: ([at = '', targetId = '']) =>
    isInstant(at) && UUID_FORM.test(targetId) ? { at, targetId } : undefined,
})

export const TargetChange = Type.Object(
  {
    action: Type.Enum(['set', 'remove'], { type: 'string' }),
    ...TERMS,
    by: Type.String({ description: 'Who did it: the subject of the token.' }),
    ...CHANGED_AS,
    at: Type.String({ format: 'date-time', description: 'When that was, in UTC.' }),
  },
  {
    $id: 'TargetChange',
    additionalProperties: false,
    description: 'What was done with a target, and what it said from then on, or until it was removed.',
  },
)
type TargetChange = Static<typeof TargetChange>

const { patientUid: _patient, setBy: by, setAt: at, ...EXAMPLE_TERMS } = EXAMPLE_TARGET
const EXAMPLE = { action: 'set', ...EXAMPLE_TERMS, by, at }
const MESSAGE = 'History of targets obtained successfully.'
const HistoryQuery = pageOfPatient(
  'changes',
  cursorOf({ at, targetId: '2c4b63a1-58f2-4a7e-9a53-0d3c5be6c1aa' }),
)

export const targetHistoryContract = {
  tags: ['care'],
  operationId: 'targetHistory',
  summary: 'See who set or removed targets of a patient',
  description:
    'One entry per change, newest first. For the same callers as targets/list. patientUid is optional if the token names exactly ' +
    'one patient. Every read is logged.',
  querystring: HistoryQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<TargetChange>({ $ref: 'TargetChange#' })),
        nextCursor: NextCursor,
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Changes, newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(HistoryQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

type Asked = Static<typeof HistoryQuery> & { patientUid: string }

type ChangeRow = TermsRow &
  ChangedAsRow & { target_id: string; action: TargetChange['action']; changed_by: string; changed_at: string }
export function createTargetHistory(db: Db) {
  const reads = countReads(db.metrics, 'targets/history')
  return async ({ patientUid, limit = MAX_PAGE, cursor }: Asked, reader: Reader) => {
    const after = positionOf(cursor) ?? NEWEST
    const found = await queryLogged<ChangeRow>(
      db,
      {
        name: 'target-history',
        text: TARGET_HISTORY,
        values: [patientUid, reader.limitedTo, after.at, after.targetId, limit],
      },
      readOf('targets/history', patientUid, reader),
    )
    reads.rows++
    const { page, nextCursor } = cutPage(found, limit, ({ changed_at, target_id }) =>
      cursorOf({ at: instantFrom(changed_at, 6), targetId: target_id }),
    )
    const { limitedTo } = reader
    const data = page.map(changeFrom)
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data,
      nextCursor,
      ...(limitedTo !== null && { limitedTo }),
    }
  }
}

function changeFrom(row: ChangeRow): TargetChange {
  return {
    action: row.action,
    ...termsFrom(row),
    by: row.changed_by,
    ...changedAsFrom(row),
    at: instantFrom(row.changed_at, 6),
  }
}

const TARGET_HISTORY = `
  select target_id, action, reading_type, field, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id,
    changed_at::text as changed_at
  from casesheet.target_changes
  where patient_uid = $1
    and ($2::text[] is null or reading_type = any ($2))
    and (changed_at, target_id) < ($3::timestamptz, $4::uuid)
  order by target_changes.changed_at desc, target_id desc
  limit $5::integer + 1`
