// What `Prefer: return=representation` says of each reading of an add.
import { type Static, Type } from 'typebox'
import { fieldErrors } from '../../../http/answers/errors.ts'
import { isRetryable, type Refusal, STATUS_OF } from '../../../refusal.ts'
import { ReadingWarning } from './reading-warnings.ts'

const Stored = Type.Object(
  {
    verdict: Type.Enum(['stored', 'duplicate'], {
      type: 'string',
      description:
        'stored: by this request. duplicate: it was there already, or stands earlier in this list; also where the ' +
        'service had to repeat its own statement. Both mean committed, and no reading is called stored twice.',
    }),
    readingId: Type.String({ format: 'uuid' }),
    warnings: Type.Optional(
      Type.Array(ReadingWarning, {
        description:
          'What deserves a second look, if anything: Implausible (a number outside the plausible range of its type), ' +
          "Before2000 or AheadOfNow (by more than a minute). The reading is stored as sent. Beyond each reading's first, " +
          'warnings and errors of an answer are at most 1,000.',
      }),
    ),
  },
  { additionalProperties: false },
)

const Rejected = Type.Object(
  {
    verdict: Type.Literal('rejected'),
    code: Type.Enum(Object.keys(STATUS_OF), { type: 'string' }),
    message: Type.String({ description: 'A sentence for people. It never carries personal data.' }),
    retryable: Type.Boolean({ description: 'Whether this reading may be accepted later, unchanged.' }),
    errors: fieldErrors(
      'JSON Pointer into this reading. At most 20 errors of each reading, and beyond the first of each 1,000 in the answer.',
    ),
  },
  { additionalProperties: false },
)

export const AddVerdict = Type.Unsafe<Static<typeof Stored> | Static<typeof Rejected>>({
  $id: 'AddVerdict',
  description: 'What became of one reading.',
  anyOf: [Stored, Rejected],
})
export type AddVerdict = Static<typeof AddVerdict>

export const AddVerdicts = Type.Object(
  {
    code: Type.Literal('Ok'),
    message: Type.String(),
    data: Type.Array(Type.Unsafe<AddVerdict>({ $ref: 'AddVerdict#' }), {
      description: 'One for each reading, in the order sent.',
    }),
  },
  { $id: 'AddVerdicts', additionalProperties: false },
)
export type AddVerdicts = Static<typeof AddVerdicts>

export const EXAMPLE_VERDICTS = answerOf([
  { verdict: 'stored', readingId: '3d1f6c2e-8b0a-8f4e-9c57-2a1b0c9d8e7f' },
  {
    verdict: 'duplicate',
    readingId: '9a0b5d3c-1f2e-8a7b-8c6d-4e5f60718293',
    warnings: [
      {
        code: 'Before2000',
        pointer: '/timestamp',
        message: 'timestamp is before the year 2000: check the clock of the device.',
      },
    ],
  },
  {
    verdict: 'rejected',
    code: 'ValidationFailed',
    message: 'severity must be upper case, such as MODERATE.',
    retryable: false,
    errors: [{ pointer: '/symptoms/0/severity', message: 'must be upper case, such as MODERATE' }],
  },
])

export function rejectedFor({ code, message, errors }: Refusal): AddVerdict {
  return { verdict: 'rejected', code, message, retryable: isRetryable(code), ...(errors ? { errors } : {}) }
}

export function withWarnings(verdict: AddVerdict, warnings: ReadingWarning[]): AddVerdict {
  return verdict.verdict === 'rejected' || warnings.length === 0 ? verdict : { ...verdict, warnings }
}

export function answerOf(verdicts: AddVerdict[]): AddVerdicts {
  const count = (wanted: AddVerdict['verdict']) => verdicts.filter(({ verdict }) => verdict === wanted).length
  const were = (many: number, what: string) => `${many} ${many === 1 ? 'was' : 'were'} ${what}`
  const duplicates = count('duplicate')
  const message =
    `Of ${verdicts.length} reading${verdicts.length === 1 ? '' : 's'} ${were(count('stored'), 'stored')}, ` +
    `${were(duplicates, duplicates === 1 ? 'a duplicate' : 'duplicates')}, ${were(count('rejected'), 'rejected')}.`
  return { code: 'Ok', message, data: verdicts }
}
