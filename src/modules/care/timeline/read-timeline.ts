// GET timeline: what happened to a patient's care, newest first. Each source gives at most one page by its own index, and the newest of
// them are the page. A read like any other: its row of the access log is written behind it.
import { type Static, Type } from 'typebox'
import { textArray } from '../../../db/array.ts'
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
import { HIGHEST_ID, LOWEST_ID, UUID_FORM } from '../../casesheet/reading-id.ts'
import { readOf } from '../logged-read.ts'
import { EXAMPLE_ENTRY, entryFrom, TimelineEntry, type TimelineRow } from './timeline-entry.ts'
import { KINDS, READ_TIMELINE } from './timeline-statement.ts'

type Kind = TimelineRow['kind']
/** `nth`: one reading may hold a hundred symptoms. */
type Position = { at: string; kind: Kind; id: string; nth: number }

/** Before everything: nothing is of that time. */
const NEWEST: Position = { at: 'infinity', kind: 'look', id: LOWEST_ID, nth: 0 }

const kindIn = (text: string) => KINDS.find((kind) => kind === text)

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'words',
  partsOf: ({ at, kind, id, nth }) => [at, kind, id, String(nth)],
  positionFrom: ([at = '', word = '', id = '', nth = '']) => {
    const kind = kindIn(word)
    if (!kind || !isInstant(at) || !UUID_FORM.test(id) || !/^\d{1,3}$/.test(nth)) return undefined
    return { at, kind, id, nth: Number(nth) }
  },
})

const MESSAGE = 'Timeline obtained successfully.'
const { at, kind, reviewId } = EXAMPLE_ENTRY
const TimelineQuery = pageOfPatient('entries', cursorOf({ at, kind, id: reviewId, nth: 0 }))

export const timelineContract = {
  tags: ['care'],
  operationId: 'readTimeline',
  summary: 'See what happened to the care of a patient',
  description:
    'Looks, symptoms, alerts, targets, rules, sharing and withdrawals, newest first. For the same callers as readings/get. A doctor whose ' +
    'grant is limited to some types sees entries of those types, and only their own looks and grants. A note for doctors is shown to ' +
    'doctors with whom the patient shares, and to nobody else. patientUid is optional if the token names exactly one patient. Every read ' +
    'is logged.',
  querystring: TimelineQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<TimelineEntry>({ $ref: 'TimelineEntry#' })),
        nextCursor: NextCursor,
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Entries, newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_ENTRY], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(TimelineQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

type Asked = Static<typeof TimelineQuery> & { patientUid: string }

export function createReadTimeline(db: Db) {
  const reads = countReads(db.metrics, 'timeline')
  return async ({ patientUid, limit = MAX_PAGE, cursor }: Asked, reader: Reader) => {
    const after = positionOf(cursor) ?? NEWEST
    const { limitedTo } = reader
    const found = await queryLogged<TimelineRow>(
      db,
      {
        name: 'timeline',
        text: READ_TIMELINE,
        values: [
          patientUid,
          limitedTo,
          limitedTo && reader.doctorId,
          reader.allowedAs === 'grant',
          after.at,
          textArray(KINDS.map((each) => idAfter(after, each))),
          after.nth,
          limit,
        ],
      },
      readOf('timeline', patientUid, reader),
    )
    reads.rows++
    const { page, nextCursor } = cutPage(found, limit, (last) =>
      cursorOf({ ...last, at: instantFrom(last.at, 6) }),
    )
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data: page.map(entryFrom),
      nextCursor,
      ...(limitedTo !== null && { limitedTo }),
    }
  }
}

/** Of one instant, kinds follow each other in the reverse order of KINDS: which ids of a kind come behind the position. */
function idAfter(after: Position, each: Kind): string {
  if (each === after.kind) return after.id
  return each < after.kind ? HIGHEST_ID : LOWEST_ID
}
