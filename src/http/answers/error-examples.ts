// One example of every error code, with the very message that callers get, for the reference pages. A test provokes each of
// them and compares. What is wrong with a field depends on the operation, so each brings its own `ValidationFailed`.
import { type FieldError, Refusal, type RefusalCode, refuseFields, STATUS_OF } from '../../refusal.ts'
import { bodyOf } from './errors.ts'

const REQUEST_ID = '6f1c1c1e-0d5e-4c55-8d3c-0f5d6b1f0a11'

const SENTENCE_OF: Record<Exclude<RefusalCode, 'ValidationFailed'>, string> = {
  MalformedJson: 'The body is not well-formed JSON.',
  InvalidRange: 'from must not be after to.',
  InvalidCursor: 'The cursor is not one that this query was given.',
  TokenMissing: 'Send an access token in the header Authorization: Bearer <ACCESS_TOKEN>.',
  TokenInvalid: 'The access token is not valid for this service.',
  TokenExpired: 'The access token has expired. Get a new one and try again.',
  PatientMismatch: 'The access token is for another patient.',
  PatientNotInToken: 'The access token names no patient.',
  ScopeMissing: 'The token lacks the scope that this operation needs.',
  ReasonRequired: 'Staff must give a reason: send it in the header x-access-reason.',
  PatientErased: 'The data of this patient was erased. New data is refused for now.',
  NotShared: 'This patient does not share readings with you.',
  NotADoctor: 'The access token names no doctor.',
  ManageRequired: 'This patient lets you read, but change nothing: the grant needs the permission manage.',
  NotFound: 'There is nothing at this address.',
  ReadingNotFound: 'The patient has no such reading.',
  EndpointNotFound: 'There is no such endpoint.',
  TargetUnknown: 'You have set no such target.',
  RuleUnknown: 'You have set no such rule.',
  AlertUnknown: 'The patient has no such alert.',
  ReviewUnknown: 'You have added no such review of this patient.',
  MethodNotAllowed: 'Use POST here.',
  RequestTimeout: 'The request took too long to arrive.',
  EndpointExists: 'There is an endpoint with this url already.',
  ReviewExists: 'Another review of this patient has this reviewId. Send a new one.',
  TooLate: 'A review can be taken back for 60 seconds, and they are over.',
  RuleExists: 'You have set the same rule already.',
  TooManyRules: 'You have set 50 rules for them already. Remove one first.',
  AlertsAreOff: 'No rule is evaluated here: alerts are switched off.',
  CursorExpired:
    'The database no longer holds the history that this cursor belongs to. Begin again without a cursor.',
  BodyTooLarge: 'One reading may take 64 KiB, an array of readings 4 MiB.',
  UnsupportedMediaType: 'The body must be application/json.',
  MisdirectedRequest:
    'Another database cluster serves this patient: the request was routed to the wrong one.',
  UnknownDoctor: 'The directory has no active doctor with this doctorId.',
  TooManyGrants: 'The patient shares readings with 100 doctors already. Revoke one first.',
  TooManyEndpoints: 'There are 1,000 endpoints already, or they name 100,000 patients. Remove one first.',
  RateLimited: 'At most 600 requests a minute are served. Wait and try again.',
  HeadersTooLarge: 'The headers are too large.',
  InternalError: 'Something went wrong on our side. Quote the request id when you report it.',
  Overloaded: 'Too many requests are waiting already. Try again shortly.',
  DatabaseUnavailable: 'The database cannot be reached. Try again shortly.',
  IssuerUnavailable: 'The keys of the token issuer cannot be fetched. Try again shortly.',
}

const MEANING_OF: Record<ErrorStatus, string> = {
  400: 'The request is not valid; `errors` points at each wrong field. InvalidRange and InvalidCursor have none.',
  401: 'The token is missing, not valid, or expired; see WWW-Authenticate.',
  403: 'The token does not allow this, the same whether or not that patient exists; or the patient was erased.',
  404: 'There is no such path, no such reading, rule, alert or review of this patient, or no such endpoint.',
  405: 'The path exists, but not for this method; see Allow.',
  408: 'The request arrived too slowly: headers have 5 seconds, the whole has 10.',
  409: 'There is an endpoint with this url already, another review with this reviewId, or another rule that says the same; there are too many rules; or it is too late to take a review back.',
  410: 'The cursor belongs to a history that is gone; begin again without one.',
  413: 'The body is too large.',
  415: 'The body is not plain application/json.',
  421: 'Another database cluster serves this patient, or one of the patients of a list: the request was routed to the wrong one. While patients move between clusters, the same request succeeds shortly.',
  422: 'The request is well-formed, but the directory has no such doctor, the patient shares with 100 doctors already, or there are 1,000 endpoints already.',
  429: 'Too many requests from this subject; see Retry-After and RateLimit.',
  431: 'The headers take more than 8 KiB.',
  500: 'An internal error.',
  503: 'Overloaded, or the database or the token issuer cannot be reached; try again after Retry-After.',
}

type ErrorStatus = (typeof STATUS_OF)[RefusalCode]

/** What every operation can answer. */
const EVERYWHERE = new Set<RefusalCode>([
  'ValidationFailed',
  'TokenMissing',
  'TokenInvalid',
  'TokenExpired',
  'RequestTimeout',
  'RateLimited',
  'HeadersTooLarge',
  'InternalError',
  'Overloaded',
  'DatabaseUnavailable',
  'IssuerUnavailable',
])

/** Those of a request that matches no operation. */
export const ELSEWHERE = ['NotFound', 'MethodNotAllowed'] as const

const ALL_CODES = Object.keys(STATUS_OF) as RefusalCode[]

/**
 * The error answers of an operation, for its `response` schema: those that every operation can give, and those of its
 * own. `wrongFields` are the errors of a wrong request, as the operation's own check finds them.
 */
export function errorAnswers(wrongFields: () => FieldError[], ...ownCodes: RefusalCode[]) {
  const codes = ALL_CODES.filter((code) => EVERYWHERE.has(code) || ownCodes.includes(code))
  const statuses = [...new Set(codes.map((code) => STATUS_OF[code]))]
  return Object.fromEntries(
    statuses.map((status) => {
      const examples = codes
        .filter((code) => STATUS_OF[code] === status)
        .map((code) => [
          code,
          code === 'ValidationFailed' ? wrongRequest(wrongFields) : { value: exampleOf(code) },
        ])
      const content = {
        'application/json': { schema: { $ref: 'Error#' }, examples: Object.fromEntries(examples) },
      }
      return [status, { description: MEANING_OF[status], content }]
    }),
  )
}

/** Made when the document is: only then is the check needed that finds the fields. */
function wrongRequest(wrongFields: () => FieldError[]) {
  return {
    get value() {
      return bodyOf(refuseFields(wrongFields()), REQUEST_ID)
    },
  }
}

export function exampleOf(code: keyof typeof SENTENCE_OF) {
  if (code !== 'MalformedJson') return bodyOf(new Refusal(code, SENTENCE_OF[code]), REQUEST_ID)
  // Of a body that ends after `{"patientUid":`.
  const errors = [{ pointer: '/patientUid', message: 'must be a value of JSON' }]
  const refusal = new Refusal(code, SENTENCE_OF[code], { errors })
  return bodyOf(refusal.at({ line: 1, column: 15, byte: 14 }), REQUEST_ID)
}

/** Every status with its codes, as Markdown. */
export function errorList(): string {
  const lines = Object.entries(MEANING_OF).map(([status, meaning]) => {
    const codes = ALL_CODES.filter((code) => STATUS_OF[code] === Number(status))
    return `- **${status}** ${codes.map((code) => `\`${code}\``).join(', ')}: ${meaning}`
  })
  return [...lines, ...FROM_THE_PROXY].join('\n')
}

const FROM_THE_PROXY = [
  '- **403** `TlsRequired`, from the proxy: the token was sent in clear text; revoke it and use https.',
  '- **502**, **503**, **504** `ServerUnavailable`, from the proxy: no server can be reached, or it gave no answer; try again after Retry-After.',
]
