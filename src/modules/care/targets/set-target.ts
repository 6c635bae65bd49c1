// POST targets/set: sets a target, or all those of a preset, for a patient. The same target again changes nothing and keeps its
// author; another one takes its place. The database draws the versions and keeps the history.
import { Type } from 'typebox'
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { MAY_NOT_MANAGE, type Manager } from '../../casesheet/access.ts'
import type { RefusedPatients } from '../../casesheet/add/refused-patients.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { EXAMPLE_TARGET, TARGET_COLUMNS, Target, type TargetRow, targetFrom } from './target.ts'
import { SetBody, type TargetTerms } from './target-terms.ts'

const MESSAGE = 'The target is set.'
const { patientUid, readingType, low, high, unit, label } = EXAMPLE_TARGET
const EXAMPLE = { patientUid, readingType, low, high, unit, label }

export const setTargetContract = {
  tags: ['care'],
  operationId: 'setTarget',
  summary: 'Set a target for the readings of a patient',
  description:
    'For the patient, carers, and doctors whose grant has the permission manage and holds the type. There is one target for each field ' +
    'of a type: another one replaces it, and the same one again changes nothing. A bound must be possible for the type; at least one ' +
    'is required. A preset sets all its targets at once.',
  body: Type.Object(SetBody.properties, {
    additionalProperties: false,
    'x-examples': {
      target: { summary: 'One target', value: EXAMPLE },
      preset: {
        summary: 'A published target',
        value: { patientUid, preset: 'home-blood-pressure-esh' },
      },
    },
  }),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Target>({ $ref: 'Target#' })),
      },
      {
        description: 'Committed. The targets that were named, as they are now.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_TARGET] }],
      },
    ),
    ...errorAnswers(
      () => checkFor(SetBody)({ ...EXAMPLE, low: '70' }),
      'MalformedJson',
      ...MAY_NOT_MANAGE,
      'PatientErased',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToSet = TargetTerms & Manager & { patientUid: string }

/** A row is null throughout where nothing was written or found. */
type Row = { is_granted: boolean } & (TargetRow | { field: null })

/** Targets that other requests change without end while these are looked up again. */
const MAX_ATTEMPTS = 8

export function createSetTarget(db: Db, refused: RefusedPatients) {
  const write = shareStatements<ToSet, Row, Row[]>(db, {
    ...WRITES,
    kind: 'targets/set',
    statementFor: ([targets]) => setStatement(targets as ToSet, refused.identify([targets as ToSet])),
    answersFrom: (rows) => [rows],
  })
  const setUnlessRefused = refused.guard(async ([targets]: ToSet[], isGone: IsGone) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const answered = await write(targets as ToSet, isGone)
      answered.forEach(mustStillBeGranted)
      const rows = answered.filter((row) => row.field !== null)
      // Fewer where another request has set the same since the statement began: the next one sees it.
      if (rows.length === targets?.ranges.length) return rows
    }
    throw new Error('The target could not be read after it was set.')
  })
  return async (named: { patientUid: string }, terms: TargetTerms, manager: Manager, isGone: IsGone) => {
    const targets = { ...terms, ...manager, ...named }
    const rows = await setUnlessRefused([targets], isGone)
    return {
      code: 'Ok' as const,
      message: MESSAGE,
      data: rows.map((row) => targetFrom(named.patientUid, row)),
    }
  }
}

function setStatement(targets: ToSet, identified: [keyId: string | null, digests: string | null]) {
  const { ranges, by, allowedAs, doctorId, grantId } = targets
  return {
    name: 'set-target',
    text: SET_TARGET,
    values: [
      targets.patientUid,
      targets.readingType,
      targets.unit,
      targets.label,
      targets.preset,
      textArray(ranges.map(({ field }) => field)),
      plainArray(ranges.map((range) => range.low)),
      plainArray(ranges.map((range) => range.high)),
      plainArray(ranges.map((range) => range.below)),
      by,
      allowedAs,
      doctorId,
      grantId,
      ...identified,
    ],
  }
}

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes. Fields are
// written in order, so that two requests for the same fields cannot block each other.
const SET_TARGET = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''),
      case
        when exists (select from casesheet.refused_patients where refused_until > now())
        then casesheet.refuse_erased($14::bytea, $15::bytea[])
      end
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$12', grant: '$13' })}
  ), asked as materialized (
    select $13::uuid is null or exists (select from granted) as is_granted
    from durable
  ), wanted as (
    select field, low, high, below
    from unnest($6::text[], $7::float8[], $8::float8[], $9::float8[]) as wanted (field, low, high, below)
  ), written as (
    insert into casesheet.targets as before
      (patient_uid, reading_type, field, low, high, below, unit, label, preset, changed_by, allowed_as, doctor_id)
    select $1, $2, field, low, high, below, $3, $4, $5, $10, $11, $12
    from asked
    cross join wanted
    where is_granted
    order by field
    on conflict (patient_uid, reading_type, field) do update
    set state = 'set',
      low = excluded.low,
      high = excluded.high,
      below = excluded.below,
      unit = excluded.unit,
      label = excluded.label,
      preset = excluded.preset,
      changed_by = excluded.changed_by,
      allowed_as = excluded.allowed_as,
      doctor_id = excluded.doctor_id
    where before.state = 'removed'
      or (before.low, before.high, before.below, before.unit, before.label, before.preset)
        is distinct from (excluded.low, excluded.high, excluded.below, excluded.unit, excluded.label, excluded.preset)
    returning ${TARGET_COLUMNS}
  ), shown as (
    select *
    from written
    union all
    select ${TARGET_COLUMNS}
    from (
      select targets.*
      from casesheet.targets
      join wanted using (field)
      where patient_uid = $1
        and reading_type = $2
        and state = 'set'
        and (targets.low, targets.high, targets.below, unit, label, preset)
          is not distinct from (wanted.low, wanted.high, wanted.below, $3, $4, $5)
        and field not in (select field from written)
    ) as unchanged
  )
  select is_granted, shown.*
  from asked
  left join shown on is_granted
  order by field`
