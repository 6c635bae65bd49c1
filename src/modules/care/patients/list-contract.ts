// GET patients/list: its query, and what it answers.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { notModified } from '../../../http/answers/etag.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../../http/pages.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { QUEUES } from '../status/reason.ts'
import { EXAMPLE_LISTED, type ListedPatient } from './listed-patient.ts'

/** A list has no more patients than these: those who have shared longest. */
export const MAX_PATIENTS = 2_000
const MAX_PAGE = 100
export const DEFAULT_PAGE = 50
const SORTS = ['attention', 'name', 'daysWithData', 'lastReading', 'lastLook'] as const
export type Sort = (typeof SORTS)[number]
export type Order = 'asc' | 'desc'

export const MESSAGE = 'Patients obtained successfully.'

export const ListQuery = Type.Object(
  {
    queue: Type.Optional(
      Type.Array(Type.Enum([...QUEUES], { type: 'string', 'x-mustBe': `one of ${QUEUES.join(', ')}` }), {
        maxItems: QUEUES.length,
        description: 'Only patients in this queue; may be repeated.',
        examples: [['actNow', 'thisWeek']],
      }),
    ),
    find: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only patients whose name or id contains it, ignoring case and accents.',
        examples: ['mia'],
        'x-mustBe': 'a text of 1 to 100 characters',
      }),
    ),
    patientUid: Type.Optional({
      ...PatientUid,
      description: 'Only this patient; `counts` are of this one too. No entry where nothing is shared now.',
    }),
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        type: 'string',
        description:
          'By what patients are ordered; default: attention, which is by queue, by class of the first reason, by how far it is beyond its limit, ' +
          'and the oldest first. Equal ones are ordered by name.',
        examples: ['attention'],
        'x-mustBe': `one of ${SORTS.join(', ')}`,
      }),
    ),
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], {
        type: 'string',
        description:
          'Default: those who need attention, the fewest days with data, and the readings and looks that are longest ago come first.',
        examples: ['asc'],
        'x-mustBe': 'asc or desc',
      }),
    ),
    limit: limitParameter({
      description: 'Maximum number of patients per page.',
      default: DEFAULT_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter(
      'WyJhdHRlbnRpb24gYXNjIiwiMTc5NTA5MjAwMDAwMCIsIm1pYSBleGFtcGxlLCBib3JuIDIwMTciLCJwYXRpZW50LTEiLCIwIiwiMCIsIjEiLCItMS4yNDQiLCIwIl0',
    ),
  },
  { additionalProperties: false },
)
export type ListQuery = Static<typeof ListQuery>

const COUNTED = ['all', ...QUEUES, 'beyond'] as const
export type Counts = Record<(typeof COUNTED)[number], number>
const Counts = Type.Unsafe<Counts>(
  Type.Object(Object.fromEntries(COUNTED.map((name) => [name, Type.Integer({ minimum: 0 })])), {
    additionalProperties: false,
    description:
      `How many patients are in each queue, and how many are left out because more than ${MAX_PATIENTS} share. ` +
      '`queue` and `find` do not change it.',
  }),
)

const Answer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    behindSince: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Since when changes wait to be in the list, if it is for more than 10 seconds; null while it is up to date.',
    }),
    counts: Counts,
    data: Type.Array(Type.Unsafe<ListedPatient>({ $ref: 'ListedPatient#' })),
    nextCursor: NextCursor,
  },
  {
    additionalProperties: false,
    description: 'Patients, in the order that was asked for.',
    examples: [
      {
        code: 'Ok',
        message: MESSAGE,
        behindSince: null,
        counts: { all: 1, actNow: 1, thisWeek: 0, silent: 0, seen: 0, fine: 0, notJudged: 0, beyond: 0 },
        data: [EXAMPLE_LISTED],
        nextCursor: null,
      },
    ],
  },
)
export type Answer = Static<typeof Answer>

export const listContract = {
  tags: ['care'],
  operationId: 'listMyPatients',
  summary: 'List the patients of the doctor, those who need attention first',
  description:
    'For a doctor: the token names a doctorId. Each patient who shares readings now, in one queue, with every reason for it. Nothing is judged by a ' +
    'bound that nobody set: see targets/set. What is shown is at most about two seconds old. Each patient sees once a day that ' +
    'the doctor opened the list. Send the ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.',
  querystring: ListQuery,
  response: {
    200: Type.Unsafe<string>(Answer),
    304: notModified('The list is the one that If-None-Match names.'),
    ...errorAnswers(() => checkFor(ListQuery)({ limit: 0 }), 'InvalidCursor', 'NotADoctor', 'ScopeMissing'),
  },
}
