// What the queries and answers of all reports have in common: a patient, a range of at most 400 days, and a time zone.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { EpochTime, microsecondsOf } from '../../casesheet/epoch-time.ts'
import { LimitedTo, printLimitedTo } from '../../casesheet/grants/limited-to.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { mustBeTimeZone } from '../../casesheet/statistics/buckets.ts'
import type { Target } from '../targets/target.ts'

const MAX_DAYS = 400
const DAY_US = 86_400_000_000n

const COMMON = {
  patientUid: Type.Optional(PatientUid),
  from: EpochTime(1_761_951_600),
  to: EpochTime(1_762_556_399),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'IANA time zone of days and times of day, such as Europe/Berlin; default: UTC.',
      examples: ['Europe/Berlin'],
    }),
  ),
}

const Common = Type.Object(COMMON)

/** The query of a report, with what it has of its own. */
export function reportQuery<Own extends TProperties>(own: Own) {
  return Type.Object({ ...COMMON, ...own }, { additionalProperties: false })
}

/** The query of a report, of a patient that is known. */
export type ReportQuery = Static<typeof Common> & { patientUid: string }

export type ReportRange = { patientUid: string; from: number; to: number; timeZone: string }

export function mustBeReportRange({ patientUid, from, to, timeZone = 'UTC' }: ReportQuery): ReportRange {
  const length = microsecondsOf(to) - microsecondsOf(from)
  if (length < 0n) throw new Refusal('InvalidRange', 'from must not be after to.')
  if (length > BigInt(MAX_DAYS) * DAY_US)
    throw refuseFields([{ pointer: '/to', message: `must be at most ${MAX_DAYS} days after from` }])
  mustBeTimeZone(timeZone)
  return { patientUid, from, to, timeZone }
}

const RULES =
  `The report is about readings measured between from and to, both inclusive and at most ${MAX_DAYS} days apart; withdrawn ones are ` +
  'left out. A range with more than 110,000 readings, or with more than 24 MB of them, is refused with 400. patientUid is optional if the token names exactly one ' +
  'patient. Every read is recorded in the access log before it is answered.'

/** The one with which readings are compared. */
export const TargetOrNull = Type.Unsafe<Target | null>({
  anyOf: [{ $ref: 'Target#' }, { type: 'null' }],
  description: 'The target that judges for the caller (see targets/list), if it has a range; else null.',
})

const MESSAGE = 'Report obtained successfully.'

type Described = { operationId: string; summary: string; description: string; answer: string }

/**
 * The contract of a report, whose schema is known by its id. `missing` is what its query requires of its own: in the example of a
 * refusal, only `limit` is wrong.
 */
export function reportContract<Query extends TSchema, Data extends TSchema>(
  { operationId, summary, description, answer }: Described,
  {
    query,
    data,
    example,
    missing = {},
  }: { query: Query; data: Data; example: Static<Data>; missing?: object },
) {
  const { $id } = data as { $id?: string }
  const Answer = Type.Object(
    {
      code: Type.Literal('Ok'),
      message: Type.String(),
      data: Type.Unsafe<Static<Data>>({ $ref: `${$id}#` }),
      limitedTo: LimitedTo,
    },
    {
      additionalProperties: false,
      description: answer,
      examples: [{ code: 'Ok', message: MESSAGE, data: example }],
    },
  )
  return {
    tags: ['care'],
    operationId,
    summary,
    description: `${description} ${RULES}`,
    querystring: query,
    headers: Type.Object(AccessReason),
    response: {
      // Sent as text.
      200: Type.Unsafe<string>(Answer),
      ...errorAnswers(
        () => checkFor(query)({ from: 0, to: 1, ...missing, limit: 0 }),
        'InvalidRange',
        ...MAY_NOT_READ,
        'MisdirectedRequest',
      ),
    },
  }
}

/** The answer as text. It names the types to which a grant is limited. */
export function printReport(data: object, reader: Reader): string {
  return `{"code":"Ok","message":"${MESSAGE}","data":${JSON.stringify(data)}${printLimitedTo(reader)}}`
}
