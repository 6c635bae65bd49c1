// GET patients/list: its query, and what it answers.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { notModified } from '../../../http/answers/etag.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { cursorParameter, limitParameter, NextCursor } from '../../../http/pages.ts'
import { EXAMPLE_LISTED, type ListedPatient, STATUSES } from './listed-patient.ts'

/** A list has no more patients than these: those who have shared longest. */
export const MAX_PATIENTS = 2_000
const MAX_PAGE = 100
export const DEFAULT_PAGE = 50
const SORTS = ['attention', 'name', 'share', 'daysWithData', 'lastReading', 'lastReview'] as const
export type Sort = (typeof SORTS)[number]
export type Order = 'asc' | 'desc'

export const MESSAGE = 'Patients obtained successfully.'

const EXAMPLE_AS_OF = '7b1d4f0a-3c52-4e19-a4d7-9e8f2c6b5a10.1.4711'

export const ListQuery = Type.Object(
  {
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'IANA time zone of the days, such as Europe/Berlin; default: UTC. A doctor may ask in three a day.',
        examples: ['Europe/Berlin'],
      }),
    ),
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        type: 'string',
        description: 'By what patients are ordered; default: attention.',
        examples: ['attention'],
        'x-mustBe': `one of ${SORTS.join(', ')}`,
      }),
    ),
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], {
        type: 'string',
        description:
          'Default: those who need attention, the least share in target, the fewest days with data, and the readings and reviews ' +
          'that are longest ago come first.',
        examples: ['asc'],
        'x-mustBe': 'asc or desc',
      }),
    ),
    status: Type.Optional(
      Type.Array(Type.Enum([...STATUSES], { type: 'string', 'x-mustBe': `one of ${STATUSES.join(', ')}` }), {
        maxItems: STATUSES.length,
        description: 'Only patients with this status; may be repeated.',
        examples: [['attention', 'review']],
      }),
    ),
    isNew: Type.Optional(
      Type.Enum(['true', 'false'], {
        type: 'string',
        description:
          'true: only patients of whom something was measured since your last review; false: only the others.',
        examples: ['true'],
        'x-mustBe': 'true or false',
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
    silentAfter: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description:
          'Days without a reading of a type that has a target, after which a patient is silent. Without it none is.',
        examples: [3],
        'x-mustBe': 'a whole number from 1 to 30',
      }),
    ),
    worseBy: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description:
          'Percentage points by which the share in target must have fallen from one fortnight to the next for a patient to be worse. Without it ' +
          'none is.',
        examples: [10],
        'x-mustBe': 'a whole number from 1 to 100',
      }),
    ),
    changedSince: Type.Optional(
      Type.String({
        maxLength: 80,
        description:
          'asOf of an earlier answer: only patients of whom something may have changed since, and all who share only some types.',
        examples: [EXAMPLE_AS_OF],
        'x-mustBe': 'asOf of an earlier answer',
      }),
    ),
    limit: limitParameter({
      description: 'Maximum number of patients per page.',
      default: DEFAULT_PAGE,
      maximum: MAX_PAGE,
    }),
    cursor: cursorParameter('WyJhdHRlbnRpb24gYXNjIiwiMCIsIm1pYSBleGFtcGxlLCBib3JuIDIwMTciLCJwYXRpZW50LTEiXQ'),
  },
  { additionalProperties: false },
)
export type ListQuery = Static<typeof ListQuery>

const Counts = Type.Object(
  Object.fromEntries(
    ['all', ...STATUSES, 'new', 'beyond'].map((name) => [name, Type.Integer({ minimum: 0 })]),
  ) as Record<'all' | (typeof STATUSES)[number] | 'new' | 'beyond', Type.TInteger>,
  {
    additionalProperties: false,
    description:
      `How many patients have each status, of how many something is new, and how many are left out because more than ${MAX_PATIENTS} share. ` +
      'Filters do not change it.',
  },
)
export type Counts = Static<typeof Counts>

const Answer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    timeZone: Type.String({ description: 'The zone of the days.' }),
    asOf: Type.String({ description: 'For changedSince.' }),
    behindSince: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Since when changes are missing from the list, because its follower stands still; null while it is up to date.',
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
        timeZone: 'Europe/Berlin',
        asOf: EXAMPLE_AS_OF,
        behindSince: null,
        counts: {
          all: 1,
          attention: 1,
          review: 0,
          worse: 0,
          silent: 0,
          preparing: 0,
          noData: 0,
          reviewed: 0,
          inTarget: 0,
          noTarget: 0,
          new: 1,
          beyond: 0,
        },
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
    'For a doctor: the token names a doctorId. Each patient who shares readings now, with a status, the rule behind it, and the last weeks ' +
    'against the targets. What is shown is at most about two seconds old. Each patient sees once a day that the doctor looked. Send the ' +
    'ETag of an earlier answer in If-None-Match: 304 says that nothing has changed.',
  querystring: ListQuery,
  response: {
    200: Type.Unsafe<string>(Answer),
    304: notModified('The list is the one that If-None-Match names.'),
    ...errorAnswers(() => checkFor(ListQuery)({ limit: 0 }), 'InvalidCursor', 'NotADoctor', 'ScopeMissing'),
  },
}
