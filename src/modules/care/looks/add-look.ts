// POST reviews/add: a doctor has seen what the list showed of a patient. The look covers that, acknowledges the alerts in it, and may leave a
// note and a date. The reviewId makes it one look, however often the request is sent; the database says when it was.
import { type Static, Type } from 'typebox'
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import type { RefusedPatients } from '../../casesheet/add/refused-patients.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { INSTANT_FORM, instantIn } from '../../casesheet/grants/valid-until.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { acknowledging, MAY_BE_ACKNOWLEDGED } from '../alerts/acknowledging.ts'
import { DAY } from '../status/beyond.ts'
import { EXAMPLE_LOOK, LOOK_COLUMNS, Look, type LookRow, lookFrom, ReviewId } from './look.ts'
import { errorsOfNote, Note, VisibleTo } from './note.ts'

const MAX_KEYS = 200
const MAX_KEY_CHARS = 200
const MAX_AHEAD_DAYS = 366
const MESSAGE = 'The look is stored.'
const DATE = `a time in the future, at most ${MAX_AHEAD_DAYS} days ahead, as RFC 3339 writes it, or null for none`

const { patientUid, reviewId, acknowledged } = EXAMPLE_LOOK
const EXAMPLE = {
  patientUid,
  reviewId,
  seenUpTo: '17',
  saw: ['mean bloodPressure.systolic=1.096', `alert ${acknowledged[0]}=1.400`],
  note: EXAMPLE_LOOK.note,
  visibleTo: EXAMPLE_LOOK.visibleTo,
}

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
/** As status/looks.ts writes them. */
const KEY =
  `^(?:(?:mean|goal|fall) [\\w.-]{1,150}|silent [\\w.-]{1,64} (?:none|${UUID})|alert ${UUID}|sharingEnds \\d{1,16}|clock)` +
  '=\\d{1,4}(?:\\.\\d{1,3})?$'
const KEY_OF_ALERT = /^alert ([\da-f-]{36})=([\d.]+)$/

const AddBody = Type.Object(
  {
    patientUid: PatientUid,
    reviewId: ReviewId,
    seenUpTo: Type.String({
      pattern: '^\\d{1,18}$',
      description:
        'Single readings that were judged up to here are seen: `look.seenUpTo` of the entry that was shown.',
      examples: [EXAMPLE.seenUpTo],
      'x-mustBe': 'a whole number as a text, as look.seenUpTo of an entry has it',
    }),
    saw: Type.Array(
      Type.String({ maxLength: MAX_KEY_CHARS, pattern: KEY, 'x-mustBe': 'a key of look.saw' }),
      {
        maxItems: MAX_KEYS,
        description:
          'What else is seen, and the alerts that are acknowledged: `look.saw` of the entry that was shown, as it is.',
        examples: [EXAMPLE.saw],
        'x-mustBe': `a list of at most ${MAX_KEYS} keys`,
      },
    ),
    note: Type.Optional(Note),
    visibleTo: Type.Optional(VisibleTo),
    lookAgainAt: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: INSTANT_FORM,
        description:
          'When the patient is listed again. Left out, a date that is pending stays; null takes it away. What this look has seen stays ' +
          'seen until its date.',
        examples: [EXAMPLE_LOOK.lookAgainAt],
        'x-mustBe': DATE,
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type AddBody = Static<typeof AddBody>

export const addLookContract = {
  tags: ['care'],
  operationId: 'addReview',
  summary: 'Say that you have seen what the list showed of a patient',
  description:
    'For doctors with any current grant. What the entry of patients/list showed is seen, and its alerts of the types that are shared with ' +
    'the doctor are acknowledged. It counts for the first practice of the token too: in the lists of its doctors with whom the patient ' +
    'shares. The patient sees the look, and its note where visibleTo is patient. For 60 seconds, reviews/undo takes it ' +
    'back.',
  body: AddBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Look>({ $ref: 'Look#' }) },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE, data: EXAMPLE_LOOK }] },
    ),
    ...errorAnswers(
      () => checkFor(AddBody)({ ...EXAMPLE, note: '' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'PatientErased',
      'ReviewExists',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

type Terms = ReturnType<typeof termsIn>
type ToAdd = ManagingDoctor & Terms

/** What a look says, as it is stored. */
function termsIn({ note, visibleTo, lookAgainAt, ...body }: AddBody, now: number) {
  const errors = errorsOfNote({
    ...(note !== undefined && { note }),
    ...(visibleTo !== undefined && { visibleTo }),
  })
  const date = typeof lookAgainAt === 'string' ? instantIn(lookAgainAt) : null
  if (date === undefined || (date !== null && !(date > now && date <= now + MAX_AHEAD_DAYS * DAY)))
    errors.push({ pointer: '/lookAgainAt', message: `must be ${DATE}` })
  if (errors.length > 0) throw refuseFields(errors)
  return {
    ...body,
    reviewId: body.reviewId.toLowerCase(),
    note: note ?? null,
    visibleTo: visibleTo ?? null,
    dateSays: lookAgainAt === undefined ? 'keep' : lookAgainAt === null ? 'none' : 'set',
    lookAgainAt: typeof date === 'number' ? new Date(date).toISOString() : null,
  }
}

type StoredRow = LookRow & { is_same: boolean }
/** Of the look, null throughout where none was written or found. */
type Row = { is_granted: boolean; is_judged: boolean } & (StoredRow | { review_id: null })

/** A look that is added by another request with the same id, and seen by the next statement. */
const MAX_ATTEMPTS = 8

export function createAddLook(db: Db, { refused, now }: { refused: RefusedPatients; now: () => number }) {
  const write = shareStatements<ToAdd, Row, Row | undefined>(db, {
    ...WRITES,
    kind: 'reviews/add',
    statementFor: ([look]) => addStatement(look as ToAdd, refused.identify([look as ToAdd])),
    answersFrom: (rows) => [rows[0]],
  })
  const addUnlessRefused = refused.guard(async ([look]: ToAdd[], isGone: IsGone) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await write(look as ToAdd, isGone)
      if (!row) continue
      mustStillBeGranted(row)
      if (row.review_id !== null) return row
      if (!row.is_judged) throw notJudged()
    }
    throw new Error('The look could not be read after it was added.')
  })
  return async (body: AddBody, doctor: ManagingDoctor, isGone: IsGone) => {
    const row = await addUnlessRefused([{ ...termsIn(body, now()), ...doctor }], isGone)
    if (!row.is_same)
      throw new Refusal('ReviewExists', 'Another review of this patient has this reviewId. Send a new one.')
    return { code: 'Ok' as const, message: MESSAGE, data: lookFrom(body.patientUid, row) }
  }
}

function notJudged(): Refusal {
  return refuseFields([
    { pointer: '/seenUpTo', message: 'must be what patients/list gave: nothing was judged up to there' },
  ])
}

function addStatement(look: ToAdd, identified: [keyId: string | null, digests: string | null]) {
  const alerts = [...new Map(look.saw.flatMap(shownAlert))]
  return {
    name: 'add-look',
    text: ADD_LOOK,
    values: [
      look.patientUid,
      look.reviewId,
      look.doctorId,
      look.by,
      look.grantId,
      look.seenUpTo,
      textArray(look.saw),
      look.note,
      look.visibleTo,
      look.dateSays,
      look.lookAgainAt,
      look.practiceIds[0] ?? null,
      textArray(alerts.map(([alertId]) => alertId)),
      plainArray(alerts.map(([, beyond]) => beyond)),
      ...identified,
    ],
  }
}

/** Which alert a key is of, and how far beyond its limit it was shown. */
function shownAlert(key: string): [alertId: string, beyond: number][] {
  const [, alertId, beyond] = KEY_OF_ALERT.exec(key) ?? []
  return alertId === undefined ? [] : [[alertId, Number(beyond)]]
}

/** Whether a look is what the request says, by the same doctor. Of a grant of some types, no more than what was sent is stored. */
const IS_SAME = `(doctor_id, looked_by, saw, note, visible_to, date_says, look_again_at)
      is not distinct from ($3, $4, $7::text[], $8, $9, $10, $11::timestamptz)
      and (seen_up_to = $6::bigint or reading_types is not null and seen_up_to < $6) as is_same`

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing is added.
//
// What nobody judged cannot be seen. With a grant of some types that is no refusal, which would say how often the others were judged: the look
// goes as far as the evidence of these types.
//
// Alerts that are acknowledged already are acknowledged again: they may have come back. One that grew worse since it was shown is not: nobody saw
// that. Of missing readings that is nothing new.
const ADD_LOOK = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($15::bytea, $16::bytea[])
      end
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$3', grant: '$5' })}
  ), stored as materialized (
    select ${LOOK_COLUMNS}, ${IS_SAME}
    from casesheet.looks
    where patient_uid = $1
      and review_id = $2::uuid
  ), asked as materialized (
    select exists (select from granted) as is_granted,
      exists (select from granted where reading_types is not null)
        or $6::bigint <= coalesce((select judged from care.patients where patient_uid = $1), 0) as is_judged
    from durable
  ), adding as materialized (
    select is_granted and is_judged and not exists (select from stored) as is_new
    from asked
  ), to_acknowledge as materialized (
    select alerts.*
    from unnest($13::uuid[], $14::float8[]) as shown_alert (id, shown_beyond)
    join casesheet.alerts on patient_uid = $1 and alert_id = shown_alert.id
    where ${MAY_BE_ACKNOWLEDGED}
      and (kind = 'missing' or coalesce(beyond, 1) < shown_beyond + 0.001)
      and exists (select from granted where granted.reading_types is null or alerts.reading_type = any (granted.reading_types))
      and (select is_new from adding)
    order by alert_id
    for no key update of alerts
  ), added as (
    insert into casesheet.looks (
      patient_uid, review_id, doctor_id, practice_id, looked_by, name, seen_up_to, reading_types, saw, acknowledged, note, visible_to, date_says,
      look_again_at
    )
    select $1, $2::uuid, $3, $12, $4, (select name from appointments.doctors where doctor_id = $3),
      case
        when reading_types is null then $6::bigint
        else least($6, (
          select coalesce(max(position), 0)
          from care.evidence
          where evidence.patient_uid = $1
            and evidence.reading_type = any (granted.reading_types)
        ))
      end,
      reading_types, $7::text[], array(select alert_id from to_acknowledge order by alert_id), $8, $9, $10, $11::timestamptz
    from adding
    cross join granted
    where is_new
    on conflict (patient_uid, review_id) do nothing
    returning ${LOOK_COLUMNS}, true as is_same
  ), alert as materialized (
    select to_acknowledge.*
    from to_acknowledge
    where exists (select from added)
  ), ${acknowledging({ by: '$4', doctor: '$3', note: 'null', visibleTo: 'null', review: '$2::uuid' })}, shown as (
    select *
    from added
    union all
    select *
    from stored
  )
  select is_granted, is_judged, shown.*
  from asked
  left join shown on is_granted`
