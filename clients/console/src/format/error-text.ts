// What went wrong in words that say what to do. The request id is shown beside it, for who asks for help.
import { RoundsError, type RoundsErrorCode } from '../../../typescript/src/client.ts'
import { nameOf } from './type-names.ts'

const MAX_FIELDS = 3

/** Where trying again is in vain: what is not possible, and what would be. */
const REFUSALS: Partial<Record<RoundsErrorCode, [title: string, advice: string]>> = {
  ManageRequired: [
    'You may read this record, and not change it.',
    'The patient can let you, under “Shared with”.',
  ],
  NotShared: [
    'This patient does not share readings with you, or no longer.',
    'The patient can share them with you, under “Shared with”.',
  ],
  ReasonRequired: ['Say first why you open this record.', 'The patient sees the reason.'],
  UnknownDoctor: ['The directory has no such doctor now.', 'Choose the doctor again.'],
  TooManyGrants: ['You share with as many doctors as is possible.', 'Stop sharing with one of them first.'],
  PatientErased: [
    'The readings of this patient were erased.',
    'New ones are not accepted now. Ask those who run this service.',
  ],
  RuleUnknown: ['This rule is no longer there.', 'Somebody has removed it.'],
  RuleExists: ['There is such a rule already.', 'Change that one, or let this one say something else.'],
  AlertUnknown: ['This alert is no longer there.', 'Reload the list.'],
  TooLate: ['It is too late to undo this.', 'Look again, and note what has changed.'],
}

export type ErrorText = { title: string; advice: string; requestId?: string; mayRetry: boolean }

/** `isRepeated`: the page asks again by itself. What a person saves is sent again only by the person. */
export function errorText(error: unknown, { isRepeated = false } = {}): ErrorText {
  if (!(error instanceof RoundsError)) {
    return {
      title: 'Something in this page failed.',
      advice: 'Reload the page. If it happens again, report it.',
      mayRetry: true,
    }
  }
  const { code, message, requestId } = error
  const id = requestId === undefined ? {} : { requestId }
  const say = (title: string, advice: string, mayRetry = true) => ({ title, advice, mayRetry, ...id })
  const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  if (refusal) return say(...refusal, false)
  switch (code) {
    case 'ConnectionFailed':
      return say(
        'The server cannot be reached.',
        isRepeated
          ? 'Check your network. This page tries again by itself when it is back.'
          : 'Check your network, then try again.',
      )
    case 'TimedOut':
      return say('The server took too long to answer.', 'Try again in a moment.')
    case 'UnexpectedAnswer':
      return say(
        'Something else answered in place of the server.',
        'A network that wants a sign-in of its own, such as a hotel’s, does that. Open any web page and sign in there first.',
      )
    case 'PatientMismatch':
    case 'PatientNotInToken':
    case 'ScopeMissing':
      return say(
        'You may not do this for this patient.',
        'Check the patient id. Who may see whom is decided where you sign in.',
        false,
      )
    case 'ValidationFailed':
      return say('The server refused this.', wrongFields(error) || message, error.retryable)
    case 'TokenExpired':
    case 'TokenInvalid':
    case 'TokenUnavailable':
      return say('You are no longer signed in.', 'Sign in again. Nothing that you added is lost.', false)
    case 'ReadingNotFound':
      return say('This reading is no longer there.', 'It may have been erased. Reload to see what there is.')
    case 'StorageFull':
    case 'QueueFull':
      return say(
        'This device has no more room for readings.',
        'Go online so that waiting readings are sent, or free space.',
      )
    default:
      if (error.status === 429) return say('Too many requests at once.', 'Wait a minute, then try again.')
      if (error.status >= 500) return say('The server could not answer just now.', 'Try again in a moment.')
      return say('The server refused this.', message, error.retryable)
  }
}

/** Such as "Systolic must be at most 300." */
function wrongFields({ errors }: RoundsError): string {
  return errors
    .slice(0, MAX_FIELDS)
    .map(({ pointer, message }) => `${nameOf(pointer.split('/').at(-1) || 'The request')} ${message}.`)
    .join(' ')
}
