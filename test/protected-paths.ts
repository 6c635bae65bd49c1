// Every path that needs a token, once. What is said of a token is tried on all of them; a new route is added here.
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
}

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
  { method: 'GET', path: '/casesheet/readings/types', needsPatient: false },
  { method: 'GET', path: '/appointments/doctors/list', needsPatient: false },
  { method: 'GET', path: '/appointments/doctors/specialities/list', needsPatient: false },
]

type Request = { token?: string; headers?: Record<string, string> }

export function callPath(rounds: Rounds, { path, body }: ProtectedPath, request: Request): Promise<Answer> {
  return rounds.call(path, { ...request, body })
}

export async function assertAllAccept(rounds: Rounds, request: Request) {
  for (const path of PROTECTED_PATHS) {
    const { status, text } = await callPath(rounds, path, request)
    assert.equal(status, 200, `${path.path}: ${text}`)
  }
}

type Expected = keyof typeof CHALLENGE_OF

const CHALLENGE_OF = {
  TokenMissing: /^Bearer realm="rounds"$/,
  TokenInvalid: /^Bearer realm="rounds", error="invalid_token", error_description="[^"]+"$/,
  TokenExpired: /^Bearer realm="rounds", error="invalid_token", error_description="[^"]+"$/,
}

export async function assertAllRefuse(rounds: Rounds, request: Request, code: Expected) {
  for (const path of PROTECTED_PATHS) {
    const answer = await callPath(rounds, path, request)
    assert.deepEqual([answer.status, answer.json.code, answer.json.retryable], [401, code, false], path.path)
    assert.match(answer.headers.get('www-authenticate') ?? '', CHALLENGE_OF[code], path.path)
  }
}
