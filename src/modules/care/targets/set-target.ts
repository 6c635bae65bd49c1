// POST targets/set: an author sets what a type is compared with, for a patient or for all. The same target again changes nothing; another
// one takes its place. The database draws the versions and keeps the history.
import { Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { refuseFields } from '../../../refusal.ts'
import { MAY_NOT_MANAGE, type Manager } from '../../casesheet/access.ts'
import type { RefusedPatients } from '../../casesheet/add/refused-patients.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { targetThatJudges } from './seen-targets.ts'
import { TARGET_COLUMNS, type TargetRow, targetFrom } from './stored-target.ts'
import { EXAMPLE_FIELDS, EXAMPLE_SENSOR_TARGET, EXAMPLE_TARGET, Target } from './target.ts'
import { SetBody, type TargetTerms } from './target-terms.ts'

const MESSAGE = 'The target is set.'
const { patientUid, readingType, unit, label, preset, expectEvery } = EXAMPLE_TARGET
const EXAMPLE = { patientUid, readingType, unit, expectEvery, label, preset, fields: EXAMPLE_FIELDS }
const EXAMPLE_FOR_ALL = {
  readingType: EXAMPLE_SENSOR_TARGET.readingType,
  unit: EXAMPLE_SENSOR_TARGET.unit,
  expectEvery: EXAMPLE_SENSOR_TARGET.expectEvery,
  preset: EXAMPLE_SENSOR_TARGET.preset,
  fields: EXAMPLE_SENSOR_TARGET.fields,
}
const EXAMPLE_OWN = { patientUid, readingType: 'bodyWeight', unit: 'kg', fields: { value: { high: 82 } } }

export const setTargetContract = {
  tags: ['care'],
  operationId: 'setTarget',
  summary: 'Set a target for a patient, or for all',
  description:
    'For doctors whose grant has the permission manage and holds the type; for any doctor without patientUid, where it holds for all who ' +
    'share with the permission manage; and for the patient and carers, whose own has only low, high and a label. With practiceId it is ' +
    "the practice's, which judges in the lists of its doctors, and gives the act limits that they left out. Each author has " +
    'one of a type for a patient and one for all: another one replaces it, and the same one again changes nothing. It never replaces ' +
    'that of another author. Limits must be possible for the type, and act limits lie outside the range.',
  body: Type.Object(SetBody.properties, {
    additionalProperties: false,
    'x-examples': {
      patient: { summary: 'For a patient', value: EXAMPLE },
      all: { summary: 'For all who share', value: EXAMPLE_FOR_ALL },
      own: { summary: 'By the patient', value: EXAMPLE_OWN },
    },
  }),
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Target>({ $ref: 'Target#' }) },
      {
        description: 'Committed. The target as it is now.',
        examples: [{ code: 'Ok', message: MESSAGE, data: EXAMPLE_TARGET }],
      },
    ),
    ...errorAnswers(
      () => checkFor(SetBody)({ ...EXAMPLE, unit: 7 }),
      'MalformedJson',
      ...MAY_NOT_MANAGE,
      'NotADoctor',
      'PatientErased',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

/** Who sets: a doctor for a patient or for all, where there is no grant; the patient. */
export type Author = Pick<Manager, 'by' | 'doctorId' | 'grantId'> & { patientUid: string | null }

/** Whose target it is: the author's, or that of a practice of the author, for a patient. */
export type Owner = Author & { practiceIds: readonly string[]; practiceId: string | null }

/** Refuses a practice that the token does not name. */
export function ownerFor(manager: Manager, ofPatient: string, practiceId: string | undefined): Owner {
  if (practiceId !== undefined && !manager.practiceIds.includes(practiceId)) throw refusePractice()
  return { ...manager, patientUid: ofPatient, practiceId: practiceId ?? null }
}

export const refusePractice = () =>
  refuseFields([
    { pointer: '/practiceId', message: 'must be a practice that the token names, beside a patientUid' },
  ])

export function authorOf({ doctorId, practiceId, patientUid: own }: Owner) {
  if (practiceId !== null) return ['practice', practiceId]
  return doctorId === null ? ['patient', own] : ['doctor', doctorId]
}

/** As with grants, each statement is one of its own. */
export const TARGET_WRITES = {
  ...WRITES,
  keysOf: ({ patientUid: ofPatient, doctorId }: Author) => [ofPatient ?? `doctor ${doctorId}`],
} as const

type ToSet = TargetTerms & Owner

/** A row is null throughout where nothing was written or found. */
type Row = { is_granted: boolean } & (TargetRow | { target_id: null })

/** A target that other requests change without end while it is looked up again. */
const MAX_ATTEMPTS = 8

export function createSetTarget(db: Db, refused: RefusedPatients, now: () => number) {
  const write = shareStatements<ToSet, Row, Row | undefined>(db, {
    ...TARGET_WRITES,
    kind: 'targets/set',
    statementFor: ([target]) => setStatement(target as ToSet, refused),
    answersFrom: (rows) => [rows[0]],
  })
  async function writeOne(target: ToSet, isGone: IsGone) {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await write(target, isGone)
      if (row) mustStillBeGranted(row)
      // None where another request has set the same since the statement began: the next one sees it.
      if (row && row.target_id !== null) return row
    }
    throw new Error('The target could not be read after it was set.')
  }
  const writeUnlessRefused = refused.guard(
    async ([target]: (ToSet & { patientUid: string })[], isGone: IsGone) => writeOne(target as ToSet, isGone),
  )
  return async (terms: TargetTerms, author: Owner, isGone: IsGone) => {
    const { patientUid: ofPatient, by, doctorId, practiceId } = author
    const target = { ...terms, ...author }
    const row =
      ofPatient === null
        ? await writeOne(target, isGone)
        : await writeUnlessRefused([{ ...target, patientUid: ofPatient }], isGone)
    // A doctor's own for the patient is the first that judges, and so is one for all where there is no other.
    const isFirst = ofPatient === null || (doctorId !== null && practiceId === null)
    const judges =
      isFirst ||
      (await targetThatJudges(db, { patientUid: ofPatient, ...terms, subject: by, now: now() }, author))
        ?.targetId === row.target_id
    return { code: 'Ok' as const, message: MESSAGE, data: targetFrom(row, judges) }
  }
}

function setStatement(target: ToSet, refused: RefusedPatients) {
  const { patientUid: ofPatient, by, doctorId, grantId } = target
  return {
    name: 'set-target',
    text: SET_TARGET,
    values: [
      ofPatient,
      ...authorOf(target),
      target.readingType,
      target.unit,
      JSON.stringify(target.fields),
      target.expectEvery,
      target.label,
      target.preset,
      by,
      doctorId,
      grantId,
      ...(ofPatient === null ? [null, null] : refused.identify([{ patientUid: ofPatient }])),
    ],
  }
}

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
const SET_TARGET = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when $1::text is not null and exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($13::bytea, $14::bytea[])
      end
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$11', grant: '$12' })}
  ), asked as materialized (
    select $12::uuid is null or exists (select from granted) as is_granted
    from durable
  ), written as (
    insert into casesheet.targets as before
      (patient_uid, author_kind, author_id, author_name, reading_type, unit, fields, expect_every, label, preset, set_by)
    select $1, $2, $3, (select left(name, 200) from appointments.doctors where $2 = 'doctor' and doctor_id = $3), $4, $5, $6::jsonb, $7, $8, $9, $10
    from asked
    where is_granted
    on conflict (patient_uid, reading_type, author_kind, author_id) do update
    set state = 'set',
      author_name = excluded.author_name,
      unit = excluded.unit,
      fields = excluded.fields,
      expect_every = excluded.expect_every,
      label = excluded.label,
      preset = excluded.preset,
      set_by = excluded.set_by
    where before.state = 'removed'
      or (before.unit, before.fields, before.expect_every, before.label, before.preset)
        is distinct from (excluded.unit, excluded.fields, excluded.expect_every, excluded.label, excluded.preset)
    returning *
  ), shown as (
    select ${TARGET_COLUMNS}
    from written as targets
    union all
    select ${TARGET_COLUMNS}
    from casesheet.targets
    where patient_uid is not distinct from $1
      and author_kind = $2
      and author_id = $3
      and targets.reading_type = $4
      and state = 'set'
      and (unit, fields, expect_every, label, preset) is not distinct from ($5, $6::jsonb, $7, $8, $9)
      and not exists (select from written)
  )
  select is_granted, shown.*
  from asked
  left join shown on is_granted`
