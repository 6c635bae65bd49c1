// The contract of GET readings/statistics.
import { type Static, Type } from 'typebox'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { exampleBeside } from '../../../http/openapi.ts'
import { EpochTime } from '../epoch-time.ts'
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
        description: 'How long a bucket is: day by default. Weeks begin on Monday.',
        examples: ['day'],
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The IANA time zone whose calendar is meant, such as Europe/Berlin; UTC by default.',
        examples: ['Europe/Berlin'],
      }),
    ),
    unit: Type.Optional(
      Type.String({
        maxLength: 16,
        description: 'The UCUM unit that values are brought to; by default the first one of the type.',
        ...exampleBeside('/min'),
      }),
    ),
  },
  { additionalProperties: false },
)
export type StatisticsQuery = Static<typeof StatisticsQuery>

const Summary = Type.Object(
  {
    count: Type.Integer({ description: 'How many readings have a number here.' }),
    min: Type.Number(),
    max: Type.Number(),
    mean: Type.Number(),
    p50: Type.Number({ description: 'The median. Between two values it is interpolated, as p95 is.' }),
    p95: Type.Number({ description: 'The value at place 0.95 × (count − 1) of the sorted values.' }),
    first: Type.Number({ description: 'Of the reading measured first.' }),
    last: Type.Number({ description: 'Of the reading measured last.' }),
  },
  { additionalProperties: false },
)

const BucketAnswer = Type.Object(
  {
    start: Type.String({ format: 'date-time', description: 'The first instant of the bucket, in UTC.' }),
    end: Type.String({ format: 'date-time', description: 'Where the next begins: not in this bucket.' }),
    localStart: Type.String({ format: 'date-time', description: 'The start on the local clock.' }),
    count: Type.Integer({ description: 'How many readings of the type; 0 in an empty bucket.' }),
    fields: Type.Record(Type.String(), Summary, {
      description: 'Each field that has a number in this bucket; none in an empty one.',
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
      description: 'The unit of each field; none for a type that is not in the catalogue.',
    }),
  },
  {
    description: 'Every bucket from the one that holds from to the one that holds to, also the empty ones.',
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
    `Readings between from and to count, both included, as in readings/get; buckets are whole, and at most ${MAX_BUCKETS}. ` +
    'A range of more than 110,000 values (35,000 of a type that is not in the catalogue) is 400: ask for it in pieces. ' +
    'Values are those of the catalogue, or of any other type the fields that are numbers. patientUid may be left out when ' +
    'the token names exactly one patient. Every read is logged before it is answered.',
  querystring: StatisticsQuery,
  response: {
    // Sent as text, most of it made by the database.
    200: Type.Unsafe<string>(StatisticsAnswer),
    ...errorAnswers(
      checkFor(StatisticsQuery)({ readingType: 'heartRate', from: 0, to: 1, limit: 0 }),
      'InvalidRange',
      'PatientMismatch',
      'PatientNotInToken',
      'ScopeMissing',
    ),
  },
}
