// What went wrong in words that say what to do. The request id is shown beside it, for who asks for help.
import { RoundsError, type RoundsErrorCode } from '../../../typescript/src/client.ts'
import { words } from '../words/words.ts'
import { nameOf } from './type-names.ts'

const MAX_FIELDS = 3

/** Where trying again is in vain: what is not possible, and what would be. */
const REFUSALS: Partial<Record<RoundsErrorCode, keyof Pairs>> = {
  ManageRequired: 'manageRequired',
  NotShared: 'notShared',
  ReasonRequired: 'reasonRequired',
  UnknownDoctor: 'unknownDoctor',
  TooManyGrants: 'tooManyGrants',
  PatientErased: 'patientErased',
  RuleUnknown: 'ruleUnknown',
  RuleExists: 'ruleExists',
  AlertUnknown: 'alertUnknown',
  TooLate: 'tooLate',
  PatientMismatch: 'notAllowed',
  PatientNotInToken: 'notAllowed',
  ScopeMissing: 'notAllowed',
  TokenExpired: 'signedOut',
  TokenInvalid: 'signedOut',
  TokenUnavailable: 'signedOut',
}

/** Where trying again may help. */
const FAILURES: Partial<Record<RoundsErrorCode, keyof Pairs>> = {
  TimedOut: 'timedOut',
  UnexpectedAnswer: 'unexpectedAnswer',
  ReadingNotFound: 'readingGone',
  StorageFull: 'storageFull',
  QueueFull: 'storageFull',
}

/** Title and advice by name. */
type Pairs = { [Name in keyof Said as Said[Name] extends Text ? Name : never]: Text }
type Said = typeof words.errors
type Text = readonly [title: string, advice: string]

export type ErrorText = { title: string; advice: string; requestId?: string; mayRetry: boolean }

/** `isRepeated`: the page asks again by itself. What a person saves is sent again only by the person. */
export function errorText(error: unknown, { isRepeated = false } = {}): ErrorText {
  const { errors } = words
  if (!(error instanceof RoundsError)) {
    const [title, advice] = errors.ofPage
    return { title, advice, mayRetry: true }
  }
  const { code, message, requestId } = error
  const id = requestId === undefined ? {} : { requestId }
  const say = ([title, advice]: Text, mayRetry = true) => ({ title, advice, mayRetry, ...id })
  const [refusal, failure] = [REFUSALS, FAILURES].map((texts) =>
    Object.hasOwn(texts, code) ? texts[code] : undefined,
  )
  if (refusal) return say(errors[refusal], false)
  if (failure) return say(errors[failure])
  if (code === 'ConnectionFailed') {
    const [title, advice] = errors.connectionFailed
    return say([title, isRepeated ? errors.triedAgain : advice])
  }
  if (code === 'ValidationFailed')
    return say([errors.refused, wrongFields(error) || message], error.retryable)
  if (error.status === 429) return say(errors.tooManyRequests)
  if (error.status >= 500) return say(errors.serverFailed)
  return say([errors.refused, message], error.retryable)
}

/** Such as "Systolic must be at most 300." */
function wrongFields({ errors }: RoundsError): string {
  return errors
    .slice(0, MAX_FIELDS)
    .map(
      ({ pointer, message }) => `${nameOf(pointer.split('/').at(-1) || words.errors.theRequest)} ${message}.`,
    )
    .join(' ')
}
