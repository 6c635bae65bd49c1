// GET targets/list: the targets of all authors that are set for a patient, or those that a doctor has set for all. A read of a patient like
// any other: its row of the access log is written behind it.
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
import { createReadForAll } from '../what-is-set.ts'
import { type SeenRow, seenFrom, seenStatement } from './seen-targets.ts'
import { TARGET_COLUMNS, type TargetRow, targetFrom } from './stored-target.ts'
import { EXAMPLE_TARGET, Target } from './target.ts'

const MESSAGE = 'Targets obtained successfully.'

const TargetsQuery = Type.Object({ patientUid: Type.Optional(PatientUid) }, { additionalProperties: false })

export const listTargetsContract = {
  tags: ['care'],
  operationId: 'listTargets',
  summary: 'Get the targets of a patient, or those for all',
  description:
    'Those that are set now: of all authors for the patient, and for all of doctors with whom the patient shares with the permission ' +
    'manage; nothing is applied by default. For the same callers as readings/get; a doctor sees those of the types that are shared. ' +
    'Without patientUid: for a doctor their own for all; for others it is optional if the token names exactly one patient. Every ' +
    'read of a patient is logged.',
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
        description:
          'Targets, ordered by type; of a type those of doctors first, those for the patient before those for all, the newest first.',
        examples: [{ code: 'Ok', message: MESSAGE, data: [EXAMPLE_TARGET] }],
      },
    ),
    ...errorAnswers(() => checkFor(TargetsQuery)({ limit: 0 }), ...MAY_NOT_READ, 'MisdirectedRequest'),
  },
}

export function createListTargets(db: Db, now: () => number) {
  const reads = countReads(db.metrics, 'targets/list')
  return async (patientUid: string, reader: Reader) => {
    const { limitedTo } = reader
    const rows = await queryLogged<SeenRow>(
      db,
      seenStatement(patientUid, limitedTo),
      readOf('targets/list', patientUid, reader),
    )
    reads.rows++
    const data = seenFrom(rows, reader, now())
    return { code: 'Ok' as const, message: MESSAGE, data, ...(limitedTo !== null && { limitedTo }) }
  }
}

export function createListForAll(db: Db) {
  const readForAll = createReadForAll<TargetRow>(db, 'targets', TARGET_COLUMNS)
  return async (doctorId: string, subject: string) => {
    const rows = await readForAll(doctorId, subject)
    return { code: 'Ok' as const, message: MESSAGE, data: rows.map((row) => targetFrom(row, true)) }
  }
}
