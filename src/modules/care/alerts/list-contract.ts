// GET alerts/list: its query, and what it answers.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { notModified } from '../../../http/answers/etag.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../../http/pages.ts'
import { MAY_NOT_READ } from '../../casesheet/access.ts'
import { AccessReason } from '../../casesheet/access-log/access-reason.ts'
import { EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { LimitedTo } from '../../casesheet/grants/limited-to.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { type Alert, EXAMPLE_ALERT, SEVERITIES } from './alert.ts'

/** The list of a doctor has alerts of no more patients than these: those who have shared longest. */
export const MAX_PATIENTS = 10_000
const MAX_PAGE = 200
export const DEFAULT_PAGE = 50
const STATES = ['active', 'open', 'acknowledged', 'pending', 'resolved', 'retracted', 'all'] as const

export const MESSAGE = 'Alerts obtained successfully.'

export const ListQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    state: Type.Optional(
      Type.Enum([...STATES], {
        type: 'string',
        description: 'Only alerts in this state; active, the default, is open and acknowledged.',
        examples: ['active'],
        'x-mustBe': `one of ${STATES.join(', ')}`,
      }),
    ),
    severity: Type.Optional(
      Type.Array(
        Type.Enum([...SEVERITIES], { type: 'string', 'x-mustBe': `one of ${SEVERITIES.join(', ')}` }),
        {
          maxItems: SEVERITIES.length,
          description: 'Only alerts of this severity; may be repeated.',
          examples: [['urgent', 'warning']],
        },
      ),
    ),
    limit: limitParameter({
      description: 'Maximum number of alerts per page.',
      default: DEFAULT_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(
      'WyJuZXdlc3QiLCIwIiwiMjAyNi0xMS0xN1QwODoxNTowMi4xMjU0NjBaIiwicGF0aWVudC0xIiwiZDJmN2E2YzQtMWIzOC00ZjBlLTljNTUtN2UwYTRiOWQxZjYzIl0',
    ),
  },
  { additionalProperties: false },
)
export type ListQuery = Static<typeof ListQuery>

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Counts = Type.Object(
  {
    open: Type.Object(
      { urgent: Type.Integer(), warning: Type.Integer(), notice: Type.Integer() },
      { description: 'Open alerts that are not acknowledged.' },
    ),
    acknowledged: count('Open alerts that are acknowledged.'),
    beyond: count(`How many patients are left out because more than ${MAX_PATIENTS} share.`),
  },
  {
    additionalProperties: false,
    description: 'In the list of a doctor: all that is open. State and severity do not change it.',
  },
)

const Answer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    behindSince: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Since when changes wait to be evaluated, where that is more than ten seconds; null while the list is up to date.',
    }),
    counts: Type.Optional(Counts),
    data: Type.Array(Type.Unsafe<Alert>({ $ref: 'Alert#' })),
    nextCursor: NextCursor,
    limitedTo: LimitedTo,
  },
  {
    additionalProperties: false,
    description: 'Alerts, in their order.',
    examples: [
      {
        code: 'Ok',
        message: MESSAGE,
        behindSince: null,
        counts: { open: { urgent: 1, warning: 0, notice: 0 }, acknowledged: 0, beyond: 0 },
        data: [{ ...EXAMPLE_ALERT, sharedAs: EXAMPLE_GRANT.sharedAs }],
        nextCursor: null,
      },
    ],
  },
)
export type Answer = Static<typeof Answer>

export const listContract = {
  tags: ['care'],
  operationId: 'listAlerts',
  summary: 'List the alerts of the patients of a doctor, or of one patient',
  description:
    'With the token of a doctor and without patientUid: alerts of all patients who share with the doctor. Those that are active stand in the ' +
    'order in which they need a doctor: open, acknowledged; urgent, warning, notice; the oldest first. Others stand newest first. Each ' +
    'patient sees once a day that the doctor looked. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed. ' +
    'With patientUid: alerts of one patient, newest first, for the same callers as readings/get; patientUid is optional if the token names ' +
    'exactly one patient and no doctor. Every read is logged.',
  querystring: ListQuery,
  headers: Type.Object(AccessReason),
  response: {
    200: Type.Unsafe<string>(Answer),
    304: notModified('The list is the one that If-None-Match names.'),
    ...errorAnswers(
      () => checkFor(ListQuery)({ limit: 0 }),
      'InvalidCursor',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}
