// POST targets/remove: ends the author's own target of a type, for a patient or for all. It may be repeated.
import { Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal } from '../../../refusal.ts'
import { MAY_NOT_MANAGE } from '../../casesheet/access.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant, mustBeServedHere } from '../../casesheet/reader.ts'
import { authorOf, type Owner, TARGET_WRITES } from './set-target.ts'
import { EXAMPLE_TARGET } from './target.ts'
import { SetBody } from './target-terms.ts'

const { patientUid, readingType } = EXAMPLE_TARGET
const EXAMPLE = { patientUid, readingType }
const MESSAGE = 'The target is removed.'

const RemoveBody = Type.Object(
  {
    patientUid: Type.Optional(
      Type.String({
        ...SetBody.properties.patientUid,
        description: 'The patient. A doctor who leaves it out removes the own target for all.',
      }),
    ),
    practiceId: SetBody.properties.practiceId,
    readingType: SetBody.properties.readingType,
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)

export const removeTargetContract = {
  tags: ['care'],
  operationId: 'removeTarget',
  summary: 'Remove a target that the caller has set',
  description:
    'For the same callers as targets/set, each of whom removes only their own; carers remove what another carer has set, and doctors what ' +
    'a colleague has set for the practice. It may be ' +
    'repeated. TargetUnknown: the caller never had one of the type. The timeline keeps what was removed.',
  body: RemoveBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String() },
      { description: 'Committed.', examples: [{ code: 'Ok', message: MESSAGE }] },
    ),
    ...errorAnswers(
      () => checkFor(RemoveBody)({ ...EXAMPLE, readingType: '' }),
      'MalformedJson',
      ...MAY_NOT_MANAGE,
      'NotADoctor',
      'TargetUnknown',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

type ToRemove = Owner & { readingType: string }
type Row = { is_granted: boolean; was_set: boolean; is_served_here: boolean }

export function createRemoveTarget(db: Db) {
  const write = shareStatements<ToRemove, Row, Row>(db, {
    ...TARGET_WRITES,
    kind: 'targets/remove',
    statementFor: ([target]) => removeStatement(target as ToRemove),
    answersFrom: (rows) => rows,
  })
  return async (ofType: string, author: Owner, isGone: IsGone) => {
    const row = await write({ ...author, readingType: ofType }, isGone)
    mustStillBeGranted(row)
    mustBeServedHere(row)
    if (!row.was_set) throw new Refusal('TargetUnknown', 'You have set no such target.')
    return { code: 'Ok' as const, message: MESSAGE }
  }
}

function removeStatement(target: ToRemove) {
  const { patientUid: ofPatient, by, doctorId, grantId } = target
  return {
    name: 'remove-target',
    text: REMOVE_TARGET,
    values: [ofPatient, ...authorOf(target), target.readingType, by, doctorId, grantId],
  }
}

// The empty message makes the commit wait for the standby, also where nothing is left to remove: an earlier attempt may have removed it
// on the primary only.
const REMOVE_TARGET = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$6', grant: '$7' })}
  ), asked as materialized (
    select $7::uuid is null or exists (select from granted) as is_granted
    from durable
  ), removed as (
    update casesheet.targets
    set state = 'removed', set_by = $5
    where patient_uid is not distinct from $1
      and author_kind = $2
      and author_id = $3
      and reading_type = $4
      and state = 'set'
      and (select is_granted from asked)
  )
  select is_granted, exists (
    select from casesheet.targets
    where patient_uid is not distinct from $1
      and author_kind = $2
      and author_id = $3
      and reading_type = $4
  ) as was_set, $1::text is null or casesheet.is_served_here($1) as is_served_here
  from asked`
