// FHIR through HTTP, for tests: a server with the module, and answers as resources.
import assert from 'node:assert/strict'
import { type Rounds, startRounds } from './harness.ts'

export const FHIR_TYPE = 'application/fhir+json'

export type Resource = { resourceType: string; [element: string]: unknown }

export type FhirAnswer = { status: number; headers: Headers; text: string; resource: Resource }

export type Issue = {
  severity: string
  code: string
  details: { coding: { code: string }[]; text: string }
  diagnostics: string
  expression?: string[]
}

export async function startFhir(settings: Record<string, string> = {}) {
  const rounds = await startRounds({ MODULES: 'appointments,casesheet,fhir', ...settings })
  return { ...rounds, ...fhirCalls(rounds) }
}

export type FhirRounds = Awaited<ReturnType<typeof startFhir>>

function fhirCalls(rounds: Rounds) {
  async function fhir(path: string, options: Parameters<Rounds['call']>[1] = {}): Promise<FhirAnswer> {
    const { status, headers, text } = await rounds.call(`/fhir${path}`, {
      ...options,
      headers: {
        ...(options.body === undefined && options.raw === undefined ? {} : { 'content-type': FHIR_TYPE }),
        ...options.headers,
      },
    })
    const resource = (text === '' ? { resourceType: '' } : JSON.parse(text)) as Resource
    return { status, headers, text, resource }
  }
  /** The Observations that a search finds, on all its pages. */
  async function search(query: string, token: string): Promise<Resource[]> {
    const found: Resource[] = []
    let next: string | undefined = `/Observation?${query}`
    while (next !== undefined) {
      const { status, resource, text } = await fhir(next, { token })
      assert.equal(status, 200, text)
      found.push(...matchesIn(resource))
      next = nextIn(resource)
    }
    return found
  }
  return { fhir, search }
}

/** The resources of a searchset that match. */
export function matchesIn({ entry = [] }: Resource): Resource[] {
  return (entry as { resource: Resource; search: { mode: string } }[])
    .filter(({ search }) => search.mode === 'match')
    .map(({ resource }) => resource)
}

/** The path of the next page below the base. */
export function nextIn({ link }: Resource): string | undefined {
  const { url } =
    (link as { relation: string; url: string }[]).find(({ relation }) => relation === 'next') ?? {}
  return url?.slice(url.indexOf('/fhir/') + '/fhir'.length)
}

/** Asserts an OperationOutcome with this code of Rounds in its first issue, and returns its issues. */
export function assertOutcome(answer: FhirAnswer, status: number, code: string): Issue[] {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/fhir\+json/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  return issuesIn(answer.resource, code)
}

/** The same of an OperationOutcome wherever it stands. */
export function issuesIn(outcome: Resource, code: string): Issue[] {
  assert.equal(outcome.resourceType, 'OperationOutcome')
  const issues = outcome['issue'] as Issue[]
  assert.equal(issues[0]?.details.coding[0]?.code, code, JSON.stringify(issues))
  for (const { details, diagnostics } of issues)
    assert.ok(diagnostics.startsWith(details.text), JSON.stringify(issues))
  return issues
}

/** A heart rate as small as it can be; `second` tells several of one patient apart. */
export function heartRate(patientUid: string, second = 0) {
  return {
    resourceType: 'Observation' as const,
    status: 'final' as const,
    code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
    subject: { reference: `Patient/${patientUid}` },
    effectiveDateTime: `2025-11-01T12:26:${String(second).padStart(2, '0')}Z`,
    valueQuantity: { value: 60 + second, system: 'http://unitsofmeasure.org', code: '/min' },
  }
}

/** A batch that adds some. */
export function heartRates(patientUid: string, count: number) {
  return {
    resourceType: 'Bundle' as const,
    type: 'batch' as const,
    entry: Array.from({ length: count }, (_, second) => ({
      request: { method: 'POST' as const, url: 'Observation' },
      resource: heartRate(patientUid, second),
    })),
  }
}
