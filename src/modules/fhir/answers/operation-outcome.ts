// Every failure under FHIR_PATH as an OperationOutcome: the code and the sentence that any other client would get, and, field
// by field, where it is: as a path of FHIR for a resource, by its name for a parameter.
import type { ErrorFormat } from '../../../http/answers/errors.ts'
import type { FieldError, RefusalCode } from '../../../refusal.ts'
import { printableText } from './printable.ts'

export const FHIR_JSON = 'application/fhir+json; charset=utf-8'
const ERROR = 'urn:rounds:error'

const ISSUE_TYPE: Record<RefusalCode, string> = {
  ValidationFailed: 'value',
  MalformedJson: 'structure',
  InvalidRange: 'value',
  InvalidCursor: 'value',
  TokenMissing: 'login',
  TokenInvalid: 'security',
  TokenExpired: 'expired',
  PatientMismatch: 'forbidden',
  PatientNotInToken: 'forbidden',
  ScopeMissing: 'forbidden',
  ReasonRequired: 'forbidden',
  PatientErased: 'forbidden',
  NotShared: 'forbidden',
  NotADoctor: 'forbidden',
  ManageRequired: 'forbidden',
  NotFound: 'not-found',
  ReadingNotFound: 'not-found',
  EndpointNotFound: 'not-found',
  TargetUnknown: 'not-found',
  RuleUnknown: 'not-found',
  AlertUnknown: 'not-found',
  ReviewUnknown: 'not-found',
  MisdirectedRequest: 'processing',
  UnknownDoctor: 'business-rule',
  TooManyGrants: 'too-costly',
  TooManyRules: 'too-costly',
  TooManyEndpoints: 'too-costly',
  MethodNotAllowed: 'not-supported',
  RequestTimeout: 'timeout',
  EndpointExists: 'duplicate',
  ReviewExists: 'duplicate',
  TooLate: 'business-rule',
  RuleExists: 'duplicate',
  AlertsAreOff: 'not-supported',
  CursorExpired: 'expired',
  BodyTooLarge: 'too-long',
  UnsupportedMediaType: 'not-supported',
  RateLimited: 'throttled',
  HeadersTooLarge: 'too-long',
  InternalError: 'exception',
  Overloaded: 'transient',
  DatabaseUnavailable: 'transient',
  IssuerUnavailable: 'transient',
}

export type OperationOutcome = { resourceType: 'OperationOutcome'; issue: object[] }

/** What a verdict or a refusal says. */
export type Failure = { code: RefusalCode; message: string; errors?: FieldError[] | undefined }

export function outcomeOf({ code, message, errors }: Failure, requestId?: string): OperationOutcome {
  const coding = [{ system: ERROR, code }]
  // Many clients show only `diagnostics`.
  const issueOf = (text: string, id?: string) => ({
    severity: 'error',
    code: ISSUE_TYPE[code],
    details: { coding, text },
    diagnostics: id === undefined ? text : `${text} Request ${id}`,
  })
  const [first, ...others] = errors ?? []
  // The sentence about several fields counts those in a list that only the other shape has.
  const text = first && others.length > 0 && code === 'ValidationFailed' ? aboutField(first) : message
  return {
    resourceType: 'OperationOutcome',
    issue: [
      { ...issueOf(printableText(text), requestId), ...(first ? placeOf(first) : {}) },
      ...others.map((error) => ({ ...issueOf(aboutField(error)), ...placeOf(error) })),
    ],
  }
}

const aboutField = (error: FieldError) => `${nameOf(error)} ${error.message}.`

/** What became of an Observation that was sent, for a client that asks for an OperationOutcome. */
export function storedOutcome({ isNew }: { isNew: boolean }): string {
  const text = isNew ? 'The Observation was stored.' : 'The same Observation was stored before.'
  const issue = [{ severity: 'information', code: 'informational', details: { text } }]
  return JSON.stringify({ resourceType: 'OperationOutcome', issue } satisfies OperationOutcome)
}

export const OUTCOMES: ErrorFormat = {
  contentType: FHIR_JSON,
  print: (refusal, requestId) => JSON.stringify(outcomeOf(refusal, requestId)),
}

function nameOf({ pointer }: FieldError): string {
  return fhirPath(pointer) || 'The request'
}

function placeOf({ pointer }: FieldError) {
  const path = fhirPath(pointer)
  return path === '' ? {} : { expression: [path] }
}

/** `/entry/0/resource` → `entry[0].resource`; what is a path already stays, but for signs in names that callers chose. */
function fhirPath(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer.replace(/[^\w.:[\]-]/g, '?')
  return pointer
    .slice(1)
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replace(/[^\w.-]/g, '?')}`))
    .join('')
    .replace(/^\./, '')
}
