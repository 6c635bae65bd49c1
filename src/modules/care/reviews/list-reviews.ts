// GET reviews/list: when doctors looked at the readings of a patient, and what they said. A read like any other: its row of the access
// log is written behind it.
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
import { EXAMPLE_REVIEW, Review, type ReviewRow, reviewFrom } from './review.ts'

type Position = { at: string; reviewId: string }

/** Before everything: no review is of that time. */
const NEWEST: Position = { at: 'infinity', reviewId: LOWEST_ID }

const { cursorOf, positionOf } = createCursors<Position>({
  form: 'words',
  partsOf: ({ at, reviewId }) => [at, reviewId],
  positionFrom: ([at = '', reviewId = '']) =>
    isInstant(at) && UUID_FORM.test(reviewId) ? { at, reviewId } : undefined,
})

const MESSAGE = 'Reviews obtained successfully.'
const ReviewsQuery = pageOfPatient('reviews', cursorOf(EXAMPLE_REVIEW))

export const listReviewsContract = {
  tags: ['care'],
  operationId: 'listReviews',
  summary: 'See when doctors looked at the readings of a patient',
  description:
    'Newest first. For the same callers as readings/get. A doctor whose grant is limited to some types sees their own reviews only, ' +
    'because the notes of others may be about other types. patientUid is optional if the token names exactly one patient. Every read ' +
    'is logged.',
  querystring: ReviewsQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Review>({ $ref: 'Review#' })),
        nextCursor: NextCursor,
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Reviews, newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_REVIEW], nextCursor: null }],
      },
    ),
    ...errorAnswers(
      () => checkFor(ReviewsQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}

type Asked = Static<typeof ReviewsQuery> & { patientUid: string }

export function createListReviews(db: Db) {
  const reads = countReads(db.metrics, 'reviews/list')
  return async ({ patientUid, limit = MAX_PAGE, cursor }: Asked, reader: Reader) => {
    const after = positionOf(cursor) ?? NEWEST
    const found = await queryLogged<ReviewRow>(
      db,
      {
        name: 'list-reviews',
        text: LIST_REVIEWS,
        values: [patientUid, reader.limitedTo && reader.doctorId, after.at, after.reviewId, limit],
      },
      readOf('reviews/list', patientUid, reader),
    )
    reads.rows++
    const { page, nextCursor } = cutPage(found, limit, ({ at, review_id }) =>
      cursorOf({ at: instantFrom(at, 6), reviewId: review_id }),
    )
    const { limitedTo } = reader
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data: page.map((row) => reviewFrom(patientUid, row)),
      nextCursor,
      ...(limitedTo !== null && { limitedTo }),
    }
  }
}

// A doctor with a grant of some types sees reviews of that doctor alone.
const LIST_REVIEWS = `
  select review_id, doctor_id, reviewed_by, note, at::text as at
  from casesheet.reviews
  where patient_uid = $1
    and ($2::text is null or doctor_id = $2)
    and (at, review_id) < ($3::timestamptz, $4::uuid)
  order by reviews.at desc, review_id desc
  limit $5::integer + 1`
