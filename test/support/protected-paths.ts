// Every path that needs a token, once. A token of each kind is tried on all of them, others on one; a new route is added here.
import assert from 'node:assert/strict'
import type { Answer, Rounds } from './harness.ts'

/** The patient that the paths below are about. */
export const OWN = 'patient-own'

export type ProtectedPath = {
  method: 'GET' | 'POST'
  path: string
  body?: object
  /** Whether the token must name the patient; elsewhere any valid token will do. */
  needsPatient: boolean
  /** Whether staff may not do it either. */
  isForPatientAlone?: boolean
  /** What a valid token that names the patient and has no scope is answered, where that is not 200. */
  answered?: 403 | 404 | 422
  /** Whether the answer goes on until the caller leaves. */
  isEndless?: boolean
}

/** A reading that there is not. */
const UNKNOWN = {
  patientUid: OWN,
  readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
  timestamp: 1_762_000_000,
}

const GRANT = { patientUid: OWN, doctorId: 'doctor-1' }
const ENDPOINT = { endpointId: UNKNOWN.readingId }
const ALERT = { patientUid: OWN, alertId: UNKNOWN.readingId }
const RULE = { patientUid: OWN, readingType: 'heartRate', severity: 'warning' }
const TARGET = { patientUid: OWN, readingType: 'oxygenSaturation' }
const LOOK = { patientUid: OWN, reviewId: UNKNOWN.readingId }

export const PROTECTED_PATHS: ProtectedPath[] = [
  { method: 'GET', path: `/casesheet/readings/get?patientUid=${OWN}`, needsPatient: true },
  { method: 'GET', path: `/casesheet/readings/latest?patientUid=${OWN}`, needsPatient: true },
  {
    method: 'GET',
    path: `/casesheet/readings/statistics?patientUid=${OWN}&readingType=heartRate&from=0&to=1`,
    needsPatient: true,
  },
  { method: 'GET', path: `/casesheet/readings/access-log?patientUid=${OWN}`, needsPatient: true },
  {
    method: 'POST',
    path: '/casesheet/readings/add',
    body: { patientUid: OWN, readingType: 'acme.steps', timestamp: 1_762_000_000_000 },
    needsPatient: true,
  },
  { method: 'POST', path: '/casesheet/readings/withdraw', body: UNKNOWN, needsPatient: true, answered: 404 },
  { method: 'POST', path: '/casesheet/readings/restore', body: UNKNOWN, needsPatient: true, answered: 404 },
  {
    method: 'GET',
    path: `/casesheet/readings/stream?patientUid=${OWN}`,
    needsPatient: true,
    isEndless: true,
  },
  {
    method: 'POST',
    path: '/casesheet/grants/add',
    body: { ...GRANT, permission: 'view' },
    needsPatient: true,
    // The directory is empty.
    answered: 422,
  },
  { method: 'POST', path: '/casesheet/grants/revoke', body: GRANT, needsPatient: true },
  {
    method: 'GET',
    path: `/casesheet/grants/list?patientUid=${OWN}`,
    needsPatient: true,
    isForPatientAlone: true,
  },
  {
    method: 'GET',
    path: `/casesheet/grants/history?patientUid=${OWN}`,
    needsPatient: true,
    isForPatientAlone: true,
  },
  { method: 'GET', path: '/casesheet/patients/list', needsPatient: false, answered: 403 },
  { method: 'GET', path: '/casesheet/readings/changes?start=now', needsPatient: false, answered: 403 },
  { method: 'GET', path: '/casesheet/readings/types', needsPatient: false },
  {
    method: 'POST',
    path: '/care/targets/set',
    body: { ...TARGET, fields: { value: { low: 92 } } },
    needsPatient: true,
  },
  { method: 'POST', path: '/care/targets/remove', body: TARGET, needsPatient: true },
  { method: 'GET', path: `/care/targets/list?patientUid=${OWN}`, needsPatient: true },
  { method: 'GET', path: `/care/timeline?patientUid=${OWN}`, needsPatient: true },
  { method: 'GET', path: `/care/rules/list?patientUid=${OWN}`, needsPatient: true },
  { method: 'GET', path: `/care/alerts/list?patientUid=${OWN}`, needsPatient: true },
  // For doctors.
  { method: 'GET', path: '/care/patients/list', needsPatient: false, answered: 403 },
  ...[
    ['reviews/add', { ...LOOK, seenUpTo: '0', saw: [] }] as const,
    ['reviews/undo', LOOK] as const,
    ['alerts/acknowledge', ALERT] as const,
    ['rules/set', { ...RULE, value: { above: 130 } }] as const,
    ['rules/preview', { ...RULE, value: { above: 130 } }] as const,
    ['rules/remove', { ruleId: UNKNOWN.readingId }] as const,
  ].map(([operation, body]) => ({
    method: 'POST' as const,
    path: `/care/${operation}`,
    body,
    needsPatient: false,
    answered: 403 as const,
  })),
  ...['glucose?', 'blood-pressure?', 'days-with-data?', 'time-in-target?readingType=heartRate&'].map(
    (report) => ({
      method: 'GET' as const,
      path: `/care/reports/${report}patientUid=${OWN}&from=0&to=1`,
      needsPatient: true,
    }),
  ),
  { method: 'GET', path: '/care/targets/presets', needsPatient: false },
  ...['remove', 'pause', 'resume', 'test', 'replay', 'skip', 'rotate-secret', 'add'].map((operation) => ({
    method: 'POST' as const,
    path: `/webhooks/endpoints/${operation}`,
    body: operation === 'add' ? { url: 'https://receiver.example/' } : ENDPOINT,
    needsPatient: false,
    answered: 403 as const,
  })),
  { method: 'GET', path: '/webhooks/endpoints/list', needsPatient: false, answered: 403 },
  {
    method: 'GET',
    path: `/webhooks/attempts/list?endpointId=${ENDPOINT.endpointId}`,
    needsPatient: false,
    answered: 403,
  },
  { method: 'GET', path: '/appointments/doctors/list', needsPatient: false },
  { method: 'GET', path: '/appointments/doctors/specialities/list', needsPatient: false },
]

/** The same for FHIR, which answers in its own form: below FHIR_PATH, with `x` for each part that is not fixed. */
export const PROTECTED_FHIR_PATHS: readonly (readonly [method: string, path: string])[] = [
  ['POST', ''],
  ...['Observation', 'Patient', 'Practitioner', 'PractitionerRole'].flatMap(
    (type) =>
      [
        ['GET', `/${type}`],
        ['POST', `/${type}/_search`],
        ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, `/${type}/x`] as const),
        ...['PUT', 'PATCH', 'DELETE'].map((method) => [method, `/${type}`] as const),
      ] as const,
  ),
  ['POST', '/Observation'],
  ['GET', '/Observation/$lastn'],
  ['POST', '/Observation/$lastn'],
  ['GET', '/Patient/x/Observation'],
]

type Request = { token?: string; headers?: Record<string, string> }

export async function callPath(rounds: Rounds, path: ProtectedPath, request: Request): Promise<Answer> {
  return path.isEndless
    ? beginningOf(`${rounds.url}${path.path}`, request)
    : rounds.call(path.path, { ...request, body: path.body })
}

/** The answer without what comes after its head, where it goes on. */
async function beginningOf(url: string, { token, headers = {} }: Request): Promise<Answer> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    signal: leaving.signal,
  })
  const text = response.ok ? '' : await response.text()
  leaving.abort()
  const json = text === '' ? {} : JSON.parse(text)
  return { status: response.status, headers: response.headers, text, json }
}

const [READ] = PROTECTED_PATHS

/** By one operation: what every one of them asks first is the same. */
export const assertAccepts = (rounds: Rounds, request: Request) =>
  assertAccepted(rounds, READ as ProtectedPath, request)

export async function assertAllAccept(rounds: Rounds, request: Request) {
  for (const path of PROTECTED_PATHS) await assertAccepted(rounds, path, request)
}

async function assertAccepted(rounds: Rounds, path: ProtectedPath, request: Request) {
  const { status, text } = await callPath(rounds, path, request)
  assert.equal(status, path.answered ?? 200, `${path.path}: ${text}`)
}

type Expected = keyof typeof CHALLENGE_OF

const CHALLENGE_OF = {
  TokenMissing: /^Bearer realm="rounds"$/,
  TokenInvalid: /^Bearer realm="rounds", error="invalid_token", error_description="[^"]+"$/,
  TokenExpired: /^Bearer realm="rounds", error="invalid_token", error_description="[^"]+"$/,
}

let refusals = 0

/** By the next operation, so that those of a file together reach all of them. */
export const assertRefuses = (rounds: Rounds, request: Request, code: Expected) =>
  assertRefused(rounds, PROTECTED_PATHS[refusals++ % PROTECTED_PATHS.length] as ProtectedPath, request, code)

export async function assertAllRefuse(rounds: Rounds, request: Request, code: Expected) {
  for (const path of PROTECTED_PATHS) await assertRefused(rounds, path, request, code)
}

async function assertRefused(rounds: Rounds, path: ProtectedPath, request: Request, code: Expected) {
  const answer = await callPath(rounds, path, request)
  assert.deepEqual([answer.status, answer.json.code, answer.json.retryable], [401, code, false], path.path)
  assert.match(answer.headers.get('www-authenticate') ?? '', CHALLENGE_OF[code], path.path)
}
