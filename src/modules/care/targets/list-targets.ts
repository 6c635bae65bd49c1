// GET targets/list: the targets of a patient that are set now, with who set them. A read like any other: its row of the access log is
// written behind it.
import { Type } from 'typebox'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { queryLogged } from '../../casesheet/access-log/log-reads.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { readOf } from '../logged-read.ts'
import { EXAMPLE_TARGET, TARGET_COLUMNS, Target, type TargetRow, targetFrom } from './target.ts'

const MESSAGE = 'Targets obtained successfully.'

const TargetsQuery = Type.Object({ patientUid: Type.Optional(PatientUid) }, { additionalProperties: false })

export const listTargetsContract = {
  tags: ['care'],
  operationId: 'listTargets',
  summary: 'Get the targets of a patient',
  description:
    'Those that are set now, ordered by type and field: nothing is applied by default. For the same callers as readings/get; a doctor ' +
    'sees those of the types that are shared. patientUid is optional if the token names exactly one patient. Every read is logged.',
  querystring: TargetsQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Object(
      {
        code: Type.Literal('Ok'),
        message: Type.String(),
        data: Type.Array(Type.Unsafe<Target>({ $ref: 'Target#' })),
        limitedTo: LimitedTo,
      },
      {
        additionalProperties: false,
        description: 'Targets, ordered by type and field.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_TARGET] }],
      },
    ),
    ...errorAnswers(() => checkFor(TargetsQuery)({ limit: 0 }), ...MAY_NOT_READ, 'MisdirectedRequest'),
  },
}

export function createListTargets(db: Db) {
  const reads = countReads(db.metrics, 'targets/list')
  return async (patientUid: string, reader: Reader) => {
    const rows = await queryLogged<TargetRow>(
      db,
      { name: 'list-targets', text: LIST_TARGETS, values: [patientUid, reader.limitedTo] },
      readOf('targets/list', patientUid, reader),
    )
    reads.rows++
    const data = rows.map((row) => targetFrom(patientUid, row))
    const { limitedTo } = reader
    return { code: 'Ok' as const, message: MESSAGE, data, ...(limitedTo !== null && { limitedTo }) }
  }
}

const LIST_TARGETS = `
  select ${TARGET_COLUMNS}
  from casesheet.targets
  where patient_uid = $1
    and state = 'set'
    and ($2::text[] is null or reading_type = any ($2))
  order by targets.reading_type, targets.field`
