// The contract of GET readings/statistics.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { MAY_NOT_READ } from '../access.ts'
import { AccessReason } from '../access-log/access-reason.ts'
import { EpochTime } from '../epoch-time.ts'
import { LimitedTo } from '../grants/limited-to.ts'
import { PatientUid, ReadingType } from '../reading.ts'
import { BUCKETS, MAX_BUCKETS } from './buckets.ts'

const StatisticsQuery = Type.Object(
  {
    patientUid: Type.Optional(PatientUid),
    readingType: Type.String({ ...ReadingType, examples: ['heartRate'] }),
    from: EpochTime(1_761_955_200),
    to: EpochTime(1_762_041_600),
    bucket: Type.Optional(
      Type.Enum([...BUCKETS], {
        description: 'Length of a bucket; default: day. Weeks begin on Monday.',
        examples: ['day'],
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'IANA time zone of the calendar, such as Europe/Berlin; default: UTC.',
        examples: ['Europe/Berlin'],
      }),
    ),
    withdrawn: Type.Optional(
      Type.Enum(['include'], {
        description: 'Count withdrawn readings too. They are left out by default.',
        ...exampleBeside('include'),
      }),
    ),
    unit: Type.Optional(
      Type.String({
        maxLength: 16,
        description: 'UCUM unit that values are converted to; default: the first unit of the type.',
        ...exampleBeside('/min'),
      }),
    ),
  },
  { additionalProperties: false },
)
export type StatisticsQuery = Static<typeof StatisticsQuery>

const Summary = Type.Object(
  {
    count: Type.Integer({
      description: 'Number of readings that have a number in this field, equal ones of one second once.',
    }),
    min: Type.Number(),
    max: Type.Number(),
    mean: Type.Number(),
    p50: Type.Number({ description: 'The median, interpolated between two values.' }),
    p95: Type.Number({
      description: 'The value at position 0.95 × (count − 1) of the sorted values, interpolated between two.',
    }),
    first: Type.Number({ description: 'Value of the reading measured first.' }),
    last: Type.Number({ description: 'Value of the reading measured last.' }),
  },
  { additionalProperties: false },
)

const BucketAnswer = Type.Object(
  {
    start: Type.String({ format: 'date-time', description: 'The first instant of the bucket, in UTC.' }),
    end: Type.String({ format: 'date-time', description: 'Start of the next bucket: not part of this one.' }),
    localStart: Type.String({ format: 'date-time', description: 'The start in local time.' }),
    count: Type.Integer({
      description: 'Number of readings of the type, equal ones of one second once; 0 in an empty bucket.',
    }),
    fields: Type.Record(Type.String(), Summary, {
      description: 'Summary of each field that has a number in this bucket; empty if there is none.',
    }),
  },
  { additionalProperties: false },
)

const StatisticsAnswer = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(BucketAnswer),
    units: Type.Record(Type.String(), Type.String(), {
      description: 'Unit of each field; empty for a type that is not in the catalogue.',
    }),
    limitedTo: LimitedTo,
  },
  {
    description:
      'All buckets from the one that contains from to the one that contains to, empty ones included.',
    examples: [
      {
        code: 'Ok',
        message: 'Statistics obtained successfully.',
        data: [
          {
            start: '2025-10-24T22:00:00.000Z',
            end: '2025-10-25T22:00:00.000Z',
            localStart: '2025-10-25T00:00:00+02:00',
            count: 3,
            fields: {
              value: { count: 3, min: 64, max: 88, mean: 74, p50: 70, p95: 86.2, first: 70, last: 64 },
            },
          },
          {
            start: '2025-10-25T22:00:00.000Z',
            end: '2025-10-26T23:00:00.000Z',
            localStart: '2025-10-26T00:00:00+02:00',
            count: 0,
            fields: {},
          },
        ],
        units: { value: '/min' },
      },
    ],
  },
)

export const statisticsContract = {
  tags: ['casesheet'],
  operationId: 'readingStatistics',
  summary: 'Summarise readings of one type by hour, day, week or month',
  description:
    `Summarises the readings between from and to, both inclusive, in at most ${MAX_BUCKETS} whole buckets. A range with more ` +
    'than 110,000 readings, or with more than 24 MB of them (2 MB of a type that is not in the catalogue), is refused with 400: split it ' +
    'into several requests. Withdrawn readings ' +
    'that are left out count there too. Values are the quantities of the catalogue; for any other type, all fields that are numbers. ' +
    'One measurement counts once: of values of a field in one second that are equal to nine digits, one is counted. patientUid is ' +
    'optional if the token names exactly one patient. Every read is recorded in the access log before it is answered.',
  querystring: StatisticsQuery,
  headers: Type.Object(AccessReason),
  response: {
    // Sent as text, most of it made by the database.
    200: Type.Unsafe<string>(StatisticsAnswer),
    ...errorAnswers(
      () => checkFor(StatisticsQuery)({ readingType: 'heartRate', from: 0, to: 1, limit: 0 }),
      'InvalidRange',
      ...MAY_NOT_READ,
      'MisdirectedRequest',
    ),
  },
}
