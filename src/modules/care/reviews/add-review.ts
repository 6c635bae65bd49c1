// POST reviews/add: a doctor has looked at the readings of a patient. The reviewId makes it one review, however often the request is
// sent; the database says when it was.
import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import type { RefusedPatients } from '../../casesheet/add/refused-patients.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { PatientUid, VISIBLE_LINES } from '../../casesheet/reading.ts'
import { EXAMPLE_REVIEW, Review, type ReviewRow, reviewFrom } from './review.ts'

const MAX_NOTE_CHARS = 1_000
const MESSAGE = 'The review is added.'
const { patientUid, note, reviewId } = EXAMPLE_REVIEW
const EXAMPLE = { patientUid, note, reviewId }

const AddBody = Type.Object(
  {
    patientUid: PatientUid,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NOTE_CHARS,
        pattern: VISIBLE_LINES,
        description: 'What the doctor says about it. The patient reads it.',
        examples: [note],
        'x-mustBe': `a text of 1 to ${MAX_NOTE_CHARS} characters, not only blanks, without control characters except line breaks`,
      }),
    ),
    reviewId: Type.Optional(
      Type.String({
        pattern: '^[\\dA-Fa-f]{8}(-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}$',
        description:
          'A UUID that the client draws. Sent again, it answers the review that is stored. Without it, each request adds a review.',
        examples: [reviewId],
        'x-mustBe': 'a UUID',
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type AddBody = Static<typeof AddBody>

export const addReviewContract = {
  tags: ['care'],
  operationId: 'addReview',
  summary: 'Say that you have looked at the readings of a patient',
  description:
    'For doctors whose grant has the permission manage, also where it is limited to some types. The patient sees the review with its ' +
    'note. It cannot be changed or removed.',
  body: AddBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Review>({ $ref: 'Review#' }) },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE, data: EXAMPLE_REVIEW }] },
    ),
    ...errorAnswers(
      () => checkFor(AddBody)({ ...EXAMPLE, note: '' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'PatientErased',
      'ReviewExists',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToAdd = ManagingDoctor & { patientUid: string; reviewId: string; note: string | null }

/** A row is null throughout where nothing was written or found. */
type Row = { is_granted: boolean } & (ReviewRow | { review_id: null })

/** A review that is added by another request with the same id, and seen by the next statement. */
const MAX_ATTEMPTS = 8

export function createAddReview(db: Db, refused: RefusedPatients) {
  const write = shareStatements<ToAdd, Row, Row | undefined>(db, {
    ...WRITES,
    kind: 'reviews/add',
    statementFor: ([review]) => addStatement(review as ToAdd, refused.identify([review as ToAdd])),
    answersFrom: (rows) => [rows[0]],
  })
  const addUnlessRefused = refused.guard(async ([review]: ToAdd[], isGone: IsGone) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await write(review as ToAdd, isGone)
      if (!row) continue
      mustStillBeGranted(row)
      if (row.review_id !== null) return row
    }
    throw new Error('The review could not be read after it was added.')
  })
  return async ({ reviewId: drawn, ...body }: AddBody, doctor: ManagingDoctor, isGone: IsGone) => {
    // Drawn before the statement, which may be sent to the database twice.
    const review = { ...body, ...doctor, note: body.note ?? null, reviewId: drawn ?? randomUUID() }
    const row = await addUnlessRefused([review], isGone)
    if (row.doctor_id !== doctor.doctorId || row.note !== review.note) throw reviewExists()
    return { code: 'Ok' as const, message: MESSAGE, data: reviewFrom(body.patientUid, row) }
  }
}

function reviewExists(): Refusal {
  return new Refusal('ReviewExists', 'Another review of this patient has this reviewId. Send a new one.')
}

function addStatement(review: ToAdd, identified: [keyId: string | null, digests: string | null]) {
  return {
    name: 'add-review',
    text: ADD_REVIEW,
    values: [
      review.patientUid,
      review.reviewId,
      review.doctorId,
      review.by,
      review.note,
      review.grantId,
      ...identified,
    ],
  }
}

const COLUMNS = 'review_id, doctor_id, reviewed_by, note, at::text as at'

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing is added.
const ADD_REVIEW = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($7::bytea, $8::bytea[])
      end
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$3', grant: '$6' })}
  ), asked as materialized (
    select exists (select from granted) as is_granted
    from durable
  ), added as (
    insert into casesheet.reviews (patient_uid, review_id, doctor_id, reviewed_by, note)
    select $1, $2::uuid, $3, $4, $5
    from asked
    where is_granted
    on conflict (patient_uid, review_id) do nothing
    returning ${COLUMNS}
  ), shown as (
    select *
    from added
    union all
    select ${COLUMNS}
    from casesheet.reviews
    where patient_uid = $1
      and review_id = $2::uuid
  )
  select is_granted, shown.*
  from asked
  left join shown on is_granted`
