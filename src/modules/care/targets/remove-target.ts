// POST targets/remove: ends the target of a field, or those of all fields of a type. It may be repeated, and where there is none it
// changes nothing.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { refuseFields } from '../../../refusal.ts'
import { MAY_NOT_MANAGE, type Manager } from '../../casesheet/access.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { PatientUid, ReadingType } from '../../casesheet/reading.ts'
import { FieldName, fieldNamed, typeNamed } from '../measured-field.ts'
import { EXAMPLE_TARGET } from './target.ts'

const EXAMPLE = {
  patientUid: EXAMPLE_TARGET.patientUid,
  readingType: EXAMPLE_TARGET.readingType,
  field: EXAMPLE_TARGET.field,
}
const MESSAGE = 'The target is removed.'

const RemoveBody = Type.Object(
  {
    patientUid: PatientUid,
    readingType: Type.String({ ...ReadingType, description: 'A type of the catalogue.' }),
    field: Type.Optional(
      Type.String({
        ...FieldName,
        description: 'Field of the reading. All fields of the type if it is left out.',
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
export type RemoveBody = Static<typeof RemoveBody>

export const removeTargetContract = {
  tags: ['care'],
  operationId: 'removeTarget',
  summary: 'Remove targets of a patient',
  description:
    'For the same callers as targets/set. May be repeated, also where there is no target. The history keeps what was removed.',
  body: RemoveBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String() },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE }] },
    ),
    ...errorAnswers(
      () => checkFor(RemoveBody)({ ...EXAMPLE, field: '' }),
      'MalformedJson',
      ...MAY_NOT_MANAGE,
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

/** A name that is nearly right must not be answered as if its target were removed. */
export function mustNameTargets({ readingType, field }: RemoveBody) {
  const { value: type, error } = typeNamed(readingType)
  if (error) throw refuseFields([error])
  if (field === undefined) return
  const { error: fieldError } = fieldNamed(type, field)
  if (fieldError) throw refuseFields([fieldError])
}

type ToRemove = RemoveBody & Manager
type Row = { is_granted: boolean }

export function createRemoveTarget(db: Db) {
  const write = shareStatements<ToRemove, Row, Row[]>(db, {
    ...WRITES,
    kind: 'targets/remove',
    statementFor: ([target]) => removeStatement(target as ToRemove),
    answersFrom: (rows) => [rows],
  })
  return async (body: RemoveBody, manager: Manager, isGone: IsGone) => {
    const rows = await write({ ...body, ...manager }, isGone)
    rows.forEach(mustStillBeGranted)
    return { code: 'Ok' as const, message: MESSAGE }
  }
}

function removeStatement(target: ToRemove) {
  const { patientUid, readingType, field, by, allowedAs, doctorId, grantId } = target
  return {
    name: 'remove-target',
    text: REMOVE_TARGET,
    values: [patientUid, readingType, field, by, allowedAs, doctorId, grantId],
  }
}

// The empty message makes the commit wait for the standby, also where nothing is left to remove: an earlier attempt may have removed it
// on the primary only. Rows are locked in order, so that two requests for the same fields cannot block each other.
const REMOVE_TARGET = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$6', grant: '$7' })}
  ), asked as materialized (
    select $7::uuid is null or exists (select from granted) as is_granted
    from durable
  ), locked as materialized (
    select field
    from casesheet.targets
    where patient_uid = $1
      and reading_type = $2
      and ($3::text is null or field = $3)
      and state = 'set'
      and (select is_granted from asked)
    order by field
    for no key update
  ), removed as (
    update casesheet.targets
    set state = 'removed', changed_by = $4, allowed_as = $5, doctor_id = $6
    where patient_uid = $1
      and reading_type = $2
      and field in (select field from locked)
      and state = 'set'
  )
  select is_granted
  from asked`
